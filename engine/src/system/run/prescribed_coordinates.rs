//! Prescribed motions: coordinates that are functions of time.
//!
//! A driven coordinate of the tree is a state like others, but its value is overwritten wherever it is used,
//! so that it has no error. The recursion takes it as a locked freedom whose acceleration is part of the
//! bias; the force that the lock holds is that of the drive.

use super::{Failure, Run};
use equations::expression::Jet;
use equations::expression::switches::Point;
use mechanics::{BodyId, kinematics};

/// Coordinates, rates and accelerations of one drive.
struct Prescribed {
    x: [f64; 6],
    rates: [f64; 6],
    second: [f64; 6],
}

fn prescribed(
    run: &mut Run<'_>,
    input: usize,
    count: usize,
    t: f64,
) -> Result<Prescribed, Failure> {
    let mut all = Prescribed { x: [0.0; 6], rates: [0.0; 6], second: [0.0; 6] };
    for k in 0..count {
        let program = &run.system.programs[input + k];
        let of = (input + k, program);
        let expressions = &mut run.now.expressions;
        let point = Point { t, argument: 0.0, signals: &expressions.signals };
        let Jet { value, first, second } = run.system.switches.evaluate_jet(
            of,
            point,
            &expressions.switches,
            &mut expressions.jets,
        );
        if !(value.is_finite() && first.is_finite() && second.is_finite()) {
            return Err(Failure::Expression(input + k));
        }
        // At rest a motion is a position.
        let (first, second) = if run.now.is_quasi_static { (0.0, 0.0) } else { (first, second) };
        (all.x[k], all.rates[k], all.second[k]) = (value, first, second);
    }
    Ok(all)
}

/// Writes the coordinates that are driven at a time into the present state.
pub(super) fn put_drives(run: &mut Run<'_>, t: f64) -> Result<(), Failure> {
    let system = run.system;
    let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
    // The motions come before the networks, whose registers they use.
    for &(number, register) in &system.motion_registers {
        if let Some(network) = &run.network {
            run.now.expressions.signals[number] = network.now.discrete.memory[register as usize];
        }
    }
    for drive in &system.constraints.drives {
        let mut of = drive.coordinates;
        let count = of.count();
        let Prescribed { x, rates, second } = prescribed(run, drive.input, count, t)?;
        let accelerations = of.driven(&x, &rates, &second);
        if drive.closes.is_none() {
            let (q, rest) = run.now.y.split_at_mut(n_q);
            of.write(&x, &rates, q, &mut rest[..n_v]);
            run.now.bodies.driven[of.v..of.v + count].copy_from_slice(&accelerations[..count]);
        } else if let Some(loops) = &mut run.now.loops {
            let w = &mut loops.workspace;
            (of.q, of.v) = (of.q - n_q, of.v - n_v);
            of.write(&x, &rates, &mut w.target_q, &mut w.target_v);
            w.target_a[of.v..of.v + count].copy_from_slice(&accelerations[..count]);
        }
    }
    Ok(())
}

/// Adds the accelerations of driven coordinates to what the links do at rest of the others.
pub(super) fn add_driven_bias(run: &mut Run<'_>) {
    let system = run.system;
    for drive in system.constraints.drives.iter().filter(|drive| drive.closes.is_none()) {
        let body: BodyId = system.carried[drive.joint];
        let of = drive.coordinates;
        for v in of.v..of.v + of.count() {
            kinematics::add_acceleration(
                &mut run.now.bodies.workspace,
                body,
                v,
                run.now.bodies.driven[v],
            );
            if let Some(loops) = &mut run.now.loops {
                let rows = &system.constraints.rows;
                loops.workspace.demand_of_driven(rows, v, run.now.bodies.driven[v]);
            }
        }
    }
}

/// Driven coordinates have the accelerations of their drives.
pub(super) fn put_driven_accelerations(run: &mut Run<'_>) {
    for drive in run.system.constraints.drives.iter().filter(|drive| drive.closes.is_none()) {
        let of = drive.coordinates;
        let range = of.v..of.v + of.count();
        run.now.bodies.vdot[range.clone()].copy_from_slice(&run.now.bodies.driven[range]);
    }
}
