//! The Jacobian of the rates of the present combination of modes.

use integrate::Matrix;

use super::NetworkRun;
use crate::code::tangent::Tangents;

impl NetworkRun<'_> {
    /// Writes the Jacobian of the rates at the point of the last evaluation. False if there is none.
    pub fn jacobian(&mut self, jacobian: &mut Matrix) -> bool {
        if !self.has_rates() {
            return false;
        }
        if self.present().tangents.is_none() {
            let code = &self.present().code;
            let tangents = Tangents::new(code, &self.dependences_now(), &self.changing());
            self.now.kept[self.now.current].tangents = Some(Box::new(tangents));
        }
        let prepared = &mut self.now.kept[self.now.current];
        if !prepared.compute_all() {
            return false;
        }
        let Some(tangents) = &mut prepared.tangents else { return false };
        tangents.jacobian(&prepared.code, &prepared.leads, &prepared.values.numbers, jacobian);
        true
    }
}
