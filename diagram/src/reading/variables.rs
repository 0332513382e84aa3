//! Variables of equations in pictures.

use rustc_hash::FxHashMap;

use crate::flat_model::{FlatModel, Place, Source};

/// Variables are drawn with the first Equations block of their instance: they have no connections of their own.
pub(super) fn merge_variables(model: &mut FlatModel) {
    let mut equations: FxHashMap<Option<usize>, usize> = FxHashMap::default();
    for (index, element) in model.elements.iter().enumerate().rev() {
        if element.keyword == "Equations" {
            equations.insert(element.instance, index);
        }
    }
    let mut home: Vec<usize> = (0..model.elements.len()).collect();
    for (index, home) in home.iter_mut().enumerate() {
        let element = &model.elements[index];
        let is_plain = element.keyword == "Variable" && element.terminals.is_empty();
        if let (true, Some(&into)) = (is_plain, equations.get(&element.instance)) {
            *home = into;
            let name = format!("Variable {}", element.name);
            let reads = std::mem::take(&mut model.elements[index].reads);
            model.elements[into].carries.push(name);
            model.elements[into].reads.extend(reads);
        }
    }
    let mut number = vec![0; home.len()];
    let mut next = 0;
    for (index, (number, home)) in number.iter_mut().zip(&home).enumerate() {
        *number = next;
        next += usize::from(*home == index);
    }
    let new: Vec<usize> = home.iter().map(|&home| number[home]).collect();
    let mut index = 0;
    model.elements.retain(|_| {
        index += 1;
        home[index - 1] == index - 1
    });
    for (index, element) in model.elements.iter_mut().enumerate() {
        for (_, source) in &mut element.reads {
            if let Source::Element(source) = source {
                *source = new[*source];
            }
        }
        element.reads.retain(|(_, source)| *source != Source::Element(index));
        let mut seen = Vec::new();
        element.reads.retain(|read| {
            let is_new = !seen.contains(read);
            seen.push(read.clone());
            is_new
        });
    }
    let moved = |place: &mut Place| {
        if let Place::Element(element) = place {
            *element = new[*element];
        }
    };
    for relation in &mut model.relations {
        moved(&mut relation.from);
        moved(&mut relation.to);
    }
    model.relations.retain(|relation| relation.from != relation.to);
    model.parts.iter_mut().flat_map(|part| &mut part.ports).for_each(|(_, place)| moved(place));
}
