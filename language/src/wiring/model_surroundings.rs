//! A model as the equations of its networks see it: names for messages, tables and nodes for elements.

use parser::source::Span;

use crate::blocks::general::Initial;
use crate::blocks::network::NetworkElement;
use crate::element::{BlockSchema, Family};
use crate::model::Model;
use crate::reading::ids::{BodyId, ElementId, JointId, NodeId, TriadId};
use crate::writing::{NodeFacts, Surroundings};
use equations::domain::Domain;
use equations::expression::SignalRef;
use equations::names::Names;

impl Names for Model {
    fn model(&self) -> &str {
        &self.name
    }

    fn name(&self, block: u32) -> &str {
        let entry = &self.blocks[block as usize];
        match self.nodes.get(entry.handle as usize) {
            Some(node) if entry.schema.family == Family::Node && node.is_reference => {
                node.domain.reference()
            }
            _ => self.block_name(block),
        }
    }

    fn keyword(&self, block: u32) -> &'static str {
        self.blocks[block as usize].schema.keyword
    }

    fn has_signal(&self, block: u32, name: &str) -> bool {
        self.blocks[block as usize].schema.all_signals().any(|signal| signal.name == name)
    }

    fn has_parameter(&self, block: u32, name: &str) -> bool {
        self.blocks[block as usize].schema.parameter(name).is_some()
    }

    fn span(&self, block: u32) -> Span {
        self.name_span(block)
    }

    fn line(&self, block: u32) -> Option<usize> {
        let span = self.name_span(block);
        let position = self.sources.position(span).filter(|_| span.start != span.end);
        position.map(|(_, position)| position.line)
    }

    fn equation_line(&self, block: u32, line: u32) -> Option<(&str, usize)> {
        let handle = self.blocks.get(block as usize)?.handle as usize;
        let NetworkElement::Equations(equations) = &self.elements.get(handle)?.what else {
            return None;
        };
        let span = equations.lines.get(line as usize)?.span;
        let (_, position) = self.sources.position(span)?;
        Some((self.sources.text(span), position.line))
    }

    fn domain(&self, node: usize) -> Domain {
        self.nodes[node].domain
    }
}

impl Surroundings for Model {
    fn schema(&self, block: u32) -> &'static BlockSchema {
        self.blocks[block as usize].schema
    }

    fn handle(&self, block: u32) -> u32 {
        self.blocks[block as usize].handle
    }

    fn block_of_element(&self, element: ElementId) -> u32 {
        self.elements[element.index()].block
    }

    fn block_of_joint(&self, joint: JointId) -> u32 {
        self.joint(joint).block
    }

    fn bodies_of(&self, block: u32) -> [BodyId; 2] {
        let handle = self.handle(block);
        let of = |triad: TriadId| self.triad(triad).parent;
        match self.schema(block).family {
            // The world is body 0.
            Family::Body => [BodyId::WORLD, BodyId(handle + 1)],
            Family::Triad => [BodyId::WORLD, of(TriadId(handle))],
            Family::Sensor => {
                let sensor = &self.sensors[handle as usize];
                [of(sensor.from), of(sensor.to)]
            }
            _ => [BodyId::WORLD; 2],
        }
    }

    fn width(&self, block: u32, signal: &str) -> usize {
        Model::width(self, block, signal)
    }

    fn takes_steps(&self, signal: SignalRef) -> bool {
        Model::takes_steps(self, signal)
    }

    fn node(&self, node: NodeId) -> Option<NodeFacts> {
        let node = self.nodes.get(node.index())?;
        let (domain, is_reference) = (node.domain, node.is_reference);
        Some(NodeFacts { block: node.block, domain, is_reference })
    }

    fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    fn ambient_temperature(&self) -> f64 {
        self.system.ambient_temperature
    }

    fn start(&self) -> f64 {
        self.solver.start
    }

    fn is_steady(&self) -> bool {
        self.solver.initial == Initial::Steady
    }
}
