//! Reference problems with events that joints can express: bouncing balls on a stop, a drive train
//! with a clutch.

use dysim_tests::event_runs::{Link, chain, frame, simulate};

/// A ball on a Prismatic along z with its stop at 0.
fn ball((mass, gravity): (f64, f64), stop: &str, start: f64, tolerance: f64, end: f64) -> String {
    let joint = format!("JointAxis = 0, 0, 1; Qinit = {start}; LowerLimit = 0; {stop}");
    let text = frame(tolerance, (end, end), "J1.q, J1.qd")
        + &chain(&[Link { joint: &joint, mass, ..Link::default() }]);
    text.replace("-9.81", &format!("{}", -gravity))
}

/// CT-BALL: 1 kg from 1 m, 1e4 N/m, 20 N s/m; touches at z = 0, and lets go where the force ends.
#[test]
fn a_ball_bounces_on_a_damped_stop_as_the_reference_does() {
    let touches = [
        0.451_604_209_576_002_4,
        1.148_627_959_421_952_7,
        1.668_494_044_877_078_5,
        2.056_587_239_697_505_3,
        2.346_696_678_162_820_5,
        2.563_993_119_085_108_3,
        2.727_250_780_113_410_1,
        2.850_512_946_484_799_4,
        2.944_355_304_093_639_6,
    ];
    let releases = [
        0.481_686_635_823_216_45,
        1.178_898_579_619_773_2,
        1.699_025_189_712_460_7,
        2.087_483_094_335_131_5,
        2.378_111_299_368_139,
        2.596_163_043_975_312_9,
        2.760_560_020_679_349,
        2.885_642_033_845_189_5,
        2.982_713_858_196_350_3,
    ];
    let tolerance = 1e-10;
    let text = ball((1.0, 9.8065), "StopStiffness = 1e4; StopDamping = 20;", 1.0, tolerance, 3.0);
    let told = simulate(&text).to_the_end();
    let found = [told.times("free -> at the stop"), told.times("at the stop -> free")];
    for (found, expected) in found.iter().zip([touches, releases]) {
        assert_eq!(found.len(), 9, "{}", told.log);
        for (n, (t, expected)) in found.iter().zip(expected).enumerate() {
            // Speeds fall from 4.4 to 0.28 m/s, so that an error of position counts up to fourfold.
            let allowed = 10.0 * tolerance * 4.0 * (n + 1) as f64;
            assert!((t - expected).abs() < allowed, "{n}: {t} {expected}");
        }
    }
    let (q, qd) = (told.last("J1.q"), told.last("J1.qd"));
    assert!((q - 0.001_253_175_798_764_958_4).abs() < 100.0 * tolerance, "{q}");
    assert!((qd - 0.008_312_453_357_313_853).abs() < 1000.0 * tolerance, "{qd}");
}

/// CT-BALL0: 2 kg from 0.5 m, 5000 N/m, no damping.
#[test]
fn a_ball_bounces_on_an_undamped_stop_as_the_reference_does() {
    let expected = [
        0.319_275_428_407_050_46,
        0.384_609_685_314_763_6,
        1.023_160_542_128_864_5,
        1.088_494_799_036_577_6,
        1.727_045_655_850_678_5,
        1.792_379_912_758_391_6,
    ];
    let tolerance = 1e-10;
    let text = ball((2.0, 9.81), "StopStiffness = 5000;", 0.5, tolerance, 2.0);
    let told = simulate(&text).to_the_end();
    let times: Vec<f64> = told.changes.iter().map(|(t, _)| *t).collect();
    assert_eq!(told.events, 6, "{}", told.log);
    assert_eq!(times.len(), 6, "{}", told.log);
    for (n, (t, expected)) in times.iter().zip(expected).enumerate() {
        let allowed = 10.0 * tolerance * (n + 1) as f64;
        assert!((t - expected).abs() < allowed, "{n}: {t} {expected}");
    }
    assert!((told.last("J1.q") - 0.438_849_780_891_166_9).abs() < 100.0 * tolerance);
}

/// The drive train with clutch of Otter's thesis (section 5) until its brake closes: load 1 kg m^2,
/// spring 160 Nm/rad and 1 Nm s, disc 0.05 kg m^2, clutch of 80 Nm, rotor 1 kg m^2 with 200 sin(100 t) Nm.
#[test]
fn a_clutch_in_a_drive_train_slips_and_locks_as_an_independent_run_does() {
    let shaft = |joint, inertia: f64| Link {
        kind: "Revolute",
        joint,
        inertia: [inertia; 3],
        ..Link::default()
    };
    let links = [
        shaft("JointAxis = 0, 0, 1; QDinit = 90;", 1.0),
        shaft("JointAxis = 0, 0, 1; Stiffness = 160; Damping = 1;", 0.05),
        shaft("JointAxis = 0, 0, 1; QDinit = 10; Friction = 80;", 1.0),
    ];
    let text = frame(1e-9, (0.5, 0.1), "J1.qd, J2.qd, J3.qd")
        + &chain(&links)
        + "Torque \"u\" { TriadTo = R3; Vector = 0, 0, 200*sin(100*t); }";
    let told = simulate(&text).to_the_end();
    // The printed digits of the independent run; some are cut, not rounded: one unit of the last.
    for (words, times) in [
        ("forward -> locked", &[0.006_779_7, 0.109_289_8][..]),
        ("locked -> start", &[0.059_339_3][..]),
    ] {
        let found = told.times(words);
        assert_eq!(found.len(), times.len(), "{words}\n{}", told.log);
        for (t, time) in found.iter().zip(times) {
            assert!((t - time).abs() < 1e-7, "{words}: {t} {time}\n{}", told.log);
        }
    }
    let speeds = |row: usize| {
        let sum = |names: &[&str]| names.iter().map(|name| told.column(name)[row]).sum::<f64>();
        [sum(&["J1.qd"]), sum(&["J1.qd", "J2.qd"]), sum(&["J1.qd", "J2.qd", "J3.qd"])]
    };
    for (row, expected) in [(1, [96.5633, 93.3400, 96.9478]), (5, [98.1934, 91.7873, 91.7873])] {
        for (found, expected) in speeds(row).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{row}: {found} {expected}");
        }
    }
}
