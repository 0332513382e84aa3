//! The states of all ideal valves at an instant, found together: a linear complementarity problem.
//!
//! # The problem
//!
//! At an event the charges, fluxes and momenta `x(0-)` are known. All variables of the equations are series in the time
//! after the event. With the Laplace variable s, eps = 1/s and Z(eps) = s L{z}(s),
//!
//! ```text
//! Z(eps) = z0 + z1 eps + z2 eps^2 ...     value, rate, second rate after the event; negative powers are impulses,
//! eps RATE = X - x(0-)                    for every storage,
//! A Z = b(eps)                            for all other equations, whose sources have Taylor series.
//! ```
//!
//! A valve is a number of complementary pairs, a >= 0, p >= 0, a p = 0, of linear forms in Z: blocking voltage and current
//! of a diode, distance to a limit and what pushes beyond it for a limited amplifier or a friction (`pairs.rs`). Of two
//! series the first coefficient that differs says which is larger: what is zero at the instant is decided by its
//! rate, and so on. Elimination of Z leaves `w = q + M z`, w >= 0, z >= 0, w z = 0, over the ordered field of the Laurent
//! series: the rational complementarity problem (Heemels, Schumacher, Weiland, *The rational complementarity problem*,
//! Linear Algebra and its Applications 294 (1999) 93; *Linear complementarity systems*, SIAM J. Appl. Math. 60 (2000) 1234).
//! Its solution says at once which valves conduct after the event, also those whose current only begins to rise, and by how
//! much charges and fluxes jump.
//!
//! # Why there is a solution, and why it is found
//!
//! Lemke's method (Cottle, Pang, Stone, *The Linear Complementarity Problem*, 1992, 4.4) uses sums, products, quotients and
//! signs only, so that its proof holds over any ordered field: with the lexicographic rule no basis comes twice, and if M
//! is positive semidefinite the method ends with a solution or proves that there is none. The hybrid matrix of a passive
//! network is positive real, hence positive semidefinite at every large real s, which is what the order of the field
//! means (Camlibel, Heemels, Schumacher, *On linear passive complementarity systems*, European Journal of Control 8 (2002)
//! 220). Each valve has a series resistance and a parallel conductance of eps^4 times a usual size (`SOFTNESS`):
//! then M is positive definite, every combination of modes is regular, and there is exactly one solution (1992, 3.3). What ideal
//! valves leave undetermined, the share of parallel ones and the potential of what floats, takes the
//! least-norm value; all that is determined keeps its value, rate and second rate, because immittances of storages
//! are of order eps^-1 to eps. Networks with controlled sources may have no solution or several; a ray is
//! reported then.
//!
//! # What is not monotone
//!
//! Stiction has a higher limit at rest than while it slides, and a thyristor without a signal at its gate does not close again.
//! The problem takes the limit that holds before the event. What moves by its softness alone (`p` of the order eps^4) is
//! held by others: its force stays at the limit at rest (`ValveKind::Lock`, `held`). What slides pushes with less from then on,
//! so that the problem is asked again with the modes it gave, until none changes (`run/together.rs`). A passing
//! state of an iteration must not make something let go: then all valves are asked together at once (`run/settle.rs`).
//!
//! # Numbers
//!
//! Each coefficient has a bound of its error (`series.rs`), which begins with what the search for the instant leaves in time
//! and states. A coefficient within its bound counts as zero. So a current of 1e-17 A of either sign is none.
//!
//! # Files
//!
//! `series.rs` is the field, `lemke.rs` the method on plain data, `hybrid_matrix.rs` the elimination, `time_taylor.rs` and `linearise.rs`
//! evaluate expressions, `pairs.rs` finds the pairs of elements, `assemble.rs` puts them together.
//! `undetermined.rs` and `redundant.rs` complete the equations of a combination of modes that leaves shares or potentials open, `conflict.rs` finds
//! what contradicts each other where there is no solution; both eliminate real equations with `echelon.rs`.

#![allow(clippy::op_ref, reason = "a series is large, so that operators take references")]

pub(crate) mod assemble;
pub(crate) mod conflict;
mod echelon;
mod hybrid_matrix;
mod lemke;
pub(crate) mod linearise;
mod pairs;
mod redundant;
mod series;
mod time_taylor;
pub(crate) mod undetermined;

pub(crate) use linearise::{Instant, Lineariser};
pub(crate) use redundant::share_redundant;
