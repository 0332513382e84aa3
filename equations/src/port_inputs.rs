//! The numbers that the mechanics tells the networks at their ports, and the place of each number.
//!
//! ```text
//!  0 ............ n - 1 | n ................. n + n*n - 1 | n + n*n ............... n*n + 3n - 1
//!  accelerations a0     | responses Phi, row by row       | coordinate and speed of each port
//!  a0_0 ... a0_(n-1)    | Phi_00 Phi_01 ... Phi_(n-1)(n-1)| x_0 v_0 x_1 v_1 ... x_(n-1) v_(n-1)
//! ```
//!
//! n is the number of ports. The accelerations along the ports are `a = a0 + Phi f` with the forces f in the ports
//! (`coupling.rs`). Where the ports are open, the first n numbers are the accelerations themselves, or the forces of
//! ports that are held, and nobody asks for the responses.

use std::ops::Range;

/// Where the numbers of the ports stand.
#[derive(Clone, Copy, Debug)]
pub struct PortLayout {
    /// Number of ports.
    pub n_ports: usize,
}

impl PortLayout {
    /// Number of numbers.
    pub fn n_numbers(self) -> usize {
        self.motions().end
    }

    /// The accelerations of all ports.
    pub fn accelerations(self) -> Range<usize> {
        0..self.n_ports
    }

    /// The responses, row by row.
    pub fn responses(self) -> Range<usize> {
        self.n_ports..self.n_ports + self.n_ports * self.n_ports
    }

    /// The pairs of coordinate and speed.
    pub fn motions(self) -> Range<usize> {
        let first = self.responses().end;
        first..first + 2 * self.n_ports
    }

    /// The acceleration of a port.
    pub fn acceleration(self, port: usize) -> usize {
        port
    }

    /// The acceleration of port `row` per force in port `column`.
    pub fn response(self, row: usize, column: usize) -> usize {
        self.responses().start + row * self.n_ports + column
    }

    /// The coordinate (0) or speed (1) of a port.
    pub fn motion(self, port: usize, order: usize) -> usize {
        self.motions().start + 2 * port + order
    }

    /// The numbers that are known only when the mechanics has computed accelerations.
    pub fn late(self) -> Range<usize> {
        self.accelerations().start..self.responses().end
    }
}

/// The numbers of the ports at an instant.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct PortInputs {
    layout: PortLayout,
    numbers: Vec<f64>,
}

impl PortInputs {
    /// Zeros for as many ports.
    pub fn new(layout: PortLayout) -> Self {
        Self { layout, numbers: vec![0.0; layout.n_numbers()] }
    }

    /// The accelerations of all ports.
    pub fn accelerations(&self) -> &[f64] {
        &self.numbers[self.layout.accelerations()]
    }

    /// The accelerations of all ports, to be written.
    pub fn accelerations_mut(&mut self) -> &mut [f64] {
        &mut self.numbers[self.layout.accelerations()]
    }

    /// The responses row by row, to be written.
    pub fn responses_mut(&mut self) -> &mut [f64] {
        &mut self.numbers[self.layout.responses()]
    }

    /// The accelerations of one port per force in each port.
    pub fn response_row(&self, row: usize) -> &[f64] {
        &self.numbers[self.layout.response(row, 0)..][..self.layout.n_ports]
    }

    /// Writes the accelerations of all ports per force in port `column`.
    pub fn set_response_column(&mut self, column: usize, accelerations: &[f64]) {
        for (row, &acceleration) in accelerations.iter().enumerate() {
            self.numbers[self.layout.response(row, column)] = acceleration;
        }
    }

    /// Coordinate and speed of each port in turn, to be written.
    pub fn motions_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.numbers[self.layout.motions()].chunks_exact_mut(2)
    }

    /// Copies all numbers to where the code of the networks reads them.
    pub fn copy_all(&self, to: &mut [f64]) {
        to[..self.numbers.len()].copy_from_slice(&self.numbers);
    }

    /// Copies all numbers but the responses, which open ports do not ask for.
    pub fn copy_without_responses(&self, to: &mut [f64]) {
        for part in [self.layout.accelerations(), self.layout.motions()] {
            to[part.clone()].copy_from_slice(&self.numbers[part]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number is written by its name and read by its place; together they fill the list without a gap.
    #[test]
    fn every_number_has_one_place() {
        let layout = PortLayout { n_ports: 3 };
        let mut inputs = PortInputs::new(layout);
        inputs.accelerations_mut().copy_from_slice(&[1.0, 2.0, 3.0]);
        for column in 0..3 {
            let rows: Vec<f64> = (0..3).map(|row| f64::from(10 * (row + 1) + column)).collect();
            inputs.set_response_column(column as usize, &rows);
        }
        for (port, motion) in inputs.motions_mut().enumerate() {
            motion.copy_from_slice(&[100.0 + port as f64, 200.0 + port as f64]);
        }
        let mut all = vec![0.0; layout.n_numbers()];
        inputs.copy_all(&mut all);
        assert_eq!(all.len(), 3 + 9 + 6);
        assert!(all.iter().all(|&number| number != 0.0));
        assert_eq!(all[layout.acceleration(1)], 2.0);
        assert_eq!(all[layout.response(2, 1)], 31.0);
        assert_eq!(inputs.response_row(2), [30.0, 31.0, 32.0]);
        assert_eq!(all[layout.motion(1, 0)], 101.0);
        assert_eq!(all[layout.motion(2, 1)], 202.0);
        assert!(layout.late().contains(&layout.response(2, 2)));
        assert!(!layout.late().contains(&layout.motion(0, 0)));
        // Open ports leave the old responses alone.
        let mut open = vec![-1.0; layout.n_numbers()];
        inputs.copy_without_responses(&mut open);
        assert!(open[layout.responses()].iter().all(|&number| number == -1.0));
        assert_eq!(open[layout.motions()], all[layout.motions()]);
    }
}
