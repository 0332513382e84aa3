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

const fn block(
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

/// Every block of chapter 1.
pub const BLOCKS: &[SpecBlock] = &[
    // 1.2 and manual 3.2
    block("Header", true, "ModelName = the file's stem; OutputType = all", ""),
    block("System", true, "GravAccel = 0, 0, -9.8065; ScaleGrav = 1", "Formalism = auto"),
    block("Parameters", false, "", ""),
    block("Include", false, "", "File = required"),
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
        "Initial = given; At = initial; ModeAmplitude = 0.15",
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
    // 7.2.1
    block("Resistor", false, "", "p = required; n = required; R = required; Heat = nowhere"),
    block(
        "Capacitor",
        false,
        "",
        "p = required; n = required; C = required; Vinit = 0, or what the circuit asks for",
    ),
    block(
        "Inductor",
        false,
        "",
        "p = required; n = required; L = required; Iinit = 0, or what the circuit asks for",
    ),
    block(
        "MutualInductor",
        false,
        "",
        "Inductor1 = required; Inductor2 = required; K = from M; M = from K",
    ),
    block("VoltageSource", false, "", "p = required; n = required; V = required"),
    block("CurrentSource", false, "", "p = required; n = required; I = required"),
    block(
        "Switch",
        false,
        "",
        "p = required; n = required; Closed = required; Ron = 0; Roff = 0; Heat = nowhere",
    ),
    block(
        "Diode",
        false,
        "",
        "p = required; n = required; Model = ideal; Vf = 0; Ron = 0; Roff = 0; Is = 1e-14; N = 1; Vt = 0.0258642; Rs = 0; Gmin = 0; BV = 0; IBV = 0.001; Cj0 = 0; Vj = 1; M = 0.5; FC = 0.5; Tt = 0; Heat = nowhere",
    ),
    block(
        "Zener",
        false,
        "",
        "p = required; n = required; Vz = required; Vf = 0.7; Ron = 0; Rz = 0; Roff = 0; Heat = nowhere",
    ),
    block(
        "Thyristor",
        false,
        "",
        "p = required; n = required; Gate = required; Vf = 0; Ron = 0; Roff = 0; Ihold = 0; Heat = nowhere",
    ),
    block(
        "NPN",
        false,
        "",
        "c = required; b = required; e = required; Is = 1e-16; BF = 100; BR = 1; NF = 1; NR = 1; VAF = 0; VAR = 0; Vt = 0.0258642; RB = 0; RC = 0; RE = 0; Gmin = 0; CJE = 0; CJC = 0; VJE = 0.75; VJC = 0.75; MJE = 0.33; MJC = 0.33; FC = 0.5; TF = 0; TR = 0",
    ),
    block(
        "PNP",
        false,
        "",
        "c = required; b = required; e = required; Is = 1e-16; BF = 100; BR = 1; NF = 1; NR = 1; VAF = 0; VAR = 0; Vt = 0.0258642; RB = 0; RC = 0; RE = 0; Gmin = 0; CJE = 0; CJC = 0; VJE = 0.75; VJC = 0.75; MJE = 0.33; MJC = 0.33; FC = 0.5; TF = 0; TR = 0",
    ),
    block(
        "NMOS",
        false,
        "",
        "d = required; g = required; s = required; b = the node of s; Vto = 1 (NMOS), -1 (PMOS); Kp = 2e-5; W = 0.0001; L = 0.0001; Lambda = 0; Gamma = 0; Phi = 0.6; RD = 0; RS = 0; Cgs = 0; Cgd = 0; Cgb = 0; Cbd = 0; Cbs = 0; Is = 0",
    ),
    block(
        "PMOS",
        false,
        "",
        "d = required; g = required; s = required; b = the node of s; Vto = 1 (NMOS), -1 (PMOS); Kp = 2e-5; W = 0.0001; L = 0.0001; Lambda = 0; Gamma = 0; Phi = 0.6; RD = 0; RS = 0; Cgs = 0; Cgd = 0; Cgb = 0; Cbd = 0; Cbs = 0; Is = 0",
    ),
    block(
        "OpAmp",
        false,
        "",
        "p = required; n = required; out = required; ref = gnd; Gain = 0; Vmin = none; Vmax = none; Rin = 0; Rout = 0; Fp = 0",
    ),
    block(
        "Transformer",
        false,
        "",
        "p1 = required; n1 = required; p2 = required; n2 = required; Ratio = from inductances; L1 = ideal; L2 = ideal; M = from K; K = from M; I1init = 0, or what the circuit asks for; I2init = 0, or what the circuit asks for",
    ),
    block(
        "VCVS",
        false,
        "",
        "p = required; n = required; cp = required; cn = required; Gain = required",
    ),
    block(
        "VCCS",
        false,
        "",
        "p = required; n = required; cp = required; cn = required; Gain = required",
    ),
    block("CCVS", false, "", "p = required; n = required; Control = required; Gain = required"),
    block("CCCS", false, "", "p = required; n = required; Control = required; Gain = required"),
    block(
        "Potentiometer",
        false,
        "",
        "p = required; n = required; w = required; R = required; Position = 0.5",
    ),
    // 7.2.2 to 7.2.6
    block(
        "Inertia",
        false,
        "",
        "a = required; b = free; J = required; Phiinit = 0, or what the train asks for; Winit = 0, or what the train asks for; MountedOn = the axis rests; MountAxis = 0, 0, 1",
    ),
    block(
        "Gear",
        false,
        "",
        "a = required; b = required; housing = base; Ratio = required; Efficiency = 1",
    ),
    block(
        "TorsionSpring",
        false,
        "",
        "a = required; b = base; c = 0; d = 0; phi0 = 0; Backlash = 0",
    ),
    block(
        "Friction",
        false,
        "",
        "a = required; b = base; Rmax = required; Rv = <Rmax>; Heat = nowhere",
    ),
    block(
        "Brake",
        false,
        "",
        "a = required; b = base; Rmax = required; Rv = <Rmax>; Active = yes; Heat = nowhere",
    ),
    block(
        "Clutch",
        false,
        "",
        "a = required; b = required; Rmax = from the normal force; Rv = <Rmax>; Engaged = yes; Fn = none; Mu = none; Peak = 1; Cgeo = 1; Heat = nowhere",
    ),
    block("TorqueSource", false, "", "a = required; b = base; Tau = required"),
    block(
        "SpeedSource",
        false,
        "",
        "a = required; b = base; W = required; Phiinit = 0, or what the train asks for",
    ),
    block("AngleSource", false, "", "a = required; b = base; Phi = required"),
    block(
        "Planetary",
        false,
        "",
        "sun = required; carrier = required; ring = required; Ratio = required",
    ),
    block("Differential", false, "", "in = required; left = required; right = required; Ratio = 1"),
    block(
        "Mass",
        false,
        "",
        "a = required; b = free; m = required; Sinit = 0, or what the train asks for; Vinit = 0, or what the train asks for",
    ),
    block("LinearSpring", false, "", "a = required; b = base; c = 0; d = 0; s0 = 0; Backlash = 0"),
    block(
        "LinearFriction",
        false,
        "",
        "a = required; b = base; Rmax = required; Rv = <Rmax>; Heat = nowhere",
    ),
    block(
        "Stop",
        false,
        "",
        "a = required; b = base; smin = none; smax = none; c = required; d = 0",
    ),
    block("ForceSource", false, "", "a = required; b = base; F = required"),
    block(
        "VelocitySource",
        false,
        "",
        "a = required; b = base; V = required; Sinit = 0, or what the train asks for",
    ),
    block("PositionSource", false, "", "a = required; b = base; S = required"),
    block("RackPinion", false, "", "a = required; b = required; r = required"),
    block(
        "Motor",
        false,
        "",
        "p = required; n = required; shaft = required; stator = base; R = required; k = required; L = 0; J = 0; d = 0; Iinit = 0, or what the network asks for; Phiinit = 0, or what the train asks for; Winit = 0, or what the train asks for; MountedOn = the axis rests; MountAxis = 0, 0, 1; Heat = nowhere",
    ),
    block(
        "Generator",
        false,
        "",
        "p = required; n = required; shaft = required; stator = base; R = required; k = required; L = 0; J = 0; d = 0; Iinit = 0, or what the network asks for; Phiinit = 0, or what the train asks for; Winit = 0, or what the train asks for; MountedOn = the axis rests; MountAxis = 0, 0, 1; Heat = nowhere",
    ),
    block(
        "EMF",
        false,
        "",
        "p = required; n = required; shaft = required; stator = base; k = required",
    ),
    block(
        "Solenoid",
        false,
        "",
        "p = required; n = required; a = required; b = base; R = 0; L = required; F = i^2/2 dL/ds; Iinit = 0, or what the network asks for",
    ),
    block("JointAxis", false, "", "flange = required; Joint = required; Component = 1"),
    block(
        "HeatCapacity",
        false,
        "",
        "a = required; C = required; Tinit = 293.15, or what the network asks for",
    ),
    block("ThermalResistor", false, "", "a = required; b = ambient; R = required"),
    block("HeatSource", false, "", "a = required; b = nowhere; P = required"),
    block("TemperatureSource", false, "", "a = required; b = absolute zero; T = required"),
    block(
        "Compliance",
        false,
        "",
        "a = required; b = tank; C = Volume/Beta; Volume = from C; Beta = from C; Pinit = 0, or what the network asks for",
    ),
    block(
        "HydraulicResistor",
        false,
        "",
        "a = required; b = tank; Model = laminar; R = turbulent; K = from Cd, A and Rho; Cd = 0.7; A = from K; Rho = 850; PLam = 1000; Heat = nowhere",
    ),
    block(
        "Inertance",
        false,
        "",
        "a = required; b = required; L = required; Qinit = 0, or what the network asks for",
    ),
    block("FlowSource", false, "", "a = required; b = tank; Q = required"),
    block("PressureSource", false, "", "a = required; b = tank; P = required"),
    block("CheckValve", false, "", "a = required; b = required; Pf = 0; Ron = 0; Roff = 0"),
    block(
        "Cylinder",
        false,
        "",
        "a = required; b = tank; rod = on a joint; case = base; Joint1D = between flanges; AreaA = required; AreaB = 0; VolumeA = 0; VolumeB = 0; Beta = 0; Stroke = 0; c = 0; d = 0",
    ),
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
    // 7.2.7
    block("Gain", false, "", "u = required; k = 1; Tsample = 0; Toffset = 0"),
    block("Sum", false, "", "u = required; k = 1; Tsample = 0; Toffset = 0"),
    block("Product", false, "", "u = required; Tsample = 0; Toffset = 0"),
    block("Function", false, "", "y = required; Tsample = 0; Toffset = 0"),
    block(
        "Integrator",
        false,
        "",
        "u = required; k = 1; yinit = 0; ymin = none; ymax = none; Tsample = 0; Toffset = 0",
    ),
    block(
        "PT1",
        false,
        "",
        "u = required; k = 1; T = required; yinit = 0; Tsample = 0; Toffset = 0",
    ),
    block(
        "PT2",
        false,
        "",
        "u = required; k = 1; w = required; D = required; yinit = 0; ydinit = 0; Tsample = 0; Toffset = 0",
    ),
    block(
        "DT1",
        false,
        "",
        "u = required; k = 1; T = required; xinit = 0; Tsample = 0; Toffset = 0",
    ),
    block(
        "PI",
        false,
        "",
        "u = required; k = 1; Ti = required; xinit = 0; ymin = none; ymax = none; Tw = 1/(k Ti); Tsample = 0; Toffset = 0",
    ),
    block(
        "PID",
        false,
        "",
        "u = required; k = 1; Ti = required; Td = required; N = 10; x1init = 0; x2init = 0; ymin = none; ymax = none; Tw = N/(k Ti Td); Tsample = 0; Toffset = 0",
    ),
    block(
        "LeadLag",
        false,
        "",
        "u = required; k = 1; Tn = required; Td = required; xinit = 0; Tsample = 0; Toffset = 0",
    ),
    block(
        "TransferFunction",
        false,
        "",
        "u = required; Num = required; Den = required; xinit = 0; Domain = s; Tsample = 0; Toffset = 0",
    ),
    block(
        "StateSpace",
        false,
        "",
        "u = required; A = required; B = required; C = required; D = 0; xinit = 0; Tsample = 0; Toffset = 0",
    ),
    block("Limiter", false, "", "u = required; ymin = -1; ymax = 1; Tsample = 0; Toffset = 0"),
    block("DeadZone", false, "", "u = required; umin = -1; umax = 1"),
    block("Relay", false, "", "u = required; Zone = 0; Amplitude = 1"),
    block(
        "RateLimiter",
        false,
        "",
        "u = required; Rmax = required; Rmin = -Rmax; T = 0.001; yinit = u at the start",
    ),
    block("Step", false, "", "Amplitude = 1; Offset = 0; Tbegin = 0"),
    block("Ramp", false, "", "Amplitude = 1; Duration = required; Offset = 0; Tbegin = 0"),
    block(
        "Sine",
        false,
        "",
        "Amplitude = 1; Frequency = required; Phase = 0; Offset = 0; Tbegin = 0; Damping = 0",
    ),
    block(
        "Pulse",
        false,
        "",
        "Amplitude = 1; Period = required; Duty = 0.5; Offset = 0; Tbegin = 0; Count = 0",
    ),
    block(
        "Square",
        false,
        "",
        "Amplitude = 1; Period = required; Offset = 0; Tbegin = 0; Count = 0",
    ),
    block(
        "Sawtooth",
        false,
        "",
        "Amplitude = 1; Period = required; Offset = 0; Tbegin = 0; Count = 0",
    ),
    block(
        "Trapezoid",
        false,
        "",
        "From = 0; To = required; Vmax = required; Amax = required; Tbegin = 0",
    ),
    block(
        "Hysteresis",
        false,
        "",
        "u = required; ulow = required; uhigh = required; ylow = 0; yhigh = 1; yinit = <ylow>",
    ),
    block("Delay", false, "", "u = required; T = required; yinit = u at the start"),
    block(
        "Table",
        false,
        "",
        "u = t; Data = none, then File is needed; File = none, then Data is needed; Method = linear; Outside = hold",
    ),
    block("Counter", false, "", "Trigger = required; Reset = no; yinit = 0; Step = 1"),
    block("Latch", false, "", "Set = required; Reset = required; yinit = 0"),
    block(
        "SampleHold",
        false,
        "",
        "u = required; Tsample = none, then Trigger is needed; Toffset = 0; Trigger = none, then Tsample is needed; yinit = 0; ymin = none; ymax = none",
    ),
    block("UnitDelay", false, "", "u = required; Tsample = required; Toffset = 0; yinit = 0"),
    block("Plugin", false, "", "Type = required"),
    // 7.4
    block("Se", false, "", "e = required"),
    block("MSe", false, "", "e = required"),
    block("Sf", false, "", "f = required"),
    block("MSf", false, "", "f = required"),
    block("R", false, "", "R = from Law; Law = e = R f"),
    block("MR", false, "", "R = from Law; Law = e = R f"),
    block("C", false, "", "C = required; Qinit = 0, or what the graph asks for"),
    block("MC", false, "", "C = required; Qinit = 0, or what the graph asks for"),
    block("I", false, "", "I = required; Pinit = 0, or what the graph asks for"),
    block("MI", false, "", "I = required; Pinit = 0, or what the graph asks for"),
    block("TF", false, "", "m = required"),
    block("MTF", false, "", "m = required"),
    block("GY", false, "", "r = required"),
    block("MGY", false, "", "r = required"),
    block("Junction0", false, "", ""),
    block("Junction1", false, "", ""),
    block("Bond", false, "", "From = required; To = required"),
];

/// Parameters of ours that chapter 1 does not list, and where they come from.
pub const FURTHER: &[(&str, &str)] = &[
    ("StopStiffness", "chapter 1.5 speaks of limits with stops"),
    ("StopDamping", "chapter 1.5 speaks of limits with stops"),
    ("Quantum", "sampled controllers may have converters of few bits"),
    ("Tambient", "the network chapter has a node `ambient`"),
];
