//! What a model means, worked out from its data: a text without components.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::made::{Flag, Instance, Item, Made, Name, Node, Step, Value, What};

/// The numbers of an instance, its node, its input.
#[derive(Clone, Debug)]
struct Around {
    k: f64,
    m: f64,
    list: [f64; 3],
    on: bool,
    part: Option<usize>,
    input: String,
    prefix: String,
    port: String,
    index: Option<usize>,
    /// The component that gives a value.
    is_apart: bool,
}

/// The flat text, and the names of states and counters.
#[derive(Debug, Default)]
pub struct Flat {
    pub text: String,
    pub signals: Vec<String>,
    pub blocks: usize,
}

/// The flat text of a model.
pub fn flat(made: &Made) -> Flat {
    let mut writer = Writer { made, changes: BTreeMap::new(), flat: Flat::default() };
    let top = Around {
        k: 0.0,
        m: 0.0,
        list: [0.0; 3],
        on: true,
        part: None,
        input: String::new(),
        prefix: String::new(),
        port: "a".into(),
        index: None,
        is_apart: false,
    };
    for item in &made.top {
        writer.item(item, &top);
    }
    writer.flat.text.insert_str(0, super::SURROUNDINGS);
    writer.flat
}

fn value(value: &Value, around: &Around) -> f64 {
    let index = around.index.unwrap_or(0);
    match value {
        Value::Number(number) => *number,
        Value::Parameter(Name::K) => around.k,
        Value::Parameter(_) => around.m,
        Value::Element(k) => around.list[k - 1],
        Value::ElementOfIndex => around.list[index - 1],
        Value::FileConstant if around.is_apart => 0.75,
        Value::FileConstant => 1.25,
        Value::Index => index as f64,
        Value::Sum(a, b) => self::value(a, around) + self::value(b, around),
        Value::Product(a, b) => self::value(a, around) * self::value(b, around),
        Value::Choice(a, _) if around.on => self::value(a, around),
        Value::Choice(_, b) => self::value(b, around),
    }
}

struct Writer<'m> {
    made: &'m Made,
    /// Values that are changed from outside, by their whole names; those of the outermost are entered first and stay.
    changes: BTreeMap<String, f64>,
    flat: Flat,
}

impl Writer<'_> {
    fn changed(&self, block: &str, end: &str, value: f64) -> f64 {
        self.changes.get(&format!("{block}.{end}")).copied().unwrap_or(value)
    }

    fn item(&mut self, item: &Item, around: &Around) {
        let passes = match item.passes {
            None => vec![None],
            Some(passes) => (1..=passes).map(Some).collect(),
        };
        for index in passes {
            let around = Around { index, ..around.clone() };
            let exists = match item.exists {
                None => true,
                Some(Flag::On) => around.on,
                Some(Flag::NotOn) => !around.on,
                Some(Flag::IndexBelow(most)) => index.is_some_and(|index| index < most),
            };
            if exists {
                self.one(item, &around);
            }
        }
    }

    fn one(&mut self, item: &Item, around: &Around) {
        let Name::Block(number) = item.name else { return };
        let index = around.index.map_or(String::new(), |index| format!("[{index}]"));
        let name = |suffix: &str| format!("{}b{number}{suffix}{index}", around.prefix);
        let plain = name("");
        let inner = format!("{}mid", around.prefix);
        let port = &around.port;
        let node =
            |node: Node| if matches!(node, Node::Port) { port.clone() } else { inner.clone() };
        let number = |of: &Value| value(of, around);
        self.flat.blocks += 1;
        let text = match &item.what {
            What::Resistor { node: at, ohms } => {
                let ohms = self.changed(&plain, "R", number(ohms));
                format!("Resistor \"{plain}\" {{ p = {}; n = gnd; R = {ohms:e}; }}", node(*at))
            }
            What::Joint { ohms } => {
                let ohms = self.changed(&plain, "R", number(ohms));
                self.flat.signals.push(format!("{plain}.i"));
                format!("Resistor \"{plain}\" {{ p = {port}; n = {inner}; R = {ohms:e}; }}")
            }
            What::Capacitor { farads } => {
                let farads = self.changed(&plain, "C", number(farads));
                format!("Capacitor \"{plain}\" {{ p = {inner}; n = gnd; C = {farads:e}; }}")
            }
            What::Lag { rate, start, share } => {
                let x = name("x");
                let start = self.changed(&x, "Start", number(start));
                self.flat.signals.push(x.clone());
                let (rate, share) = (number(rate), number(share));
                format!(
                    "Variable \"{x}\" {{ Start = {start:e}; }} \
                     Equations \"{}\" {{ der({x}) = {rate:e}*({port}.v - {x}) + 0.1*({}); }} \
                     CurrentSource \"{plain}\" {{ p = {port}; n = gnd; I = 0.05*{share:e}*{x}; }}",
                    name("e"),
                    around.input
                )
            }
            What::Counter { step, threshold } => {
                let n = name("n");
                self.flat.signals.push(n.clone());
                format!(
                    "Variable \"{n}\" {{ Type = discrete; }} \
                     When \"{}\" {{ Condition = ({})*sin(4*t) + 0.1*{port}.v > 0.2*{:e}; Set {{ {n} = {n} + {:e}; }} }} \
                     CurrentSource \"{plain}\" {{ p = {port}; n = gnd; I = 0.01*{n}; }}",
                    name("w"),
                    around.input,
                    number(threshold),
                    number(step)
                )
            }
            What::Instance(one) => return self.instance(one, &plain, &node(one.node), around),
        };
        let _ = writeln!(self.flat.text, "{text}");
    }

    /// An instance of this name at a node.
    fn instance(&mut self, one: &Instance, name: &str, node: &str, around: &Around) {
        for (way, changed) in &one.changes {
            let way = format!("{name}.{}", way_text(way));
            self.changes.entry(way).or_insert(value(changed, around));
        }
        let Some(component) = one.component.or(around.part) else { return };
        let input = match &one.input {
            Some(given) => {
                let own = match around.prefix.is_empty() {
                    true => String::new(),
                    false => format!("0.5*({}) + ", around.input),
                };
                format!("{own}{:e}*cos(t)", value(given, around))
            }
            None => format!("{:e}", self.default(component, |c| c.input).unwrap_or(0.0)),
        };
        let k = one.k.as_ref().map(|k| value(k, around));
        let m = one.m.as_ref().map(|m| value(m, around));
        let list = one.list.as_ref().map(|list| [0, 1, 2].map(|k| value(&list[k], around)));
        let mut inside = Around {
            k: 0.0,
            m: 0.0,
            list: list.or_else(|| self.default(component, |c| c.list)).unwrap_or_default(),
            on: one.on.or_else(|| self.default(component, |c| c.on)).unwrap_or(true),
            part: one.part.or_else(|| self.made.part_of(component)),
            input,
            prefix: format!("{name}."),
            port: node.into(),
            index: None,
            is_apart: false,
        };
        let default = self.default(component, |c| c.k.clone());
        let k = k.unwrap_or_else(|| default.map_or(0.0, |k| value(&k, &inside)));
        inside.k = self.changed(name, "k", k);
        let default = self.default(component, |c| c.m.clone());
        let m = m.unwrap_or_else(|| default.map_or(0.0, |m| value(&m, &inside)));
        inside.m = self.changed(name, "m", m);
        self.flat.signals.push(format!("{name}.out"));
        let _ = writeln!(
            self.flat.text,
            "Signal \"{name}.out\" {{ Value = {:e}*{node}.v + ({}); }}",
            inside.k, inside.input
        );
        for (from, item) in self.made.items(component) {
            let is_apart = self.made.components[from].is_apart;
            self.item(&item, &Around { is_apart, ..inside.clone() });
        }
    }

    /// What a component declares, or the nearest of its bases.
    fn default<T>(
        &self,
        component: usize,
        of: impl Fn(&super::made::Component) -> Option<T>,
    ) -> Option<T> {
        let one = &self.made.components[component];
        of(one).or_else(|| self.default_of(one.base, &of))
    }

    fn default_of<T>(
        &self,
        component: Option<usize>,
        of: &dyn Fn(&super::made::Component) -> Option<T>,
    ) -> Option<T> {
        let one = &self.made.components[component?];
        of(one).or_else(|| self.default_of(one.base, of))
    }
}

fn way_text(way: &[Step]) -> String {
    let mut text = String::new();
    for step in way {
        let _ = match step {
            Step::Block(Name::Block(number), index) => {
                let x = if way.last() == Some(&Step::Start) && way.iter().rev().nth(1) == Some(step)
                {
                    "x"
                } else {
                    ""
                };
                let index = index.map_or(String::new(), |index| format!("[{index}]"));
                write!(text, "b{number}{x}{index}.")
            }
            Step::Block(..) => Ok(()),
            Step::K => write!(text, "k"),
            Step::M => write!(text, "m"),
            Step::Ohms => write!(text, "R"),
            Step::Farads => write!(text, "C"),
            Step::Start => write!(text, "Start"),
        };
    }
    text
}
