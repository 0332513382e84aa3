//! `M`: field effect transistors of level 1 (Shichman and Hodges).

use parser::diagnostic::Diagnostic;

use crate::spice::block::Block;
use crate::spice::devices::model::Card;
use crate::spice::devices::temperature::Temperature;
use crate::spice::lines::Token;
use crate::spice::translate::{Outcome, Statement, Translator};

/// Permittivities of silicon dioxide and of silicon, F/m.
const OXIDE: f64 = 3.9 * 8.854_214_871e-12;
const SILICON: f64 = 11.7 * 8.854_214_871e-12;
const CHARGE: f64 = 1.602_176_620_8e-19;
/// Carriers in pure silicon, 1/m^3.
const INTRINSIC: f64 = 1.45e16;

/// Parameters of noise, and those that other parameters replace.
const HARMLESS: [&str; 10] =
    ["kf", "af", "tnom", "nlev", "gdsnoi", "tpg", "nss", "vgs_max", "vgd_max", "vds_max"];

/// Width, length, areas, edges and squares of a transistor, and how many there are.
struct Shape {
    width: f64,
    length: f64,
    areas: [f64; 2],
    edges: [f64; 2],
    squares: [f64; 2],
    count: f64,
}

impl Shape {
    fn take(
        translator: &Translator<'_>,
        statement: &mut Statement<'_>,
        card: &mut Card,
    ) -> Result<Self, Diagnostic> {
        let mut number = |name: &str, usual: f64| -> Result<f64, Diagnostic> {
            Ok(statement.take(translator, name)?.unwrap_or(usual))
        };
        let (width, drawn) = (
            number("w", translator.usual("defw", 1e-4))?,
            number("l", translator.usual("defl", 1e-4))?,
        );
        let areas = [
            number("ad", translator.usual("defad", 0.0))?,
            number("as", translator.usual("defas", 0.0))?,
        ];
        let edges = [number("pd", 0.0)?, number("ps", 0.0)?];
        let squares = [number("nrd", 1.0)?, number("nrs", 1.0)?];
        let count = number("m", 1.0)?;
        let length = drawn - 2.0 * card.take("ld", 0.0);
        if width > 0.0 && length > 0.0 && count > 0.0 {
            Ok(Self { width, length, areas, edges, squares, count })
        } else {
            Err(statement.wrong("width, length and number must be positive"))
        }
    }
}

/// `Mname drain gate source bulk model [l = ] [w = ] ...`
pub fn mosfet(translator: &mut Translator<'_>, statement: &mut Statement<'_>) -> Outcome {
    let help = "write `Mname drain gate source bulk model l=... w=...`";
    refuse_power_transistors(translator, statement)?;
    let ([d, g, s, b], rest) = statement.nodes(translator, help)?;
    let [model, off @ ..] = rest.as_slice() else { return Err(statement.wrong(help)) };
    if let Some(word) = off.iter().find(|word| word.text != "off") {
        let what = format!("`{}`", word.text);
        translator.diagnostics.push(statement.not_translated(word.span, &what));
    }
    translator.link(&d, &s);
    translator.link(&b, &s);
    let mut card = Card::find(translator, statement, model, &["nmos", "pmos"])?;
    let level = card.take("level", 1.0);
    if level != 1.0 {
        let what = format!("level {level} of the model");
        return Err(statement
            .not_translated(model.span, &what)
            .help("level 1 is there; a model of that level needs equations of its own"));
    }
    let temperature = Temperature::of(translator, statement, &mut card)?;
    let shape = Shape::take(translator, statement, &mut card)?;
    statement.tell_no_effect(translator, "ic");
    let keyword = if card.kind == "nmos" { "NMOS" } else { "PMOS" };
    let block = Block::new(keyword, &statement.name)
        .word("d", &d)
        .word("g", &g)
        .word("s", &s)
        .word("b", &b);
    let block = channel(block, &mut card, temperature, &shape, keyword == "PMOS");
    let block = junctions(block, &mut card, temperature, &shape);
    card.tell_unused(translator, &HARMLESS);
    statement.tell_unused(translator);
    translator.write(block);
    leakage(translator, &statement.name, "gbd", &b, &d);
    leakage(translator, &statement.name, "gbs", &b, &s);
    Ok(())
}

/// A VDMOS has three or five nodes.
fn refuse_power_transistors(
    translator: &Translator<'_>,
    statement: &Statement<'_>,
) -> Result<(), Diagnostic> {
    let model = |word: &&&Token| translator.netlist.model(statement.section, &word.text);
    let found = statement.words.iter().skip(4).find(|word| model(word).is_some());
    match found.filter(|word| model(word).is_some_and(|model| model.kind.text == "vdmos")) {
        Some(word) => Err(statement
            .not_translated(word.span, "the model of a power transistor (vdmos)")
            .help("level 1 with a diode and capacitors of their own comes near")),
        None => Ok(()),
    }
}

/// Threshold, transconductance, body effect and the capacitances of the gate.
fn channel(
    block: Block,
    card: &mut Card,
    temperature: Temperature,
    shape: &Shape,
    is_p: bool,
) -> Block {
    let sign = if is_p { -1.0 } else { 1.0 };
    let oxide = card.optional("tox").filter(|&thickness| thickness > 0.0).map(|tox| OXIDE / tox);
    let mobility = card.either(&["uo", "u0"], 600.0);
    let kp = match (card.optional("kp"), oxide) {
        (Some(kp), _) => kp,
        (None, Some(oxide)) => mobility * 1e-4 * oxide,
        (None, None) => 2e-5,
    };
    let doping = card.optional("nsub").map(|doping| doping * 1e6).filter(|&n| n > INTRINSIC);
    let (given_phi, given_gamma) = (card.optional("phi"), card.optional("gamma"));
    let vto = card.either_optional(&["vto", "vt0"]);
    let thermal = Temperature { now: temperature.nominal, ..temperature }.voltage();
    let (mut phi, mut gamma) = (given_phi.unwrap_or(0.6), given_gamma.unwrap_or(0.0));
    let mut threshold = vto.unwrap_or(0.0);
    if let (Some(doping), Some(oxide)) = (doping, oxide) {
        phi = given_phi.unwrap_or_else(|| f64::max(0.1, 2.0 * thermal * (doping / INTRINSIC).ln()));
        gamma = given_gamma.unwrap_or_else(|| (2.0 * SILICON * CHARGE * doping).sqrt() / oxide);
        let gap = Temperature { now: temperature.nominal, ..temperature }.gap();
        let gate = card.take("tpg", 1.0);
        let work = if gate == 0.0 { 3.2 } else { 3.25 + 0.5 * gap - sign * gate * 0.5 * gap };
        let states = card.take("nss", 0.0) * 1e4 * CHARGE / oxide;
        let flat = work - (3.25 + 0.5 * gap + sign * 0.5 * phi) - states;
        threshold = vto.unwrap_or(flat + sign * (gamma * phi.sqrt() + phi));
    }
    // The threshold moves with the potential of the surface and the gap.
    let surface = temperature.surface(phi);
    let gaps = Temperature { now: temperature.nominal, ..temperature }.gap() - temperature.gap();
    let built_in =
        threshold - sign * gamma * phi.sqrt() + 0.5 * gaps + sign * 0.5 * (surface - phi);
    let width = shape.width * shape.count;
    let overlap = |card: &mut Card, name: &str, length: f64| card.take(name, 0.0) * length;
    let along = shape.length * shape.count;
    block
        .number("Vto", built_in + sign * gamma * surface.sqrt())
        .number("Kp", kp * temperature.power(-1.5))
        .number("W", width)
        .number("L", shape.length)
        .unless("Lambda", card.take("lambda", 0.0), 0.0)
        .unless("Gamma", gamma, 0.0)
        .unless("Phi", surface, 0.6)
        .unless("Cgs", overlap(card, "cgso", width), 0.0)
        .unless("Cgd", overlap(card, "cgdo", width), 0.0)
        .unless("Cgb", overlap(card, "cgbo", along), 0.0)
        .unless("Cox", oxide.unwrap_or(0.0) * width * shape.length, 0.0)
}

/// What lies between the channel and the terminals: resistances and the junctions to the bulk.
fn junctions(block: Block, card: &mut Card, temperature: Temperature, shape: &Shape) -> Block {
    let square = card.take("rsh", 0.0);
    let mut resistance =
        |name: &str, squares: f64| card.optional(name).unwrap_or(square * squares) / shape.count;
    let drain = resistance("rd", shape.squares[0]);
    let source = resistance("rs", shape.squares[1]);
    let (potential, bottom, side) =
        (card.take("pb", 0.8), card.take("mj", 0.5), card.either(&["mjsw"], 0.5));
    let (per_area, per_edge) = (card.take("cj", 0.0), card.take("cjsw", 0.0));
    let given = [card.optional("cbd"), card.optional("cbs")];
    let size = |k: usize| given[k].unwrap_or(per_area * shape.areas[k]) * shape.count;
    let edge = |k: usize| per_edge * shape.edges[k] * shape.count;
    let (now, _) = temperature.junction(potential, 0.0, bottom);
    let at =
        |capacitance: f64, grading: f64| temperature.junction(potential, capacitance, grading).1;
    let (density, current) = (card.take("js", 0.0), card.take("is", 1e-14));
    // Without areas the density says nothing.
    let [area_d, area_s] = shape.areas;
    let of_area = density * f64::midpoint(area_d, area_s);
    let saturation = if density > 0.0 && area_d > 0.0 && area_s > 0.0 { of_area } else { current };
    let nominal = Temperature { now: temperature.nominal, ..temperature };
    let growth =
        (nominal.gap() / nominal.voltage() - temperature.gap() / temperature.voltage()).exp();
    let mut block = block
        .unless("RD", drain, 0.0)
        .unless("RS", source, 0.0)
        .unless("Cbd", at(size(0), bottom), 0.0)
        .unless("Cbs", at(size(1), bottom), 0.0)
        .unless("Cbdsw", at(edge(0), side), 0.0)
        .unless("Cbssw", at(edge(1), side), 0.0);
    if size(0) + size(1) + edge(0) + edge(1) > 0.0 {
        block = block
            .unless("PB", now, 0.8)
            .number("MJ", bottom)
            .unless("MJSW", side, 0.33)
            .unless("FC", card.take("fc", 0.5), 0.5);
    }
    block.number("Is", saturation * growth * shape.count).number("Vt", temperature.voltage())
}

/// The conductance across a junction that has no element of its own.
fn leakage(translator: &mut Translator<'_>, name: &str, suffix: &str, p: &str, n: &str) {
    if p != n && translator.gmin > 0.0 {
        let block = Block::new("Resistor", &format!("{name}.{suffix}")).word("p", p).word("n", n);
        translator.write(block.number("R", 1.0 / translator.gmin));
    }
}
