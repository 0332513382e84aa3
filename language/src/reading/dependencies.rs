//! Declarations that may use each other in any order: each is worked out after the others that it needs.

/// How far a declaration is.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Entered,
    Done,
}

/// A declaration on the way to its value.
struct Visit {
    index: usize,
    /// Where its needs begin, and which one is next.
    first: usize,
    next: usize,
}

/// Declarations by number.
pub(crate) trait Declarations {
    /// Adds the numbers of the declarations that one needs.
    fn add_needs(&self, index: usize, needs: &mut Vec<usize>);
    /// Works one out; the declarations that it needs are known or given up.
    fn finish(&mut self, index: usize);
    /// These need each other in a circle, the first the second and so on: gives them up.
    fn give_up(&mut self, cycle: &[usize]);
    /// Is a circle through this declaration not worth another message?
    fn is_told(&self, index: usize) -> bool;
}

/// Works out all declarations, depth first with a stack of its own: a chain of a million declarations is no deep
/// recursion.
pub(crate) fn resolve(declarations: &mut impl Declarations, count: usize) {
    let mut states = vec![State::Waiting; count];
    // The needs of all declarations on the stack; the needs of the top one come last.
    let mut needs = Vec::new();
    let mut stack: Vec<Visit> = Vec::new();
    for start in 0..count {
        if states[start] != State::Waiting {
            continue;
        }
        needs.clear();
        enter(declarations, start, &mut states, &mut needs, &mut stack);
        while let Some(top) = stack.last_mut() {
            let Some(&need) = needs.get(top.next) else {
                needs.truncate(top.first);
                let index = top.index;
                stack.pop();
                declarations.finish(index);
                states[index] = State::Done;
                continue;
            };
            top.next += 1;
            match states[need] {
                State::Done => {}
                State::Waiting => enter(declarations, need, &mut states, &mut needs, &mut stack),
                State::Entered if declarations.is_told(need) => {}
                State::Entered => {
                    let from = stack.iter().position(|visit| visit.index == need).unwrap_or(0);
                    let cycle: Vec<usize> = stack[from..].iter().map(|visit| visit.index).collect();
                    declarations.give_up(&cycle);
                }
            }
        }
    }
}

fn enter(
    declarations: &impl Declarations,
    index: usize,
    states: &mut [State],
    needs: &mut Vec<usize>,
    stack: &mut Vec<Visit>,
) {
    states[index] = State::Entered;
    let first = needs.len();
    declarations.add_needs(index, needs);
    stack.push(Visit { index, first, next: first });
}
