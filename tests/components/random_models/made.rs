//! Random hierarchies of components as plain data.

use dysim_tests::random::Random;

/// An expression of constants, as a component writes it.
#[derive(Clone, Debug)]
pub enum Value {
    Number(f64),
    /// The parameter `k` or `m`.
    Parameter(Name),
    /// An element of the list `l`, counted from 1.
    Element(usize),
    /// The element of the list that the index of the Repeat counts.
    ElementOfIndex,
    /// A parameter of the file.
    FileConstant,
    /// The index of the Repeat.
    Index,
    Sum(Box<Value>, Box<Value>),
    Product(Box<Value>, Box<Value>),
    /// The first where `on` holds, else the second.
    Choice(Box<Value>, Box<Value>),
}

/// What a component calls its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    K,
    M,
    List,
    On,
    Part,
    Input,
    Port,
    Signal,
    Inner,
    /// A block, by a number that is its own in the whole model.
    Block(usize),
    Component(usize),
    FileConstant,
    Index,
}

/// A condition of constants.
#[derive(Clone, Copy, Debug)]
pub enum Flag {
    On,
    NotOn,
    /// The index of the Repeat is below this number.
    IndexBelow(usize),
}

/// Where an element is joined.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    Port,
    Inner,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum What {
    /// From a node to ground.
    Resistor { node: Node, ohms: Value },
    /// From the port to the inner node.
    Joint { ohms: Value },
    /// From the inner node to ground.
    Capacitor { farads: Value },
    /// A state that follows the port and draws a current.
    Lag { rate: Value, start: Value, share: Value },
    /// A counter of the swings of the input and the port, which draws a current.
    Counter { step: Value, threshold: Value },
    /// An instance.
    Instance(Box<Instance>),
}

/// An instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The component; none: the parameter `Part`.
    pub component: Option<usize>,
    pub node: Node,
    pub k: Option<Value>,
    pub m: Option<Value>,
    pub list: Option<[Value; 3]>,
    pub on: Option<bool>,
    pub part: Option<usize>,
    pub input: Option<Value>,
    /// Ways to values inside, and their values.
    pub changes: Vec<(Vec<Step>, Value)>,
}

/// A step of the way to a value inside of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A block, with its index if it is one of a Repeat.
    Block(Name, Option<usize>),
    /// The value itself: a parameter of a component, or that of a block.
    K,
    M,
    Ohms,
    Farads,
    Start,
}

/// A block of a component, or several that belong together.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: Name,
    pub what: What,
    /// Passes of a Repeat.
    pub passes: Option<usize>,
    pub exists: Option<Flag>,
}

/// A component.
#[derive(Clone, Debug)]
pub struct Component {
    pub base: Option<usize>,
    pub k: Option<Value>,
    pub m: Option<Value>,
    pub list: Option<[f64; 3]>,
    pub on: Option<bool>,
    pub part: Option<usize>,
    pub input: Option<f64>,
    /// Items of its own; of a name of the base they change that.
    pub items: Vec<Item>,
    /// It stands in the second file.
    pub is_apart: bool,
}

/// A whole model.
#[derive(Clone, Debug)]
pub struct Made {
    pub components: Vec<Component>,
    /// Instances at top level.
    pub top: Vec<Item>,
}

impl Made {
    /// The items of a component with those of its bases, and the component that gives each its values.
    pub fn items(&self, component: usize) -> Vec<(usize, Item)> {
        let one = &self.components[component];
        let mut all = one.base.map_or(Vec::new(), |base| self.items(base));
        for item in &one.items {
            match all.iter_mut().find(|(_, known)| known.name == item.name) {
                Some((from, known)) => {
                    known.what = item.what.clone();
                    *from = component;
                }
                None => all.push((component, item.clone())),
            }
        }
        all
    }

    /// The default of the parameter `Part`.
    pub fn part_of(&self, component: usize) -> Option<usize> {
        let one = &self.components[component];
        one.part.or_else(|| one.base.and_then(|base| self.part_of(base)))
    }
}

/// Makes models; numbers are such that currents stay small and nothing runs away.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    next: usize,
}

impl Maker<'_> {
    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn number(&mut self) -> f64 {
        (4 + self.random.below(13)) as f64 / 8.0
    }

    fn name(&mut self) -> Name {
        self.next += 1;
        Name::Block(self.next)
    }

    /// A value at a place with or without parameters and index.
    fn value(&mut self, has_parameters: bool, has_index: bool, depth: usize) -> Value {
        let pair = |this: &mut Self| {
            let mut one = || Box::new(this.value(has_parameters, has_index, depth + 1));
            (one(), one())
        };
        match self.random.below(if depth > 1 { 6 } else { 9 }) {
            1 if has_parameters => Value::Parameter(Name::K),
            2 if has_parameters => Value::Parameter(Name::M),
            3 if has_parameters && has_index && self.chance(2) => Value::ElementOfIndex,
            3 if has_parameters => Value::Element(1 + self.random.below(3)),
            4 => Value::FileConstant,
            5 if has_index => Value::Index,
            6 => {
                let (a, b) = pair(self);
                Value::Sum(a, b)
            }
            7 => {
                let (a, b) = pair(self);
                Value::Product(a, b)
            }
            8 if has_parameters => {
                let (a, b) = pair(self);
                Value::Choice(a, b)
            }
            _ => Value::Number(self.number()),
        }
    }

    fn node(&mut self) -> Node {
        if self.chance(2) { Node::Port } else { Node::Inner }
    }

    fn what(&mut self, components: usize, from: usize, is_repeated: bool) -> What {
        let value = |this: &mut Self| this.value(true, is_repeated, 0);
        match self.random.below(6) {
            0 => What::Resistor { node: self.node(), ohms: value(self) },
            1 => What::Lag { rate: value(self), start: value(self), share: value(self) },
            2 => What::Counter { step: value(self), threshold: value(self) },
            _ if from < components => {
                let part = self.chance(4);
                let component = from + self.random.below(components - from);
                What::Instance(Box::new(self.instance((!part).then_some(component), is_repeated)))
            }
            _ => What::Resistor { node: self.node(), ohms: value(self) },
        }
    }

    fn instance(&mut self, component: Option<usize>, is_repeated: bool) -> Instance {
        let maybe = |this: &mut Self| this.chance(2).then(|| this.value(true, is_repeated, 0));
        Instance {
            component,
            node: self.node(),
            k: maybe(self),
            m: maybe(self),
            list: self.chance(3).then(|| std::array::from_fn(|_| self.value(true, is_repeated, 1))),
            on: self.chance(2).then(|| self.chance(2)),
            part: None,
            input: self.chance(2).then(|| self.value(true, is_repeated, 1)),
            changes: Vec::new(),
        }
    }

    fn component(&mut self, at: usize, count: usize, made: &[Component]) -> Component {
        // Those of higher numbers are known; `made` has them from the last to the first.
        let deeper = count - at - 1;
        let base = (deeper > 0 && self.chance(3)).then(|| at + 1 + self.random.below(deeper));
        // A component of the second file sees those of its file only, all of which have higher numbers.
        let is_apart = match made.last() {
            Some(next) => next.is_apart && !self.chance(4),
            None => self.chance(2),
        };
        let is_root = base.is_none();
        let mut one = Component {
            base,
            k: (is_root || self.chance(3)).then(|| Value::Number(self.number())),
            m: (is_root || self.chance(3)).then(|| {
                Value::Product(
                    Box::new(Value::Number(self.number())),
                    Box::new(Value::Parameter(Name::K)),
                )
            }),
            list: (is_root || self.chance(3)).then(|| std::array::from_fn(|_| self.number())),
            on: (is_root || self.chance(3)).then(|| self.chance(2)),
            part: None,
            input: is_root.then(|| self.number()),
            items: Vec::new(),
            is_apart,
        };
        if is_root {
            let (joint, capacitor) = (self.name(), self.name());
            let ohms = self.value(true, false, 0);
            let farads = self.value(true, false, 0);
            let plain = |name, what| Item { name, what, passes: None, exists: None };
            one.items.push(plain(joint, What::Joint { ohms }));
            one.items.push(plain(capacitor, What::Capacitor { farads }));
        }
        one
    }

    /// Items of a component whose bases are complete.
    fn add_items(&mut self, made: &mut Made, at: usize) {
        let count = made.components.len();
        let has_part = made.part_of(at).is_some();
        for _ in 0..1 + self.random.below(3) {
            let passes = self.chance(3).then(|| self.random.below(4));
            let mut what = self.what(count, at + 1, passes.is_some());
            if let What::Instance(instance) = &mut what {
                if instance.component.is_none() && !has_part {
                    instance.component = Some(at + 1 + self.random.below(count - at - 1));
                }
                self.finish_instance(made, instance, passes.is_some());
            }
            let exists = match self.random.below(6) {
                0 => Some(Flag::On),
                1 => Some(Flag::NotOn),
                2 if passes.is_some() => Some(Flag::IndexBelow(1 + self.random.below(3))),
                _ => None,
            };
            let name = self.name();
            made.components[at].items.push(Item { name, what, passes, exists });
        }
        if let Some(base) = made.components[at].base {
            self.change_items(made, at, base);
        }
    }

    /// Changes values of inherited blocks, or replaces them.
    fn change_items(&mut self, made: &mut Made, at: usize, base: usize) {
        for (_, mut item) in made.items(base) {
            let value = self.value(true, item.passes.is_some(), 0);
            item.what = match item.what {
                What::Joint { .. } => What::Joint { ohms: value },
                What::Capacitor { .. } if self.chance(2) => What::Capacitor { farads: value },
                What::Capacitor { .. } => What::Resistor { node: Node::Inner, ohms: value },
                What::Resistor { node, .. } => What::Resistor { node, ohms: value },
                _ => continue,
            };
            if self.chance(3) {
                // Repeats are no blocks that could be changed.
                if item.passes.is_none() {
                    made.components[at].items.push(item);
                }
            }
        }
    }

    /// An instance at top level, where there are no parameters of a component.
    fn top(&mut self, made: &Made) -> Item {
        let passes = self.chance(3).then_some(2);
        let mut one = self.instance(Some(0), passes.is_some());
        one.node = Node::Port;
        one.k = Some(Value::Number(self.number()));
        (one.m, one.list, one.input) = (None, None, Some(Value::Number(self.number())));
        self.finish_instance(made, &mut one, false);
        for (_, value) in &mut one.changes {
            *value = self.value(false, passes.is_some(), 0);
        }
        Item { name: self.name(), what: What::Instance(Box::new(one)), passes, exists: None }
    }

    /// Gives an instance a part and changes of values inside.
    fn finish_instance(&mut self, made: &Made, one: &mut Instance, repeated: bool) {
        let count = made.components.len();
        // A part may be another component, which has other blocks.
        let Some(component) = one.component else { return };
        if made.part_of(component).is_some() && self.chance(2) {
            // What stands for the part must be deeper than the component, so that nothing contains itself.
            one.part = Some(component + 1 + self.random.below(count - component - 1));
        }
        let part = one.part.or_else(|| made.part_of(component));
        let mut ways = Vec::new();
        ways_inside(made, component, part, &mut Vec::new(), &mut ways);
        for _ in 0..self.random.below(3) {
            let way = ways[self.random.below(ways.len())].clone();
            if one.changes.iter().all(|(known, _)| *known != way) {
                one.changes.push((way, self.value(true, repeated, 1)));
            }
        }
    }
}

/// All ways to values that are there for certain.
fn ways_inside(
    made: &Made,
    component: usize,
    part: Option<usize>,
    way: &mut Vec<Step>,
    ways: &mut Vec<Vec<Step>>,
) {
    let mut add = |way: &[Step], end: Step| ways.push([way, &[end]].concat());
    // At the instance itself parameters are given without a change.
    if !way.is_empty() {
        add(way, Step::K);
        add(way, Step::M);
    }
    for (_, item) in made.items(component) {
        if item.exists.is_some() || item.passes == Some(0) {
            continue;
        }
        way.push(Step::Block(item.name, item.passes));
        match &item.what {
            What::Resistor { .. } | What::Joint { .. } => {
                ways.push([&way[..], &[Step::Ohms]].concat())
            }
            What::Capacitor { .. } => ways.push([&way[..], &[Step::Farads]].concat()),
            What::Lag { .. } => ways.push([&way[..], &[Step::Start]].concat()),
            What::Counter { .. } => {}
            What::Instance(one) => {
                if let Some(inner) = one.component.or(part) {
                    let part = one.part.or_else(|| made.part_of(inner));
                    ways_inside(made, inner, part, way, ways);
                }
            }
        }
        way.pop();
    }
}

/// A random model.
pub fn make(random: &mut Random) -> Made {
    let count = 1 + random.below(5);
    let mut maker = Maker { random, next: 0 };
    let mut reversed = Vec::new();
    for at in (0..count).rev() {
        let one = maker.component(at, count, &reversed);
        reversed.push(one);
    }
    reversed.reverse();
    let mut made = Made { components: reversed, top: Vec::new() };
    for at in (0..count).rev() {
        let deeper = count - at - 1;
        let is_root = made.components[at].base.is_none();
        if deeper > 0 && is_root {
            made.components[at].part = Some(at + 1 + maker.random.below(deeper));
        }
        maker.add_items(&mut made, at);
    }
    for _ in 0..2 {
        let item = maker.top(&made);
        made.top.push(item);
    }
    made
}
