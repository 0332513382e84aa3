//! One model with every joint, every force element, and time expressions of time and signals.

use crate::blocks::{Run, Text};

const SIX_BY_SIX: &str =
    "900,0,0,0,0,0, 0,900,0,0,0,0, 0,0,900,0,0,0, 0,0,0,20,0,0, 0,0,0,0,20,0, 0,0,0,0,0,20";

/// Bodies with all kinds of joints in a branched tree.
fn bodies(text: Text) -> Text {
    let shape = [0.05, 0.06, 0.08];
    let axis = "JointPoint = 0.01, 0, 0.02; JointAxis";
    let two = "Qinit = 0.2, -0.1; QDinit = 0.3, 0.4;";
    let joints: [(&str, &str, String); 12] = [
        ("Revolute", "world", format!("{axis} = 0, 1, 0.2; Qinit = 0.3; QDinit = 0.5; Degrees = rad; Damping = 0.1; Stiffness = 2; QRest = 0.1; LowerLimit = -0.2; UpperLimit = 0.2; RotorInertia = 0.02;")),
        ("Universal", "Revolute", format!("JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0.1; {two} Degrees = rad; Damping = 0.1, 0.2;")),
        ("Spherical", "Universal", "Qinit = 0.2, 0.3, -0.1; QDinit = 0.5, 0.1, -0.4; AngleType = cardan; Degrees = rad; Damping = 0.1, 0.1, 0.1; Stiffness = 1, 2, 3;".into()),
        ("Prismatic", "Spherical", format!("{axis} = 1, 0, 1; Qinit = 0.1; QDinit = -0.2; UpperLimit = 0.05;")),
        ("Screw", "world", format!("{axis} = 0, 0, 1; Pitch = 0.05; Qinit = 0.4; QDinit = 1; Degrees = rad;")),
        ("BiPrismatic", "Screw", format!("JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0.5; JointPoint2 = 0, 0, 0; {two} Stiffness = 30, 40;")),
        ("TriPrismatic", "Screw", "Qinit = 0.1, 0.2, 0.3; QDinit = 0, 0.1, 0; Stiffness = 30, 40, 50;".into()),
        ("Cylindrical", "Revolute", format!("{axis} = 1, 0, 0; {two} Degrees = rad; Stiffness = 5, 60;")),
        ("Planar", "Cylindrical", format!("{axis} = 0, 0, 1; Qinit = 0.1, 0, 0.2; QDinit = 0, 0.2, 0; Degrees = rad; Stiffness = 40, 40, 5;")),
        ("ConstantVelocity", "world", format!("JointAxis1 = 1, 0, 0; JointAxis2 = 0, 1, 0; JointPoint = 0, 0, 0; {two} Degrees = rad;")),
        ("Bracket", "ConstantVelocity", String::new()),
        ("Free", "world", "Qinit = 0.3, -0.2, 0.5, 0.1, 0.6, 0.2; QDinit = 0.1, 0, 0.2, 0.3, -0.2, 0.5; AngleType = euler; Degrees = rad;".into()),
    ];
    joints.iter().fold(text, |text, (keyword, mother, parameters)| {
        let (joint, body) = (format!("J_{keyword}"), format!("b_{keyword}"));
        let mother = if *mother == "world" { "world".into() } else { format!("b_{mother}") };
        text.joint(keyword, [&joint, &mother, &body], [0.1, 0.05, -0.2], parameters)
            .body([&body, &mother, &joint], 1.5, shape, [0.02, -0.01, -0.1])
            .triad(&format!("t_{keyword}"), &body, [0.03, 0.02, -0.15])
    })
}

/// The text.
pub fn everything(run: Run) -> String {
    bodies(Text::new([0.3, 0.0, -9.81], run))
        .triad("origin", "world", [0.0, 0.0, 0.0])
        .triad("floor", "world", [0.0, 0.0, 0.38])
        .triad("cellar", "world", [0.0, 0.0, 1.5])
        .with("Spring \"s1\" { TriadFrom = origin; TriadTo = t_Free; ElasticLinear = 200; DampingLinear = 3; ZeroLength = 0.3; OneSide = bi; }")
        .with("Spring \"s2\" { TriadFrom = t_Spherical; TriadTo = t_Planar; ElasticLinear = 50; DampingLinear = 0; ZeroLength = 0.01; OneSide = -; }")
        .with("Spring \"s3\" { TriadFrom = t_Prismatic; TriadTo = t_Screw; ElasticLinear = 20; DampingLinear = 1; ZeroLength = 0.9; OneSide = +; }")
        .with("RSDA \"r\" { Joint1D = J_Revolute; ElasticLinear = 5; DampingLinear = 0.2; ZeroAngle = 0.5; OneSide = bi; Degrees = rad; }")
        .with("TSDA \"z\" { Joint1D = J_Prismatic; ElasticLinear = 80; DampingLinear = 2; ZeroLength = 0.1; OneSide = +; }")
        .with("ContactSimple \"k1\" { TriadFrom = cellar; TriadTo = t_Cylindrical; ElasticLinearZ = 100; DampingLinearZ = 2; FrictionXY = 0.5; }")
        .with("Contact \"k2\" { TriadFrom = floor; TriadTo = t_Free; ElasticLinearZ = 2000; DampingLinearZ = 10; DampingO2MixedZ = 5; SlipDampingLinear = 0.1; SlipFrictionCoeff = 0.3; VSlipMin = 0.05; SlipFrictionCoeffRot = 0.01; OmegaSlipMin = 0.5; StickElasticLinear = 2000; StickDampingLinear = 10; StaticFrictionCoeff = 0.4; StickElasticLinearRot = 10; StickDampingLinearRot = 0.1; StaticFrictionCoeffRot = 0.02; Degrees = rad; }")
        .with(&format!("Bushing \"b1\" {{ TriadFrom = t_ConstantVelocity; TriadTo = t_BiPrismatic; ElasticLinear = {SIX_BY_SIX}; DampingLinear = {SIX_BY_SIX}; AngleType = cardan; Degrees = rad; }}"))
        .with(&format!("Bushing \"b2\" {{ TriadFrom = t_ConstantVelocity; TriadTo = t_Free; ElasticLinear = {SIX_BY_SIX}; DampingLinear = {SIX_BY_SIX}; AngleType = euler; Degrees = rad; }}"))
        .with("Force \"f\" { TriadFrom = t_Bracket; TriadTo = t_Free; Vector = sin(3*t), b_Free.x*b_Free.vy, if(t < 0.1, 1, 2); Frame = local; }")
        .with("Torque \"q\" { TriadTo = t_Spherical; Vector = 0.1, 0.2*cos(t), J_Spherical.qd[2]; Frame = world; }")
        .with("JointForce \"jf\" { Joint1D = J_Screw; Value = 0.5 - 0.1*J_Screw.qd + J_Revolute.q; }")
        .text()
        .to_string()
}

/// The same with forces of the same size that use no signals.
///
/// # Panics
/// If the text has no such forces.
pub fn without_signals(run: Run) -> String {
    let mut text = everything(run);
    for (old, new) in [
        ("b_Free.x*b_Free.vy", "0.7"),
        ("J_Spherical.qd[2]", "0.3"),
        ("0.5 - 0.1*J_Screw.qd + J_Revolute.q", "0.5"),
    ] {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}
