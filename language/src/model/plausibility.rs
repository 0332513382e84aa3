//! Can there be bodies with these masses and inertias, and does every freedom move some?

use nalgebra::Matrix3;
use parser::diagnostic::{Diagnostic, Severity};

use super::Model;
use crate::codes;
use crate::element::written;
use crate::reading::context::Context;
use crate::reading::ids::{BodyId, JointId};

/// Principal moments are compared with this fraction of the largest, to allow for rounded input.
const ROUNDING: f64 = 1e-6;

/// Names of the six numbers of an inertia.
const ELEMENTS: &str = "the elements are xx xy xz yy yz zz, products with their minus sign";

/// Reports impossible masses and inertias, and freedoms that move no inertia.
pub(crate) fn check(context: &mut Context<'_>, model: &Model, allow_unphysical: bool) {
    let severity = if allow_unphysical { Severity::Warning } else { Severity::Error };
    for body in &model.bodies {
        let name = context.name(body.block);
        if body.mass < 0.0 {
            let message =
                format!("the body `{name}` has the negative mass {} kg", written(body.mass));
            let place = context.place_of(body.block, "Mass");
            let diagnostic = Diagnostic::new(codes::NEGATIVE_MASS, place, message);
            let help = (!allow_unphysical)
                .then(|| "`--allow-unphysical` runs it all the same".to_string());
            context.report(diagnostic.with_severity(severity).maybe_help(help));
        }
        check_inertia(context, body.block, &body.inertia, severity);
    }
    check_moved_inertia(context, model);
}

/// The principal moments of the tensor with these elements.
fn principal_moments(inertia: &[f64; 6]) -> [f64; 3] {
    let [xx, xy, xz, yy, yz, zz] = *inertia;
    if xy == 0.0 && xz == 0.0 && yz == 0.0 {
        // Most bodies are given in their principal axes.
        let mut moments = [xx, yy, zz];
        moments.sort_by(f64::total_cmp);
        return moments;
    }
    let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let mut moments: [f64; 3] = tensor.symmetric_eigenvalues().into();
    moments.sort_by(f64::total_cmp);
    moments
}

fn check_inertia(context: &mut Context<'_>, block: u32, inertia: &[f64; 6], severity: Severity) {
    if inertia.iter().any(|element| element.is_nan()) {
        return;
    }
    let [small, middle, large] = principal_moments(inertia);
    let tolerance = ROUNDING * large.abs().max(small.abs());
    if small >= -tolerance && small + middle >= large - tolerance {
        return;
    }
    let name = context.name(block);
    let moments = format!("{}, {}, {} kg m^2", written(small), written(middle), written(large));
    let place = context.place_of(block, "Inertia");
    if small < -tolerance {
        let message = format!(
            "no body can have the inertia of `{name}`: its principal moments are {moments}"
        );
        let help = match severity {
            Severity::Error => format!("{ELEMENTS}; `--allow-unphysical` runs it all the same"),
            _ => ELEMENTS.into(),
        };
        let diagnostic = Diagnostic::new(codes::INDEFINITE_INERTIA, place, message);
        context.report(diagnostic.with_severity(severity).help(help));
    } else if small + middle < large - tolerance {
        let message =
            format!("the principal moments of `{name}` violate the triangle inequality: {moments}");
        let help = "of a real body no principal moment exceeds the sum of the other two";
        context.report(Diagnostic::new(codes::INERTIA_TRIANGLE, place, message).help(help));
    }
}

/// A freedom whose whole subtree is massless has no determined acceleration.
fn check_moved_inertia(context: &mut Context<'_>, model: &Model) {
    let has_inertia = moved_inertia(model);
    for (index, body) in model.bodies.iter().enumerate() {
        let Some(joint) = model.joints.get(body.joint.index()) else { continue };
        let freedoms = context.blocks[joint.block as usize].schema.coordinates.len();
        let rotor = joint.options.as_ref().and_then(|options| options.rotor_inertia.as_ref());
        let carried = rotor.is_some_and(|rotor| rotor.0.iter().all(|&inertia| inertia > 0.0));
        if has_inertia[index + 1] || freedoms == 0 || carried || body.joint == JointId::BROKEN {
            continue;
        }
        let message = format!(
            "the joint `{}` moves no inertia: `{}` and all bodies it carries are massless",
            context.name(joint.block),
            context.name(body.block),
        );
        let place = context.blocks[joint.block as usize].name;
        let help = "give the last body of the chain a mass, or use a Bracket";
        context.report(Diagnostic::new(codes::NO_INERTIA, place, message).help(help));
    }
}

/// For each body (the world first): does it or a body it carries have mass or inertia?
fn moved_inertia(model: &Model) -> Vec<bool> {
    let mut moved = vec![false; model.bodies.len() + 1];
    for (index, body) in model.bodies.iter().enumerate() {
        if body.mass == 0.0 && body.inertia.iter().all(|&element| element == 0.0) {
            continue;
        }
        // Up to the first body that is known to move inertia: each body is passed once.
        let mut at = BodyId(index as u32 + 1);
        while at != BodyId::BROKEN && !moved[at.index()] {
            moved[at.index()] = true;
            at = model.body(at).map_or(BodyId::WORLD, |body| body.parent);
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_moments_of_a_turned_tensor() {
        // diag(1, 2, 4) turned by 45 degrees about z.
        let moments = principal_moments(&[1.5, 0.5, 0.0, 1.5, 0.0, 4.0]);
        let expected = [1.0, 2.0, 4.0];
        // Eigenvalues of a 3x3 matrix of order one are exact to a few units of rounding.
        for (moment, expected) in moments.iter().zip(expected) {
            assert!((moment - expected).abs() < 1e-14, "{moment} {expected}");
        }
    }
}
