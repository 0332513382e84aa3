"""The tasks of simulations.py with other programs. What cannot be imported is None."""

import math
import subprocess

from dysim_cases import END, INERTIA, SLIM, WINDOW_SPEED

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


class ExudynWindows:
    """The windows by rigid bodies in the plane and revolute joints, stepped by the generalized-alpha method at index 2."""

    def __init__(self, n, steps):
        self.n, self.steps = n, steps

    def rod(self, system, x, z, angle, velocity):
        """A rod from (x, z): in Exudyn's plane y is our z, and angles turn the other way."""
        from exudyn.utilities import MarkerBodyRigid, NodeRigidBody2D, ObjectRigidBody2D

        node = system.AddNode(
            NodeRigidBody2D(
                referenceCoordinates=[x + 0.5 * math.cos(angle), z + 0.5 * math.sin(angle), angle],
                initialVelocities=velocity,
            )
        )
        body = system.AddObject(ObjectRigidBody2D(physicsMass=1.0, physicsInertia=INERTIA, nodeNumber=node))
        ends = [system.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[s, 0, 0])) for s in (-0.5, 0.5)]
        return node, body, ends

    def build(self):
        from exudyn.utilities import Force, MarkerBodyPosition, ObjectGround, ObjectJointRevolute2D

        system = self.container.AddSystem()
        speed = WINDOW_SPEED
        ground = system.AddObject(ObjectGround())
        joint = lambda a, b: system.AddObject(ObjectJointRevolute2D(markerNumbers=[a, b]))
        weight = lambda body: system.AddLoad(
            Force(markerNumber=system.AddMarker(MarkerBodyPosition(bodyNumber=body)), loadVector=[0, -9.81, 0])
        )
        uprights = []
        for k in range(self.n + 1):
            # The centre of an upright that turns with our speed about y moves along x.
            node, body, ends = self.rod(system, k, 0, math.pi / 2, [-0.5 * speed, 0, speed])
            joint(system.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[k, 0, 0])), ends[0])
            weight(body)
            uprights.append((node, body, ends))
        for k in range(self.n):
            _, body, ends = self.rod(system, k, 1, 0, [-speed, 0, 0])
            joint(uprights[k][2][1], ends[0])
            joint(uprights[k + 1][2][1], ends[1])
            weight(body)
        self.last = uprights[0][1]
        return system

    def __call__(self):
        self.container = exudyn.SystemContainer()
        system = self.build()
        system.Assemble()
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.endTime = END
        settings.timeIntegration.numberOfSteps = self.steps
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
        settings.timeIntegration.generalizedAlpha.useNewmark = True
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        settings.solution.file.write = False
        system.SolveDynamic(settings)
        position = system.GetObjectOutputBody(
            self.last, exudyn.OutputVariableType.Position, localPosition=[0.5, 0, 0]
        )
        self.end = position[0], position[1]

    def tip(self):
        return self.end


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


class Simbody:
    """The program made of simbody.cpp, which times its integration itself: starting it and building the system do not count."""

    def __init__(self, program, task, n, accuracy):
        self.command = [program, task, str(n), str(accuracy)]

    def __call__(self):
        done = subprocess.run(self.command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        seconds, *self.end = map(float, done.stdout.split())
        return seconds

    def tip(self):
        return self.end
