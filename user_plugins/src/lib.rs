//! Elements that users add to dysim, one file each, and the one list that names them.

pub mod drag;
pub mod hill_muscle;
pub mod poincare_section;
pub mod two_point_control;

use engine::plugin::PluginType;

/// The plugins that `dysim` is built with. Add yours here.
pub static PLUGINS: &[PluginType] = &[
    PluginType::new::<drag::Drag>(),
    PluginType::new::<hill_muscle::HillMuscle>(),
    PluginType::new::<two_point_control::TwoPointControl>(),
    PluginType::new::<poincare_section::PoincareSection>(),
];
