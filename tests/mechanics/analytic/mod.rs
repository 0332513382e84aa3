//! Models in `.dys` text against closed forms and against values computed in quadruple precision.

mod contacts;
mod planar;
mod spatial;
