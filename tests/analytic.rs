//! Models in `.dys` text against closed forms and against values computed in quadruple precision.

mod analytic {
    pub mod contacts;
    pub mod planar;
    pub mod spatial;
}
