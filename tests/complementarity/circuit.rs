//! Circuits of ideal elements: as equations of the reference and as the text of a model.

use crate::conditions::{Conditions, Known, Rule, SCALES, Scale, Var};
use crate::waves::{Gate, Wave};

/// The smallest size of a kind that counts, over the largest that elements allow.
pub const FLOOR: f64 = 1e-6;

/// What an element is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Resistance, Ohm.
    Resistor(f64),
    /// Inductance, H, and current at the start, A.
    Inductor(f64, f64),
    /// Capacitance, F, and voltage at the start, V.
    Capacitor(f64, f64),
    /// Voltage, V.
    VoltageSource(Wave),
    /// Current from p through the source to n, A.
    CurrentSource(Wave),
    /// Forward voltage, V, and resistance, Ohm.
    Diode(f64, f64),
    /// Gate.
    Thyristor(Gate),
    /// Gate.
    Switch(Gate),
    /// Breakdown voltage and forward voltage, V.
    Zener(f64, f64),
    /// Limits of the output, V; nodes p, n, out.
    OpAmp(Option<(f64, f64)>),
    /// v1/v2; nodes p1, n1, p2, n2.
    Transformer(f64),
}

/// An element between nodes.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its nodes, of which unused ones are empty.
    pub nodes: [String; 4],
}

/// A circuit and how long it is watched.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// Its elements.
    pub elements: Vec<Element>,
    /// Time between outputs, s.
    pub interval: f64,
    /// Number of outputs.
    pub outputs: usize,
}

/// A number that the reference and a model both give.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name in a model.
    pub name: String,
    /// Free variables of which it is the sum.
    pub terms: Vec<(usize, f64)>,
    /// Its kind.
    pub scale: Scale,
    /// A sum whose sign gives it its sign, if there is one: the speed of what slides.
    pub turns_with: Option<Vec<(usize, f64)>>,
}

/// A circuit as equations.
pub struct Written {
    /// The equations.
    pub conditions: Conditions,
    /// What may be compared.
    pub signals: Vec<Signal>,
    /// For each element: its current, or that of the first winding.
    pub currents: Vec<usize>,
    /// For each source of the conditions, the element; for each remembered variable likewise.
    pub owners_of_sources: Vec<usize>,
    /// Elements that remember.
    pub owners_of_memory: Vec<usize>,
    /// Potentials by node.
    nodes: Vec<(String, usize)>,
}

impl Circuit {
    /// Ideal voltage sources around a loop: they say the same at best, and nothing says how they share their current.
    pub fn loop_of_sources(&self) -> Option<Vec<String>> {
        // The part of each node that sources have joined so far.
        let mut parts: Vec<Vec<&str>> = Vec::new();
        let mut names = Vec::new();
        for element in &self.elements {
            if !matches!(element.kind, Kind::VoltageSource(_)) {
                continue;
            }
            names.push(element.name.clone());
            let [a, b, ..] = &element.nodes;
            let mut joined = vec![a.as_str(), b.as_str()];
            let is_closed =
                a == b || parts.iter().any(|p| p.contains(&a.as_str()) && p.contains(&b.as_str()));
            if is_closed {
                return Some(names);
            }
            parts.retain(|part| {
                let meets = part.contains(&a.as_str()) || part.contains(&b.as_str());
                if meets {
                    joined.extend(part);
                }
                !meets
            });
            parts.push(joined);
        }
        None
    }

    /// A circuit without elements.
    pub fn new(interval: f64, outputs: usize) -> Self {
        Circuit { elements: Vec::new(), interval, outputs }
    }

    /// Adds an element; nodes are separated by blanks.
    pub fn add(&mut self, name: &str, nodes: &str, kind: Kind) -> &mut Self {
        let mut all: [String; 4] = Default::default();
        for (slot, node) in all.iter_mut().zip(nodes.split_whitespace()) {
            *slot = node.to_string();
        }
        self.elements.push(Element { name: name.to_string(), kind, nodes: all });
        self
    }

    /// Times of the outputs.
    pub fn times(&self) -> Vec<f64> {
        (1..=self.outputs).map(|k| k as f64 * self.interval).collect()
    }

    /// The model with a method.
    pub fn text(&self, solver: &str, tolerance: f64) -> String {
        let end = self.outputs as f64 * self.interval;
        let mut text = format!(
            "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
             System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
             Solver \"sv\" {{ Type = dynamic; Solver = {solver}; AbsErr = {:e}; RelErr = {tolerance:e}; Tstart = 0; \
             Tend = {end:?}; Tstep = {:?}; TstepMax = {:?}; TstepMin = 0; TstepIni = {:e}; }}\nOutput \"o\" {{ Files = csv; }}\n",
            1e-3 * tolerance,
            self.interval,
            self.interval,
            1e-4 * self.interval,
        );
        self.elements.iter().for_each(|element| text += &element.text());
        text
    }

    /// `FLOOR` times the largest voltage and current that sources can drive through single elements.
    fn floors(&self) -> [f64; SCALES] {
        let end = self.outputs as f64 * self.interval;
        let (mut volt, mut ampere) = (0.0_f64, 0.0_f64);
        let (mut least, mut most) = (f64::MAX, 0.0_f64);
        for element in &self.elements {
            let ohm = match element.kind {
                Kind::VoltageSource(wave) => {
                    volt = volt.max(wave.size());
                    continue;
                }
                Kind::CurrentSource(wave) => {
                    ampere = ampere.max(wave.size());
                    continue;
                }
                Kind::Capacitor(c, v) => {
                    volt = volt.max(v.abs());
                    end / c
                }
                Kind::Inductor(l, i) => {
                    ampere = ampere.max(i.abs());
                    l / end
                }
                Kind::Resistor(r) => r,
                _ => continue,
            };
            (least, most) = (least.min(ohm), most.max(ohm));
        }
        let current = if least < f64::MAX { volt / least } else { 0.0 };
        [FLOOR * volt.max(ampere * most), FLOOR * ampere.max(current), 0.0]
    }

    /// Its equations for the reference.
    pub fn write(&self) -> Written {
        let mut written = Written {
            conditions: Conditions::default(),
            signals: Vec::new(),
            currents: Vec::new(),
            owners_of_sources: Vec::new(),
            owners_of_memory: Vec::new(),
            nodes: Vec::new(),
        };
        let mut flows: Vec<(String, usize, f64)> = Vec::new();
        for (index, element) in self.elements.iter().enumerate() {
            written.element(element, &mut flows);
            written.owners_of_sources.resize(written.conditions.sources.len(), index);
            written.owners_of_memory.resize(written.conditions.memory.len(), index);
        }
        written.conditions.floors = self.floors();
        // Kirchhoff's current law at each node but gnd.
        for (node, _) in written.nodes.clone() {
            let here = flows.iter().filter(|(at, ..)| *at == node);
            let terms: Vec<(Var, f64)> = here.map(|&(_, i, sign)| (Var::X(i), sign)).collect();
            written.conditions.equate(&terms, &[]);
        }
        written
    }
}

impl Element {
    fn text(&self) -> String {
        let [a, b, c, d] = &self.nodes;
        let (keyword, rest) = match self.kind {
            Kind::Resistor(r) => ("Resistor", format!("R = {r:?};")),
            Kind::Inductor(l, 0.0) => ("Inductor", format!("L = {l:?};")),
            Kind::Inductor(l, i) => ("Inductor", format!("L = {l:?}; Iinit = {i:?};")),
            Kind::Capacitor(c, 0.0) => ("Capacitor", format!("C = {c:?};")),
            Kind::Capacitor(c, v) => ("Capacitor", format!("C = {c:?}; Vinit = {v:?};")),
            Kind::VoltageSource(wave) => ("VoltageSource", format!("V = {};", wave.text())),
            Kind::CurrentSource(wave) => ("CurrentSource", format!("I = {};", wave.text())),
            Kind::Diode(0.0, 0.0) => ("Diode", String::new()),
            Kind::Diode(v, r) => ("Diode", format!("Vf = {v:?}; Ron = {r:?};")),
            Kind::Thyristor(gate) => ("Thyristor", format!("Gate = {};", gate.text())),
            Kind::Switch(gate) => ("Switch", format!("Closed = {};", gate.text())),
            Kind::Zener(vz, vf) => ("Zener", format!("Vz = {vz:?}; Vf = {vf:?};")),
            Kind::OpAmp(None) => ("OpAmp", format!("out = {c};")),
            Kind::OpAmp(Some((low, high))) => {
                ("OpAmp", format!("out = {c}; Vmin = {low:?}; Vmax = {high:?};"))
            }
            Kind::Transformer(ratio) => {
                let nodes = format!("p1 = {a}; n1 = {b}; p2 = {c}; n2 = {d};");
                return format!("Transformer \"{}\" {{ {nodes} Ratio = {ratio:?}; }}\n", self.name);
            }
        };
        format!("{keyword} \"{}\" {{ p = {a}; n = {b}; {rest} }}\n", self.name)
    }
}

impl Written {
    /// The potential of a node; `gnd` has none.
    fn node(&mut self, name: &str) -> Option<usize> {
        if name == "gnd" {
            return None;
        }
        if let Some((_, variable)) = self.nodes.iter().find(|(known, _)| known == name) {
            return Some(*variable);
        }
        let variable = self.conditions.variable(Scale::Across);
        self.nodes.push((name.to_string(), variable));
        Some(variable)
    }

    /// v_p - v_n as terms.
    fn voltage(&mut self, p: &str, n: &str) -> Vec<(usize, f64)> {
        let ends = [(self.node(p), 1.0), (self.node(n), -1.0)];
        let known = ends.into_iter().filter_map(|(node, sign)| Some((node?, sign)));
        if p == n { Vec::new() } else { known.collect() }
    }

    fn constant(&mut self, value: f64) -> Known {
        self.conditions.source(Wave::Constant(value), Scale::Across)
    }

    fn element(&mut self, element: &Element, flows: &mut Vec<(String, usize, f64)>) {
        let [a, b, c, d] = &element.nodes;
        let v = self.voltage(a, b);
        let name = |signal: &str| format!("{}.{signal}", element.name);
        let i = self.conditions.variable(Scale::Through);
        self.currents.push(i);
        let signal = |name: String, terms: &[(usize, f64)], scale| Signal {
            name,
            terms: terms.to_vec(),
            scale,
            turns_with: None,
        };
        match element.kind {
            Kind::OpAmp(limits) => {
                // The current counts out of `out`.
                flows.push((c.clone(), i, -1.0));
                self.signals.push(signal(name("i"), &[(i, 1.0)], Scale::Through));
                self.op_amp(&v, c, limits);
            }
            Kind::Transformer(ratio) => {
                let second = self.voltage(c, d);
                let i2 = self.conditions.variable(Scale::Through);
                let of_windings = [(a, i, 1.0), (b, i, -1.0), (c, i2, 1.0), (d, i2, -1.0)];
                flows.extend(of_windings.map(|(node, i, sign)| (node.clone(), i, sign)));
                self.signals.push(signal(name("v1"), &v, Scale::Across));
                self.signals.push(signal(name("i1"), &[(i, 1.0)], Scale::Through));
                self.signals.push(signal(name("i2"), &[(i2, 1.0)], Scale::Through));
                let mut terms = free(&v);
                terms.extend(second.iter().map(|&(k, sign)| (Var::X(k), -ratio * sign)));
                self.conditions.equate(&terms, &[]);
                self.conditions.equate(&[(Var::X(i2), 1.0), (Var::X(i), ratio)], &[]);
            }
            kind => {
                flows.extend([(a.clone(), i, 1.0), (b.clone(), i, -1.0)]);
                self.signals.push(signal(name("v"), &v, Scale::Across));
                self.signals.push(signal(name("i"), &[(i, 1.0)], Scale::Through));
                self.two_pin(kind, &v, i);
            }
        }
    }

    fn two_pin(&mut self, kind: Kind, v: &[(usize, f64)], i: usize) {
        let volt = free(v);
        let with = |more: &[(Var, f64)]| [&volt[..], more].concat();
        let current = Var::X(i);
        match kind {
            Kind::Resistor(r) => self.conditions.equate(&with(&[(current, -r)]), &[]),
            Kind::Inductor(l, initial) => {
                // i - (h/L) v = i_old.
                let old = self.conditions.remember(i, initial);
                let step: Vec<(Var, f64)> = volt.iter().map(|&(k, sign)| (k, -sign / l)).collect();
                self.conditions.remembering(&[(current, 1.0)], &step, &[(old, 1.0)]);
            }
            Kind::Capacitor(c, initial) => {
                // u = v, u - (h/C) i = u_old.
                let u = self.conditions.variable(Scale::Across);
                self.conditions.equate(&with(&[(Var::X(u), -1.0)]), &[]);
                let old = self.conditions.remember(u, initial);
                self.conditions.remembering(
                    &[(Var::X(u), 1.0)],
                    &[(current, -1.0 / c)],
                    &[(old, 1.0)],
                );
            }
            Kind::VoltageSource(wave) => {
                let source = self.conditions.source(wave, Scale::Across);
                self.conditions.equate(&volt, &[(source, 1.0)]);
            }
            Kind::CurrentSource(wave) => {
                let source = self.conditions.source(wave, Scale::Through);
                self.conditions.equate(&[(current, 1.0)], &[(source, 1.0)]);
            }
            Kind::Diode(forward, r) => self.valve(&volt, i, forward, r, Rule::Free),
            Kind::Thyristor(gate) => self.valve(&volt, i, 0.0, 0.0, Rule::Latch(gate)),
            Kind::Switch(gate) => {
                let k = self.conditions.pair(Scale::Across, Scale::Through, Rule::Switch(gate));
                self.conditions.equate(&with(&[(Var::W(k), -1.0)]), &[]);
                self.conditions.equate(&[(current, 1.0), (Var::Z(k), -1.0)], &[]);
            }
            Kind::Zener(breakdown, forward) => {
                // i = z1 - z2, w1 = Vf - v, w2 = v + Vz.
                let one = self.conditions.pair(Scale::Across, Scale::Through, Rule::Free);
                let two = self.conditions.pair(Scale::Across, Scale::Through, Rule::Free);
                let (vf, vz) = (self.constant(forward), self.constant(breakdown));
                self.conditions
                    .equate(&[(current, 1.0), (Var::Z(one), -1.0), (Var::Z(two), 1.0)], &[]);
                self.conditions.equate(&with(&[(Var::W(one), 1.0)]), &[(vf, 1.0)]);
                let opposite = with(&[(Var::W(two), -1.0)]);
                self.conditions.equate(&opposite, &[(vz, -1.0)]);
            }
            Kind::OpAmp(_) | Kind::Transformer(_) => unreachable!("has more than two terminals"),
        }
    }

    /// i = z, w = Vf + R z - v.
    fn valve(&mut self, volt: &[(Var, f64)], i: usize, forward: f64, r: f64, rule: Rule) {
        let k = self.conditions.pair(Scale::Across, Scale::Through, rule);
        self.conditions.equate(&[(Var::X(i), 1.0), (Var::Z(k), -1.0)], &[]);
        let known = if forward == 0.0 { Vec::new() } else { vec![(self.constant(forward), 1.0)] };
        let terms = [volt, &[(Var::W(k), 1.0), (Var::Z(k), -r)]].concat();
        self.conditions.equate(&terms, &known);
    }

    /// v_p - v_n = z1 - z2, w1 = Vmax - v_out, w2 = v_out - Vmin.
    fn op_amp(&mut self, difference: &[(usize, f64)], out: &str, limits: Option<(f64, f64)>) {
        let difference = free(difference);
        let Some((low, high)) = limits else {
            self.conditions.equate(&difference, &[]);
            return;
        };
        let up = self.conditions.pair(Scale::Across, Scale::Across, Rule::Free);
        let down = self.conditions.pair(Scale::Across, Scale::Across, Rule::Free);
        let (low, high) = (self.constant(low), self.constant(high));
        let output = self.voltage(out, "gnd");
        let terms = [&difference[..], &[(Var::Z(up), -1.0), (Var::Z(down), 1.0)]].concat();
        self.conditions.equate(&terms, &[]);
        let terms = [&free(&output)[..], &[(Var::W(up), 1.0)]].concat();
        self.conditions.equate(&terms, &[(high, 1.0)]);
        let terms = [&free(&output)[..], &[(Var::W(down), -1.0)]].concat();
        self.conditions.equate(&terms, &[(low, 1.0)]);
    }
}

fn free(terms: &[(usize, f64)]) -> Vec<(Var, f64)> {
    terms.iter().map(|&(k, sign)| (Var::X(k), sign)).collect()
}
