//! Sums in one instruction: most equations of networks are a few numbers times a few variables.
//!
//! A sum is flattened through `+`, `-` and factors that are numbers into terms c a b, each a number times the
//! product of two places (times one where there is a single factor). One instruction that runs over the terms
//! takes a fraction of the time of one instruction for each operation.

use parser::syntax::BinaryOp;

use crate::code::block_compiler::Operation;
use crate::code::emit::Emitter;
use equations::expr::{ExprId, Node};

/// A sum with more terms is computed from its parts, so that parts that several expressions share are computed once.
const MOST_TERMS: usize = 32;

/// A number times the product of two places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub factor: f64,
    pub places: [u32; 2],
}

/// A number times one or two expressions; none for a number alone.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    factor: f64,
    of: [Option<ExprId>; 2],
}

/// A sum while it is flattened.
#[derive(Default)]
pub(crate) struct Sum {
    /// The terms that were found.
    pub terms: Vec<Product>,
    /// Parts that are still to be looked at.
    open: Vec<(ExprId, f64)>,
}

impl Emitter<'_> {
    /// Finds the terms of a sum. False if the sum is not worth an instruction of its own. Sums inside an iteration stay as
    /// they are: their parts that do not change there are computed outside.
    pub(crate) fn find_products(&mut self, root: ExprId) -> bool {
        if self.in_newton || self.arena.linear(root).is_none() {
            return false;
        }
        let Sum { terms, open } = &mut self.sum;
        terms.clear();
        open.clear();
        open.push((root, 1.0));
        let mut operations = 0;
        while let Some((id, factor)) = open.pop() {
            if terms.len() + open.len() > MOST_TERMS {
                return false;
            }
            if id != root && self.places.has(id) {
                terms.push(Product { factor, of: [Some(id), None] });
                continue;
            }
            // Sums, differences and factors that are numbers open into their terms.
            operations += 1;
            if let Some(linear) = self.arena.linear(id) {
                open.extend(linear.terms(factor));
                continue;
            }
            // Anything else is one term: a product, a number, or an expression that is computed first.
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
        operations > 1 && terms.iter().all(|term| term.factor.is_finite())
    }

    /// Code for a sum whose factors all have their places.
    pub(crate) fn sum_up(&mut self, id: ExprId) {
        let first = self.code.terms.len() as u32;
        for product in &self.sum.terms {
            let places = product.of.map(|factor| match factor {
                Some(factor) => self.places.get(factor).unwrap_or(self.code.one),
                None => self.code.one,
            });
            self.code.terms.push(Term { factor: product.factor, places });
        }
        let target = self.new_place(id, false);
        let operands = [first, self.sum.terms.len() as u32, 0];
        self.push(false, Operation::Sum, target, operands);
    }
}

/// The factors of the terms of a sum.
pub(crate) fn factors(products: &[Product]) -> impl Iterator<Item = ExprId> + '_ {
    products.iter().flat_map(|product| product.of).flatten()
}
