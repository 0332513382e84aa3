//! `stiff` or `radau`: implicit collocation at Radau's nodes, of order 5, 9 and 13 by turns.
//!
//! Hairer & Wanner, *Solving ODEs II*, IV.5 and IV.8, and *J. Comput. Appl. Math.* 111 (1999) 93. The methods
//! are L-stable and stiffly accurate, keep their order on stiff problems better than diagonally
//! implicit ones, need one point to start, and bring their dense output along. The mass matrix of
//! `M y' = f` may be singular, as index-1 systems have it.
//!
//! The crate `diffsol` (0.18) was looked at first and is not used. Its solvers borrow an immutable problem
//! for their whole life and call a right-hand side that cannot fail, while ours is handed over step
//! by step, changes its modes at events and may have no value, which a step must answer by
//! becoming shorter. Its implicit one-step methods have orders 2 and 3, and its BDF method begins at
//! order one again after every event, which is what models that switch cannot afford.
//!
//! | file | subject |
//! |---|---|
//! | `nodes.rs`, `tableau.rs` | coefficients and modes of the methods |
//! | `systems.rs` | linear systems of a step |
//! | `combine.rs` | sums over stages, to and from the modes |
//! | `step_equations.rs` | the equations of a step |
//! | `newton.rs`, `estimate.rs`, `control.rs` | iteration, error, next step and order |
//! | `hidden.rs` | what steep slopes hide from iteration and estimate |
//! | `stagewise.rs`, `solver.rs` | the iteration where one Jacobian does not serve a whole step, and the choice |
//! | `upkeep.rs` | the present Jacobian and how long it serves |
//! | `collocation.rs` | dense output |
//! | `samples.rs` | guards at stages, for the search for events |
//! | `orders.rs`, `radau.rs` | the method |
//!
//! Not here: Jacobian and factors (`implicit`); events and outputs (`driver.rs`), which need nothing of the
//! method but interpolation and these samples.

mod collocation;
mod combine;
mod control;
mod estimate;
mod hidden;
mod newton;
mod nodes;
mod orders;
mod radau;
mod samples;
mod solver;
mod stagewise;
mod step_equations;
mod systems;
mod tableau;
mod upkeep;

pub use orders::Orders;
pub use radau::{Radau, Structure};
