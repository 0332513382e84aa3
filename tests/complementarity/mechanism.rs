//! The same trains as mechanisms: each mass is a body on a joint, and its springs, frictions and stops are options of the
//! joint, contacts of bodies with the world, or elements of a network at the joint's flange.

use dysim_tests::random::Random;

use crate::circuit::Circuit;
use crate::reference::Answer;
use crate::train::{Part, Train, element};

/// Where a part acts on a body.
enum At {
    /// An option of the joint.
    Joint(String),
    /// Blocks beside it.
    Blocks(String),
}

impl Train {
    /// The model of bodies with a method; the seed decides which parts are elements of networks.
    pub fn text_of_bodies(&self, seed: u64, solver: &str, tolerance: f64) -> String {
        let r = &mut Random::new(seed);
        let mut text = Circuit::new(self.interval, self.outputs).text(solver, tolerance);
        let mut options: Vec<String> = vec![String::new(); self.masses.len()];
        let mut blocks = String::new();
        let joints_rub = self.joints_alone_rub();
        for (number, (a, b, part)) in (1..).zip(&self.parts) {
            // An option of the joint stands between body and world, each kind once.
            let may_own = *a == 0 && (joints_rub || !matches!(part, Part::Friction(..)));
            let own = may_own.then(|| self.at_joint(r, number, *b, *part)).flatten();
            match own {
                Some(At::Joint(option)) if !options[b - 1].contains(word(&option)) => {
                    options[b - 1] += &option;
                }
                Some(At::Blocks(own)) => blocks += &own,
                _ => blocks += &element(self.turns, number, (*a, *b), *part),
            }
        }
        for (k, ((mass, speed), options)) in (1..).zip(self.masses.iter().zip(&options)) {
            let (joint, axis) =
                if self.turns { ("Revolute", "0, 0, 1") } else { ("Prismatic", "1, 0, 0") };
            let inertia = if self.turns { *mass } else { 1.0 };
            text += &format!(
                "Triad \"O{k}\" {{ Parent = world; Position = 0, {k}, 0; }}\nTriad \"R{k}\" {{ Parent = B{k}; }}\n\
                 {joint} \"J{k}\" {{ Parent = B{k}; TriadFrom = O{k}; TriadTo = R{k}; JointAxis = {axis}; Qinit = 0; QDinit = {speed:?}; {options} }}\n\
                 Body \"B{k}\" {{ Parent = world; Joint = J{k}; Mass = {mass:?}; Inertia = {inertia:?}, 0, 0, {inertia:?}, 0, {inertia:?}; }}\n\
                 JointAxis \"A{k}\" {{ flange = n{k}; Joint = J{k}; }}\n"
            );
        }
        for (k, (at, wave)) in (1..).zip(&self.forces) {
            text +=
                &format!("JointForce \"f{k}\" {{ Joint1D = J{at}; Value = {}; }}\n", wave.text());
        }
        text + &blocks
    }

    /// Does each body rub at its joint at most once, and nothing else? A network that may hold a joint as well takes all frictions.
    fn joints_alone_rub(&self) -> bool {
        let mut rubbing: Vec<usize> = Vec::new();
        self.parts.iter().all(|&(a, b, part)| match part {
            Part::Friction(_, _, gate) => {
                let is_first = !rubbing.contains(&b);
                rubbing.push(b);
                a == 0 && gate.is_none() && is_first
            }
            Part::Gear(_) => false,
            Part::Spring(..) | Part::Stop(..) => true,
        })
    }

    /// A part between the world and a body where a joint or a contact does the same; none where only a network does.
    fn at_joint(&self, r: &mut Random, number: usize, b: usize, part: Part) -> Option<At> {
        let stays = r.below(3) == 0;
        if stays && !matches!(part, Part::Friction(..)) {
            return None;
        }
        match part {
            Part::Spring(c, d, 0.0) => {
                Some(At::Joint(format!("Stiffness = {c:?}; Damping = {d:?}; ")))
            }
            Part::Friction(rest, sliding, None) => {
                Some(At::Joint(format!("Friction = {rest:?}, {sliding:?}; ")))
            }
            // Two contacts, each with a plane that a point of the body comes upon.
            Part::Stop(low, high, c, d) if r.below(2) == 0 => {
                let plane = |name: &str, x: f64, angle: &str| {
                    format!(
                        "Triad \"{name}{number}\" {{ Parent = world; Position = {x:?}, {b}, 0; Orientation = 0, {angle}, 0; AngleType = cardan; }}\n\
                         ContactSimple \"{name}c{number}\" {{ TriadFrom = {name}{number}; TriadTo = R{b}; ElasticLinearZ = {c:?}; DampingLinearZ = {d:?}; }}\n"
                    )
                };
                Some(At::Blocks(plane("low", low, "pi/2") + &plane("high", high, "-pi/2")))
            }
            Part::Stop(low, high, c, d) => Some(At::Joint(format!(
                "LowerLimit = {low:?}; UpperLimit = {high:?}; StopStiffness = {c:?}; StopDamping = {d:?}; "
            ))),
            _ => None,
        }
    }
}

/// The first word of an option.
fn word(option: &str) -> &str {
    option.split(' ').next().unwrap_or_default()
}

/// What the reference says about the coordinates of bodies.
pub fn of_bodies(answer: Answer) -> Answer {
    let renamed = |name: &String| {
        let (block, signal) = name.split_once('.')?;
        let body = block.strip_prefix('m')?;
        let signal = if matches!(signal, "v" | "w") { "qd" } else { "q" };
        Some(format!("J{body}.{signal}"))
    };
    let kept: Vec<(usize, String)> = answer
        .signals
        .iter()
        .enumerate()
        .filter_map(|(k, name)| Some((k, renamed(name)?)))
        .collect();
    let scales = kept.iter().map(|(k, _)| answer.scales[*k]).collect();
    let row = |row: &Vec<_>| kept.iter().map(|(k, _)| row[*k]).collect();
    let values = answer.values.iter().map(row).collect();
    let signals = kept.iter().map(|(_, name)| name.clone()).collect();
    Answer { signals, scales, values, ..answer }
}
