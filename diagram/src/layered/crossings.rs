//! The order in each layer, with as few crossings as possible.
//!
//! Layer by layer to and fro, each item moves to the mean of its neighbours in the layer before (barycentre method,
//! Sugiyama, Tagawa, Toda 1981) or to their median (Eades, Wormald 1994), then neighbours change places wherever that
//! saves crossings (transpose, Gansner et al. 1993). The best order that is met counts.

use super::layers::{Item, Layered};

/// How often the layers are gone through without getting better.
const PATIENCE: usize = 4;

/// Finds an order; gives the number of crossings.
pub fn order(layered: &mut Layered, most_sweeps: usize) -> usize {
    start(layered);
    let mut best = (total(layered), layered.layers.clone());
    let mut idle = 0;
    for sweep in 0..most_sweeps {
        if best.0 == 0 || idle >= PATIENCE {
            break;
        }
        let forwards = sweep % 2 == 0;
        let by_median = sweep / 2 % 2 == 1;
        let count = layered.layers.len();
        let mut positions = layered.positions();
        for step in 1..count {
            let layer = if forwards { step } else { count - 1 - step };
            sort_layer(layered, &mut positions, layer, forwards, by_median);
        }
        transpose(layered);
        let now = total(layered);
        if now < best.0 {
            best = (now, layered.layers.clone());
            idle = 0;
        } else {
            idle += 1;
        }
    }
    layered.layers = best.1;
    best.0
}

/// Begins with the order in which a walk in depth from the first layer meets the items: trees have no crossings then.
fn start(layered: &mut Layered) {
    let mut seen = vec![false; layered.items.len()];
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); layered.layers.len()];
    for first in layered.layers.iter().flatten() {
        let mut open = vec![*first];
        while let Some(item) = open.pop() {
            if std::mem::replace(&mut seen[item], true) {
                continue;
            }
            let Item { layer, links, .. } = &layered.items[item];
            layers[*layer].push(item);
            let behind = links[1].iter().map(|&link| layered.links[link].right.item);
            let before = links[0].iter().map(|&link| layered.links[link].left.item);
            let mut next: Vec<usize> = behind.chain(before).collect();
            // What ends here hangs below what goes on.
            let is_end = |item: &usize| layered.items[*item].links.iter().flatten().count() < 2;
            next.sort_by_key(is_end);
            open.extend(next.into_iter().rev());
        }
    }
    layered.layers = layers;
}

fn sort_layer(
    layered: &mut Layered,
    positions: &mut [usize],
    layer: usize,
    forwards: bool,
    by_median: bool,
) {
    let wish = |item: usize| -> Option<f64> {
        let links = &layered.items[item].links[usize::from(!forwards)];
        let other = |link: &usize| match forwards {
            true => layered.links[*link].left,
            false => layered.links[*link].right,
        };
        let mut places: Vec<usize> = links.iter().map(|link| positions[other(link).item]).collect();
        if places.is_empty() {
            return None;
        }
        if !by_median {
            return Some(places.iter().sum::<usize>() as f64 / places.len() as f64);
        }
        places.sort_unstable();
        let (low, high) = (places[(places.len() - 1) / 2], places[places.len() / 2]);
        Some((low + high) as f64 / 2.0)
    };
    // Items without neighbours keep their places.
    let order = &layered.layers[layer];
    let mut movable: Vec<(f64, usize)> =
        order.iter().filter_map(|&item| Some((wish(item)?, item))).collect();
    movable.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_movable: Vec<bool> = order.iter().map(|&item| wish(item).is_some()).collect();
    let mut sorted = movable.into_iter().map(|(_, item)| item);
    let mut new = order.clone();
    for (slot, movable) in new.iter_mut().zip(is_movable) {
        if movable && let Some(item) = sorted.next() {
            *slot = item;
        }
    }
    new.iter().enumerate().for_each(|(position, &item)| positions[item] = position);
    layered.layers[layer] = new;
}

/// Lets neighbours change places as long as that saves crossings.
fn transpose(layered: &mut Layered) {
    let mut positions = layered.positions();
    for _ in 0..8 {
        let mut is_better = false;
        for layer in 0..layered.layers.len() {
            for upper in 1..layered.layers[layer].len() {
                let (a, b) = (layered.layers[layer][upper - 1], layered.layers[layer][upper]);
                if exchange_gain(layered, &positions, a, b) > 0 {
                    layered.layers[layer].swap(upper - 1, upper);
                    positions.swap(a, b);
                    is_better = true;
                }
            }
        }
        if !is_better {
            break;
        }
    }
}

/// How many crossings are saved if the upper one of two neighbours goes below the other.
fn exchange_gain(layered: &Layered, positions: &[usize], upper: usize, lower: usize) -> i64 {
    let mut gain = 0;
    for towards in [0, 1] {
        let places = |item: usize| -> Vec<usize> {
            let links = layered.items[item].links[towards].iter().map(|&link| layered.links[link]);
            let ends = links.map(|link| if towards == 0 { link.left } else { link.right });
            let mut places: Vec<usize> = ends.map(|end| positions[end.item]).collect();
            places.sort_unstable();
            places
        };
        let (a, b) = (places(upper), places(lower));
        gain += inversions(&a, &b) - inversions(&b, &a);
    }
    gain
}

/// Pairs of which the first is larger; both lists ascend.
fn inversions(a: &[usize], b: &[usize]) -> i64 {
    let mut smaller = 0;
    let mut count = 0;
    for &place in a {
        while smaller < b.len() && b[smaller] < place {
            smaller += 1;
        }
        count += smaller as i64;
    }
    count
}

/// The number of crossings between all neighbouring layers.
pub fn total(layered: &Layered) -> usize {
    let positions = layered.positions();
    let mut between: Vec<Vec<(usize, usize)>> = vec![Vec::new(); layered.layers.len()];
    for link in &layered.links {
        let left = positions[link.left.item];
        let right = positions[link.right.item];
        between[layered.items[link.left.item].layer].push((left, right));
    }
    between.into_iter().map(bilayer).sum()
}

/// Crossings of lines between two layers (Barth, Mutzel, Juenger 2004): pairs whose ends are in the opposite order.
fn bilayer(mut lines: Vec<(usize, usize)>) -> usize {
    lines.sort_unstable();
    let mut rights: Vec<usize> = lines.iter().map(|line| line.1).collect();
    rights.sort_unstable();
    rights.dedup();
    // A Fenwick tree counts the ends so far by their places.
    let mut tree = vec![0usize; rights.len() + 1];
    let mut crossings = 0;
    for (seen, (_, right)) in lines.iter().enumerate() {
        let rank = rights.partition_point(|other| other < right) + 1;
        let mut not_above = 0;
        let mut at = rank;
        while at > 0 {
            not_above += tree[at];
            at &= at - 1;
        }
        crossings += seen - not_above;
        let mut at = rank;
        while at < tree.len() {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    crossings
}
