//! The method of Gragg, Bulirsch and Stoer at order 16, for reference solutions of small systems.

/// Columns of the table; two orders each.
const COLUMNS: usize = 8;

/// The states at the given times, the first of which belongs to `start`, with steps of at most `step`.
pub fn integrate<const N: usize>(
    f: impl Fn(&[f64; N]) -> [f64; N],
    start: [f64; N],
    times: &[f64],
    step: f64,
) -> Vec<[f64; N]> {
    let mut state = start;
    let mut all = vec![state];
    for pair in times.windows(2) {
        let count = ((pair[1] - pair[0]) / step).ceil().max(1.0);
        for _ in 0..count as usize {
            state = advance(&f, &state, (pair[1] - pair[0]) / count);
        }
        all.push(state);
    }
    all
}

fn advance<const N: usize>(
    f: &impl Fn(&[f64; N]) -> [f64; N],
    y: &[f64; N],
    step: f64,
) -> [f64; N] {
    let parts = |k: usize| 2 * (k + 1);
    let mut table = [[[0.0; N]; COLUMNS]; COLUMNS];
    for k in 0..COLUMNS {
        table[k][0] = midpoint(f, y, step / parts(k) as f64, parts(k));
        // Aitken and Neville in h^2.
        for j in 1..=k {
            let ratio = (parts(k) as f64 / parts(k - j) as f64).powi(2) - 1.0;
            let (finer, coarser) = (table[k][j - 1], table[k - 1][j - 1]);
            table[k][j] = std::array::from_fn(|i| finer[i] + (finer[i] - coarser[i]) / ratio);
        }
    }
    table[COLUMNS - 1][COLUMNS - 1]
}

fn midpoint<const N: usize>(
    f: &impl Fn(&[f64; N]) -> [f64; N],
    y: &[f64; N],
    h: f64,
    count: usize,
) -> [f64; N] {
    let mut before = *y;
    let slope = f(y);
    let mut now: [f64; N] = std::array::from_fn(|i| y[i] + h * slope[i]);
    for _ in 1..count {
        let slope = f(&now);
        let next = std::array::from_fn(|i| before[i] + 2.0 * h * slope[i]);
        (before, now) = (now, next);
    }
    let slope = f(&now);
    std::array::from_fn(|i| 0.5 * (now[i] + before[i] + h * slope[i]))
}
