//! `dysim --equations`: what the passes made of a model, for a person to read.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::block_compiler::{Block, BlockKind, LEVELS, Level};
use crate::passes::alias::Meaning;
use crate::prepared::combination::Prepared;
use crate::run::NetworkRun;
use crate::words::display::Printer;
use equations::expr::VarId;
use equations::flat::Source;
use equations::names::Names;
use equations::names::variable_name;

/// Equations of a loop beyond these are only counted.
const MOST_SHOWN: usize = 40;

/// The equations of the present combination of modes, sorted.
pub fn report(run: &NetworkRun<'_>, names: &dyn Names) -> String {
    let (prepared, flat) = (&*run.present().fixed, &run.network.flat);
    let printer = Printer::new(names, run.now.combinations.arena(), &prepared.variables, flat);
    let mut report = Report { names, prepared, printer, out: String::new() };
    report.summary(flat.variables.len(), flat.equations.len());
    report.modes(run);
    report.states(run);
    report.aliases(flat.variables.len());
    report.index_reduction();
    report.blocks();
    report.out
}

struct Report<'a> {
    names: &'a dyn Names,
    prepared: &'a Prepared,
    printer: Printer<'a>,
    out: String,
}

impl Report<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn name(&self, variable: VarId) -> String {
        variable_name(self.names, &self.prepared.variables, variable)
    }

    fn summary(&mut self, variables: usize, equations: usize) {
        let p = self.prepared;
        let loops = p.code.blocks.iter().filter(|block| block.equations.len() > 1).count();
        self.line(format_args!(
            "{}: {variables} variables, {equations} equations; {} are left without aliases, in {} blocks, {loops} of them loops; {} states",
            self.names.model(),
            p.structure.equations.len(),
            p.blocks.len(),
            p.structure.states.len(),
        ));
    }

    fn modes(&mut self, run: &NetworkRun<'_>) {
        if run.modes().is_empty() {
            return;
        }
        self.line(format_args!("\nModes at the start"));
        for (law, &value) in run.network.flat.modes.iter().zip(run.modes()) {
            let word =
                law.words.iter().find(|(known, _)| *known == value).map_or("", |(_, word)| *word);
            let name = self.names.name(law.block).to_string();
            self.line(format_args!("  {name:<24}{word}"));
        }
    }

    fn states(&mut self, run: &NetworkRun<'_>) {
        self.line(format_args!("\nStates"));
        for (k, &storage) in run.network.storages.iter().enumerate() {
            let name = self.name(storage);
            let role = match (self.prepared.leads[k], self.prepared.aliases.find(storage)) {
                (Some(_), _) => "integrated".to_string(),
                (None, Meaning::Constant(number)) => format!("constant {number}"),
                (None, Meaning::Same(own, sign)) if own != storage => {
                    format!("{}{}", if sign < 0.0 { "-" } else { "" }, self.name(own))
                }
                (None, Meaning::Same(..)) => "determined by a constraint".to_string(),
            };
            self.line(format_args!("  {name:<24}{role}"));
        }
    }

    fn aliases(&mut self, count: usize) {
        let mut lines: Vec<String> = Vec::new();
        for index in 0..count {
            let variable = VarId(index as u32);
            match self.prepared.aliases.find(variable) {
                Meaning::Constant(number) => {
                    lines.push(format!(
                        "  {:<24}= {}",
                        self.name(variable),
                        equations::wording::written(number)
                    ));
                }
                Meaning::Same(own, sign) if own != variable => {
                    let (name, own) = (self.name(variable), self.name(own));
                    let sign = if sign < 0.0 { "-" } else { "" };
                    // The variable that expressions read has the name of the unknown that it is.
                    if name != own || !sign.is_empty() {
                        lines.push(format!("  {name:<24}= {sign}{own}"));
                    }
                }
                Meaning::Same(..) => {}
            }
        }
        let mut known = FxHashSet::default();
        lines.retain(|line| known.insert(line.clone()));
        self.line(format_args!("\nAliases"));
        let more = lines.len().saturating_sub(MOST_SHOWN);
        for line in lines.into_iter().take(MOST_SHOWN) {
            self.line(format_args!("{line}"));
        }
        if more > 0 {
            self.line(format_args!("  and {more} more"));
        }
    }

    fn index_reduction(&mut self) {
        let p = self.prepared;
        let steps: Vec<usize> = (0..p.structure.equations.len())
            .filter(|&e| p.structure.derived_from[e].is_some())
            .collect();
        if steps.is_empty() {
            return;
        }
        self.line(format_args!("\nDifferentiated to reduce the index"));
        for equation in steps.into_iter().take(MOST_SHOWN) {
            let from = p.structure.derived_from[equation].unwrap_or(equation);
            let (old, new) = (self.equation(from), self.equation(equation));
            self.line(format_args!("  d/dt ({old})"));
            self.line(format_args!("    -> {new}"));
        }
    }

    /// `0 = ...`, with its place.
    fn equation(&mut self, equation: usize) -> String {
        let terms = self.prepared.structure.equations[equation].terms.clone();
        format!("0 = {}", self.printer.sum(&terms))
    }

    fn origin(&self, equation: usize) -> String {
        let equation = &self.prepared.structure.equations[equation];
        let name = self.names.name(equation.block);
        if let Source::Line(line) = equation.source
            && let Some((text, number)) = self.names.equation_line(equation.block, line)
        {
            return format!("Equations {name}, `{text}`, line {number}");
        }
        let what = match equation.source {
            Source::Balance => format!("node {name}"),
            _ => format!("{} {name}", self.names.keyword(equation.block)),
        };
        match self.names.line(equation.block) {
            Some(line) => format!("{what}, line {line}"),
            None => what,
        }
    }

    fn blocks(&mut self) {
        let code = &self.prepared.code;
        let mut solved_by = FxHashMap::default();
        for (number, block) in code.blocks.iter().enumerate() {
            solved_by.extend(block.unknowns.iter().map(|&unknown| (unknown, number)));
        }
        let mut done = vec![false; code.blocks.len()];
        let mut start = 0;
        for (level, end) in LEVELS.into_iter().zip(code.ends) {
            let title = match level {
                Level::Forces => "Solved before the forces of the mechanics, in this order",
                Level::Drives => "Solved for the forces of rigid drives",
                Level::Rates => "Solved at every evaluation, in this order",
                Level::Guards => "Solved besides to find events",
                Level::Events => "Solved besides at events",
                Level::Results => "Solved besides for results",
            };
            if end > start {
                self.line(format_args!("\n{title}"));
            }
            for number in start..end {
                self.with_needs(number, end, &solved_by, &mut done);
            }
            start = end;
        }
    }

    /// A block, and before it the blocks of later levels that it needs: the code has their sums in the place of their
    /// unknowns, so that they need not be solved for it.
    fn with_needs(
        &mut self,
        number: usize,
        end: usize,
        solved_by: &FxHashMap<VarId, usize>,
        done: &mut [bool],
    ) {
        let code = &self.prepared.code;
        let mut open = vec![(number, false)];
        while let Some((number, is_ready)) = open.pop() {
            if is_ready {
                self.block(number, &code.blocks[number], number >= end);
            } else if !std::mem::replace(&mut done[number], true) {
                open.push((number, true));
                let equations = code.blocks[number].equations.iter();
                let used = equations.flat_map(|&e| &self.prepared.structure.incidence[e]);
                let needed = used.filter_map(|variable| solved_by.get(variable).copied());
                open.extend(needed.filter(|&other| other >= end).map(|other| (other, false)));
            }
        }
    }

    fn block(&mut self, number: usize, block: &Block, is_put_in: bool) {
        let number = number + 1;
        let put_in = if is_put_in { "; put into those that use it" } else { "" };
        let kind = match block.kind {
            BlockKind::Explicit { .. } => "",
            BlockKind::Linear(_) => "linear",
            BlockKind::Newton(_) => "nonlinear",
        };
        if block.unknowns.len() == 1 {
            let (name, equation) =
                (self.name(block.unknowns[0]), self.equation(block.equations[0]));
            let origin = self.origin(block.equations[0]);
            let kind = if kind.is_empty() { String::new() } else { format!(" ({kind})") };
            return self.line(format_args!(
                "{number:>5}  {name:<20} from  {equation}{kind}   [{origin}{put_in}]"
            ));
        }
        let names = |report: &Self, all: &[VarId]| {
            let shown: Vec<String> = all.iter().take(MOST_SHOWN).map(|&v| report.name(v)).collect();
            let more = all.len().saturating_sub(MOST_SHOWN);
            if more > 0 {
                format!("{} and {more} more", shown.join(", "))
            } else {
                shown.join(", ")
            }
        };
        let (unknowns, guessed) = (names(self, &block.unknowns), names(self, block.solved()));
        self.line(format_args!(
            "{number:>5}  {kind} loop of {} equations for {unknowns}",
            block.equations.len()
        ));
        self.line(format_args!("       tearing variables: {guessed}"));
        let residuals = block.tearing.as_ref().map(|tearing| &tearing.residuals);
        for (row, &equation) in block.equations.iter().enumerate().take(MOST_SHOWN) {
            let (text, origin) = (self.equation(equation), self.origin(equation));
            let mark = if residuals.is_none_or(|rows| rows.contains(&row)) { "*" } else { " " };
            self.line(format_args!("         {mark} {text}   [{origin}]"));
        }
        if block.equations.len() > MOST_SHOWN {
            self.line(format_args!("           and {} more", block.equations.len() - MOST_SHOWN));
        }
    }
}
