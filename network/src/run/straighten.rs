//! The code of the present combination of modes without the branches that frozen states decide.

use super::NetworkRun;
use crate::code::straight::Straight;

impl NetworkRun<'_> {
    /// Takes the branches of the present code as the frozen states have them, for the evaluations that follow.
    pub fn straighten(&mut self) {
        let Some(prepared) = self.now.kept.get_mut(self.now.current) else { return };
        let (code, numbers) = (&prepared.code, &mut prepared.values.numbers);
        let frozen = self.now.switches.get();
        numbers[code.states as usize..][..frozen.len()].copy_from_slice(frozen);
        let straight =
            prepared.frozen.straight.get_or_insert_with(|| Box::new(Straight::new(&prepared.code)));
        if !straight.fits(code, numbers) {
            straight.make(code, numbers);
        }
        prepared.frozen.is_new = true;
    }
}

#[cfg(test)]
mod tests;
