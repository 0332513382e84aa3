//! Generated models with closed loops: rows of windows, pendulums hung up many times.

use std::fmt::{self, Write};

use super::models::text;

/// A triad that is not turned.
fn triad(out: &mut String, name: &str, parent: &str, [x, z]: [f64; 2]) -> fmt::Result {
    writeln!(
        out,
        "Triad \"{name}\" {{ Parent = {parent}; Position = {x:?}, 0.0, {z:?}; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}"
    )
}

/// A revolute joint about y: of the tree if it carries a body, else closing a loop.
fn revolute(
    out: &mut String,
    name: &str,
    body: Option<&str>,
    [from, to]: [&str; 2],
    [q, rate]: [f64; 2],
) -> fmt::Result {
    let role = body.map_or("Role = loop;".to_string(), |body| format!("Parent = {body};"));
    writeln!(
        out,
        "Revolute \"{name}\" {{ {role} TriadFrom = {from}; TriadTo = {to}; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; \
         Qinit = {q:?}; QDinit = {rate:?}; Degrees = rad; }}"
    )
}

/// A thin rod of 1 m and 1 kg from the origin to a tip.
fn rod(out: &mut String, name: &str, parent: &str, joint: &str, [x, z]: [f64; 2]) -> fmt::Result {
    let (xx, yy, zz) = (z * z / 12.0 + 1e-4, 1.0 / 12.0, x * x / 12.0 + 1e-4);
    writeln!(
        out,
        "Body \"{name}\" {{ Parent = {parent}; Joint = {joint}; Mass = 1.0; Inertia = {xx:?}, 0, 0, {yy:?}, 0, {zz:?}; \
         CGFramePosition = {:?}, 0.0, {:?}; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}",
        0.5 * x,
        0.5 * z,
    )
}

/// The N-four-bar mechanism of the IFToMM benchmarks: `n` windows of upright posts and level beams, all of 1 m and
/// 1 kg, whose tips begin with 1 m/s. Each window is closed by a loop joint at the next post.
pub fn windows(n: usize) -> String {
    text(|out| {
        for i in 0..=n {
            triad(out, &format!("A{i}"), "world", [i as f64, 0.0])?;
            triad(out, &format!("foot{i}"), &format!("post{i}"), [0.0, 0.0])?;
            triad(out, &format!("B{i}"), &format!("post{i}"), [0.0, 1.0])?;
            let post = format!("post{i}");
            let (joint, triads) = (format!("JA{i}"), [format!("A{i}"), format!("foot{i}")]);
            revolute(out, &joint, Some(&post), [&triads[0], &triads[1]], [0.0, 1.0])?;
            rod(out, &post, "world", &joint, [0.0, 1.0])?;
        }
        for i in 0..n {
            let (beam, joint) = (format!("beam{i}"), format!("JB{i}"));
            let [left, right] = [format!("left{i}"), format!("right{i}")];
            triad(out, &left, &beam, [0.0, 0.0])?;
            triad(out, &right, &beam, [1.0, 0.0])?;
            revolute(out, &joint, Some(&beam), [&format!("B{i}"), &left], [0.0, -1.0])?;
            rod(out, &beam, &format!("post{i}"), &joint, [1.0, 0.0])?;
            let next = format!("B{}", i + 1);
            revolute(out, &format!("JC{i}"), None, [&right, &next], [0.0, 0.0])?;
        }
        Ok(())
    })
}

/// A pendulum of `n` rods, stretched out level, that hangs on `m` further rods: each `n/m` rods one leads from the
/// end of a rod of the chain up to the world (Schubert, thesis, TU Dresden 2014, figure 3.11).
pub fn hung_pendulum(n: usize, m: usize) -> String {
    text(|out| {
        triad(out, "wall", "world", [0.0, 0.0])?;
        for i in 1..=n {
            let (link, joint) = (format!("link{i}"), format!("J{i}"));
            let mother = if i == 1 { "world".into() } else { format!("link{}", i - 1) };
            let from = if i == 1 { "wall".into() } else { format!("end{}", i - 1) };
            triad(out, &format!("begin{i}"), &link, [0.0, 0.0])?;
            triad(out, &format!("end{i}"), &link, [1.0, 0.0])?;
            revolute(out, &joint, Some(&link), [&from, &format!("begin{i}")], [0.0, 0.0])?;
            rod(out, &link, &mother, &joint, [1.0, 0.0])?;
        }
        for k in 1..=m {
            let at = k * n / m;
            let (bar, joint) = (format!("bar{k}"), format!("H{k}"));
            triad(out, &format!("hook{k}"), "world", [at as f64, 1.0])?;
            triad(out, &format!("top{k}"), &bar, [0.0, 0.0])?;
            triad(out, &format!("low{k}"), &bar, [0.0, -1.0])?;
            let triads = [format!("hook{k}"), format!("top{k}")];
            revolute(out, &joint, Some(&bar), [&triads[0], &triads[1]], [0.0, 0.0])?;
            rod(out, &bar, "world", &joint, [0.0, -1.0])?;
            let ends = [format!("low{k}"), format!("end{at}")];
            revolute(out, &format!("L{k}"), None, [&ends[0], &ends[1]], [0.0, 0.0])?;
        }
        Ok(())
    })
}
