//! The methods of integration: accuracy, work, events, stiff problems, real time.

mod convergence;
mod event_search;
mod events;
mod interface;
mod realtime;
mod stiff;
mod stiff_models;
mod tree_jacobian;
mod work;
