//! The example models as texts, with other settings of the solver.

use crate::blocks::Run;
use crate::programs::root;

/// The text of a model file, by its path under `models/` without `.dys`.
pub fn example(path: &str) -> String {
    let path = root().join("models").join(path).with_extension("dys");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The same with another Solver block.
pub fn with_solver(text: &str, run: Run) -> String {
    let begin = text.find("\nSolver ").unwrap_or_else(|| panic!("no Solver block"));
    let end = begin + text[begin..].find('}').unwrap_or_else(|| panic!("no end of the block"));
    let Run { solver, relative, absolute, end: last, step } = run;
    let block = format!(
        "\nSolver \"solver\" {{ Type = dynamic; Solver = {solver}; RelErr = {relative:e}; AbsErr = {absolute:e}; \
         Tstart = 0; Tend = {last:?}; Tstep = {step:?}; TstepMax = {step:?}; TstepMin = 0; TstepIni = {:?}; ",
        0.1 * step
    );
    format!("{}{block}{}", &text[..begin], &text[end..])
}

/// The same with a passage replaced, which must be there.
pub fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "`{old}` is not in the model");
    text.replace(old, new)
}
