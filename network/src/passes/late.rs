//! What needs accelerations of the mechanics, and therefore comes after its forces.

use crate::passes::equation_structure::Structure;
use equations::coupling::Ports;
use equations::expr::{Arena, Contents, ExprId, Node};
use equations::walk::Marks;

/// What waits for the accelerations at the ports.
pub(crate) trait Waiting {
    /// Forces that follow without accelerations, and blocks of equations that need these.
    fn sort(
        &self,
        arena: &Arena,
        structure: &Structure,
        blocks: &[Vec<usize>],
        n_variables: usize,
        marks: &mut Marks,
    ) -> Vec<bool>;

    /// Does an expression need accelerations?
    fn waits(&self, arena: &Arena, late: &[bool], root: ExprId, marks: &mut Marks) -> bool;
}

impl Waiting for Ports {
    fn sort(
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
                        .any(|&term| has_late(self, arena, term, marks))
            });
            for variable in block.iter().filter_map(|&equation| structure.solves[equation]) {
                late[variable.index()] = waits;
            }
        }
        late
    }

    fn waits(&self, arena: &Arena, late: &[bool], root: ExprId, marks: &mut Marks) -> bool {
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

fn has_late(ports: &Ports, arena: &Arena, term: ExprId, marks: &mut Marks) -> bool {
    let mut found = false;
    arena.visit(term, Contents::INPUTS, marks, |node| {
        found |= matches!(node, Node::Input(input) if ports.is_late(input));
    });
    found
}
