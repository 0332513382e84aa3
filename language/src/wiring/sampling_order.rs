//! The order in which blocks act at one instant: each block after the blocks whose new outputs it passes on.

use parser::diagnostic::Diagnostic;

use crate::codes;
use equations::expression::Op;
use equations::flat::Flat;
use equations::names::Names;
use equations::programs::UsedSignal;

/// Finds the order; a circle of blocks that all pass their inputs on at once is a mistake.
pub(crate) fn sort(called: &dyn Names, flat: &mut Flat) {
    let count = flat.discrete.samplers.len();
    let users = users(flat);
    let mut waiting = vec![0usize; count];
    users.iter().flatten().for_each(|&user| waiting[user] += 1);
    let mut order: Vec<usize> = (0..count).filter(|&k| waiting[k] == 0).collect();
    let mut done = 0;
    while done < order.len() {
        for &user in &users[order[done]] {
            waiting[user] -= 1;
            if waiting[user] == 0 {
                order.push(user);
            }
        }
        done += 1;
    }
    if order.len() < count
        && let Some(mistake) = circle(called, flat, &users, &waiting)
    {
        flat.mistakes.push(mistake);
    }
    flat.discrete.order = order;
}

/// For each sampler the samplers that pass its output on at the same instant.
fn users(flat: &Flat) -> Vec<Vec<usize>> {
    let discrete = &flat.discrete;
    let mut owner = vec![None; discrete.first.len()];
    for (number, sampler) in discrete.samplers.iter().enumerate() {
        sampler.y.clone().for_each(|register| owner[register] = Some(number));
    }
    let mut users = vec![Vec::new(); discrete.samplers.len()];
    for (number, sampler) in discrete.samplers.iter().enumerate() {
        if !sampler.feeds_through {
            continue;
        }
        let clock = discrete.clocks[sampler.clock];
        let ops = discrete.inputs[sampler.inputs.clone()].iter().flat_map(|input| input.ops());
        for op in ops {
            let Op::Signal(signal) = *op else { continue };
            let UsedSignal::Memory(register) = flat.programs.signals[signal.block as usize] else {
                continue;
            };
            let Some(other) = owner[register as usize] else { continue };
            if clock.meets(discrete.clocks[discrete.samplers[other].clock]) {
                users[other].push(number);
            }
        }
    }
    users.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    users
}

/// A circle among the blocks that still wait.
fn circle(
    called: &dyn Names,
    flat: &Flat,
    users: &[Vec<usize>],
    waiting: &[usize],
) -> Option<Diagnostic> {
    // A walk backwards from any of the waiting blocks comes to a block twice.
    let mut before = vec![None; users.len()];
    for (number, list) in users.iter().enumerate().filter(|(k, _)| waiting[*k] > 0) {
        list.iter().for_each(|&user| before[user] = Some(number));
    }
    let mut at = (0..users.len()).find(|&k| waiting[k] > 0)?;
    for _ in 0..users.len() {
        at = before[at]?;
    }
    let mut path = vec![at];
    let mut next = before[at]?;
    while next != at {
        path.push(next);
        next = before[next]?;
    }
    path.push(at);
    path.reverse();
    let block = |&k: &usize| flat.discrete.samplers[k].block;
    let names: Vec<String> = path.iter().map(|k| called.name(block(k)).to_string()).collect();
    let first = block(path.first()?);
    let keyword = called.keyword(first);
    let message = format!(
        "{keyword} `{}` needs its own new output at the same instant: {}",
        names[0],
        names.join(" -> ")
    );
    let help = "put a UnitDelay into the circle, or let one of the blocks act later with `Toffset`";
    Some(Diagnostic::new(codes::SAMPLED_LOOP, called.span(first), message).help(help))
}
