//! The passes from syntax to model: names, constants, blocks, checks.

use std::cell::Cell;
use std::sync::Arc;

use parser::diagnostic::{Diagnostic, Diagnostics, Severity};
use parser::source::{Sources, Span};
use parser::suggest::nearest;
use parser::syntax::{Block, Document, Parameter};
use rustc_hash::FxHashMap;

use super::excitations::Excitations;
use super::nodes::{self, Node};

use super::plugins::{self, Create, PLUGIN, PluginBlock, Plugins};
use super::{
    Declared, Model, checks, excitations, frame_ports, inline, input_columns, plausibility,
    registry, topology, values,
};
use crate::blocks::body::{Body, Triad};
use crate::blocks::constraints::Constraint;
use crate::blocks::derived::DerivedSignal;
use crate::blocks::forces::ForceElement;
use crate::blocks::formula::Formula;
use crate::blocks::general::{Analysis, Header, Include, Output, Solver, System};
use crate::blocks::graphics::Primitive;
use crate::blocks::joints::Joint;
use crate::blocks::network::NetworkElement;
use crate::blocks::network::actions::automaton::AUTOMATON;
use crate::blocks::network::actions::automaton_table;
use crate::blocks::network::user_equations::port::{PORT, port_table};
use crate::blocks::sensor::Sensor;
use crate::codes;
use crate::element::{BlockSchema, Family};
use crate::reading::additions::Additions;
use crate::reading::constants::{self, Entry};
use crate::reading::context::Context;
use crate::reading::fields::ParameterNames;
use crate::reading::formulas;
use crate::reading::ids::BodyId;
use crate::reading::input_table::InputTable;
use crate::reading::names::{BlockEntry, NameIndex};
use crate::reading::varied::{self, Variation};
use crate::reading::{BlockReader, Group};

/// The blocks in their order, and the values that come from the command line.
#[derive(Default)]
pub(crate) struct Order {
    /// Document, and index of the block in the document.
    pub blocks: Vec<(u32, u32)>,
    /// Document and assignment.
    pub overrides: Vec<(u32, Parameter)>,
    /// Points of files, by the place that names the file.
    pub data: FxHashMap<Span, Box<[[f64; 2]]>>,
    /// The table that the Input blocks follow, if there is one.
    pub inputs: Option<InputTable>,
    /// A file could not be read.
    pub lost_file: bool,
    /// The index of the text of the flat model, if there is one.
    pub flat: Option<usize>,
}

/// Decisions that come from outside of the text.
#[derive(Clone, Copy)]
pub(crate) struct Choices {
    /// The plugins that Plugin blocks may name.
    pub plugins: Plugins,
    /// Impossible masses and inertias are warnings only.
    pub allow_unphysical: bool,
    /// Analysis instead of `Type` of the Solver block.
    pub analysis: Option<Analysis>,
    /// Mistakes in primitives are warnings only.
    pub only_warns_of_primitives: bool,
}

/// What the caller asks of a model besides its text.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wishes<'a> {
    /// Parameters for sensitivities, instead of those of the Solver block.
    pub sensitivity: Option<&'a [String]>,
    /// A value that is another one than the text says.
    pub variation: Option<&'a Variation>,
}

/// Puts the model together; the model is valid only if no error is reported.
pub(crate) fn elaborate(
    sources: &Arc<Sources>,
    documents: &[Document],
    order: &Order,
    diagnostics: Diagnostics,
    choices: Choices,
    wishes: Wishes<'_>,
    stem: &str,
) -> (Model, Diagnostics) {
    let mut context = Context {
        sources,
        documents,
        blocks: Vec::with_capacity(order.blocks.len()),
        index: NameIndex::with_capacity(order.blocks.len()),
        nodes: FxHashMap::default(),
        references: FxHashMap::default(),
        constants: FxHashMap::default(),
        functions: FxHashMap::default(),
        derived: FxHashMap::default(),
        data: &order.data,
        inputs: order.inputs.as_ref(),
        diagnostics,
        lost_blocks: order.lost_file || documents.iter().any(Document::lost_blocks),
        ignored: FxHashMap::default(),
        looks: Cell::new(0),
        additions: Additions::default(),
        given: Vec::new(),
        varied: None,
    };
    // Passes 1 and 2: names of all blocks, then constants. Nodes are found before any block is read.
    register(&mut context, &order.blocks, choices.plugins);
    context.varied = wishes.variation.and_then(|variation| varied::find(&context, variation));
    let parameters = evaluate_constants(&mut context, &order.overrides);
    values::check_names(&mut context);
    let n_blocks = context.blocks.len();
    let nodes = nodes::find(&mut context);
    let excitations = excitations::find(&mut context, choices.analysis);
    values::derive_signals(&mut context);
    let only_warns_of_primitives = choices.only_warns_of_primitives;
    let mut tables = Tables { nodes, only_warns_of_primitives, ..Tables::default() };
    // Pass 3: the blocks. Nodes and what an analysis changes stand behind the blocks and have no text.
    for block in 0..n_blocks as u32 {
        tables.read(&mut context, block, choices.plugins);
    }
    input_columns::check(&mut context);
    tables.find_mothers(&context);
    let creations = std::mem::take(&mut tables.creations);
    let mut model = tables.into_model(&mut context, sources, parameters, stem);
    if let Some(analysis) = choices.analysis {
        model.solver.analysis = analysis;
    }
    if let Some(names) = wishes.sensitivity {
        model.solver.sensitivity = Some(ParameterNames::plain(names));
    }
    model.varied = context.varied.as_ref().and_then(|varied| varied.written);
    excitations::complete(&context, &mut model, excitations);
    // Pass 4: checks that need the whole model.
    inline::sources(&mut model, &context.blocks);
    topology::check(&mut context, &model);
    plausibility::check(&mut context, &model, choices.allow_unphysical);
    checks::check(&mut context, &model);
    if let Some(names) = &model.solver.sensitivity {
        varied::check(&mut context, names);
    }
    plugins::create(&mut context, &mut model, creations);
    let Context { blocks, diagnostics, .. } = context;
    (Model { blocks, ..model }, diagnostics)
}

/// Pass 1: gives every block its table entry and its place in the index of names.
fn register(context: &mut Context<'_>, order: &[(u32, u32)], known: Plugins) {
    let schemas: FxHashMap<&str, &'static BlockSchema> =
        registry::blocks().map(|schema| (schema.keyword, schema)).collect();
    let mut counts: FxHashMap<Family, u32> = FxHashMap::default();
    let mut settings: FxHashMap<&str, Span> = FxHashMap::default();
    let mut frame_ports = Vec::new();
    for &place in order {
        let block = &context.documents[place.0 as usize].blocks()[place.1 as usize];
        let keyword = context.sources.text(block.keyword);
        let Some(&schema) = schemas.get(keyword) else {
            unknown_block(context, keyword, block);
            continue;
        };
        if keyword == PORT.keyword
            && let Some(port) = frame_ports::frame_port(context, place.0, block)
        {
            frame_ports.push(port);
            continue;
        }
        let schema = match std::ptr::eq(schema, &PLUGIN) {
            true => plugins::table(context, known, place.0, block),
            false if keyword == PORT.keyword => port_table(context, place.0, block),
            false => schema,
        };
        let schema = match std::ptr::eq(schema, &AUTOMATON) {
            true => {
                automaton_table::table(context.sources, &context.documents[place.0 as usize], block)
            }
            false => schema,
        };
        let name = context.sources.text(block.name);
        // Of repeated settings the first one counts.
        if schema.family == Family::Setting
            && let Some(first) = settings.insert(keyword, block.name)
        {
            settings.insert(keyword, first);
            let message = format!("a second {keyword} block; the first counts");
            let diagnostic = Diagnostic::new(codes::REPEATED_BLOCK, block.name, message);
            context.report(diagnostic.also(first, "this one counts"));
            continue;
        }
        if name == "world" && schema.family == Family::Body {
            // The block declares no body, but a joint may refer to it.
            reserved_name(context, block.name);
            context.ignored.insert(name, None);
            continue;
        }
        let is_new = check_name(context, schema, name, block.name);
        let handle = counts.entry(schema.family).or_default();
        context.blocks.push(BlockEntry { schema, name: block.name, handle: *handle, place });
        *handle += 1;
        context.index.add(name, is_new);
    }
    frame_ports::name_triads(context, &frame_ports);
}

/// Reports a block with an unknown keyword. Its name is kept, so that a message about a reference to it can show the block.
fn unknown_block<'s>(context: &mut Context<'s>, keyword: &str, block: &'s Block) {
    let (name, span) = (context.sources.text(block.name), block.keyword);
    context.ignored.insert(name, Some(span));
    context.report_with(codes::UNKNOWN_BLOCK, |_| no_such_block(keyword, span));
}

fn no_such_block(keyword: &str, span: Span) -> Diagnostic {
    let near = nearest(keyword, registry::blocks().map(|schema| schema.keyword));
    let message = format!("there is no block `{keyword}`; it is ignored");
    let help = near.map(|near| format!("did you mean `{near}`?"));
    Diagnostic::new(codes::UNKNOWN_BLOCK, span, message).maybe_help(help)
}

fn reserved_name(context: &mut Context<'_>, span: Span) {
    let message = "`world` is the inertial system; no element may have this name";
    context.report(Diagnostic::new(codes::RESERVED_NAME, span, message));
}

/// Reports duplicate and reserved names; says whether references to the name mean this block.
fn check_name(
    context: &mut Context<'_>,
    schema: &'static BlockSchema,
    name: &str,
    span: Span,
) -> bool {
    if name == "world" {
        reserved_name(context, span);
        return true;
    }
    let same = |entry: &BlockEntry| entry.schema.keyword == schema.keyword;
    // Blocks without a name are reported by the grammar.
    if name.is_empty() {
        return false;
    }
    let first = context.index.all(name).map(|at| context.blocks[at as usize]).find(same);
    if let Some(first) = first {
        let message = format!("there are two {} blocks `{name}`", schema.keyword);
        let diagnostic = Diagnostic::new(codes::DUPLICATE_NAME, span, message);
        let help = "give one of them another name";
        context.report(diagnostic.also(first.name, "the first one").help(help));
    }
    first.is_none()
}

/// Pass 2: the entries of all Parameters blocks, and the values of the command line in their place.
fn evaluate_constants<'s>(
    context: &mut Context<'s>,
    overrides: &[(u32, Parameter)],
) -> Vec<(&'s str, f64)> {
    let documents = context.documents;
    let entry = |document: &'s Document, parameter: &Parameter| match *document.values(parameter) {
        [value] => Ok(Entry { name: parameter.name, document, value, formula: None }),
        _ => Err(*parameter),
    };
    let mut entries = Vec::new();
    for block in 0..context.blocks.len() as u32 {
        let BlockEntry { schema, name, .. } = context.blocks[block as usize];
        if schema.family == Family::Formula {
            let document = context.document_of(block);
            match formulas::value(context, block) {
                Some(value) => entries.push(Entry { name, document, value, formula: Some(block) }),
                // That it has no value is reported where the block is read.
                None => drop(context.functions.insert(context.name(block), None)),
            }
        }
        if schema.family != Family::Parameters {
            continue;
        }
        let document = context.document_of(block);
        for parameter in document.parameters(context.syntax_of(block)) {
            match entry(document, parameter) {
                Ok(entry) => entries.push(entry),
                // The grammar has reported a value that it could not read.
                Err(parameter) if document.values(&parameter).is_empty() => {
                    context.constants.insert(context.sources.text(parameter.name), None);
                }
                Err(parameter) => {
                    let name = context.sources.text(parameter.name);
                    let message = format!("parameter `{name}` takes one number");
                    context.report(Diagnostic::new(codes::WRONG_COUNT, parameter.value, message));
                    context.constants.insert(name, None);
                }
            }
        }
    }
    let overrides: Vec<Entry<'s>> = overrides
        .iter()
        .filter_map(|(document, parameter)| entry(&documents[*document as usize], parameter).ok())
        .collect();
    constants::evaluate(context, &entries, &overrides)
}

/// The blocks as they are read.
#[derive(Default)]
struct Tables {
    header: Option<Header>,
    system: Option<System>,
    solver: Option<Solver>,
    output: Option<Output>,
    bodies: Vec<Declared<Body>>,
    triads: Vec<Declared<Triad>>,
    sensors: Vec<Declared<Sensor>>,
    joints: Vec<Declared<Joint>>,
    constraints: Vec<Declared<Constraint>>,
    forces: Vec<Declared<ForceElement>>,
    plugins: Vec<Declared<PluginBlock>>,
    /// Creation of the plugins' elements, which waits until the model is complete.
    creations: Vec<Option<Create>>,
    primitives: Vec<Declared<Primitive>>,
    only_warns_of_primitives: bool,
    elements: Vec<Declared<NetworkElement>>,
    signals: Vec<Declared<DerivedSignal>>,
    nodes: Vec<Declared<Node>>,
}

impl Tables {
    /// Pass 3: reads one block.
    fn read(&mut self, context: &mut Context<'_>, block: u32, plugins: Plugins) {
        let mut reader = BlockReader::open(context, block);
        let (family, keyword) = (reader.schema.family, reader.schema.keyword);
        match family {
            Family::Setting => self.read_setting(keyword, &mut reader),
            Family::Parameters => return,
            Family::Include => drop(Include::read(&mut reader)),
            Family::Formula => drop(Formula::read(&mut reader)),
            Family::Signal => {
                self.signals.push(Declared { block, what: DerivedSignal::read(&mut reader) });
            }
            Family::Body => {
                self.bodies.push(Declared { block, what: Body::read(&mut reader) });
                // The joint tells it.
                reader.forgive(&["Parent"]);
            }
            Family::Triad => self.triads.push(Declared { block, what: Triad::read(&mut reader) }),
            Family::Sensor => {
                self.sensors.push(Declared { block, what: Sensor::read(&mut reader) });
            }
            Family::Joint => {
                self.joints.extend(Joint::read(&mut reader).map(|what| Declared { block, what }));
            }
            Family::Constraint => {
                self.constraints
                    .extend(Constraint::read(&mut reader).map(|what| Declared { block, what }));
            }
            Family::Force => {
                self.forces
                    .extend(ForceElement::read(&mut reader).map(|what| Declared { block, what }));
            }
            Family::Plugin => {
                let (what, create) = PluginBlock::read(&mut reader, plugins);
                self.plugins.push(Declared { block, what });
                self.creations.push(create);
            }
            Family::Primitive => self.read_primitive(block, &mut reader),
            Family::Network => {
                self.elements
                    .extend(NetworkElement::read(&mut reader).map(|what| Declared { block, what }));
            }
            Family::Node => {}
        }
        reader.close();
    }

    /// A body without `Parent` is carried by the body on which its joint begins.
    fn find_mothers(&mut self, context: &Context<'_>) {
        for (index, body) in self.bodies.iter_mut().enumerate() {
            if context.parameter_of(body.block, "Parent").is_some() {
                continue;
            }
            let joint = self.joints.get(body.what.joint.index());
            let triad = joint.and_then(|joint| self.triads.get(joint.connection.from.index()));
            let own = BodyId(index as u32 + 1);
            if let Some(mother) = triad.map(|triad| triad.parent).filter(|mother| *mother != own) {
                body.what.parent = mother;
            }
        }
    }

    /// A primitive with mistakes is left out where nothing is drawn: a decoration does not keep a model from running.
    fn read_primitive(&mut self, block: u32, reader: &mut BlockReader<'_, '_>) {
        let before = std::mem::take(&mut reader.context.diagnostics);
        let what = Primitive::read(reader);
        let found = std::mem::replace(&mut reader.context.diagnostics, before);
        let is_left_out = self.only_warns_of_primitives && found.errors() > 0;
        for diagnostic in found.iter() {
            let mut diagnostic = diagnostic.clone();
            if is_left_out {
                diagnostic = diagnostic.with_severity(Severity::Warning);
            }
            reader.context.diagnostics.push(diagnostic);
        }
        if !is_left_out {
            self.primitives.push(Declared { block, what });
        }
    }

    fn read_setting(&mut self, keyword: &str, reader: &mut BlockReader<'_, '_>) {
        match keyword {
            "Header" => self.header = Some(Header::read(reader)),
            "System" => self.system = Some(System::read(reader)),
            "Solver" => {
                let solver = Solver::read(reader);
                reader.forgive(solver.unused());
                self.solver = Some(solver);
            }
            "Output" => self.output = Some(Output::read(reader)),
            _ => {}
        }
    }

    /// Fills in the settings that are missing.
    fn into_model(
        self,
        context: &mut Context<'_>,
        sources: &Arc<Sources>,
        parameters: Vec<(&str, f64)>,
        stem: &str,
    ) -> Model {
        let header =
            self.header.unwrap_or_else(|| missing_block(context, &crate::blocks::general::HEADER));
        let system =
            self.system.unwrap_or_else(|| missing_block(context, &crate::blocks::general::SYSTEM));
        let solver =
            self.solver.unwrap_or_else(|| missing_block(context, &crate::blocks::general::SOLVER));
        let name = header
            .model_name
            .map_or_else(|| stem.to_string(), |name| sources.text(name.0).to_string());
        Model {
            sources: Arc::clone(sources),
            blocks: Vec::new(),
            name,
            header,
            system,
            solver,
            output: self.output,
            parameters: parameters
                .into_iter()
                .map(|(name, value)| (name.to_string(), value))
                .collect(),
            bodies: self.bodies,
            triads: self.triads,
            sensors: self.sensors,
            joints: self.joints,
            constraints: self.constraints,
            forces: self.forces,
            plugins: self.plugins,
            primitives: self.primitives,
            elements: self.elements,
            signals: self.signals,
            nodes: self.nodes,
            varied: None,
            equations: None,
            excitations: Excitations::default(),
        }
    }
}

/// The defaults of a setting that has no block, with a warning.
fn missing_block<T: Group>(context: &mut Context<'_>, schema: &'static BlockSchema) -> T {
    let message = format!("the model has no {} block; defaults are taken", schema.keyword);
    let help = format!("add `{} \"{}\" {{ ... }}`", schema.keyword, schema.keyword.to_lowercase());
    // An empty span at the beginning of the main text.
    let diagnostic = Diagnostic::new(codes::BLOCK_MISSING, Span::default(), message);
    context.report_missing(diagnostic.help(help));
    T::read(&mut BlockReader::without_block(context, schema))
}
