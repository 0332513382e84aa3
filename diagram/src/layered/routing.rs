//! Lines between neighbouring layers: level from the left, upright in a track of their own, level to the right.
//!
//! The tracks of a channel are ordered so that the lines cross as little as possible and never lie on each other
//! (Sander 2004, "Layout of directed hypergraphs with orthogonal hyperedges"): of two lines it is counted what each order
//! costs; the cheaper ones are kept as far as they make no circle.

use rustc_hash::FxHashMap;

use super::graph::Side;
use super::layers::Layered;
use super::placement::Heights;

/// Between two tracks, in points.
const TRACK: f64 = 10.0;
/// Between a box and the first track: there is room for the head of an arrow.
const MARGIN: f64 = 14.0;
/// Level lines that are nearer than this, in units, look like one.
const NEAR: i64 = 2;
/// What lines on top of each other cost, in crossings.
const OVERLAP: i64 = 1000;
/// Lines in one channel of which each pair is looked at.
const MOST_PAIRED: usize = 1500;

/// An upright line with level ones to its sides; they belong to one net.
#[derive(Clone, Debug)]
struct Trunk {
    net: usize,
    lefts: Vec<i64>,
    rights: Vec<i64>,
    track: usize,
}

/// The links of a net between two layers: one trunk, or two with a level line between them.
#[derive(Clone, Debug, Default)]
struct Bundle {
    /// Without a trunk all is level.
    trunks: Vec<usize>,
    /// The height of the level line between two trunks.
    between: i64,
}

/// Heights on the left and on the right of the links of each net, those that go right apart.
type Ends = FxHashMap<(usize, bool), [Vec<i64>; 2]>;

/// What lies between two layers.
#[derive(Debug, Default)]
pub struct Channel {
    trunks: Vec<Trunk>,
    bundles: FxHashMap<(usize, bool), Bundle>,
    tracks: usize,
}

impl Trunk {
    fn span(&self) -> (i64, i64) {
        let all = self.lefts.iter().chain(&self.rights);
        all.fold((i64::MAX, i64::MIN), |(low, high), &y| (low.min(y), high.max(y)))
    }

    /// What it costs that this trunk is to the left of another.
    fn cost_before(&self, other: &Trunk) -> i64 {
        if self.net == other.net {
            return 0;
        }
        let within = |y: i64, (low, high): (i64, i64)| low < y && y < high;
        let (own, others) = (self.span(), other.span());
        let crossings = self.rights.iter().filter(|&&y| within(y, others)).count()
            + other.lefts.iter().filter(|&&y| within(y, own)).count();
        let near = |y: &i64| other.lefts.iter().any(|left| (left - y).abs() < NEAR);
        let overlaps = self.rights.iter().filter(|y| near(y)).count();
        crossings as i64 + OVERLAP * overlaps as i64
    }
}

impl Channel {
    /// The channel behind each layer.
    pub fn all(layered: &Layered, heights: &Heights) -> Vec<Channel> {
        let mut channels: Vec<Channel> = Vec::new();
        channels.resize_with(layered.layers.len(), Channel::default);
        let mut ends: Vec<Ends> = vec![FxHashMap::default(); layered.layers.len()];
        for link in &layered.links {
            let channel = layered.items[link.left.item].layer;
            let [lefts, rights] = ends[channel].entry((link.net, link.goes_right)).or_default();
            lefts.push(heights.of(link.left, Side::Right));
            rights.push(heights.of(link.right, Side::Left));
        }
        for (channel, ends) in channels.iter_mut().zip(ends) {
            let mut ends: Vec<_> = ends.into_iter().collect();
            ends.sort_unstable_by_key(|(key, _)| *key);
            for (key, [mut lefts, mut rights]) in ends {
                for list in [&mut lefts, &mut rights] {
                    list.sort_unstable();
                    list.dedup();
                }
                let mut bundle = Bundle::default();
                if lefts != rights || lefts.len() > 1 {
                    bundle.trunks.push(channel.trunks.len());
                    channel.trunks.push(Trunk { net: key.0, lefts, rights, track: 0 });
                }
                channel.bundles.insert(key, bundle);
            }
            channel.assign();
        }
        channels
    }

    /// Width in points.
    pub fn width(&self) -> f64 {
        2.0 * MARGIN + TRACK * self.tracks.saturating_sub(1) as f64
    }

    /// The points of a link between its ends; `x` is where the channel begins.
    pub fn turns(&self, net: usize, goes_right: bool, x: f64, ends: [i64; 2]) -> Vec<(f64, i64)> {
        let Some(bundle) = self.bundles.get(&(net, goes_right)) else { return Vec::new() };
        let at = |trunk: usize| x + MARGIN + TRACK * self.trunks[trunk].track as f64;
        match *bundle.trunks {
            [only] => vec![(at(only), ends[0]), (at(only), ends[1])],
            [first, second] => vec![
                (at(first), ends[0]),
                (at(first), bundle.between),
                (at(second), bundle.between),
                (at(second), ends[1]),
            ],
            _ => Vec::new(),
        }
    }

    /// Gives the trunks their tracks; a trunk that would lie on another in any order is cut in two.
    fn assign(&mut self) {
        let mut order = self.order();
        for _ in 0..3 {
            let lies_on = |first: &usize, rest: &[usize]| {
                let trunk = &self.trunks[*first];
                rest.iter().any(|&other| trunk.cost_before(&self.trunks[other]) >= OVERLAP)
            };
            let bad: Vec<usize> = (0..order.len())
                .filter(|&at| {
                    self.trunks.len() <= MOST_PAIRED && lies_on(&order[at], &order[at + 1..])
                })
                .map(|at| order[at])
                .collect();
            if bad.is_empty() {
                break;
            }
            // Cutting one may free the others.
            let Some(&first) = bad.iter().find(|&&trunk| self.is_whole(trunk)) else { break };
            self.cut(first);
            order = self.order();
        }
        self.put_into_tracks(&order);
    }

    fn is_whole(&self, trunk: usize) -> bool {
        self.bundles.values().any(|bundle| bundle.trunks == [trunk])
    }

    /// Cuts a trunk in two, with a level line between them where no other is.
    fn cut(&mut self, trunk: usize) {
        let taken: Vec<i64> =
            self.trunks.iter().flat_map(|t| t.lefts.iter().chain(&t.rights)).copied().collect();
        let (low, high) = self.trunks[trunk].span();
        let is_free = |y: &i64| taken.iter().all(|other| (other - y).abs() >= NEAR);
        let middle = (low + high) / 2;
        let Some(between) = (0..).flat_map(|d| [middle - d, middle + d]).find(is_free) else {
            return;
        };
        let net = self.trunks[trunk].net;
        let rights = std::mem::replace(&mut self.trunks[trunk].rights, vec![between]);
        let second = self.trunks.len();
        self.trunks.push(Trunk { net, lefts: vec![between], rights, track: 0 });
        for bundle in self.bundles.values_mut().filter(|bundle| bundle.trunks == [trunk]) {
            *bundle = Bundle { trunks: vec![trunk, second], between };
        }
    }

    /// The halves of trunks that are cut: the first is left of the second.
    fn halves(&self) -> Vec<(usize, usize)> {
        let pairs = self.bundles.values().filter_map(|bundle| match *bundle.trunks {
            [first, second] => Some((first, second)),
            _ => None,
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// An order of the trunks from left to right that costs little (Eades, Lin, Smyth 1993, with weights).
    fn order(&self) -> Vec<usize> {
        let count = self.trunks.len();
        if count > MOST_PAIRED {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|&trunk| self.trunks[trunk].span());
            return order;
        }
        // How much better it is that the first is left of the second.
        let mut gains: Vec<(usize, usize, i64)> = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                let (first, second) = (&self.trunks[a], &self.trunks[b]);
                let gain = second.cost_before(first) - first.cost_before(second);
                match gain {
                    0 => {}
                    1.. => gains.push((a, b, gain)),
                    _ => gains.push((b, a, -gain)),
                }
            }
        }
        gains.extend(self.halves().iter().map(|&(a, b)| (a, b, 1000 * OVERLAP)));
        let (mut out, mut into) = (vec![0i64; count], vec![0i64; count]);
        let mut at: Vec<Vec<(usize, i64, bool)>> = vec![Vec::new(); count];
        for &(a, b, gain) in &gains {
            out[a] += gain;
            into[b] += gain;
            at[a].push((b, gain, true));
            at[b].push((a, gain, false));
        }
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        let mut is_left = vec![true; count];
        for _ in 0..count {
            let left = || (0..count).filter(|&trunk| is_left[trunk]);
            let sink = left().find(|&trunk| out[trunk] == 0 && into[trunk] > 0);
            let next = sink.or_else(|| {
                left().max_by_key(|&t| (into[t] == 0, out[t] - into[t], std::cmp::Reverse(t)))
            });
            let Some(trunk) = next else { break };
            is_left[trunk] = false;
            for &(other, gain, leaves) in &at[trunk] {
                if leaves { into[other] -= gain } else { out[other] -= gain }
            }
            if sink.is_some() { tail.push(trunk) } else { head.push(trunk) }
        }
        head.extend(tail.into_iter().rev());
        head
    }

    /// Puts the trunks into as few tracks as their order allows.
    fn put_into_tracks(&mut self, order: &[usize]) {
        let mut placed: Vec<usize> = Vec::new();
        for &trunk in order {
            let (low, high) = self.trunks[trunk].span();
            let behind = |&other: &usize| {
                let (from, to) = self.trunks[other].span();
                let is_beside = from < high + NEAR && low < to + NEAR;
                is_beside.then_some(self.trunks[other].track + 1)
            };
            let track = placed.iter().filter_map(behind).max().unwrap_or(0);
            self.trunks[trunk].track = track;
            self.tracks = self.tracks.max(track + 1);
            placed.push(trunk);
        }
    }
}
