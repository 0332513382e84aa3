//! Models as pictures: blocks as boxes, connections as lines in the colours of their domains, signals as arrows, bodies
//! and joints as a tree whose loops are dashed.
//!
//! [`Diagram::new`] takes a loaded model; [`Diagram::picture`] gives a picture of the whole or of the inside of an instance.
//! From the flat text to the picture:
//!
//! 1. `reading`: which blocks name which nodes, blocks and signals ([`flat_model::FlatModel`]).
//! 2. `sheet`: boxes and nets of one picture.
//! 3. `layered`: places of boxes and lines; knows no model.
//! 4. `picture`, `draw`: labels, colours, symbols.

mod draw;
pub mod flat_model;
pub mod layered;
pub mod picture;
mod reading;
mod sheet;

use language::load::Loaded;
use parser::suggest::nearest;
use plots::PictureError;
use plots::bitmap::Bitmap;
use plots::svg_text::Svg;

use draw::Surroundings;
use flat_model::FlatModel;
use picture::Picture;
pub use sheet::Shape;

/// More boxes than this are no picture that anybody could read.
pub const MOST_BOXES: usize = 3000;

/// Pixels of a bitmap at most.
const MOST_PIXELS: f64 = 1e8;

/// Pictures of a model.
#[derive(Debug)]
pub struct Diagram {
    model: FlatModel,
    name: String,
}

/// A picture that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// There is no such instance; perhaps there is one of a name that is near.
    UnknownInstance {
        /// The name that was asked for.
        name: String,
        /// The nearest one.
        near: Option<String>,
        /// The model has no instances at all.
        is_flat: bool,
    },
    /// Too many boxes.
    TooLarge {
        /// Number of boxes.
        boxes: usize,
    },
}

impl std::fmt::Display for DiagramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownInstance { name, is_flat: true, .. } => {
                write!(f, "there is no instance `{name}`: the model has no instances of components")
            }
            Self::UnknownInstance { name, near: Some(near), .. } => {
                write!(f, "there is no instance `{name}`; did you mean `{near}`?")
            }
            Self::UnknownInstance { name, near: None, .. } => {
                write!(f, "there is no instance `{name}`; a picture of the whole model shows them")
            }
            Self::TooLarge { boxes } => write!(
                f,
                "the picture would have {boxes} boxes; pictures are made of up to {MOST_BOXES}: \
                 draw a part with --inside, take a smaller --depth, or make components of parts that belong together"
            ),
        }
    }
}

impl Diagram {
    /// Reads a model that was loaded with its flat text; `None` if it has none.
    pub fn new(loaded: &Loaded) -> Option<Self> {
        let flat = loaded.flat?;
        let name = loaded.model.as_ref().map_or_else(String::new, |model| model.name.clone());
        Some(Self { model: reading::read(&loaded.sources, flat), name })
    }

    /// The connections of the model.
    pub fn model(&self) -> &FlatModel {
        &self.model
    }

    /// The number of an instance.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn instance(&self, name: &str) -> Result<usize, DiagramError> {
        let parts = &self.model.parts;
        parts.iter().position(|part| part.name == name).ok_or_else(|| {
            let near = nearest(name, parts.iter().map(|part| part.name.as_str()));
            let near = near.map(str::to_string);
            DiagramError::UnknownInstance { name: name.into(), near, is_flat: parts.is_empty() }
        })
    }

    /// The picture of the whole model, or of the inside of an instance, with instances opened `depth` levels deep: their
    /// insides stand in the boxes.
    ///
    /// # Errors
    /// If it has too many boxes.
    pub fn picture(&self, scope: Option<usize>, depth: usize) -> Result<Picture, DiagramError> {
        self.nested(scope, depth, &mut 0)
    }

    /// A picture with those inside of it. Components stand in each other so deep only as the expansion allows.
    fn nested(
        &self,
        scope: Option<usize>,
        depth: usize,
        boxes: &mut usize,
    ) -> Result<Picture, DiagramError> {
        let sheet = sheet::sheet(&self.model, scope, MOST_BOXES - *boxes);
        let too_large = |more: usize| DiagramError::TooLarge { boxes: *boxes + more };
        let sheet = sheet.map_err(too_large)?;
        *boxes += sheet.boxes.len();
        let mut insides = Vec::with_capacity(sheet.boxes.len());
        for one in &sheet.boxes {
            // Equal members of a Repeat that share a box share the picture of the first.
            let part = one.part.filter(|_| depth > 0);
            let inside = part.map(|part| self.nested(Some(part), depth - 1, boxes)).transpose()?;
            insides.push(inside.filter(|inside| !inside.boxes.is_empty()));
        }
        Ok(picture::picture(&sheet, insides))
    }

    /// What stands above a picture.
    fn heading(&self, scope: Option<usize>) -> String {
        match scope {
            None => self.name.clone(),
            Some(scope) => {
                let part = &self.model.parts[scope];
                format!("{} / {}: {}", self.name, part.name, part.component)
            }
        }
    }

    /// The picture as SVG. `file` tells the file of the inside of an instance, or of the whole, if there is one.
    pub fn svg(
        &self,
        picture: &Picture,
        scope: Option<usize>,
        file: &dyn Fn(Option<usize>) -> Option<String>,
    ) -> String {
        let up = scope.and_then(|scope| file(self.model.parts[scope].parent));
        let inside = |part: usize| file(Some(part));
        let around = Surroundings { heading: self.heading(scope), up, inside: &inside };
        let (width, height) = draw::size(picture, &around.heading);
        let mut canvas = Svg::new(width, height);
        draw::draw(picture, &around, &mut canvas);
        canvas.finish()
    }

    /// The picture as PNG, with so many pixels per point.
    ///
    /// # Errors
    /// If the picture has too many pixels for the memory.
    pub fn png(
        &self,
        picture: &Picture,
        scope: Option<usize>,
        scale: f64,
    ) -> Result<Vec<u8>, PictureError> {
        let around = Surroundings { heading: self.heading(scope), up: None, inside: &|_| None };
        let (width, height) = draw::size(picture, &around.heading);
        // Large pictures get fewer pixels per point.
        let scale =
            scale.min(16_000.0 / width.max(height)).min((MOST_PIXELS / (width * height)).sqrt());
        let mut canvas = Bitmap::new(width, height, scale).ok_or(PictureError::Size)?;
        draw::draw(picture, &around, &mut canvas);
        canvas.finish().map_err(PictureError::Png)
    }
}
