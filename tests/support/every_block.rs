//! A model that has every block of the language with all its parameters, none at its default.

use engine::internals::blocks::joints::SCHEMAS;
use engine::internals::element::Coordinate;

/// Settings, with the files `more/wheel.dys` and `more/parts.dys` included.
const SETTINGS: &str = r#"
Header "header" { ModelName = robot; OutputType = none; }
System "system" { GravAccel = 1, 2, 3; ScaleGrav = 0.5; Formalism = dense; Tambient = 300; }
Parameters "lengths" { L = 2; }
Include "wheel" { File = "more/wheel.dys"; }
Include "parts" { File = "more/parts.dys"; As = parts; }
Output "output" { Files = csv, ani; Signals = carrier_Free.q[3], Revolute.qd, body_Free.vx; Events = yes; }
Solver "solver" {
    Type = linear; Solver = stiff; AbsErr = 1e-7; RelErr = 1e-5; Tstart = 1.5; Tend = 9;
    Tstep = 0.25; TstepMax = 0.125; TstepMin = 1e-12; TstepIni = 1e-3; Initial = steady; Sensitivity = L; At = static; ModeAmplitude = 0.5;
    Inputs = JointForce; From = 2; To = 200; Points = 7; Spacing = octave; Amplitude = 2, 3, 4; Phase = 10, 20, 30; Loop = PT1.y; Unknown = Torque.tx, Force; Given = Revolute.q, 0.5, body_Free.vx, 2;
}
Triad "ground" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
Body "last" {
    Parent = body_Free; Joint = last_joint; Mass = 2.5; Inertia = 3, 0.1, 0.2, 4, 0.3, 5;
    CGFramePosition = 1, 2, 3; CGFrameOrientation = 10, 20, 30; AngleType = cardan; Degrees = deg;
}
Triad "last_triad" { Parent = last; Position = 0.5, 0.25, 0.125; Orientation = 40, 50, 60; AngleType = cardan; Degrees = deg; }
Bracket "last_joint" { Parent = last; TriadFrom = on_Free; TriadTo = last_triad; }
"#;

/// Constraints and forces.
const FORCES: &str = r#"
Motion "motion" { Joint = carrier_Universal; Q = 1, 2, 3, 4, 5, 6; }
Coupling "coupling" { Joint1 = Revolute; Joint2 = Prismatic; Ratio = -2.5; }
Rod "rod" { TriadFrom = on_Free; TriadTo = ground; Length = 1.75; }
Rolling "rolling" { TriadFrom = ground; TriadTo = on_Free; Radius = 0.25; Shape = sphere; }
Spring "Spring" { TriadFrom = on_Free; TriadTo = ground; ElasticLinear = 1.5; DampingLinear = 2.5; ZeroLength = 3.5; OneSide = -; }
RSDA "RSDA" { Joint1D = Revolute; ElasticLinear = 1.5; DampingLinear = 2.5; ZeroAngle = 30; OneSide = +; Degrees = deg; }
TSDA "TSDA" { Joint1D = Prismatic; ElasticLinear = 1.5; DampingLinear = 2.5; ZeroLength = 3.5; OneSide = -; }
ContactSimple "ContactSimple" { TriadFrom = on_Free; TriadTo = ground; ElasticLinearZ = 1.5; DampingLinearZ = 2.5; FrictionXY = 3.5; }
Contact "Contact" {
    TriadFrom = on_Free; TriadTo = ground; ElasticLinearZ = 1.5; DampingLinearZ = 2.5; DampingO2MixedZ = 3.5;
    SlipDampingLinear = 4.5; SlipFrictionCoeff = 5.5; VSlipMin = 6.5; SlipFrictionCoeffRot = 7.5; OmegaSlipMin = 90;
    StickElasticLinear = 8.5; StickDampingLinear = 9.5; StaticFrictionCoeff = 10.5;
    StickElasticLinearRot = 11.5; StickDampingLinearRot = 12.5; StaticFrictionCoeffRot = 13.5; Degrees = deg;
}
Bushing "Bushing" { TriadFrom = on_Free; TriadTo = ground; ElasticLinear = K1; DampingLinear = K2; AngleType = euler; Degrees = deg; }
Force "Force" { TriadFrom = on_Free; TriadTo = ground; Vector = 1, 2, 3; Frame = local; }
Torque "Torque" { TriadFrom = on_Free; TriadTo = ground; Vector = 1, 2, 3; Frame = local; }
Sensor "Sensor" { TriadFrom = ground; TriadTo = on_Free; Frame = local; AngleType = cardan; }
JointForce "JointForce" { Joint1D = Spherical; Value = 1, 2, 3; }
Plugin "Plugin" { Type = brought_along; Anything = { 1, 2 }; }
"#;

/// Electrical elements.
const CIRCUIT: &str = r#"
VoltageSource "VoltageSource" { p = n1; n = gnd; V = 1.5*t; }
CurrentSource "CurrentSource" { p = gnd; n = n2; I = 1.5; }
Resistor "Resistor" { p = n1; n = n2; R = 1.5; Heat = ambient; }
Capacitor "Capacitor" { p = n2; n = gnd; C = 1.5; Vinit = 2.5; }
Inductor "Inductor" { p = n2; n = gnd; L = 1.5; Iinit = 2.5; }
Inductor "Inductor2" { p = n1; n = n2; L = 1.5; Iinit = 2.5; }
MutualInductor "MutualInductor" { Inductor1 = Inductor; Inductor2 = Inductor2; K = 0.5; M = 0.25; }
Switch "Switch" { p = n2; n = gnd; Closed = t > 1; Ron = 1.5; Roff = 2.5; Heat = ambient; }
Diode "Diode" {
    p = n2; n = gnd; Model = exponential; Vf = 1.5; Ron = 2.5; Roff = 3.5; Is = 4.5; N = 5.5; Vt = 6.5; Rs = 7.5; Gmin = 8.5;
    BV = 9.5; IBV = 10.5; Cj0 = 11.5; Vj = 12.5; M = 0.25; FC = 0.75; Tt = 13.5; Heat = ambient;
    IKF = 14.5; ISR = 15.5; NR = 16.5; NBV = 17.5;
}
Zener "Zener" { p = n2; n = gnd; Vz = 1.5; Vf = 2.5; Ron = 3.5; Rz = 4.5; Roff = 5.5; Heat = ambient; }
Thyristor "Thyristor" { p = n2; n = gnd; Gate = t > 2; Vf = 1.5; Ron = 2.5; Roff = 3.5; Ihold = 4.5; Heat = ambient; }
NPN "NPN" {
    c = n1; b = n2; e = gnd; Is = 1.5; BF = 2.5; BR = 3.5; NF = 4.5; NR = 5.5; VAF = 6.5; VAR = 7.5; Vt = 8.5; RB = 9.5; RC = 10.5; RE = 11.5;
    Gmin = 12.5; CJE = 13.5; CJC = 14.5; VJE = 15.5; VJC = 16.5; MJE = 0.25; MJC = 0.125; FC = 0.75; TF = 17.5; TR = 18.5;
    s = gnd; IKF = 19.5; IKR = 20.5; ISE = 21.5; NE = 22.5; ISC = 23.5; NC = 24.5; RBM = 25.5; IRB = 26.5; CJS = 27.5; VJS = 28.5; MJS = 0.375;
    XCJC = 0.625; XTF = 29.5; VTF = 30.5; ITF = 31.5; Structure = lateral;
}
PNP "PNP" {
    c = n1; b = n2; e = gnd; Is = 1.5; BF = 2.5; BR = 3.5; NF = 4.5; NR = 5.5; VAF = 6.5; VAR = 7.5; Vt = 8.5; RB = 9.5; RC = 10.5; RE = 11.5;
    Gmin = 12.5; CJE = 13.5; CJC = 14.5; VJE = 15.5; VJC = 16.5; MJE = 0.25; MJC = 0.125; FC = 0.75; TF = 17.5; TR = 18.5;
    s = gnd; IKF = 19.5; IKR = 20.5; ISE = 21.5; NE = 22.5; ISC = 23.5; NC = 24.5; RBM = 25.5; IRB = 26.5; CJS = 27.5; VJS = 28.5; MJS = 0.375;
    XCJC = 0.625; XTF = 29.5; VTF = 30.5; ITF = 31.5; Structure = lateral;
}
NMOS "NMOS" {
    d = n1; g = n2; s = gnd; b = n1; Vto = 1.5; Kp = 2.5; W = 3.5; L = 4.5; Lambda = 5.5; Gamma = 6.5; Phi = 7.5; RD = 8.5; RS = 9.5;
    Cgs = 10.5; Cgd = 11.5; Cgb = 12.5; Cbd = 13.5; Cbs = 14.5; Is = 15.5; Vt = 16.5;
    Cbdsw = 17.5; Cbssw = 18.5; PB = 19.5; MJ = 0.25; MJSW = 0.125; FC = 0.75; Cox = 20.5;
}
PMOS "PMOS" {
    d = n1; g = n2; s = gnd; b = n1; Vto = 1.5; Kp = 2.5; W = 3.5; L = 4.5; Lambda = 5.5; Gamma = 6.5; Phi = 7.5; RD = 8.5; RS = 9.5;
    Cgs = 10.5; Cgd = 11.5; Cgb = 12.5; Cbd = 13.5; Cbs = 14.5; Is = 15.5; Vt = 16.5;
    Cbdsw = 17.5; Cbssw = 18.5; PB = 19.5; MJ = 0.25; MJSW = 0.125; FC = 0.75; Cox = 20.5;
}
NJF "NJF" {
    d = n1; g = n2; s = gnd; Vto = -1.5; Beta = 2.5; Lambda = 3.5; RD = 4.5; RS = 5.5; Is = 6.5; N = 7.5; Vt = 8.5; Gmin = 9.5; Cgs = 10.5;
    Cgd = 11.5; PB = 12.5; FC = 0.75;
}
PJF "PJF" {
    d = n1; g = n2; s = gnd; Vto = -1.5; Beta = 2.5; Lambda = 3.5; RD = 4.5; RS = 5.5; Is = 6.5; N = 7.5; Vt = 8.5; Gmin = 9.5; Cgs = 10.5;
    Cgd = 11.5; PB = 12.5; FC = 0.75;
}
OpAmp "OpAmp" { p = n1; n = n2; out = n1; ref = n2; Gain = 1.5; Vmin = 2.5; Vmax = 3.5; Rin = 4.5; Rout = 5.5; Fp = 6.5; }
Transformer "Transformer" { p1 = n1; n1 = gnd; p2 = n2; n2 = gnd; Ratio = 1.5; L1 = 2.5; L2 = 3.5; M = 0.5; K = 0.25; I1init = 4.5; I2init = 5.5; }
VCVS "VCVS" { p = n3; n = gnd; cp = n1; cn = n2; Gain = 1.5; }
VCCS "VCCS" { p = n3; n = gnd; cp = n1; cn = n2; Gain = 1.5; }
CCVS "CCVS" { p = n4; n = gnd; Control = Resistor; Gain = 1.5; }
CCCS "CCCS" { p = n4; n = gnd; Control = Resistor; Gain = 1.5; }
Potentiometer "Potentiometer" { p = n1; n = gnd; w = n2; R = 1.5; Position = 0.25; }
"#;

/// Drive trains, machines, heat and oil.
const TRAINS: &str = r#"
Inertia "Inertia" { a = w1; b = w2; J = 1.5; Phiinit = 0.25; Winit = 2.5; MountedOn = last; MountAxis = 1, 0, 0; }
Gear "Gear" { a = w3; b = w4; housing = w5; Ratio = -3.5; Efficiency = 0.75; }
TorsionSpring "TorsionSpring" { a = w3; b = w4; c = 1.5; d = 2.5; phi0 = 0.5; Backlash = 0.125; }
Friction "Friction" { a = w3; b = w4; Rmax = 1.5; Rv = 1.25; Heat = heat; }
Brake "Brake" { a = w3; b = w4; Rmax = 1.5; Rv = 1.25; Active = t > 2; Heat = heat; }
Clutch "Clutch" { a = w3; b = w4; Rmax = 1.5; Rv = 1.25; Engaged = t > 2; Heat = heat; }
Clutch "Clutch_normal" { a = w3; b = w4; Fn = 2*t; Mu = 0.5; Peak = 1.25; Cgeo = 0.125; }
TorqueSource "TorqueSource" { a = w3; b = w4; Tau = sin(t); }
SpeedSource "SpeedSource" { a = w6; b = w7; W = sin(t); Phiinit = 0.25; }
AngleSource "AngleSource" { a = w8; b = w7; Phi = sin(t); }
Planetary "Planetary" { sun = w3; carrier = w4; ring = w5; Ratio = 2.5; }
Differential "Differential" { in = w3; left = w4; right = w5; Ratio = 2.5; }
Mass "Mass" { a = s1; b = s2; m = 1.5; Sinit = 0.25; Vinit = 2.5; }
LinearSpring "LinearSpring" { a = s1; b = s3; c = 1.5; d = 2.5; s0 = 0.5; Backlash = 0.125; }
LinearFriction "LinearFriction" { a = s1; b = s3; Rmax = 1.5; Rv = 1.25; Heat = heat; }
Stop "Stop" { a = s1; b = s3; smin = -0.5; smax = 0.5; c = 1.5; d = 2.5; }
ForceSource "ForceSource" { a = s1; b = s3; F = sin(t); }
VelocitySource "VelocitySource" { a = s4; b = s5; V = sin(t); Sinit = 0.25; }
PositionSource "PositionSource" { a = s6; b = s5; S = sin(t); }
RackPinion "RackPinion" { a = w3; b = s1; r = 0.5; }
Motor "Motor" {
    p = n1; n = n2; shaft = w9; stator = w4; R = 1.5; k = 2.5; L = 3.5; J = 4.5; d = 5.5;
    Iinit = 0.5; Phiinit = 0.25; Winit = 0.75; MountedOn = last; MountAxis = 1, 0, 0; Heat = heat;
}
Generator "Generator" {
    p = n1; n = n2; shaft = w10; stator = w4; R = 1.5; k = 2.5; L = 3.5; J = 4.5; d = 5.5;
    Iinit = 0.5; Phiinit = 0.25; Winit = 0.75; MountedOn = last; MountAxis = 1, 0, 0; Heat = heat;
}
EMF "EMF" { p = n1; n = n2; shaft = w3; stator = w4; k = 2.5; }
Solenoid "Solenoid" { p = n1; n = n2; a = s1; b = s3; R = 1.5; L = 1 + Solenoid.s; F = 2.5; Iinit = 0.5; }
JointAxis "JointAxis" { flange = s7; Joint = Cylindrical; Component = 2; }
LineAxis "LineAxis" { flange = s8; TriadFrom = on_Free; TriadTo = ground; }
Mass "behind_line" { a = s8; m = 1.5; }
HeatCapacity "HeatCapacity" { a = heat; C = 1.5; Tinit = 300; }
ThermalResistor "ThermalResistor" { a = heat; b = warm; R = 1.5; }
HeatSource "HeatSource" { a = heat; b = warm; P = 1.5; }
TemperatureSource "TemperatureSource" { a = warm; b = heat; T = 1.5; }
Compliance "Compliance" { a = o1; b = o2; C = 1.5; Pinit = 2.5; }
Compliance "Compliance_volume" { a = o1; b = o2; Volume = 1.5; Beta = 2.5; }
HydraulicResistor "HydraulicResistor" { a = o1; b = o2; R = 1.5; Heat = heat; }
HydraulicResistor "turbulent" { a = o1; b = tank; Model = turbulent; K = 1.5; PLam = 50; }
HydraulicResistor "orifice" { a = o1; b = o2; Model = turbulent; A = 1.5; Cd = 0.5; Rho = 900; }
Inertance "Inertance" { a = o1; b = o2; L = 1.5; Qinit = 2.5; }
FlowSource "FlowSource" { a = o1; b = o2; Q = 1.5; }
PressureSource "PressureSource" { a = o3; b = o2; P = 1.5; }
CheckValve "CheckValve" { a = o3; b = o1; Pf = 1.5; Ron = 2.5; Roff = 3.5; }
Cylinder "Cylinder" {
    a = o1; b = o2; rod = s1; case = s3; AreaA = 1.5; AreaB = 0.5; VolumeA = 2.5; VolumeB = 3.5; Beta = 4.5;
    Stroke = 0.25; c = 5.5; d = 6.5;
}
Cylinder "Cylinder_joint" { a = o1; Joint1D = Prismatic; AreaA = 1.5; }
Cylinder "Cylinder_triads" { a = o1; TriadFrom = ground; TriadTo = on_Free; AreaA = 1.5; }
"#;

/// A bond graph.
const BONDS: &str = r#"
Se "Se" { e = 1.5; }
MSe "MSe" { e = 2.5; }
Sf "Sf" { f = 1.5; }
MSf "MSf" { f = 2.5; }
R "R" { R = 1.5; }
R "R_law" { Law = 2*R_law.f; }
MR "MR" { R = 2.5; }
MR "MR_law" { Law = 3*MR_law.f; }
C "C" { C = 1.5; Qinit = 2.5; }
MC "MC" { C = 3.5; Qinit = 4.5; }
I "I" { I = 1.5; Pinit = 2.5; }
MI "MI" { I = 3.5; Pinit = 4.5; }
C "C_law" { Law = 2*C_law.q; }
MC "MC_law" { Law = 3*MC_law.q; }
I "I_law" { Law = 2*I_law.p; }
MI "MI_law" { Law = 3*MI_law.p; }
TF "TF" { m = 1.5; }
MTF "MTF" { m = 2.5; }
GY "GY" { r = 1.5; }
MGY "MGY" { r = 2.5; }
Junction1 "one" {}
Junction0 "zero" {}
Junction1 "one_more" {}
Junction0 "zero_more" {}
Bond "l1" { From = one; To = C_law; }
Bond "l2" { From = one; To = MC_law; }
Bond "l3" { From = zero; To = I_law; }
Bond "l4" { From = zero; To = MI_law; }
Bond "b1" { From = Se; To = one; }
Bond "b2" { From = one; To = R; }
Bond "b3" { From = one; To = I; }
Bond "b4" { From = one; To = TF; }
Bond "b5" { From = TF; To = zero; }
Bond "b6" { From = Sf; To = zero; }
Bond "b7" { From = zero; To = C; }
Bond "b8" { From = zero; To = R_law; }
Bond "b9" { From = zero; To = MTF; }
Bond "b10" { From = MTF; To = one_more; }
Bond "b11" { From = MSe; To = one_more; }
Bond "b12" { From = one_more; To = MI; }
Bond "b13" { From = one_more; To = MR; }
Bond "b14" { From = one_more; To = GY; }
Bond "b15" { From = GY; To = zero_more; }
Bond "b16" { From = zero_more; To = MC; }
Bond "b17" { From = MSf; To = zero_more; }
Bond "b18" { From = zero_more; To = MGY; }
Bond "b19" { From = MGY; To = MR_law; }
"#;

/// Signal blocks.
const SIGNALS: &str = r#"
Gain "Gain" { u = t; k = 2*t; Tsample = 0.125; Toffset = 0.0625; }
Sum "Sum" { u = t, 2; k = 2.5, -1; Tsample = 0.125; Toffset = 0.0625; }
Product "Product" { u = t, Gain.y; Tsample = 0.125; Toffset = 0.0625; }
Function "Function" { y = 2*t; Tsample = 0.125; Toffset = 0.0625; }
Integrator "Integrator" { u = t; k = 2.5; yinit = 0.5; ymin = -1.5; ymax = 3.5; Tsample = 0.125; Toffset = 0.0625; }
PT1 "PT1" { u = t; k = 2.5; T = 1.5; yinit = 0.5; Tsample = 0.125; Toffset = 0.0625; }
PT2 "PT2" { u = t; k = 2.5; w = 1.5; D = 0.25; yinit = 0.5; ydinit = 0.75; Tsample = 0.125; Toffset = 0.0625; }
DT1 "DT1" { u = t; k = 2.5; T = 1.5; xinit = 0.5; Tsample = 0.125; Toffset = 0.0625; }
PI "PI" { u = t; k = 2.5; Ti = 1.5; xinit = 0.5; ymin = -1.5; ymax = 3.5; Tw = 0.0625; Tsample = 0.125; Toffset = 0.0625; }
PID "PID" { u = t; k = 2.5; Ti = 1.5; Td = 3.5; N = 12; x1init = 0.5; x2init = 0.75; ymin = -1.5; ymax = 3.5; Tw = 0.0625; Tsample = 0.125; Toffset = 0.0625; }
LeadLag "LeadLag" { u = t; k = 2.5; Tn = 1.5; Td = 3.5; xinit = 0.5; Tsample = 0.125; Toffset = 0.0625; }
TransferFunction "TransferFunction" { u = t; Num = 1.5, 2; Den = 1, 2.5, 3; xinit = 0.5, 0.75; Domain = z; Tsample = 0.125; Toffset = 0.0625; }
StateSpace "StateSpace" { u = t, 1; A = 0, 1, -2, -3; B = 0, 1, 1, 0; C = 1, 0; D = 0.5, 0.25; xinit = 0.5, 0.75; Tsample = 0.125; Toffset = 0.0625; }
Limiter "Limiter" { u = t; ymin = -1.5; ymax = 3.5; Tsample = 0.125; Toffset = 0.0625; }
DeadZone "DeadZone" { u = t; umin = -1.5; umax = 3.5; }
Hysteresis "Hysteresis" { u = t; ulow = 0.5; uhigh = 1.5; ylow = -0.5; yhigh = 2.5; yinit = 0.25; }
Delay "Delay" { u = t; T = 0.5; yinit = 0.25; }
Table "Table" { u = 2*t; Data = { 0, 1, 2, 5 }; Method = hold; Outside = periodic; }
Table "TableOfFile" { File = "points.csv"; }
Counter "Counter" { Trigger = t > 2; Reset = t > 3; yinit = 1.5; Step = 2.5; }
Latch "Latch" { Set = t > 2; Reset = t > 3; yinit = 1; }
SampleHold "SampleHold" { u = t; Tsample = 0.5; Toffset = 0.25; yinit = 0.125; Quantum = 0.0625; ymin = -1.5; ymax = 8.5; }
SampleHold "Triggered" { u = t; Trigger = t > 2; }
UnitDelay "UnitDelay" { u = t; Tsample = 0.5; Toffset = 0.25; yinit = 0.125; }
Relay "Relay" { u = t; Zone = 0.5; Amplitude = 2.5; }
RateLimiter "RateLimiter" { u = t; Rmax = 1.5; Rmin = -2.5; T = 0.25; yinit = 0.5; }
Input "Input" { Unit = "m/s"; Default = 2.5; Interpolation = hold; About = "speed"; }
Step "Step" { Amplitude = 2.5; Offset = 0.5; Tbegin = 1.75; }
Ramp "Ramp" { Amplitude = 2.5; Duration = 1.5; Offset = 0.5; Tbegin = 1.75; }
Sine "Sine" { Amplitude = 2.5; Frequency = 1.5; Phase = 0.25; Offset = 0.5; Tbegin = 1.75; Damping = 0.125; }
Pulse "Pulse" { Amplitude = 2.5; Period = 1.5; Duty = 0.25; Offset = 0.5; Tbegin = 1.75; Count = 3; }
Square "Square" { Amplitude = 2.5; Period = 1.5; Offset = 0.5; Tbegin = 1.75; Count = 3; }
Sawtooth "Sawtooth" { Amplitude = 2.5; Period = 1.5; Offset = 0.5; Tbegin = 1.75; Count = 3; }
Trapezoid "Trapezoid" { From = 0.5; To = 2.5; Vmax = 1.5; Amax = 3.5; Tbegin = 1.75; }
Variable "Variable" { Unit = "V"; Start = 2.5; Fixed = yes; Nominal = 3; Type = real; About = "state"; }
Variable "Counted" { Unit = "1"; Start = 1; Type = discrete; About = "count"; }
Port "Port" { Domain = electrical; Node = n1; About = "terminal"; }
Equations "Equations" { der(Variable) = 1 - Variable; Port.i = 0*Variable; }
Formula "double" { Of = x; Value = 2*x; About = "twice"; }
Signal "Derived" { Value = double(Variable); Unit = "V"; About = "double"; }
Automaton "Automaton" { States = idle, run; Start = run; Transitions { run -> idle : t > 2; idle -> run : t > 3; } }
When "When" { Condition = Automaton.idle; Impulse = no; Set { Capacitor.v = 2.5*t; } }
"#;

/// The parameters of the shapes.
const SHAPES: &[(&str, &str)] = &[
    (
        "Cylinder",
        "RadiusBottomX = 1.5; RadiusBottomY = 2.5; RadiusTopX = 3.5; RadiusTopY = 4.5; HeightZ = 5.5; GridLong = 12;",
    ),
    ("Box", "LengthX = 1.5; LengthY = 2.5; LengthZ = 3.5;"),
    ("Axes", "Length = 1.5; ColorX = 0.5, 0.6, 0.7, 0.8; ColorY = 0.9, 0.8, 0.7, 0.6;"),
    ("Sphere", "RadiusX = 1.5; RadiusY = 2.5; RadiusZ = 3.5; GridLong = 12; GridLati = 14;"),
    ("Cone", "RadiusX = 1.5; RadiusY = 2.5; HeightZ = 3.5; GridLong = 12;"),
    ("Extrude", "HeightZ = 1.5; VertexList = { 0,0,0, 1,0,0, 1,1,9 };"),
    ("Tetraeder", "Vertex1 = 1,1,1; Vertex2 = 2,2,2; Vertex3 = 3,3,3; Vertex4 = 4,4,4;"),
    ("Mesh", "File = \"parts/arm.stl\"; Scale = 0.001;"),
    ("Spring", "Triad1 = on_Free; Triad2 = ground; Radius = 0.5; Coils = 12;"),
    ("Trail", "Triad = on_Free; Length = 2.5;"),
];

/// The whole model.
pub fn text() -> String {
    let matrix = |factor: f64| {
        let elements: Vec<String> = (1..=36).map(|k| (factor * f64::from(k)).to_string()).collect();
        elements.join(", ")
    };
    let mut text = SETTINGS.to_string();
    text += &FORCES.replace("K1", &matrix(1.0)).replace("K2", &matrix(0.5));
    text += CIRCUIT;
    text += TRAINS;
    text += BONDS;
    text += SIGNALS;
    for schema in SCHEMAS {
        let keyword = schema.keyword;
        text += &body_text(&format!("body_{keyword}"), &format!("carrier_{keyword}"));
        text += &format!(
            "Triad \"on_{keyword}\" {{ Parent = body_{keyword}; Position = 0,0,0; Orientation = 0,0,0; AngleType = euler; Degrees = rad; }}\n\
             Free \"carrier_{keyword}\" {{ Parent = body_{keyword}; TriadFrom = ground; TriadTo = on_{keyword}; \
             Qinit = 0,0,0,0,0,0; QDinit = 0,0,0,0,0,0; AngleType = euler; Degrees = rad; }}\n"
        );
        text += &joint_text(keyword);
    }
    for (word, parameters) in SHAPES {
        text += &format!(
            "Primitive \"{word}\" {{ Parent = body_Free; Position = 1, 2, 3; Cardan = 10, 20, 30; Degrees = deg; \
             Color = 0.1, 0.2, 0.3, 0.4; Type = {word}; {parameters} }}\n"
        );
    }
    text
}

/// A body on the world.
fn body_text(name: &str, joint: &str) -> String {
    format!(
        "Body \"{name}\" {{ Parent = world; Joint = {joint}; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; \
         CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n"
    )
}

/// A loop joint of this kind with all its parameters, between `ground` and its own body.
fn joint_text(keyword: &str) -> String {
    let coordinates: &[Coordinate] =
        SCHEMAS.iter().find(|schema| schema.keyword == keyword).map_or(&[], |s| s.coordinates);
    let parent = format!(
        "Parent = body_{keyword}; TriadFrom = ground; TriadTo = on_{keyword}; Role = loop;"
    );
    let single = "JointAxis = 1, 2, 3; JointPoint = 4, 5, 6;";
    let double =
        "JointAxis1 = 1, 2, 3; JointPoint1 = 4, 5, 6; JointAxis2 = 3, 2, 1; JointPoint2 = 7, 8, 9;";
    let (cardan, degrees) = ("AngleType = cardan;", "Degrees = deg;");
    let own = match keyword {
        "Free" | "Spherical" => format!("{cardan} {degrees}"),
        "Revolute" | "Cylindrical" | "Planar" => format!("{single} {degrees}"),
        "Universal" => format!("{double} {degrees}"),
        "Prismatic" => single.into(),
        "BiPrismatic" => double.into(),
        "Screw" => format!("{single} Pitch = 0.75; {degrees}"),
        "ConstantVelocity" => {
            format!("JointAxis1 = 1, 2, 3; JointAxis2 = 3, 2, 1; JointPoint = 4, 5, 6; {degrees}")
        }
        _ => String::new(),
    };
    let n = coordinates.len();
    if n == 0 {
        return format!("{keyword} \"{keyword}\" {{ {parent} }}\n");
    }
    let all = |value: &str| vec![value; n].join(", ");
    let (q, qd) = (["10", "20", "30", "40", "50", "60"], ["1", "2", "3", "4", "5", "6"]);
    format!(
        "{keyword} \"{keyword}\" {{ {parent} {own} Qinit = {}; QDinit = {}; Fixed = yes; Locked = yes; \
         Damping = {}; Stiffness = {}; QRest = {}; Friction = {}; LowerLimit = {}; UpperLimit = {}; \
         StopStiffness = {}; StopDamping = {}; RotorInertia = {}; }}\n",
        q[..n].join(", "),
        qd[..n].join(", "),
        all("1.5"),
        all("2.5"),
        all("3.5"),
        all("4.5"),
        all("-200"),
        all("200"),
        all("5.5"),
        all("6.5"),
        all("7.5"),
    )
}
