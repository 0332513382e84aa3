//! An order in which values can be worked out that name each other.

/// The order of `count` values in which each comes behind those that it needs, and the cycles that stand in the way.
///
/// Depth first with a stack of its own, because a chain of parameters may be as long as a text.
pub(super) fn order_by_needs(
    count: usize,
    needs: impl Fn(usize) -> Vec<usize>,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Waiting,
        Entered,
        Done,
    }
    let mut states = vec![State::Waiting; count];
    let (mut order, mut cycles) = (Vec::with_capacity(count), Vec::new());
    for start in 0..count {
        if states[start] != State::Waiting {
            continue;
        }
        states[start] = State::Entered;
        let mut stack = vec![(start, needs(start))];
        while let Some((index, open)) = stack.last_mut() {
            let Some(need) = open.pop() else {
                states[*index] = State::Done;
                order.push(*index);
                stack.pop();
                continue;
            };
            match states[need] {
                State::Done => {}
                State::Waiting => {
                    states[need] = State::Entered;
                    stack.push((need, needs(need)));
                }
                State::Entered => {
                    let from = stack.iter().position(|(at, _)| *at == need).unwrap_or(0);
                    cycles.push(stack[from..].iter().map(|(at, _)| *at).collect());
                }
            }
        }
    }
    (order, cycles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_comes_behind_its_needs() {
        let needs = [vec![2, 1], vec![2], vec![]];
        let (order, cycles) = order_by_needs(3, |at| needs[at].clone());
        assert_eq!(order, [2, 1, 0]);
        assert!(cycles.is_empty());
    }

    #[test]
    fn a_cycle_is_found_and_a_long_chain_is_no_deep_recursion() {
        let (_, cycles) = order_by_needs(2, |at| vec![1 - at]);
        assert_eq!(cycles, [vec![0, 1]]);
        let last = 1_000_000;
        let (order, _) =
            order_by_needs(last, |at| if at + 1 < last { vec![at + 1] } else { vec![] });
        assert_eq!(order[0], last - 1);
    }
}
