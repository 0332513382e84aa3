//! Terminals of elements: nodes, what flows through them, and the pairs that most elements have.
//!
//! Signs. Electrical: v = v_p - v_n, i into p. Mechanical: x = x_b - x_a, and the torque or force into the element at
//! b, so that a positive one pulls b back; a source with that sign pushes a forward. Hydraulic and thermal: the
//! difference is that of a over b, the flow goes into a.

use super::writer::{Mode, Writer};
use crate::reading::fields::{
    ElectricalNode, HydraulicNode, RotationalNode, ThermalNode, TranslationalNode,
};
use crate::reading::ids::NodeId;
use equations::coupling::Mount;
use equations::domain::Domain;
use equations::expr::{Ex, ExprId};
use equations::expression::{Op, Program, SignalRef};
use equations::flat::{Equation, Source, Tie, Valve, ValveKind};

/// A terminal of any domain.
pub trait Terminal: Copy {
    /// Node of the terminal.
    fn node(self) -> NodeId;
}

macro_rules! terminals {
    ($($name:ident),*) => {$(
        impl Terminal for $name {
            fn node(self) -> NodeId {
                self.0
            }
        }
    )*};
}

terminals!(ElectricalNode, RotationalNode, TranslationalNode, ThermalNode, HydraulicNode);

/// A terminal of one-dimensional mechanics.
pub trait Flange: Terminal {
    /// Signals: position, speed, and torque or force.
    const SIGNALS: [&'static str; 3];
}

impl Flange for RotationalNode {
    const SIGNALS: [&'static str; 3] = ["phi", "w", "tau"];
}

impl Flange for TranslationalNode {
    const SIGNALS: [&'static str; 3] = ["s", "v", "f"];
}

/// Voltage and current of an element with two terminals.
#[derive(Clone, Copy)]
pub struct TwoPin<'a> {
    /// v_p - v_n.
    pub v: Ex<'a>,
    /// Current into p.
    pub i: Ex<'a>,
}

/// Position and force of an element with two flanges.
#[derive(Clone, Copy)]
pub struct TwoFlange<'a> {
    /// x_b - x_a.
    pub x: Ex<'a>,
    /// Torque or force into the element at b.
    pub f: Ex<'a>,
}

/// What can stick.
#[derive(Clone, Copy)]
pub struct Sticking<'a> {
    /// Relative speed.
    pub speed: Ex<'a>,
    /// Force against it.
    pub force: Ex<'a>,
    /// Modes in which it moves, and in their place those in which others hold it while its force is at its limit.
    pub held: &'static [(i8, i8)],
}

/// Difference and flow of a hydraulic or thermal element with two ports.
#[derive(Clone, Copy)]
pub struct TwoPort<'a> {
    /// p_a - p_b.
    pub d: Ex<'a>,
    /// Flow into a.
    pub q: Ex<'a>,
}

/// A signal with a rate in it. A rate that only signals speak of makes no state, so these come last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    /// Block and index of the signal.
    pub key: SignalRef,
    /// The expression that is differentiated, and the order of the derivative.
    pub x: ExprId,
    pub order: u8,
    /// Factor of the derivative.
    pub factor: Option<ExprId>,
}

impl<'a> Writer<'a> {
    /// The unknowns and balances of all nodes.
    pub(crate) fn nodes(&self) {
        let nodes = (0..self.model.n_nodes() as u32).map(NodeId);
        for (id, node) in nodes.filter_map(|id| Some((id, self.model.node(id)?))) {
            self.block.set(node.block);
            let potential = if node.is_reference {
                self.number(node.domain.reference_potential(self.model.ambient_temperature()))
            } else {
                self.unknown(node.domain.potential())
            };
            if node.domain.is_mechanical() {
                for order in [1, 2] {
                    let signal = u16::from(order);
                    let key = SignalRef { block: node.block, signal, component: 0 };
                    let late = Late { key, x: potential.id, order, factor: None };
                    self.late.borrow_mut().push(late);
                }
            }
            let mut flat = self.flat.borrow_mut();
            flat.potentials.push(potential.id);
            flat.resistances.push(node.domain.usual_resistance());
            flat.terminals.push(Vec::new());
            flat.signals
                .insert(SignalRef { block: node.block, signal: 0, component: 0 }, potential.id);
            if !node.domain.needs_reference() {
                flat.held.push(id);
            }
            let balance = (!node.is_reference).then_some(flat.equations.len());
            flat.balances.push(balance);
            if balance.is_some() {
                let terms = Vec::new();
                let (block, source) = (node.block, Source::Balance);
                flat.equations.push(Equation { terms, block, source, level: 0 });
            }
        }
    }

    /// Writes signals that had to wait: the signals that expressions use, or all signals.
    pub(crate) fn late_signals(&self, used_only: bool) {
        let all = std::mem::take(&mut *self.late.borrow_mut());
        let (now, later): (Vec<Late>, Vec<Late>) =
            all.into_iter().partition(|late| !used_only || self.is_used(late.key));
        *self.late.borrow_mut() = later;
        for Late { key, x, order, factor } in now {
            let mut value = (0..order).fold(self.ex(x), |x, _| self.rate(x));
            if let Some(factor) = factor {
                value = self.ex(factor) * value;
            }
            self.flat.borrow_mut().signals.insert(key, value.id);
        }
    }

    /// The value of a signal of this element that is a rate, perhaps times something.
    pub fn signal_of_rate(&self, name: &str, x: Ex<'a>, factor: Option<Ex<'a>>) {
        if let Some(key) = self.signal_key(name) {
            let late = Late { key, x: x.id, order: 1, factor: factor.map(|factor| factor.id) };
            self.late.borrow_mut().push(late);
        }
    }

    /// The potential of a node.
    pub fn potential(&self, node: NodeId) -> Ex<'a> {
        self.ex(self.flat.borrow().potentials[node.index()])
    }

    /// A flow into the element at a node.
    pub fn flow(&self, node: NodeId, flow: Ex<'a>) {
        let mut flat = self.flat.borrow_mut();
        flat.terminals[node.index()].push(self.block.get());
        if let Some(balance) = flat.balances[node.index()] {
            flat.equations[balance].terms.push(flow.id);
        }
    }

    /// A terminal that nothing flows through.
    pub fn sense(&self, node: NodeId) -> Ex<'a> {
        self.flat.borrow_mut().terminals[node.index()].push(self.block.get());
        self.potential(node)
    }

    /// The element ties two potentials to each other.
    pub fn tie(&self, a: impl Terminal, b: impl Terminal) {
        self.add_tie([a.node(), b.node()], None, false);
    }

    /// It fixes their difference.
    pub fn rigid_tie(&self, a: impl Terminal, b: impl Terminal) {
        self.add_tie([a.node(), b.node()], None, true);
    }

    /// It ties them only while a mode has this value.
    pub fn tie_in(&self, mode: Mode, value: i8, a: impl Terminal, b: impl Terminal) {
        self.add_tie([a.node(), b.node()], Some((mode.0, value)), false);
    }

    /// The element gives a node a potential, as a storage does.
    pub fn hold(&self, node: impl Terminal) {
        self.flat.borrow_mut().held.push(node.node());
    }

    /// The law of a source of flow ties its ends where it speaks of their potentials, or of an unknown of equations,
    /// behind which the potentials may stand. A source without a second end then fixes the potential.
    pub fn tie_by_law<T: Terminal>(&self, a: T, b: Option<T>, law: &Program) {
        let block = |end: Option<T>| Some(self.model.node(end?.node())?.block);
        let ends = [block(Some(a)), block(b)];
        let own = self.block.get();
        let ties = |op: &Op| match *op {
            Op::Signal(signal) => {
                signal.block == own
                    || ends.contains(&Some(signal.block))
                    || self.model.schema(signal.block).is_value()
            }
            _ => false,
        };
        if law.ops().iter().any(ties) {
            match b {
                Some(b) => self.tie(a, b),
                None => self.hold(a),
            }
        }
    }

    /// The block joins two nodes: their potentials are equal.
    pub(crate) fn join(&self, nodes: [NodeId; 2]) {
        self.add_tie(nodes, None, true);
    }

    /// The block relates the potentials of two nodes.
    pub(crate) fn loose_tie(&self, nodes: [NodeId; 2]) {
        self.add_tie(nodes, None, false);
    }

    /// The block gives a node a potential.
    pub(crate) fn held_node(&self, node: NodeId) {
        self.flat.borrow_mut().held.push(node);
    }

    fn add_tie(&self, nodes: [NodeId; 2], only_in: Option<(u32, i8)>, rigid: bool) {
        let block = self.block.get();
        self.flat.borrow_mut().ties.push(Tie { nodes, block, only_in, rigid });
    }

    /// Voltage and current of an element with two terminals, as signals too.
    pub fn two_pin(&self, p: ElectricalNode, n: ElectricalNode) -> TwoPin<'a> {
        let i = self.unknown("i");
        let v = self.potential(p.0) - self.potential(n.0);
        self.flow(p.0, i);
        self.flow(n.0, -i);
        self.signal("v", v);
        self.signal("i", i);
        self.signal("power", v * i);
        TwoPin { v, i }
    }

    /// Relative position and force of an element with two flanges, as signals too.
    pub fn two_flange<F: Flange>(&self, a: F, b: F) -> TwoFlange<'a> {
        let [position, speed, force] = F::SIGNALS;
        let f = self.unknown(force);
        let x = self.potential(b.node()) - self.potential(a.node());
        self.flow(b.node(), f);
        self.flow(a.node(), -f);
        self.signal(position, x);
        self.signal(force, f);
        self.signal_of_rate(speed, x, None);
        self.signal_of_rate("power", x, Some(f));
        TwoFlange { x, f }
    }

    /// Torques or forces into the element at several flanges; gives the speeds there.
    pub fn flanges<F: Flange, const N: usize>(&self, all: [(F, Ex<'a>); N]) -> [Ex<'a>; N] {
        all.map(|(flange, force)| {
            self.flow(flange.node(), force);
            self.rate(self.potential(flange.node()))
        })
    }

    /// The law of a source of speed, v_a - v_b = speed, which begins at this position x_a - x_b if given.
    pub fn given_speed(&self, flanges: TwoFlange<'a>, speed: Ex<'a>, position: Option<f64>) {
        self.equal(-self.rate(flanges.x), speed);
        if position.is_some() {
            let own = self.state("x", position);
            self.equal(own, -flanges.x);
            self.rate(own);
        }
    }

    /// Something with inertia between two flanges, or at one: inertia x'' = f_a + f_b. It begins at a place and with
    /// a speed, where given. On a moving body it counts from there. Gives speed,
    /// acceleration and the force that it takes.
    pub fn inert<F: Flange>(
        &self,
        (a, b): (F, Option<F>),
        inertia: f64,
        (there, speed): (Option<f64>, Option<f64>),
        mount: Option<Mount>,
    ) -> [Ex<'a>; 3] {
        let x = self.motion(a, there, speed);
        let v = self.rate(x);
        let acceleration = self.rate(v);
        self.signal(F::SIGNALS[0], x);
        let carried = self.mounted(mount, self.number(inertia), x);
        let change = inertia * (acceleration + carried);
        match b {
            None => self.flow(a.node(), change),
            Some(b) => {
                let f = self.unknown(F::SIGNALS[2]);
                self.equal(x, self.potential(b.node()));
                self.flow(a.node(), f);
                self.flow(b.node(), change - f);
            }
        }
        [v, acceleration, change]
    }

    /// Pressure and flow of a hydraulic element with two ports, as signals too.
    pub fn two_port(&self, a: HydraulicNode, b: HydraulicNode) -> TwoPort<'a> {
        let q = self.unknown("q");
        let d = self.potential(a.0) - self.potential(b.0);
        self.flow(a.0, q);
        self.flow(b.0, -q);
        self.signal("dp", d);
        self.signal("q", q);
        self.signal("power", d * q);
        TwoPort { d, q }
    }

    /// Pressure p_a - p_b and flow delivered to a, of a hydraulic source; signals too.
    pub fn source_port(&self, a: HydraulicNode, b: HydraulicNode) -> (Ex<'a>, Ex<'a>) {
        let q = self.unknown("q");
        let d = self.potential(a.0) - self.potential(b.0);
        self.flow(a.0, -q);
        self.flow(b.0, q);
        self.signal("dp", d);
        self.signal("q", q);
        self.signal("power", -(d * q));
        (d, q)
    }

    /// Difference of temperature and flow of heat between two places, as signals too.
    pub fn heat_path(&self, a: ThermalNode, b: ThermalNode) -> TwoPort<'a> {
        let q = self.unknown("Q");
        let d = self.potential(a.0) - self.potential(b.0);
        self.flow(a.0, q);
        self.flow(b.0, -q);
        self.signal("dT", d);
        self.signal("Q", q);
        TwoPort { d, q }
    }

    /// The law of a valve: this is zero, in a form that depends on the mode; 0 is open, all else conducts.
    pub fn valve(&self, mode: Mode, law: Ex<'a>, TwoPin { v, i }: TwoPin<'a>) {
        self.soft_law(
            mode,
            law,
            Valve { equation: 0, v: v.id, i: i.id, kind: ValveKind::Switch, scale: 1.0 },
        );
    }

    /// The law of a hydraulic valve, likewise.
    pub fn hydraulic_valve(&self, mode: Mode, law: Ex<'a>, TwoPort { d, q }: TwoPort<'a>) {
        let scale = Domain::Hydraulic.usual_resistance();
        self.soft_law(
            mode,
            law,
            Valve { equation: 0, v: d.id, i: q.id, kind: ValveKind::Switch, scale },
        );
    }

    /// The law of something that can stick: no speed in mode `locked`, in all others `law` is zero.
    pub fn lock(
        &self,
        mode: Mode,
        locked: i8,
        law: Ex<'a>,
        Sticking { speed, force, held }: Sticking<'a>,
    ) {
        let law = self.if_mode(mode, locked, speed, law);
        let kind = ValveKind::Lock { locked, acceleration: self.rate(speed).id, held };
        self.soft_law(mode, law, Valve { equation: 0, v: speed.id, i: force.id, kind, scale: 1.0 });
    }

    fn soft_law(&self, mode: Mode, law: Ex<'a>, valve: Valve) {
        let equation = self.flat.borrow().equations.len();
        self.flat.borrow_mut().modes[mode.0 as usize].valve = Some(Valve { equation, ..valve });
        self.equation(law, Source::Law);
    }

    /// Lets a loss flow into a thermal node.
    pub fn heat(&self, node: Option<ThermalNode>, loss: Ex<'a>) {
        if let Some(node) = node {
            self.flow(node.0, -loss);
        }
    }
}
