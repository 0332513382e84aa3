//! Generated drive trains of any length.

use std::fmt::Write;

use super::models::text;

/// `n` stages of shaft, gear, shaft and damped spring, driven by 1 Nm at the first and fixed at the last: every stage has
/// a rigid part whose index has to be reduced.
pub fn elastic_train(n: usize) -> String {
    text(|out| {
        writeln!(out, "TorqueSource \"T\" {{ a = n0; Tau = 1; }}")?;
        for k in 0..n {
            let ratio = if k % 2 == 0 { 1.25 } else { 0.8 };
            let next = if k + 1 == n { "base".to_string() } else { format!("n{}", k + 1) };
            writeln!(
                out,
                "Inertia \"A{k}\" {{ a = n{k}; b = m{k}; J = 1; }}\n\
                 Gear \"G{k}\" {{ a = m{k}; b = g{k}; Ratio = {ratio}; }}\n\
                 Inertia \"B{k}\" {{ a = g{k}; J = 0.5; }}\n\
                 TorsionSpring \"S{k}\" {{ a = g{k}; b = {next}; c = 100; d = 0.1; }}"
            )?;
        }
        Ok(())
    })
}

/// `n` shafts of 1 kg m^2 with a gear between each and the next, rigid from end to end, driven by 1 Nm at the first:
/// one constraint after the other, and one freedom.
pub fn rigid_train(n: usize) -> String {
    text(|out| {
        writeln!(out, "TorqueSource \"T\" {{ a = n0; Tau = 1; }}")?;
        for k in 0..n {
            writeln!(out, "Inertia \"J{k}\" {{ a = n{k}; J = 1; }}")?;
            if k + 1 < n {
                let ratio = if k % 2 == 0 { 1.25 } else { 0.8 };
                writeln!(out, "Gear \"G{k}\" {{ a = n{k}; b = n{}; Ratio = {ratio}; }}", k + 1)?;
            }
        }
        Ok(())
    })
}
