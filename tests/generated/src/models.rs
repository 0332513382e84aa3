//! Generated model texts of any size: one that looks like a real model, and several that are extreme
//! in one respect each.

use std::fmt::{self, Write};

/// Blocks of one link in [`linkage`]: a body, two triads, a joint and a primitive.
pub const BLOCKS_PER_LINK: usize = 5;

/// Links of one branch of [`linkage`].
const BRANCH: usize = 50;

/// The settings every model has, so that nothing is missed and warned about.
const SETTINGS: &str = "Header \"header\" { ModelName = generated; OutputType = none; }\n\
    System \"system\" { GravAccel = 0.0, 0.0, -9.8065; ScaleGrav = 1.0; }\n\
    Solver \"solver\" {\n    Type = dynamic; Solver = de; AbsErr = 1.e-9; RelErr = 1.e-6;\n    \
    Tstart = 0.0; Tend = 1.0; Tstep = 0.01; TstepMax = 0.01; TstepMin = 0.0; TstepIni = 0.001;\n}\n";

/// A text that begins with the settings; `write` adds the rest.
pub(super) fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::from(SETTINGS);
    // Writing to a String cannot fail.
    let _ = write(&mut out);
    out
}

/// About `n_blocks` blocks as a user writes them: branches of 50 links that hang from the world,
/// every parameter given, names and numbers different from link to link.
pub fn linkage(n_blocks: usize) -> String {
    text(|out| (0..n_blocks / BLOCKS_PER_LINK).try_for_each(|link| add_link(out, link)))
}

fn add_link(out: &mut String, link: usize) -> fmt::Result {
    let (branch, number) = (link / BRANCH + 1, link % BRANCH + 1);
    let name = format!("{branch}_{number}");
    let parent = match number {
        1 => "world".to_string(),
        _ => format!("arm_{branch}_{}", number - 1),
    };
    let length = 0.1 + 0.001 * (link % 137) as f64;
    writeln!(
        out,
        "\n// Link {number} of branch {branch}.\n\
        Triad \"from_{name}\" {{\n    Parent      = {parent};\n    Position    = {length:.3}, 0.0, 0.0;\n    \
        Orientation = 0.0, 90.0, 0.0;\n    AngleType   = cardan;\n    Degrees     = deg;\n}}\n\
        Triad \"to_{name}\" {{\n    Parent      = arm_{name};\n    Position    = 0.0, 0.0, 0.0;\n    \
        Orientation = 0.0, 90.0, 0.0;\n    AngleType   = cardan;\n    Degrees     = deg;\n}}\n\
        Revolute \"hinge_{name}\" {{\n    Parent     = arm_{name};\n    TriadFrom  = from_{name};\n    \
        TriadTo    = to_{name};\n    JointAxis  = 0, 1, 0;\n    JointPoint = 0, 0, 0;\n    \
        Qinit      = {};\n    QDinit     = 0;\n    Degrees    = deg;\n}}\n\
        Body \"arm_{name}\" {{\n    Parent             = {parent};\n    Joint              = hinge_{name};\n    \
        Mass               = {};\n    Inertia            = 0.0104, 0.0, 0.0, 0.0104, 0.0, 0.0002;\n    \
        CGFramePosition    = {length:.3}/2, 0.0, 0.0;\n    CGFrameOrientation = 0.0, 0.0, 0.0;\n    \
        AngleType          = euler;\n    Degrees            = rad;\n}}\n\
        Primitive \"bar_{name}\" {{\n    Parent   = arm_{name};\n    Position = {length:.3}/2, 0.0, 0.0;\n    \
        Cardan   = 0.0, 0.0, 0.0;\n    Degrees  = rad;\n    Color    = 0.8, 0.3, 0.1, 1.0;\n    \
        Type     = Box;\n    LengthX  = {length:.3};\n    LengthY  = 0.02;\n    LengthZ  = 0.02;\n}}",
        link % 90,
        1.0 + 0.25 * (link % 7) as f64,
    )
}

/// `n` bodies, each the child of the one before.
pub fn chain(n: usize) -> String {
    text(|out| {
        out.push_str("Triad \"t0\" { Parent = world; }\n");
        (1..=n).try_for_each(|i| {
            let parent = if i == 1 { "world".to_string() } else { format!("b{}", i - 1) };
            writeln!(
                out,
                "Body \"b{i}\" {{ Parent = {parent}; Joint = j{i}; }} Triad \"t{i}\" {{ Parent = b{i}; }} \
                 Revolute \"j{i}\" {{ Parent = b{i}; TriadFrom = {}; TriadTo = t{i}; }}",
                if i == 1 { "t0".to_string() } else { format!("t{}", i - 1) },
            )
        })
    })
}

/// `n` parameters, each of which needs the one behind it.
pub fn parameter_chain(n: usize) -> String {
    text(|out| {
        out.push_str("Parameters \"p\" {\n");
        (0..n).try_for_each(|i| writeln!(out, "    a{i} = a{} + 1;", i + 1))?;
        writeln!(out, "    a{n} = 0;\n}}")
    })
}

/// One block with a list of `n` corners.
pub fn long_list(n: usize) -> String {
    text(|out| {
        out.push_str("Primitive \"p\" { Parent = world; Type = Extrude; VertexList = {\n");
        (0..n).try_for_each(|i| writeln!(out, "{i}, {}, 0,", i * i % 1013))?;
        writeln!(out, "}}; }}")
    })
}

/// One expression with `n` terms.
pub fn long_sum(n: usize) -> String {
    text(|out| {
        out.push_str("Parameters \"p\" { L = 1.5; s = 0");
        (0..n).try_for_each(|i| write!(out, " + {i}*L"))?;
        writeln!(out, "; }}")
    })
}

/// `n` times the same mistake: `mistake` may be any text.
pub fn repeated(n: usize, mistake: &str) -> String {
    text(|out| (0..n).try_for_each(|i| writeln!(out, "{}", mistake.replace('#', &i.to_string()))))
}
