//! Sums in one instruction: most equations of networks are a few numbers times a few variables.
//!
//! A sum is flattened through `+`, `-` and factors that are numbers into terms c a b, each a number times the
//! product of two places (times one where there is a single factor). One instruction that runs over the terms
//! takes a fraction of the time of one instruction for each operation.

use parser::syntax::BinaryOp;

use super::compile::{Compiler, Operation};
use super::expr::{ExprId, Node};

/// Sums with more terms are left to their parts, so that what several expressions share is computed once.
const MOST_TERMS: usize = 32;

/// A number times the product of two places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub factor: f64,
    pub places: [u32; 2],
}

/// A number times one or two expressions; none for a number alone.
#[derive(Clone, Copy)]
pub(super) struct Product {
    factor: f64,
    of: [Option<ExprId>; 2],
}

impl Compiler<'_> {
    /// The terms of a sum that is worth an instruction of its own. Those inside an iteration stay as they are: what
    /// does not change there is computed outside.
    pub(super) fn products(&self, root: ExprId) -> Option<Vec<Product>> {
        if self.in_newton || self.arena.linear(root).is_none() {
            return None;
        }
        let mut terms = Vec::new();
        let mut open = vec![(root, 1.0)];
        let mut operations = 0;
        while let Some((id, factor)) = open.pop() {
            if terms.len() + open.len() > MOST_TERMS {
                return None;
            }
            if id != root && self.places.contains_key(&id) {
                terms.push(Product { factor, of: [Some(id), None] });
                continue;
            }
            operations += 1;
            if let Some(linear) = self.arena.linear(id) {
                open.extend(linear.terms(factor));
                continue;
            }
            match self.arena.node(id) {
                Node::Binary(BinaryOp::Multiply, a, b) => {
                    terms.push(Product { factor, of: [Some(a), Some(b)] });
                }
                Node::Constant(bits) => {
                    let factor = factor * f64::from_bits(bits);
                    terms.push(Product { factor, of: [None; 2] });
                }
                _ => {
                    operations -= 1;
                    terms.push(Product { factor, of: [Some(id), None] });
                }
            }
        }
        let is_finite = terms.iter().all(|term| term.factor.is_finite());
        (operations > 1 && is_finite).then_some(terms)
    }

    /// Code for a sum whose factors all have their places.
    pub(super) fn sum_up(&mut self, id: ExprId, products: &[Product]) {
        let first = self.code.terms.len() as u32;
        for product in products {
            let places = product.of.map(|factor| match factor {
                Some(factor) => self.places.get(&factor).copied().unwrap_or(self.code.one),
                None => self.code.one,
            });
            self.code.terms.push(Term { factor: product.factor, places });
        }
        let target = self.new_place(id, false);
        let operands = [first, products.len() as u32, 0];
        self.push(false, Operation::Sum, target, operands);
    }
}

/// The factors of the terms of a sum.
pub(super) fn factors(products: &[Product]) -> impl Iterator<Item = ExprId> + '_ {
    products.iter().flat_map(|product| product.of).flatten()
}
