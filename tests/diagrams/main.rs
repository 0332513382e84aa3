//! Diagrams: what every picture must hold, crossings against all orders, that nothing is lost, that large ones end.

mod crossings;
mod inspection;
mod large;
mod models;
mod random_models;
