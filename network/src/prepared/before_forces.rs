//! What the networks compute before the forces of the mechanics are known, and where each number stands.
//!
//! ```text
//!  used u | momenta n | known forces n | determined coordinates and speeds 2n | held accelerations n
//!         |           |                | x_0 v_0 x_1 v_1 ... x_(n-1) v_(n-1)  | (open ports only)
//! ```
//!
//! u is the number of signals of the networks that the mechanics uses, n the number of ports. Without ports there are
//! only the used signals. What a port does not have stands as zero in its place.

use equations::expr::ExprId;

/// The expressions of the list, while it is made.
#[derive(Default)]
pub(crate) struct BeforeExpressions {
    /// Signals that the mechanics uses.
    pub used: Vec<ExprId>,
    /// Angular momentum of the rotors of each port.
    pub momenta: Vec<ExprId>,
    /// Force of each port that follows without accelerations.
    pub known_forces: Vec<ExprId>,
    /// Coordinate and speed of each port that the networks determine.
    pub determined: Vec<[ExprId; 2]>,
    /// Acceleration of each open port that the networks determine.
    pub held: Vec<ExprId>,
}

impl BeforeExpressions {
    /// All expressions in the order of the list.
    pub fn into_list(self) -> Vec<ExprId> {
        let Self { mut used, momenta, known_forces, determined, held } = self;
        used.extend(momenta);
        used.extend(known_forces);
        used.extend(determined.into_iter().flatten());
        used.extend(held);
        used
    }
}

/// Where the entries of the list stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeforeForces {
    /// Number of signals that the mechanics uses.
    pub n_used: usize,
    /// Number of ports.
    pub n_ports: usize,
}

impl BeforeForces {
    /// A signal that the mechanics uses.
    pub fn used(self, number: usize) -> usize {
        number
    }

    /// The angular momentum of the rotors of a port.
    pub fn momentum(self, port: usize) -> usize {
        self.n_used + port
    }

    /// The force of a port that follows without accelerations.
    pub fn known_force(self, port: usize) -> usize {
        self.n_used + self.n_ports + port
    }

    /// The coordinate (0) or speed (1) of a port that the networks determine.
    pub fn determined(self, port: usize, order: usize) -> usize {
        self.n_used + 2 * self.n_ports + 2 * port + order
    }

    /// The acceleration of an open port that the networks determine.
    pub fn held_acceleration(self, port: usize) -> usize {
        self.n_used + 4 * self.n_ports + port
    }

    /// All entries that act on the mechanics: momenta, known forces and held accelerations.
    pub fn acting<'a>(self, list: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let early = &list[self.momentum(0)..self.determined(0, 0)];
        let held = list.get(self.held_acceleration(0)..).unwrap_or(&[]);
        early.iter().chain(held).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was written under a name is read under the same name.
    #[test]
    fn readers_find_what_the_writer_wrote() {
        let ids = |first: u32, count: u32| (first..first + count).map(ExprId).collect::<Vec<_>>();
        let layout = BeforeForces { n_used: 3, n_ports: 2 };
        let list = BeforeExpressions {
            used: ids(0, 3),
            momenta: ids(10, 2),
            known_forces: ids(20, 2),
            determined: vec![[ExprId(30), ExprId(31)], [ExprId(32), ExprId(33)]],
            held: ids(40, 2),
        }
        .into_list();
        assert_eq!(list[layout.used(2)], ExprId(2));
        assert_eq!(list[layout.momentum(1)], ExprId(11));
        assert_eq!(list[layout.known_force(0)], ExprId(20));
        assert_eq!(list[layout.determined(1, 0)], ExprId(32));
        assert_eq!(list[layout.held_acceleration(1)], ExprId(41));
        let numbers: Vec<u32> = list.iter().map(|id| id.0).collect();
        let acting: Vec<u32> = layout.acting(&numbers).collect();
        assert_eq!(acting, [10, 11, 20, 21, 40, 41]);
        // Closed ports hold no accelerations.
        let closed: Vec<u32> = layout.acting(&numbers[..layout.held_acceleration(0)]).collect();
        assert_eq!(closed, [10, 11, 20, 21]);
    }
}
