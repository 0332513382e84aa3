"""Times the same chains with Pinocchio, MuJoCo and Drake; prints lines `program joint n seconds`.

Programs that cannot be imported are left out.
"""

import sys
import time

import numpy as np

from peer_cases import drake, mujoco, pin

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
MOMENTS = (0.005, 1 / 12, 1 / 12)


def best(call):
    """Best time per call over rounds of about a millisecond for half a second."""
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    calls = max(int(1e-3 / once), 1)
    result = float("inf")
    while time.perf_counter() - start < 0.5:
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        result = min(result, (time.perf_counter() - begin) / calls)
    return result


def time_pinocchio(joint, n):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    parent = 0
    inertia = pin.Inertia(1.0, np.array([0.5, 0.0, 0.0]), np.diag(MOMENTS))
    for i in range(n):
        kinds = {"spherical": pin.JointModelSpherical}
        kind = kinds.get(joint) or (pin.JointModelRY if i % 2 == 0 else pin.JointModelRZ)
        place = pin.SE3(np.eye(3), np.array([0.0 if i == 0 else 1.0, 0.0, 0.0]))
        parent = model.addJoint(parent, kind(), place, f"j{i}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = model.createData()
    rng = np.random.default_rng(n)
    q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    v, tau = rng.uniform(-1, 1, model.nv), np.full(model.nv, 0.1)
    return best(lambda: pin.aba(model, data, q, v, tau))


def time_mujoco(joint, n):
    text = "".join(
        f'<body pos="{0 if i == 0 else 1} 0 0">'
        + ('<joint type="ball"/>' if joint == "spherical"
           else f'<joint type="hinge" axis="{"0 1 0" if i % 2 == 0 else "0 0 1"}"/>')
        + f'<inertial pos="0.5 0 0" mass="1" diaginertia="{" ".join(map(str, MOMENTS))}"/>'
        for i in range(n)
    )
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option gravity="0 0 -9.81"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{text}{'</body>' * n}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    rng = np.random.default_rng(n)
    mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1, 1, model.nv), 1.0)
    data.qvel[:] = rng.uniform(-1, 1, model.nv)
    data.qfrc_applied[:] = 0.1
    return best(lambda: mujoco.mj_forward(model, data))


def time_drake(joint, n):
    """Drake's ball joints have three angles."""
    plant = drake.MultibodyPlant(0.0)
    parent = plant.world_body()
    unit = drake.UnitInertia(*MOMENTS).ShiftFromCenterOfMass([-0.5, 0, 0])
    for i in range(n):
        body = plant.AddRigidBody(f"b{i}", drake.SpatialInertia(1.0, [0.5, 0, 0], unit))
        place = drake.RigidTransform([0.0 if i == 0 else 1.0, 0, 0])
        frame = plant.AddFrame(drake.FixedOffsetFrame(f"f{i}", parent.body_frame(), place))
        axis = [0, 1, 0] if i % 2 == 0 else [0, 0, 1]
        if joint == "spherical":
            plant.AddJoint(drake.BallRpyJoint(f"j{i}", frame, body.body_frame()))
        else:
            plant.AddJoint(drake.RevoluteJoint(f"j{i}", frame, body.body_frame(), axis))
        parent = body
    plant.Finalize()
    context = plant.CreateDefaultContext()
    state = np.random.default_rng(n).uniform(-1, 1, plant.num_multibody_states())
    plant.get_applied_generalized_force_input_port().FixValue(context, np.full(plant.num_velocities(), 0.1))

    def call():
        plant.SetPositionsAndVelocities(context, state)
        plant.EvalTimeDerivatives(context)

    return best(call)


def main():
    for joint in ("revolute", "spherical"):
        for n in SIZES:
            # Pinocchio's data holds third-order tensors of the freedoms, and MuJoCo's time grows
            # with their cube: the largest case takes 15 GB in one and minutes in the other.
            if n * (3 if joint == "spherical" else 1) <= 400:
                if pin:
                    print("pinocchio", joint, n, time_pinocchio(joint, n))
                if mujoco:
                    print("mujoco", joint, n, time_mujoco(joint, n))
            if drake:
                print("drake", joint, n, time_drake(joint, n))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
