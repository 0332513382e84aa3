//! What triads, bodies and sensors tell of the motion of a frame.

use super::super::{Quantity, SignalSource};
use super::Run;
use language::blocks::sensor::DISTANCE;
use mechanics::Vec3;
use mechanics::frame_pair::FramePair;
use mechanics::quaternion::Quaternion;
use mechanics::rotation::AngleType;

/// Sine of the distance of a middle angle from a singularity below which angles count as singular.
const NEARLY_SINGULAR: f64 = 1e-7;

/// A component of a quantity of the motion of one frame relative to another.
struct FrameSignal {
    quantity: Quantity,
    component: usize,
    angles: AngleType,
    frames: FramePair,
}

impl FrameSignal {
    /// The signal of a triad, a body or a sensor.
    fn of(run: &Run<'_>, source: SignalSource) -> Option<Self> {
        let (system, model) = (run.system, &run.system.model);
        let (quantity, component, angles, frames) = match source {
            SignalSource::Triad(quantity, triad, component) => {
                let frames = FramePair::in_world(system.triads[triad]);
                (quantity, component, model.triads[triad].angle_type, frames)
            }
            SignalSource::Sensor(quantity, sensor, component) => {
                let frames = system.sensor(sensor);
                (quantity, component, model.sensors[sensor].angle_type, frames)
            }
            SignalSource::Body(quantity, body, component) => {
                // The world is body 0 and no block.
                let own = model.bodies.get(body.checked_sub(1)?)?;
                let frames = FramePair::in_world(system.body_frame(body));
                (quantity, component, own.angle_type, frames)
            }
            _ => return None,
        };
        Some(Self { quantity, component, angles: angles.into(), frames })
    }

    fn is_of_distance(&self) -> bool {
        self.component == usize::from(DISTANCE)
    }
}

/// The value of a signal of a triad, a body or a sensor.
pub(super) fn value(run: &Run<'_>, source: SignalSource) -> f64 {
    let Some(signal) = FrameSignal::of(run, source) else { return 0.0 };
    let (tree, w) = (&run.system.tree, &run.now.bodies.workspace);
    let FrameSignal { quantity, component, angles, ref frames } = signal;
    let of = |vector: Vec3| vector.to_array()[component.min(2)];
    let orientation = || Quaternion::from_matrix(&frames.rotation(tree, w));
    let is_distance = signal.is_of_distance();
    match quantity {
        Quantity::Position if is_distance => frames.distance(0, tree, w),
        Quantity::Velocity if is_distance => frames.distance(1, tree, w),
        Quantity::Acceleration if is_distance => frames.distance_acceleration(tree, w),
        Quantity::Position => of(frames.position(tree, w)),
        Quantity::Velocity => of(frames.velocity(tree, w)),
        Quantity::Turning => of(frames.turning(tree, w)),
        Quantity::Acceleration => of(frames.acceleration(tree, w)),
        Quantity::TurningAcceleration => of(frames.turning_acceleration(tree, w)),
        // Both signs are the same orientation; the one with a scalar part that is not negative is told.
        Quantity::Quaternion => {
            let q = orientation();
            let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
            sign * q.to_array()[component.min(3)]
        }
        Quantity::Angle => of(angles.extract(orientation(), None).values),
        _ => 0.0,
    }
}

/// What keeps a signal of a triad, a body or a sensor from being unique at the present state, if something does.
pub(super) fn ambiguity(run: &Run<'_>, source: SignalSource) -> Option<&'static str> {
    let signal = FrameSignal::of(run, source)?;
    let (tree, w) = (&run.system.tree, &run.now.bodies.workspace);
    let frames = &signal.frames;
    match signal.quantity {
        Quantity::Angle => {
            let rotation = Quaternion::from_matrix(&frames.rotation(tree, w));
            let clearance = signal.angles.extract(rotation, None).clearance;
            let words = "the angles are singular: of the first and the third only the sum or difference is determined, \
                         and the first is told as 0. The quaternion has no such places, the other `AngleType` has \
                         others";
            (clearance < NEARLY_SINGULAR).then_some(words)
        }
        Quantity::Velocity | Quantity::Acceleration if signal.is_of_distance() => {
            let words = "both origins meet, where the distance has a corner; its derivatives are told as they are from then on";
            (frames.distance(0, tree, w) == 0.0).then_some(words)
        }
        _ => None,
    }
}
