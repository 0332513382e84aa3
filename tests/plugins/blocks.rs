//! The block `Plugin`: several instances, tables, and programs that do not know its type.

use dysim_tests::loading::model_with;
use dysim_tests::programs::{anidysim, dysim, root, run};
use engine::LoadOptions;
use engine::internals::model::reference;
use engine::plugin::Plugins;

fn known() -> Plugins {
    Plugins::Known(user_plugins::PLUGINS)
}

fn governor() -> String {
    std::fs::read_to_string(root().join("models/plugins/governor.dys")).expect("a model")
}

/// Whoever does not simulate takes any plugin with any parameters.
#[test]
fn a_model_with_unknown_plugins_can_be_drawn_but_not_simulated() {
    let text = governor()
        .replace("two_point_control", "brought_along")
        .replace("motor.on, motor.power", "rotor.q");
    let options = LoadOptions { strict: true, ..LoadOptions::default() };
    let model = model_with(&text, options);
    assert_eq!(model.checked().plugins.len(), 1);
    let error = model.session().err().expect("a refusal");
    let mistake = &error.diagnostics()[0];
    assert_eq!(mistake.code, "A118");
    assert!(mistake.message.contains("Plugin `motor`"), "{}", mistake.message);
}

#[test]
fn anidysim_reads_models_with_plugins() {
    let directory = tempfile::tempdir().expect("a directory");
    let model = root().join("models/plugins/parachutist.dys");
    let ran = run(dysim().current_dir(directory.path()).arg(&model));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // Without a display it comes as far as the window: the model is no obstacle.
    let mut program = anidysim();
    program.current_dir(directory.path()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let shown = run(program.arg(&model));
    assert_eq!(shown.code, Some(3), "{}{}", shown.out, shown.err);
    assert!(shown.err.contains("there is no display"), "{}{}", shown.out, shown.err);
}

#[test]
fn the_plugins_of_the_program_are_listed_with_their_parameters() {
    let overview = reference::overview(known());
    let all = reference::describe("Plugin", known()).expect("a block");
    for plugin in user_plugins::PLUGINS {
        assert!(overview.contains(plugin.word()) && all.contains(plugin.word()), "{overview}{all}");
        let one = reference::describe(plugin.word(), known()).expect("a plugin");
        for parameter in plugin.table().own_parameters() {
            assert!(one.contains(&format!("{} = ", parameter.name)), "{one}");
        }
    }
    assert_eq!(reference::describe("drga", known()), Err(Some("drag")));
    assert!(reference::describe("drag", Plugins::Unchecked).is_err());
}

/// The rules for the tables of all blocks hold for the tables of plugins too.
#[test]
fn the_tables_of_the_plugins_are_well_made() {
    let all = user_plugins::PLUGINS.iter().chain(dysim_tests::plugins::PLUGINS);
    let mut words: Vec<&str> = all.clone().map(|plugin| plugin.word()).collect();
    for plugin in all {
        let table = plugin.table();
        assert!(table.doc.ends_with('.'), "{}", plugin.word());
        let mut names: Vec<&str> = table.own_parameters().map(|p| p.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", plugin.word());
    }
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count);
}
