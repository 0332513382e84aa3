//! What needs accelerations of the mechanics, and therefore comes after its forces.

use crate::network::equations::coupling::Ports;
use crate::network::equations::expr::{Arena, Contents, ExprId, Node};
use crate::network::equations::walk::Marks;
use crate::network::passes::equation_structure::Structure;

impl Ports {
    /// Forces that follow without accelerations, and blocks of equations that need these.
    pub(in crate::network) fn sort(
        &self,
        arena: &Arena,
        structure: &Structure,
        blocks: &[Vec<usize>],
        n_variables: usize,
        marks: &mut Marks,
    ) -> Vec<bool> {
        let mut late = vec![false; n_variables];
        for block in blocks {
            let waits = block.iter().any(|&equation| {
                structure.incidence[equation].iter().any(|variable| late[variable.index()])
                    || structure.equations[equation]
                        .terms
                        .iter()
                        .any(|&term| self.has_late(arena, term, marks))
            });
            for variable in block.iter().filter_map(|&equation| structure.solves[equation]) {
                late[variable.index()] = waits;
            }
        }
        late
    }

    fn has_late(&self, arena: &Arena, term: ExprId, marks: &mut Marks) -> bool {
        let mut found = false;
        arena.visit(term, Contents::INPUTS, marks, |node| {
            found |= matches!(node, Node::Input(input) if self.is_late(input));
        });
        found
    }

    /// Does an expression need accelerations?
    pub(in crate::network) fn waits(
        &self,
        arena: &Arena,
        late: &[bool],
        root: ExprId,
        marks: &mut Marks,
    ) -> bool {
        let mut found = false;
        let what = Contents::INPUTS.and(Contents::VARIABLES);
        arena.visit(root, what, marks, |node| {
            found |= match node {
                Node::Input(input) => self.is_late(input),
                Node::Variable(variable) => late.get(variable.index()) == Some(&true),
                _ => false,
            };
        });
        found
    }
}
