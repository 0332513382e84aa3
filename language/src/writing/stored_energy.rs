//! The energy of storages whose capacity depends on what they store: `C = 1/(100 + 50*k.q^2)`.
//!
//! With charge q, voltage v and q = C v the work that went in is the integral of v over q. Where C is a function of the charge,
//! or of the voltage (by parts), this is
//!
//! ```text
//! E = q^2 int_0^1 s/C(s q) ds                E = q v - v^2 int_0^1 s C(s v) ds
//! ```
//!
//! and q v/2 where C depends on neither. The integrals are sums of Gauss and Legendre with ten points, which are exact for
//! polynomials up to degree 19 (Abramowitz and Stegun, 25.4.30). An inertia with momentum and flow is the same.

use super::writer::Writer;
use equations::expr::{Contents, Ex, Node};

/// Points on (0, 1) and their weights: the nodes of the Legendre polynomial of degree ten.
const NODES: [(f64, f64); 5] = [
    (0.148_874_338_981_631_21, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// A storage: what it stores, the effort that this takes, and their quotient.
pub struct Store<'a, 'n> {
    /// The name of the signal, and the value, of what is stored: charge, flux, momentum.
    pub stored: (&'n str, Ex<'a>),
    /// The same of the effort: voltage, current, flow.
    pub effort: (&'n str, Ex<'a>),
    /// What is stored per effort.
    pub capacity: Ex<'a>,
}

/// The energy in a storage.
pub fn stored_energy<'a>(e: &Writer<'a>, store: &Store<'a, '_>) -> Ex<'a> {
    let Store { stored: (stored, q), effort: (effort, v), capacity } = *store;
    let by_charge = weighted_mean(e, e.number(1.0) / capacity, stored);
    let by_effort = weighted_mean(e, capacity, effort);
    match (by_charge, by_effort) {
        (Some(mean), None) => q * q * mean,
        (None, Some(mean)) => q * v - v * v * mean,
        // Of a plain storage by what is stored alone, which says how much there was before a jump.
        _ => match capacity.value() {
            Some(c) if c != 0.0 => 0.5 / c * q * q,
            _ => 0.5 * q * v,
        },
    }
}

/// The energy in a storage with a law: the integral of the effort over what is stored, E = q int_0^1 e(s q) ds.
pub fn work_of_law<'a>(e: &Writer<'a>, (name, q): (&str, Ex<'a>), law: Ex<'a>) -> Ex<'a> {
    q * mean(e, law, name, |_| 1.0).unwrap_or(law)
}

/// The integral of s x(s y) over s from 0 to 1, where y is a signal of the element; nothing if x does not depend on it.
fn weighted_mean<'a>(e: &Writer<'a>, x: Ex<'a>, name: &str) -> Option<Ex<'a>> {
    mean(e, x, name, |s| s)
}

/// The integral of w(s) x(s y) over s from 0 to 1.
fn mean<'a>(e: &Writer<'a>, x: Ex<'a>, name: &str, w: fn(f64) -> f64) -> Option<Ex<'a>> {
    let own = e.used_variable_of_own(name)?;
    let own = e.ex(e.arena.borrow_mut().variable(own));
    let at = |s: f64| Some(with_own(e, x, name, s * own)? * w(s));
    let mut sum = e.number(0.0);
    for (node, weight) in NODES {
        sum = sum + 0.5 * weight * (at(0.5 - 0.5 * node)? + at(0.5 + 0.5 * node)?);
    }
    Some(sum)
}

/// An expression with another value in the place of a signal of the element; nothing if it does not depend on that.
pub fn with_own<'a>(e: &Writer<'a>, x: Ex<'a>, name: &str, value: Ex<'a>) -> Option<Ex<'a>> {
    let own = e.used_variable_of_own(name)?;
    let mut is_used = false;
    let mut images = e.images.borrow_mut();
    let done = images.start();
    // The other value stays as it is, also where it depends on the signal.
    done.insert(value.id, value.id);
    let replaced = e.arena.borrow_mut().rewrite(x.id, Contents::VARIABLES, done, |arena, id| {
        let is_own = arena.node(id) == Node::Variable(own);
        is_used |= is_own;
        is_own.then_some(value.id)
    });
    is_used.then(|| e.ex(replaced))
}
