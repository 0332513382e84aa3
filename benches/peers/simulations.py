#!/usr/bin/env python3
"""Whole simulations with dysim and with other programs: processor time against error.

Usage: simulations.py DYSIM [ROUNDS]
Programs that cannot be imported are left out. Prints tables in Markdown. All cases of a table take turns, and the least of
ROUNDS times counts. Times are processor times. dysim's is that of the whole command, all its threads and reading the model included; the others are timed without the start of
Python and without building the model (Exudyn with it: its systems are built anew for each run).

The error is the distance of the free end at the end of the run from a reference: dysim with RelErr 1e-11 (loops: 1e-10) by
extrapolation (odeint_bs), a method that no entry of the table uses.
"""

import math
import os
import resource
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None


def optional(name):
    """A module, or nothing where it is not installed."""
    try:
        return __import__(name)
    except ImportError:
        return None


mujoco, pin, exudyn = optional("mujoco"), optional("pinocchio"), optional("exudyn")
try:
    import pydrake.all as drake
except ImportError:
    drake = None

INERTIA = 1 / 12
SLIM = 1e-3
END = 1.0
WINDOW_SPEED = -1.0


# Texts for dysim.

POSES = 'Output "o" { Files = pva; }\n'


def head(solver, tolerance, end):
    return (
        'Header "h" { ModelName = case; OutputType = none; }\n'
        'System "s" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n'
        f'Solver "v" {{ Type = dynamic; Solver = {solver}; RelErr = {tolerance}; AbsErr = {tolerance}; Tstart = 0;\n'
        f"    Tend = {end}; Tstep = {end}; TstepMax = {end}; TstepMin = 0; TstepIni = 1e-4; }}\n"
    )


def rod(name, parent, joint, extra=""):
    return (
        f'Body "{name}" {{ Parent = {parent}; Joint = {joint}; Mass = 1; CGFramePosition = 0.5, 0, 0;\n'
        f"    Inertia = {SLIM}, 0, 0, {INERTIA}, 0, {INERTIA}; {extra} }}\n"
        f'Triad "{name}_0" {{ Parent = {name}; }} Triad "{name}_1" {{ Parent = {name}; Position = 1, 0, 0; }}\n'
    )


def chain_text(n, solver, tolerance, end):
    """n rods, horizontal at rest."""
    text = head(solver, tolerance, end) + 'Triad "o" { Parent = world; }\n'
    for k in range(n):
        place = "o" if k == 0 else f"b{k - 1}_1"
        parent = "world" if k == 0 else f"b{k - 1}"
        text += rod(f"b{k}", parent, f"j{k}")
        text += f'Revolute "j{k}" {{ Parent = b{k}; TriadFrom = {place}; TriadTo = b{k}_0; JointAxis = 0, 1, 0; }}\n'
    return text + POSES


def windows_text(n, solver, tolerance, end):
    """n windows of rods of 1 m (IFToMM A02): n + 1 uprights, n rods above, turning at first as one parallelogram."""
    text = head(solver, tolerance, end)
    for k in range(n + 1):
        text += f'Triad "a{k}" {{ Parent = world; Position = {k}, 0, 0; }}\n'
        text += rod(f"u{k}", "world", f"ju{k}")
        fixed = "Fixed = yes;" if k == 0 else ""
        text += (
            f'Revolute "ju{k}" {{ Parent = u{k}; TriadFrom = a{k}; TriadTo = u{k}_0; JointAxis = 0, 1, 0;'
            f" Qinit = -pi/2; QDinit = {-WINDOW_SPEED}; {fixed} }}\n"
        )
    for k in range(n):
        text += rod(f"c{k}", f"u{k}", f"jc{k}")
        text += (
            f'Revolute "jc{k}" {{ Parent = c{k}; TriadFrom = u{k}_1; TriadTo = c{k}_0; JointAxis = 0, 1, 0;'
            f" Qinit = pi/2; QDinit = {WINDOW_SPEED}; }}\n"
            f'Revolute "jl{k}" {{ Role = loop; TriadFrom = c{k}_1; TriadTo = u{k + 1}_1; JointAxis = 0, 1, 0; }}\n'
        )
    return text + POSES


class Dysim:
    """The program, on a text in a directory of its own."""

    def __init__(self, program, text, body):
        self.program, self.body, self.folder = program, body, tempfile.TemporaryDirectory()
        with open(os.path.join(self.folder.name, "case.dys"), "w") as file:
            file.write(text)

    def __call__(self):
        done = subprocess.run(
            [self.program, "--quiet", "case.dys"], cwd=self.folder.name, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def tip(self):
        """The end of the rod in the last row: position and first column of the rotation."""
        with open(os.path.join(self.folder.name, "case.pva")) as file:
            lines = file.read().splitlines()
        row = dict(zip(lines[0].split()[1:], map(float, lines[-1].split())))
        get = lambda part: row[f"{self.body}.{part}"]
        return get("x") + get("D11"), get("z") + get("D31")


# The chain with the others.


def mujoco_model(bodies, timestep, integrator, more=""):
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 -9.81" timestep="{timestep}" integrator="{integrator}">'
        f'<flag contact="disable"/></option><worldbody>{bodies}</worldbody>{more}</mujoco>'
    )


class Mujoco:
    """Fixed steps to the end."""

    def __init__(self, model, start, site, end):
        self.model, self.start, self.site, self.end = model, start, site, end
        self.data = mujoco.MjData(model)

    def __call__(self):
        mujoco.mj_resetData(self.model, self.data)
        self.start(self.data)
        for _ in range(round(self.end / self.model.opt.timestep)):
            mujoco.mj_step(self.model, self.data)

    def tip(self):
        mujoco.mj_forward(self.model, self.data)
        x, _, z = self.data.site(self.site).xpos
        return x, z


def inertial():
    return f'<inertial pos="0.5 0 0" mass="1" diaginertia="{SLIM} {INERTIA} {INERTIA}"/>'


def mujoco_chain(n, timestep, integrator):
    open_tags = "".join(
        f'<body pos="{0 if k == 0 else 1} 0 0"><joint type="hinge" axis="0 1 0"/>{inertial()}' for k in range(n)
    )
    model = mujoco_model(open_tags + '<site name="tip" pos="1 0 0"/>' + "</body>" * n, timestep, integrator)
    return Mujoco(model, lambda data: None, "tip", END)


def mujoco_windows(n, timestep, integrator, end):
    """The rods above hang on the uprights and are connected to the next ones by soft equations."""
    bodies, equations = "", ""
    for k in range(n + 1):
        above = ""
        if k < n:
            above = f'<body name="c{k}" pos="1 0 0" euler="0 90 0"><joint name="jc{k}" axis="0 1 0"/>{inertial()}</body>'
            equations += f'<connect body1="c{k}" body2="u{k + 1}" anchor="1 0 0"/>'
        site = '<site name="tip" pos="1 0 0"/>' if k == 0 else ""
        bodies += (
            f'<body name="u{k}" pos="{k} 0 0" euler="0 -90 0"><joint name="ju{k}" axis="0 1 0"/>'
            f"{inertial()}{site}{above}</body>"
        )
    model = mujoco_model(bodies, timestep, integrator, f"<equality>{equations}</equality>")

    def start(data):
        for k in range(n + 1):
            data.joint(f"ju{k}").qvel = -WINDOW_SPEED
            if k < n:
                data.joint(f"jc{k}").qvel = WINDOW_SPEED

    return Mujoco(model, start, "tip", end)


class DrakeChain:
    """A continuous plant with error-controlled Runge-Kutta of order 3."""

    def __init__(self, n, accuracy):
        builder = drake.DiagramBuilder()
        self.plant = builder.AddSystem(drake.MultibodyPlant(0.0))
        parent = self.plant.world_body()
        unit = drake.UnitInertia(SLIM, INERTIA, INERTIA).ShiftFromCenterOfMass([-0.5, 0, 0])
        for k in range(n):
            body = self.plant.AddRigidBody(f"b{k}", drake.SpatialInertia(1.0, [0.5, 0, 0], unit))
            frame = drake.RigidTransform([0.0 if k == 0 else 1.0, 0, 0])
            self.plant.AddJoint(
                drake.RevoluteJoint(
                    f"j{k}",
                    self.plant.AddFrame(drake.FixedOffsetFrame(f"f{k}", parent.body_frame(), frame)),
                    body.body_frame(),
                    [0, 1, 0],
                )
            )
            parent = body
        self.last = parent
        self.plant.Finalize()
        self.diagram, self.accuracy = builder.Build(), accuracy

    def __call__(self):
        self.simulator = drake.Simulator(self.diagram)
        drake.ResetIntegratorFromFlags(self.simulator, "runge_kutta3", 0.1)
        integrator = self.simulator.get_mutable_integrator()
        integrator.set_target_accuracy(self.accuracy)
        self.simulator.AdvanceTo(END)

    def tip(self):
        context = self.plant.GetMyContextFromRoot(self.simulator.get_context())
        x, _, z = self.plant.EvalBodyPoseInWorld(context, self.last) @ [1, 0, 0]
        return x, z


class ExudynChain:
    """A kinematic tree with the explicit method of Dormand and Prince."""

    def __init__(self, n, tolerance):
        self.n, self.tolerance = n, tolerance

    def __call__(self):
        from exudyn.utilities import NodeGenericODE2, ObjectKinematicTree

        n = self.n
        container = exudyn.SystemContainer()
        system = container.AddSystem()
        zeros = [0.0] * n
        node = system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=zeros,
                initialCoordinates=zeros,
                initialCoordinates_t=zeros,
                numberOfODE2Coordinates=n,
            )
        )
        eye, body = np.eye(3), np.diag([SLIM, INERTIA, INERTIA])
        system.AddObject(
            ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exudyn.JointType.RevoluteY] * n,
                linkParents=np.arange(n) - 1,
                jointTransformations=exudyn.Matrix3DList([eye] * n),
                jointOffsets=exudyn.Vector3DList([[0 if k == 0 else 1, 0, 0] for k in range(n)]),
                linkInertiasCOM=exudyn.Matrix3DList([body] * n),
                linkCOMs=exudyn.Vector3DList([[0.5, 0, 0]] * n),
                linkMasses=[1.0] * n,
                gravity=[0, 0, -9.81],
            )
        )
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.endTime = END
        settings.timeIntegration.numberOfSteps = 1
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.explicit.useLieGroupIntegration = False
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.absoluteTolerance = self.tolerance
        settings.timeIntegration.relativeTolerance = self.tolerance
        settings.timeIntegration.initialStepSize = 1e-3
        settings.solution.file.write = False
        system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.DOPRI5)
        self.angles = system.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates)

    def tip(self):
        angle, x, z = 0.0, 0.0, 0.0
        for q in np.atleast_1d(self.angles):
            angle += q
            x, z = x + math.cos(angle), z - math.sin(angle)
        return x, z


class PinocchioChain:
    """Accelerations by Pinocchio in a loop of classical Runge-Kutta steps in Python."""

    def __init__(self, n, steps):
        self.model = pin.Model()
        self.model.gravity.linear = np.array([0.0, 0.0, -9.81])
        inertia = pin.Inertia(1.0, np.array([0.5, 0.0, 0.0]), np.diag([SLIM, INERTIA, INERTIA]))
        parent = 0
        for k in range(n):
            place = pin.SE3(np.eye(3), np.array([0.0 if k == 0 else 1.0, 0.0, 0.0]))
            parent = self.model.addJoint(parent, pin.JointModelRY(), place, f"j{k}")
            self.model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        self.data, self.steps, self.n = self.model.createData(), steps, n

    def __call__(self):
        q, v, tau, h = np.zeros(self.n), np.zeros(self.n), np.zeros(self.n), END / self.steps
        a = lambda q, v: pin.aba(self.model, self.data, q, v, tau).copy()
        for _ in range(self.steps):
            v1, a1 = v, a(q, v)
            v2, a2 = v + h / 2 * a1, a(q + h / 2 * v1, v + h / 2 * a1)
            v3, a3 = v + h / 2 * a2, a(q + h / 2 * v2, v + h / 2 * a2)
            v4, a4 = v + h * a3, a(q + h * v3, v + h * a3)
            q, v = q + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        self.q = q

    def tip(self):
        pin.forwardKinematics(self.model, self.data, self.q)
        x, _, z = self.data.oMi[self.n] * np.array([1.0, 0, 0])
        return x, z


# Tables.


def clock():
    """Processor time of this program and of those that it has started: on a busy machine the time of day says little."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def take_turns(cases, rounds):
    """The least time of each case; a case that fails keeps its reason."""
    best, reasons = {}, {}
    for _ in range(rounds):
        for name, case in cases.items():
            if name in reasons:
                continue
            start = clock()
            try:
                case()
            except Exception as error:  # whatever another program may throw
                reasons[name] = " ".join(str(error).split())[:80]
                continue
            best[name] = min(best.get(name, math.inf), clock() - start)
    return best, reasons


def table(title, cases, reference, rounds):
    best, reasons = take_turns(cases, rounds)
    print(f"\n{title}\n")
    print("| program and setting | processor time, ms | error, m |\n|---|---|---|")
    for name, case in cases.items():
        if name in reasons:
            print(f"| {name} | failed | {reasons[name]} |")
            continue
        error = math.dist(case.tip(), reference)
        print(f"| {name} | {1e3 * best[name]:.2f} | {error:.1e} |", flush=True)


def reference(program, text, body):
    case = Dysim(program, text, body)
    case()
    return case.tip()


def chains(program, rounds):
    print("\n## Whole simulations of chains\n")
    print(f"N rods of 1 m and 1 kg fall from the horizontal for {END} s.")
    for n in (1, 4, 16, 64):
        exact = reference(program, chain_text(n, "odeint_bs", 1e-11, END), f"b{n - 1}")
        cases = {}
        for tolerance in (1e-4, 1e-7, 1e-10):
            cases[f"dysim de, RelErr {tolerance:g}"] = Dysim(program, chain_text(n, "de", tolerance, END), f"b{n - 1}")
        if mujoco:
            for step in (1e-2, 1e-3, 1e-4):
                cases[f"MuJoCo RK4, step {step:g}"] = mujoco_chain(n, step, "RK4")
            cases["MuJoCo implicitfast, step 0.001"] = mujoco_chain(n, 1e-3, "implicitfast")
        if drake:
            for accuracy in (1e-3, 1e-6):
                cases[f"Drake runge_kutta3, accuracy {accuracy:g}"] = DrakeChain(n, accuracy)
        if exudyn:
            for tolerance in (1e-4, 1e-8):
                cases[f"Exudyn DOPRI5, tolerance {tolerance:g}"] = ExudynChain(n, tolerance)
        if pin:
            for steps in (100, 1000):
                cases[f"Pinocchio in a Python loop of RK4, {steps} steps"] = PinocchioChain(n, steps)
        table(f"### N = {n}", cases, exact, rounds)


def windows(program, rounds):
    print("\n## N-four-bar\n")
    print(
        "IFToMM benchmark A02: N windows of rods of 1 m and 1 kg, all upright, pushed at 1 rad/s, for 1 s. MuJoCo keeps the loops by soft\n"
        "equations, so that its error does not vanish with the step."
    )
    for n in (2, 10, 50):
        exact = reference(program, windows_text(n, "odeint_bs", 1e-10, END), "u0")
        cases = {}
        for tolerance in (1e-4, 1e-7):
            cases[f"dysim de, RelErr {tolerance:g}"] = Dysim(program, windows_text(n, "de", tolerance, END), "u0")
        if mujoco:
            for step in (1e-2, 1e-3):
                cases[f"MuJoCo implicitfast, step {step:g}"] = mujoco_windows(n, step, "implicitfast", END)
        table(f"### N = {n}", cases, exact, rounds)


class MujocoBox:
    """A cube falls on a plane: the nearest that MuJoCo has to `models/mechanics/falling_box.dys`."""

    def __init__(self, timestep):
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option gravity="0 0 -9.8065" timestep="{timestep}" cone="elliptic"/><worldbody>'
            '<geom type="plane" size="5 5 1" friction="0.5"/><body pos="0 0 1" euler="25 35 10"><freejoint/>'
            '<geom type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body></worldbody></mujoco>'
        )
        self.data = mujoco.MjData(self.model)

    def __call__(self):
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = [1, 0.3, 0, 1.745, 0.873, 0.524]
        for _ in range(round(4 / self.model.opt.timestep)):
            mujoco.mj_step(self.model, self.data)


class DysimModel:
    """A model of the repository, with all its result files."""

    def __init__(self, program, model):
        self.program, self.model, self.folder = program, model, tempfile.TemporaryDirectory()

    def __call__(self):
        command = [self.program, "--quiet", "--out", self.folder.name, self.model]
        subprocess.run(command, check=True, capture_output=True)


def box(program, rounds):
    print("\n## A box that falls on a floor\n")
    print(
        "`models/mechanics/falling_box.dys`, 4 s: eight contacts that stick and slip, 50 events located to rounding, all result files\n"
        "written. MuJoCo's contact is another law (soft, fixed step, no events, no files): the times are side by side, the motions are not the same."
    )
    model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../models/mechanics/falling_box.dys")
    cases = {"dysim derf, RelErr 1e-6": DysimModel(program, model)}
    if mujoco:
        cases |= {f"MuJoCo, step {step:g}": MujocoBox(step) for step in (2e-3, 2e-4)}
    best, reasons = take_turns(cases, rounds)
    print("\n| program and setting | processor time, ms |\n|---|---|")
    for name in cases:
        print(f"| {name} | {1e3 * best[name]:.2f} |" if name in best else f"| {name} | failed: {reasons[name]} |")


def main():
    program = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    chains(program, rounds)
    windows(program, rounds)
    box(program, rounds)


if __name__ == "__main__":
    main()
