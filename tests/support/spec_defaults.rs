//! The blocks, parameters and defaults of the language as the specification and the DySim 0.5 manual
//! state them, transcribed by hand. The tables of the program are compared with this.

/// What the specification says about one block.
pub struct SpecBlock {
    /// The keyword; for a graphics primitive followed by `:` and its type.
    pub keyword: &'static str,
    /// Is it in the manual (D), or does it go beyond (+)?
    pub in_manual: bool,
    /// `Name = default` of each parameter in the manual's order, separated by `;`.
    pub manual: &'static str,
    /// The same of the parameters beyond the manual.
    pub beyond: &'static str,
}

pub(super) const fn block(
    keyword: &'static str,
    in_manual: bool,
    manual: &'static str,
    beyond: &'static str,
) -> SpecBlock {
    SpecBlock { keyword, in_manual, manual, beyond }
}

/// Chapter 1.5 and 8.1, 8.3: what every joint with freedoms has besides.
macro_rules! joint_options {
    () => {
        "Role = tree; Fixed = no; Locked = no; Damping = 0; Stiffness = 0; QRest = 0; Friction = none; \
         LowerLimit = none; UpperLimit = none; RotorInertia = 0"
    };
}

macro_rules! connection {
    () => {
        "Parent = the body that names this joint; TriadFrom = required; TriadTo = required; "
    };
}

/// Every block of chapter 1, and that of chapter 6.
pub const BLOCKS: &[SpecBlock] = &[
    // 1.2 and manual 3.2
    block("Header", true, "ModelName = the file's stem; OutputType = all", ""),
    block("System", true, "GravAccel = 0, 0, -9.8065; ScaleGrav = 1", "Formalism = auto"),
    block("Parameters", false, "", ""),
    block("Include", false, "", "File = required; As = its blocks stand here"),
    // 9.2
    block("Formula", false, "", "Of = no arguments; Value = required; About = none"),
    block("Signal", false, "", "Value = required; Unit = none; About = none"),
    block(
        "Output",
        false,
        "",
        "Files = all files; Signals = all joint coordinates, rates and forces, all network signals; Events = no",
    ),
    // 1.3 and manual 3.3
    block(
        "Solver",
        true,
        "Type = dynamic; Solver = de; AbsErr = 1e-9; RelErr = 1e-6; Tstart = 0; Tend = 1; \
         Tstep = 0.01; TstepMax = <Tstep>; TstepMin = 0; TstepIni = 0.1*<Tstep>",
        "Initial = given; At = `initial` for `linear`, `static` for `frequency`; ModeAmplitude = 0.15; Inputs = all Input blocks and forces; From = 0.1; To = 10000; Points = 50; Spacing = decade; Amplitude = 1 for each; Phase = 0 for each; Loop = no loop; Unknown = none; Given = none; Sensitivity = none",
    ),
    // 1.4 and manual 3.4, 3.5
    block(
        "Body",
        true,
        "Parent = world; Joint = required; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; \
         CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad",
        "",
    ),
    block(
        "Triad",
        true,
        "Parent = required; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad",
        "",
    ),
    // 10.2
    block(
        "Sensor",
        false,
        "",
        "TriadFrom = required; TriadTo = required; Frame = world; AngleType = euler",
    ),
    // 1.5 and manual 3.6
    block(
        "Free",
        true,
        concat!(
            connection!(),
            "Qinit = 0, 0, 0, 0, 0, 0; QDinit = 0, 0, 0, 0, 0, 0; AngleType = euler; Degrees = rad"
        ),
        joint_options!(),
    ),
    block(
        "Bracket",
        true,
        "Parent = the body that names this joint; TriadFrom = required; TriadTo = required",
        "Role = tree",
    ),
    block(
        "Revolute",
        true,
        concat!(
            connection!(),
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad"
        ),
        joint_options!(),
    ),
    block(
        "Universal",
        true,
        concat!(
            connection!(),
            "JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; \
             Qinit = 0, 0; QDinit = 0, 0; Degrees = rad"
        ),
        joint_options!(),
    ),
    block(
        "Spherical",
        true,
        concat!(
            connection!(),
            "Qinit = 0, 0, 0; QDinit = 0, 0, 0; AngleType = euler; Degrees = rad"
        ),
        joint_options!(),
    ),
    block(
        "Prismatic",
        true,
        concat!(connection!(), "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0"),
        joint_options!(),
    ),
    block(
        "BiPrismatic",
        true,
        concat!(
            connection!(),
            "JointAxis1 = 1, 0, 0; JointPoint1 = 0, 0, 0; JointAxis2 = 0, 1, 0; JointPoint2 = 0, 0, 0; \
             Qinit = 0, 0; QDinit = 0, 0"
        ),
        joint_options!(),
    ),
    block(
        "TriPrismatic",
        true,
        concat!(connection!(), "Qinit = 0, 0, 0; QDinit = 0, 0, 0"),
        joint_options!(),
    ),
    block(
        "Screw",
        false,
        connection!(),
        concat!(
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Pitch = 0; Qinit = 0; QDinit = 0; Degrees = rad; ",
            joint_options!()
        ),
    ),
    block(
        "Cylindrical",
        false,
        connection!(),
        concat!(
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0, 0; QDinit = 0, 0; Degrees = rad; ",
            joint_options!()
        ),
    ),
    block(
        "Planar",
        false,
        connection!(),
        concat!(
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0, 0, 0; QDinit = 0, 0, 0; Degrees = rad; ",
            joint_options!()
        ),
    ),
    block(
        "ConstantVelocity",
        false,
        connection!(),
        concat!(
            "JointAxis1 = 1, 0, 0; JointAxis2 = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0, 0; \
             QDinit = 0, 0; Degrees = rad; ",
            joint_options!()
        ),
    ),
    block("Motion", false, "", "Joint = required; Q = required"),
    block("Coupling", false, "", "Joint1 = required; Joint2 = required; Ratio = required"),
    block(
        "Rolling",
        false,
        "",
        "TriadFrom = required; TriadTo = required; Radius = required; Shape = disc",
    ),
    block(
        "Rod",
        false,
        "",
        "TriadFrom = required; TriadTo = required; Length = the initial distance",
    ),
    // 1.6 and manual 3.7
    block(
        "Spring",
        true,
        "TriadFrom = required; TriadTo = required; ElasticLinear = 0; DampingLinear = 0; ZeroLength = 0; OneSide = bi",
        "",
    ),
    block(
        "RSDA",
        true,
        "Joint1D = required; ElasticLinear = 0; DampingLinear = 0; ZeroAngle = 0; OneSide = bi; Degrees = rad",
        "",
    ),
    block(
        "TSDA",
        true,
        "Joint1D = required; ElasticLinear = 0; DampingLinear = 0; ZeroLength = 0; OneSide = bi",
        "",
    ),
    block(
        "ContactSimple",
        true,
        "TriadFrom = required; TriadTo = required; ElasticLinearZ = 0; DampingLinearZ = 0; FrictionXY = 0",
        "",
    ),
    block(
        "Contact",
        true,
        "TriadFrom = required; TriadTo = required; ElasticLinearZ = 0; DampingLinearZ = 0; DampingO2MixedZ = 0; \
         SlipDampingLinear = 0; SlipFrictionCoeff = 0; VSlipMin = 0; SlipFrictionCoeffRot = 0; OmegaSlipMin = 0; \
         StickElasticLinear = 0; StickDampingLinear = 0; StaticFrictionCoeff = 0; StickElasticLinearRot = 0; \
         StickDampingLinearRot = 0; StaticFrictionCoeffRot = 0; Degrees = rad",
        "",
    ),
    block(
        "Bushing",
        true,
        "TriadFrom = required; TriadTo = required; ElasticLinear = 36 x 0; DampingLinear = 36 x 0; \
         AngleType = cardan; Degrees = rad",
        "",
    ),
    block(
        "Force",
        false,
        "",
        "TriadTo = required; TriadFrom = no reaction; Vector = required; Frame = world",
    ),
    block(
        "Torque",
        false,
        "",
        "TriadTo = required; TriadFrom = no reaction; Vector = required; Frame = world",
    ),
    block("JointForce", false, "", "Joint1D = required; Value = required"),
    // 1.7 and manual 3.8
    block(
        "Primitive",
        true,
        "Parent = world; Position = 0, 0, 0; Cardan = 0, 0, 0; Degrees = rad; Color = 0, 0, 0, 0; Type = required",
        "",
    ),
    block(
        "Primitive:Cylinder",
        true,
        "RadiusBottomX = 1; RadiusBottomY = 1; RadiusTopX = 1; RadiusTopY = 1; HeightZ = 1; GridLong = 8",
        "",
    ),
    block("Primitive:Box", true, "LengthX = 1; LengthY = 1; LengthZ = 1", ""),
    block("Primitive:Axes", true, "Length = 0.25; ColorX = <Color>; ColorY = <Color>", ""),
    block(
        "Primitive:Sphere",
        true,
        "RadiusX = 1; RadiusY = 1; RadiusZ = 1; GridLong = 8; GridLati = 8",
        "",
    ),
    block("Primitive:Cone", true, "RadiusX = 1; RadiusY = 1; HeightZ = 1; GridLong = 8", ""),
    block("Primitive:Extrude", true, "HeightZ = 1; VertexList = required", ""),
    block(
        "Primitive:Tetraeder",
        true,
        "Vertex1 = 0, 0, 0; Vertex2 = 1, 0, 0; Vertex3 = 0, 1, 0; Vertex4 = 0, 0, 1",
        "",
    ),
    block("Primitive:Mesh", false, "", "File = required; Scale = 1"),
    block(
        "Primitive:Spring",
        false,
        "",
        "Triad1 = required; Triad2 = required; Radius = 0.05; Coils = 8",
    ),
    block("Primitive:Trail", false, "", "Triad = required; Length = the whole motion"),
    block("Plugin", false, "", "Type = required"),
];

/// Parameters of ours that chapter 1 does not list, and where they come from.
pub const FURTHER: &[(&str, &str)] = &[
    ("StopStiffness", "chapter 1.5 speaks of limits with stops"),
    ("StopDamping", "chapter 1.5 speaks of limits with stops"),
    ("Quantum", "sampled controllers may have converters of few bits"),
    ("Tambient", "the network chapter has a node `ambient`"),
];
