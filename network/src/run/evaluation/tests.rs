//! Code with and without branches, side by side.

use super::NetworkRun;
use crate::code::block_compiler::Level;
use crate::prepared::network_model::Network;
use language::load::{Disk, Input, LoadOptions, load};

const TEXT: &str = "Solver \"s\" { Solver = derf; }
    VoltageSource \"v\" { p = a; n = gnd; V = sin(3*t) + 0.5*f.y; }
    Resistor \"r\" { p = a; n = b; R = 2; }
    Capacitor \"c\" { p = b; n = gnd; C = 0.1; Vinit = 0.3; }
    Function \"f\" { y = if(c.v > 0.2, clamp(2*c.v, -1, 1), abs(c.v - 0.1*t)) + max(c.v, r.i)/(2 + cos(t)); }
    Inertia \"i\" { a = s; J = 1; Winit = 2; }
    Friction \"fr\" { a = base; b = s; Rmax = 1; Rv = 0.5 + 0.1*abs(i.w); }
    TorqueSource \"q\" { a = s; Tau = c.v*i.w*f.y; }";

/// The code with branches is the judge, in states on all sides of the switches, whether these have switched or not.
#[test]
fn both_codes_give_the_same_numbers() {
    let input = Input::Text { name: "m.dys".into(), bytes: TEXT.as_bytes().to_vec() };
    let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
    let model = loaded.model.as_ref().unwrap();
    let fixed = Network::of(model.equations.as_ref().unwrap());
    let mut y = vec![0.0; fixed.n_states()];
    let mut network = NetworkRun::new(&fixed, model.solver.span());
    network.begin(0.0, &mut y).unwrap();
    network.straighten();
    assert!(network.network.searched.len() > 6);
    let mut rows = 0;
    for k in 0..40 {
        // Other states of the switches, as they might stand behind an event.
        let frozen: Vec<f64> = (0..network.now.outside.switches.get().len())
            .map(|j| f64::from((k + j as i32) % 3 - 1))
            .collect();
        if k % 4 == 0 {
            network.now.outside.switches.set(&frozen);
            network.straighten();
        }
        let t = 0.37 * f64::from(k);
        let y: Vec<f64> = y.iter().map(|y| y * (1.5 - 0.13 * f64::from(k))).collect();
        let both = [true, false].map(|is_straight| {
            network.update(t, &y).unwrap();
            look_straight(&mut network, is_straight);
            let mut rates = vec![0.0; y.len()];
            network.update(t, &y).unwrap();
            network.complete(Level::Guards).unwrap();
            network.rates(&mut rates);
            // Between events: guards of possible changes, then signals and guards of time expressions.
            let present = network.present();
            let code = &present.fixed.code;
            let watched = present.now.watched.iter().map(|guard| guard.place);
            let others = code.asked(Level::Guards)[code.guards.len()..].iter().copied();
            let value = |place: u32| present.numbers()[place as usize];
            let guards: Vec<f64> = watched.chain(others).map(value).collect();
            // At an event all guards have their values, also those of changes that are impossible now.
            network.complete(Level::Events).unwrap();
            let values = network.event_values();
            let at_event = (0..fixed.at_events.len()).map(|number| values.expression(number));
            (rates, guards, at_event.collect::<Vec<f64>>())
        });
        assert_eq!(both[0], both[1], "{k}");
        rows = network.present().now.frozen.straight.as_ref().unwrap().rows.len();
    }
    // Branches that are not taken leave no rows.
    assert!(rows > 5 && rows < network.present().fixed.code.instructions.len());
}

/// Takes the code without branches, or that with them.
fn look_straight(network: &mut NetworkRun<'_>, is_straight: bool) {
    let frozen = &mut network.now.combinations.present_mut().now.frozen;
    (frozen.is_straight, frozen.is_new) = (is_straight, false);
}
