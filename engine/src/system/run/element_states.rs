//! The force elements in motion: modes, remembered numbers, forces, and the freedoms that they lock.

use super::body_states::BodyStates;
use super::loop_states::LoopStates;
use super::{Element, Failure, System};
use integrate::{Change, ChangeList, Crossing, Event, GuardId, Side};
use mechanics::forces::law::{Effect, Frozen, Settling, View};
use mechanics::loops::Hold;

/// Modes are numbered up to this.
pub(super) const MAX_MODE: u8 = 7;
/// Most guards of one element.
const MAX_GUARDS: usize = 8;
/// Most signals of one element.
const MAX_SIGNALS: usize = 8;
/// Passes of an event iteration in which all elements switch together. Joints that stick and slide against
/// each other may go round in circles so; from then on only the first that wants to switch does, which
/// comes to rest (the least-index rule for complementarity problems, Murty 1974).
pub(super) const PASSES_TOGETHER: usize = 10;

/// A change of mode that was no event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Time, s.
    pub t: f64,
    /// Index of the element.
    pub element: usize,
    /// The mode before.
    pub from: u8,
    /// The mode after.
    pub to: u8,
}

/// All that changes of the force elements, each by index of the element.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct ElementStates {
    /// Present modes.
    pub modes: Vec<u8>,
    /// Modes before the last event.
    pub modes_before: Vec<u8>,
    /// Remembered numbers of all elements.
    pub memory: Vec<f64>,
    /// Changes of mode that were no events, for the log.
    pub drifts: Vec<Drift>,
    /// Time at which modes were last looked at.
    pub t_looked: f64,
    /// True if a guard asks what a lock holds in the present modes.
    pub asks_drive: bool,
    /// Power of each element, W.
    pub powers: Vec<f64>,
    /// Forces of each element.
    pub effects: Vec<Effect>,
    /// Do one-sided laws take the mode of the state in every evaluation, because the method looks for no events?
    pub follows_sides: bool,
}

impl ElementStates {
    /// Elements at the beginning of a run.
    pub fn new(system: &System) -> Self {
        let elements = &system.elements;
        let mut memory = vec![0.0; system.n_memory];
        for element in elements {
            element.law.fill_memory(&mut memory[element.memory.clone()]);
        }
        Self {
            modes: elements.iter().map(|element| element.law.first_mode()).collect(),
            modes_before: vec![0; elements.len()],
            memory,
            drifts: Vec::with_capacity(elements.len()),
            t_looked: 0.0,
            asks_drive: false,
            powers: vec![0.0; elements.len()],
            effects: vec![Effect::None; elements.len()],
            follows_sides: system.follows_sides() && elements.iter().any(Element::has_guards),
        }
    }

    /// Mode and memory of an element.
    pub fn frozen(&self, index: usize, element: &Element) -> Frozen<'_> {
        Frozen { mode: self.modes[index], memory: &self.memory[element.memory.clone()] }
    }

    /// Adds the forces of all elements to the bodies.
    #[inline]
    pub fn act(
        &mut self,
        system: &System,
        bodies: &mut BodyStates,
        t: f64,
        inputs: &[f64],
    ) -> Result<(), Failure> {
        for (index, element) in system.elements.iter().enumerate() {
            let view = bodies.view(&system.tree, t, inputs);
            if self.follows_sides {
                self.modes[index] = element.law.mode_now(&view, self.frozen(index, element));
            }
            let effect = element
                .law
                .act(&view, self.frozen(index, element))
                .map_err(|reason| Failure::Element(element.block, reason.0))?;
            self.powers[index] = bodies.power(&system.tree, &effect);
            bodies.add_effect(&effect);
            self.effects[index] = effect;
        }
        Ok(())
    }

    /// Energy that all elements store, J.
    pub fn energy(&self, elements: &[Element], view: &View<'_>) -> f64 {
        let stored = |(index, element): (usize, &Element)| {
            element.law.energy(view, self.frozen(index, element))
        };
        elements.iter().enumerate().map(stored).sum()
    }

    /// A signal of an element.
    pub fn signal(
        &self,
        elements: &[Element],
        index: usize,
        signal: usize,
        view: &View<'_>,
    ) -> f64 {
        let element = &elements[index];
        let mut values = [0.0; MAX_SIGNALS];
        let effect = &self.effects[index];
        element.law.signals(view, self.frozen(index, element), effect, &mut values);
        values[signal.min(MAX_SIGNALS - 1)]
    }

    /// A signal of an element whose force follows from the state alone, at a state whose forces are not found yet.
    pub fn signal_now(&self, system: &System, index: usize, signal: usize, view: &View<'_>) -> f64 {
        let element = &system.elements[index];
        let frozen = self.frozen(index, element);
        let Ok(effect) = element.law.act(view, frozen) else { return f64::NAN };
        let mut values = [0.0; MAX_SIGNALS];
        element.law.signals(view, frozen, &effect, &mut values);
        values[signal.min(MAX_SIGNALS - 1)]
    }

    /// What such an element does at such a state.
    pub fn effect_now(&self, system: &System, index: usize, view: &View<'_>) -> Effect {
        let element = &system.elements[index];
        element.law.act(view, self.frozen(index, element)).unwrap_or(Effect::None)
    }

    /// Writes the guards of all elements.
    #[inline]
    pub fn fill_guards(&self, elements: &[Element], view: &View<'_>, values: &mut [f64]) {
        for (index, element) in elements.iter().enumerate() {
            if element.has_guards() {
                let values = &mut values[element.guards.clone()];
                element.law.guards(view, self.frozen(index, element), values);
            }
        }
    }

    /// Writes the sides on which the guards of all elements belong.
    pub fn fill_sides(&self, elements: &[Element], sides: &mut [Side]) {
        let all = elements.iter().zip(&self.modes);
        for (element, &mode) in all.filter(|(element, _)| element.has_guards()) {
            element.law.sides(mode, &mut sides[element.guards.clone()]);
        }
    }

    /// Begins an event: keeps the present modes as the modes before the event.
    pub fn begin_event(&mut self, t: f64) {
        self.modes_before.copy_from_slice(&self.modes);
        self.t_looked = t;
    }

    /// One pass of the event iteration: all elements decide about their modes.
    pub fn settle(
        &mut self,
        elements: &[Element],
        view: &View<'_>,
        event: &Event<'_>,
        changes: &mut ChangeList,
    ) {
        for (index, element) in elements.iter().enumerate() {
            if !element.has_guards() {
                continue;
            }
            // What the guards of the element tell.
            let mut sides = [None; MAX_GUARDS];
            let mut crossed = [false; MAX_GUARDS];
            for (place, guard) in element.guards.clone().enumerate().take(MAX_GUARDS) {
                sides[place] = event.side(GuardId(guard));
                crossed[place] =
                    event.crossed.iter().any(|&Crossing { guard: id, .. }| id.0 == guard);
            }
            let count = element.guards.len();
            let settling = Settling {
                sides: &sides[..count],
                guards: &event.guards[element.guards.clone()],
                crossed: &crossed[..count],
                memory: &mut self.memory[element.memory.clone()],
            };
            // What the law makes of it.
            let mode = self.modes[index];
            let next = element.law.settle(view, mode, settling);
            if next != mode {
                self.modes[index] = next;
                let guard = GuardId(element.guards.start);
                changes.push(Change { guard, from: i32::from(mode), to: i32::from(next) });
                if event.iteration >= PASSES_TOGETHER {
                    break;
                }
            }
        }
    }

    /// Takes the changes of mode that need no event. They came about when the step began.
    pub fn follow_modes(&mut self, elements: &[Element], view: &View<'_>) {
        let began = std::mem::replace(&mut self.t_looked, view.t);
        for (index, element) in elements.iter().enumerate() {
            let from = self.modes[index];
            let to = element.law.drift(view, from);
            if to != from {
                self.modes[index] = to;
                self.drifts.push(Drift { t: began, element: index, from, to });
            }
        }
    }

    /// The branches of one-sided laws in the last evaluation as one number; 0 if they are frozen between events.
    pub fn branch(&self) -> u64 {
        let number = |sum: u64, &mode: &u8| sum.wrapping_mul(31).wrapping_add(u64::from(mode));
        if self.follows_sides { self.modes.iter().fold(0, number) } else { 0 }
    }

    /// Notes for the log which one-sided laws have another mode than at the end of the step before; `view` shows the end of
    /// the step.
    pub fn note_sides(&mut self, elements: &[Element], view: &View<'_>) {
        for (index, element) in elements.iter().enumerate() {
            let to = element.law.mode_now(view, self.frozen(index, element));
            self.modes[index] = to;
            let from = std::mem::replace(&mut self.modes_before[index], to);
            if from != to {
                self.drifts.push(Drift { t: view.t, element: index, from, to });
            }
        }
    }

    /// Lets all elements remember what they see at the end of a step.
    pub fn follow_memory(&mut self, elements: &[Element], view: &View<'_>) {
        for (element, &mode) in elements.iter().zip(&self.modes) {
            element.law.follow(view, mode, &mut self.memory[element.memory.clone()]);
        }
    }

    /// Locks the freedoms that the modes hold.
    pub fn update_locks(
        &mut self,
        system: &System,
        bodies: &mut BodyStates,
        mut loops: Option<&mut LoopStates>,
    ) {
        let mut elements = system.elements.iter().zip(&self.modes);
        self.asks_drive = elements
            .any(|(element, &mode)| element.has_guards() && element.law.locks(mode).is_some());
        for (element, &mode) in system.elements.iter().zip(&self.modes) {
            // An element that can lock a freedom is the only one that does.
            let locked = element.law.locks(mode);
            let freedom = locked.or_else(|| (0..=MAX_MODE).find_map(|m| element.law.locks(m)));
            let Some(freedom) = freedom else { continue };
            let Some(of_loop) = freedom.checked_sub(system.tree.n_v()) else {
                let changed = bodies.workspace.lock(freedom, locked.is_some());
                // With other freedoms other rows of the constraints are independent.
                if let Some(loops) = &mut loops {
                    loops.stale |= changed;
                }
                continue;
            };
            let Some(loops) = &mut loops else { continue };
            let hold = match (locked, element.part) {
                (None, _) => Hold::Free,
                (Some(_), "lock") => Hold::Target,
                (Some(_), _) => Hold::Rest,
            };
            loops.stale |= loops.workspace.hold(of_loop, hold);
        }
    }

    /// Freedoms of the tree that are locked or stuck; the projection stops those of loop joints.
    pub fn locked_freedoms(&self, system: &System) -> impl Iterator<Item = usize> {
        let elements = system.elements.iter().zip(&self.modes);
        let locked = elements.filter_map(|(element, &mode)| element.law.locks(mode));
        locked.filter(|&freedom| freedom < system.tree.n_v())
    }
}
