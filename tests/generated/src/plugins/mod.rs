//! Plugins of the tests: a copy of the built-in spring, one that pushes in every way there is, one that
//! reads everything, one that follows other elements, one that is slow, and one that fails in every way there is.

mod faulty;
mod follower;
mod pusher;
mod reader;
mod sluggish;
mod spring;

use engine::plugin::PluginType;

/// All of them.
pub static PLUGINS: &[PluginType] = &[
    PluginType::new::<spring::SpringCopy>(),
    PluginType::new::<pusher::Pusher>(),
    PluginType::new::<reader::Reader>(),
    PluginType::new::<follower::Follower>(),
    PluginType::new::<faulty::Faulty>(),
    PluginType::new::<sluggish::Sluggish>(),
];
