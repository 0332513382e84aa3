//! The text of a model, with names and order of a style.

use std::fmt::Write;

use super::made::{Component, Flag, Instance, Item, Made, Name, Node, Step, Value, What};
use dysim_tests::random::Random;

/// What of a text is free.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub names: Names,
    /// Some components stand in a file of their own.
    pub has_two_files: bool,
    /// Components and declarations stand in an order of this seed.
    pub order: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    Plain,
    /// Those of parameters and terminals of built-in blocks.
    OfBlocks,
    /// Block names with dots.
    Dotted,
}

impl Names {
    pub fn of(self, name: Name) -> String {
        let (plain, of_block) = match name {
            Name::K => ("k", "R"),
            Name::M => ("m", "C"),
            Name::List => ("l", "Data"),
            Name::On => ("on", "Type"),
            Name::Part => ("Part", "Resistor1"),
            Name::Input => ("u", "I"),
            Name::Port => ("p", "n"),
            Name::Signal => ("out", "y"),
            Name::Inner => ("mid", "p"),
            Name::FileConstant => ("c", "V"),
            Name::Index => ("i", "Start"),
            Name::Component(number) => return format!("{}{number}", self.stem("C", "Capacitor")),
            Name::Block(number) if self == Self::Dotted => return format!("group.b{number}"),
            Name::Block(number) => return format!("{}{number}", self.stem("b", "R")),
        };
        self.stem(plain, of_block).into()
    }

    fn stem(self, plain: &'static str, of_block: &'static str) -> &'static str {
        if self == Self::OfBlocks { of_block } else { plain }
    }
}

/// A model as a main file and, perhaps, a library.
pub fn write(made: &Made, style: Style) -> (String, Option<String>) {
    let all = 0..made.components.len();
    let mut order: Vec<usize> = all.collect();
    let mut random = Random::new(style.order);
    if style.order > 0 {
        shuffle(&mut order, &mut random);
    }
    let (mut main, mut library) = (String::new(), String::new());
    for &number in &order {
        let is_apart = made.components[number].is_apart && style.has_two_files;
        let text = Writer { made, style, is_apart, at: Some(number) }.component(&mut random);
        if is_apart { &mut library } else { &mut main }.push_str(&text);
    }
    let names = style.names;
    let constant = names.of(Name::FileConstant);
    let writer = Writer { made, style, is_apart: false, at: None };
    for item in &made.top {
        main.push_str(&writer.item(item));
    }
    let _ = writeln!(main, "Parameters \"constants\" {{ {constant} = 1.25; }}");
    match style.has_two_files {
        true => {
            main.push_str("Include \"l\" { File = \"lib.dys\"; As = lib; }\n");
            let _ = writeln!(library, "Parameters \"constants\" {{ {constant} = 0.75; }}");
        }
        false => {
            let _ = writeln!(main, "Parameters \"others\" {{ {constant}{constant} = 0.75; }}");
        }
    }
    (format!("{}{main}", super::SURROUNDINGS), style.has_two_files.then_some(library))
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for end in (1..all.len()).rev() {
        all.swap(end, random.below(end + 1));
    }
}

struct Writer<'m> {
    made: &'m Made,
    style: Style,
    is_apart: bool,
    /// The component whose text this is.
    at: Option<usize>,
}

impl Writer<'_> {
    fn name(&self, name: Name) -> String {
        self.style.names.of(name)
    }

    /// A component as this file names it.
    fn keyword(&self, number: usize) -> String {
        let is_in_library = self.made.components[number].is_apart && self.style.has_two_files;
        let alias = if is_in_library && !self.is_apart { "lib." } else { "" };
        format!("{alias}{}", self.name(Name::Component(number)))
    }

    fn value(&self, value: &Value) -> String {
        let pair = |a: &Value, b: &Value| (self.value(a), self.value(b));
        let list = || self.name(Name::List);
        let index = || self.name(Name::Index);
        match value {
            Value::Number(number) => format!("{number}"),
            Value::Parameter(name) => self.name(*name),
            Value::Element(k) => format!("{}[{k}]", list()),
            Value::ElementOfIndex => format!("{}[{}]", list(), index()),
            Value::FileConstant => {
                let name = self.name(Name::FileConstant);
                let is_apart = self.at.is_some_and(|at| self.made.components[at].is_apart);
                if is_apart && !self.style.has_two_files { format!("{name}{name}") } else { name }
            }
            Value::Index => index(),
            Value::Sum(a, b) => {
                let (a, b) = pair(a, b);
                format!("({a} + {b})")
            }
            Value::Product(a, b) => {
                let (a, b) = pair(a, b);
                format!("{a}*{b}")
            }
            Value::Choice(a, b) => {
                let (a, b) = pair(a, b);
                format!("if({}, {a}, {b})", self.name(Name::On))
            }
        }
    }

    fn component(&self, random: &mut Random) -> String {
        let number = self.at.unwrap_or(0);
        let one = &self.made.components[number];
        let mut declarations = self.declarations(one);
        if self.style.order > 0 {
            shuffle(&mut declarations, random);
        }
        let mut text = format!("Component \"{}\" {{\n", self.name(Name::Component(number)));
        if let Some(base) = one.base {
            let _ = writeln!(text, "    Extends = {};", self.keyword(base));
        }
        for line in declarations {
            let _ = writeln!(text, "    {line}");
        }
        for item in &one.items {
            text.push_str(&self.item(item));
        }
        text.push_str("}\n");
        text
    }

    fn declarations(&self, one: &Component) -> Vec<String> {
        let name = |name| self.name(name);
        let mut lines = Vec::new();
        if one.base.is_none() {
            lines.push(format!("Port \"{}\" {{ Domain = electrical; }}", name(Name::Port)));
            let value = format!("{}*{}.v + {}", name(Name::K), name(Name::Port), name(Name::Input));
            lines.push(format!("Signal \"{}\" {{ Value = {value}; }}", name(Name::Signal)));
        }
        let mut parameter = |of: Name, what: &str| {
            lines.push(format!("Parameter \"{}\" {{ {what}; }}", name(of)));
        };
        let numbers = [(Name::K, &one.k), (Name::M, &one.m)];
        for (of, value) in numbers {
            if let Some(value) = value {
                parameter(of, &format!("Default = {}", self.value(value)));
            }
        }
        if let Some([a, b, c]) = one.list {
            parameter(Name::List, &format!("Default = {{ {a}, {b}, {c} }}"));
        }
        if let Some(on) = one.on {
            parameter(Name::On, &format!("Default = {}", if on { "yes" } else { "no" }));
        }
        if let Some(part) = one.part {
            parameter(Name::Part, &format!("Is = {}", self.keyword(part)));
        }
        if let Some(input) = one.input {
            lines.push(format!("Input \"{}\" {{ Default = {input}; }}", name(Name::Input)));
        }
        lines
    }

    /// The blocks of an item, in its Repeat if it has one.
    fn item(&self, item: &Item) -> String {
        let index = self.name(Name::Index);
        let on = self.name(Name::On);
        let exists = match item.exists {
            None => String::new(),
            Some(Flag::On) => format!("If = {on}; "),
            Some(Flag::NotOn) => format!("If = !{on}; "),
            Some(Flag::IndexBelow(most)) => format!("If = {index} < {most}; "),
        };
        let brackets = if item.passes.is_some() { format!("[{index}]") } else { String::new() };
        let name = self.name(item.name);
        let port = match self.at {
            Some(_) => self.name(Name::Port),
            None => "a".into(),
        };
        let node = |node: Node| match node {
            Node::Port => port.clone(),
            Node::Inner => self.name(Name::Inner),
        };
        let inner = self.name(Name::Inner);
        let blocks = match &item.what {
            What::Resistor { node: at, ohms } => format!(
                "Resistor \"{name}{brackets}\" {{ {exists}p = {}; n = gnd; R = {}; }}",
                node(*at),
                self.value(ohms)
            ),
            What::Joint { ohms } => format!(
                "Resistor \"{name}{brackets}\" {{ {exists}p = {port}; n = {inner}; R = {}; }}",
                self.value(ohms)
            ),
            What::Capacitor { farads } => format!(
                "Capacitor \"{name}{brackets}\" {{ {exists}p = {inner}; n = gnd; C = {}; }}",
                self.value(farads)
            ),
            What::Lag { rate, start, share } => {
                let x = format!("{name}x{brackets}");
                format!(
                    "Variable \"{x}\" {{ {exists}Start = {}; }} \
                     Equations \"{name}e{brackets}\" {{ {exists}der({x}) = {}*({port}.v - {x}) + 0.1*{}; }} \
                     CurrentSource \"{name}{brackets}\" {{ {exists}p = {port}; n = gnd; I = 0.05*{}*{x}; }}",
                    self.value(start),
                    self.value(rate),
                    self.name(Name::Input),
                    self.value(share)
                )
            }
            What::Counter { step, threshold } => {
                let n = format!("{name}n{brackets}");
                format!(
                    "Variable \"{n}\" {{ {exists}Type = discrete; }} \
                     When \"{name}w{brackets}\" {{ {exists}Condition = {}*sin(4*t) + 0.1*{port}.v > 0.2*{}; Set {{ {n} = {n} + {}; }} }} \
                     CurrentSource \"{name}{brackets}\" {{ {exists}p = {port}; n = gnd; I = 0.01*{n}; }}",
                    self.name(Name::Input),
                    self.value(threshold),
                    self.value(step)
                )
            }
            What::Instance(one) => {
                self.instance(one, &format!("\"{name}{brackets}\""), &exists, &node(one.node))
            }
        };
        match item.passes {
            None => format!("    {blocks}\n"),
            Some(passes) => {
                format!("    Repeat \"{index}\" {{ To = {passes}; {blocks} }}\n")
            }
        }
    }

    fn instance(&self, one: &Instance, name: &str, exists: &str, node: &str) -> String {
        let keyword = one.component.map_or_else(|| self.name(Name::Part), |of| self.keyword(of));
        let mut text = format!("{keyword} {name} {{ {exists}{} = {node}; ", self.name(Name::Port));
        let mut add = |left: &str, right: &str| {
            let _ = write!(text, "{left} = {right}; ");
        };
        for (of, value) in [(Name::K, &one.k), (Name::M, &one.m)] {
            if let Some(value) = value {
                add(&self.name(of), &self.value(value));
            }
        }
        if let Some(list) = &one.list {
            let elements: Vec<String> = list.iter().map(|value| self.value(value)).collect();
            add(&self.name(Name::List), &format!("{{ {} }}", elements.join(", ")));
        }
        if let Some(on) = one.on {
            add(&self.name(Name::On), if on { "yes" } else { "no" });
        }
        if let Some(part) = one.part {
            add(&self.name(Name::Part), &self.keyword(part));
        }
        if let Some(value) = &one.input {
            let value = format!("{}*cos(t)", self.value(value));
            let own = self.at.map(|_| format!("0.5*{} + ", self.name(Name::Input)));
            add(&self.name(Name::Input), &format!("{}{value}", own.unwrap_or_default()));
        }
        for (way, value) in &one.changes {
            add(&self.way(way), &self.value(value));
        }
        text.push('}');
        text
    }

    fn way(&self, way: &[Step]) -> String {
        let last = way.last();
        let step = |step: &Step| match step {
            Step::Block(name, index) => {
                let suffix = if last == Some(&Step::Start) && Some(step) == way.iter().rev().nth(1)
                {
                    "x"
                } else {
                    ""
                };
                let index = index.map_or(String::new(), |index| format!("[{index}]"));
                format!("{}{suffix}{index}", self.name(*name))
            }
            Step::K => self.name(Name::K),
            Step::M => self.name(Name::M),
            Step::Ohms => "R".into(),
            Step::Farads => "C".into(),
            Step::Start => "Start".into(),
        };
        way.iter().map(step).collect::<Vec<_>>().join(".")
    }
}
