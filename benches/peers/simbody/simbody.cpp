// The tasks of this folder with Simbody (Debian package libsimbody-dev):
//
//     simbody forward                  lines `simbody JOINT N SECONDS`: one evaluation of the accelerations
//     simbody chain N ACCURACY         one line `SECONDS X Z`: wall time of the integration, where the tip is at the end
//     simbody windows N ACCURACY       the same for the N-four-bar mechanism
//
// The measures are those of chains.py and simulations.py. The chains are integrated by Runge-Kutta-Merson, the explicit method
// with error control that the documentation of Simbody recommends first.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "Simbody.h"

using namespace SimTK;

namespace {

const Real slim = 1e-3, thick = 0.005, inertia = 1.0 / 12, end = 1.0;
// Pin joints turn about z of their frames; this frame has its z axis along y of the body.
const Rotation about_y(-Pi / 2, XAxis);

double now() {
    const auto clock = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(clock).count();
}

/// A rod of 1 m and 1 kg along x, its frame at one end.
Body::Rigid rod(Real axial) {
    const Real across = inertia + 0.25;
    return Body::Rigid(MassProperties(1, Vec3(0.5, 0, 0), Inertia(axial, across, across)));
}

struct Model {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    Force::Gravity gravity;
    Force::DiscreteForces applied;

    Model()
        : matter(system), forces(system), gravity(forces, matter, Vec3(0, 0, -9.81)), applied(forces, matter) {}
};

/// Best time per call over rounds of about a millisecond for half a second.
template <typename Call> double best(Call call) {
    const double start = now();
    call();
    const int calls = std::max(1, int(1e-3 / std::max(now() - start, 1e-7)));
    double least = std::numeric_limits<double>::infinity();
    while (now() - start < 0.5) {
        const double begin = now();
        for (int k = 0; k < calls; ++k) call();
        least = std::min(least, (now() - begin) / calls);
    }
    return least;
}

double forward(const std::string& joint, int n) {
    Model model;
    MobilizedBody parent = model.matter.Ground();
    for (int k = 0; k < n; ++k) {
        const Vec3 place(k == 0 ? 0 : 1, 0, 0);
        if (joint == "spherical") {
            parent = MobilizedBody::Ball(parent, Transform(place), rod(thick), Transform());
        } else {
            const Rotation axis = k % 2 == 0 ? about_y : Rotation();
            parent = MobilizedBody::Pin(parent, Transform(axis, place), rod(thick), Transform(axis));
        }
    }
    State state = model.system.realizeTopology();
    model.system.realizeModel(state);
    std::mt19937 random(n);
    std::uniform_real_distribution<Real> between(-1, 1);
    for (int k = 0; k < state.getNQ(); ++k) state.updQ()[k] += between(random);
    for (int k = 0; k < state.getNU(); ++k) state.updU()[k] = between(random);
    model.applied.setAllMobilityForces(state, Vector(state.getNU(), 0.1));
    // Quaternions become unit ones.
    model.system.project(state, 1e-8);
    return best([&] {
        state.updQ();  // forgets everything that follows from positions
        model.system.realize(state, Stage::Acceleration);
    });
}

/// Integrates to the end; prints wall time and the place of the end of a rod.
void run(Model& model, State& state, const MobilizedBody& body, Real accuracy) {
    RungeKuttaMersonIntegrator integrator(model.system);
    integrator.setAccuracy(accuracy);
    TimeStepper stepper(model.system, integrator);
    const double begin = now();
    stepper.initialize(state);
    stepper.stepTo(end);
    const double seconds = now() - begin;
    const State& last = integrator.getState();
    model.system.realize(last, Stage::Position);
    const Vec3 tip = body.findStationLocationInGround(last, Vec3(1, 0, 0));
    std::printf("%.9g %.17g %.17g\n", seconds, tip[0], tip[2]);
}

void chain(int n, Real accuracy) {
    Model model;
    MobilizedBody parent = model.matter.Ground();
    for (int k = 0; k < n; ++k) {
        const Transform place(about_y, Vec3(k == 0 ? 0 : 1, 0, 0));
        parent = MobilizedBody::Pin(parent, place, rod(slim), Transform(about_y));
    }
    State state = model.system.realizeTopology();
    run(model, state, parent, accuracy);
}

void windows(int n, Real accuracy) {
    Model model;
    std::vector<MobilizedBody::Pin> uprights, rods;
    for (int k = 0; k <= n; ++k) {
        uprights.emplace_back(model.matter.Ground(), Transform(about_y, Vec3(k, 0, 0)), rod(slim), Transform(about_y));
        uprights.back().setDefaultAngle(-Pi / 2);
    }
    for (int k = 0; k < n; ++k) {
        rods.emplace_back(uprights[k], Transform(about_y, Vec3(1, 0, 0)), rod(slim), Transform(about_y));
        rods.back().setDefaultAngle(Pi / 2);
    }
    for (int k = 0; k < n; ++k) {
        // Both rows of the plane: the end of the rod stays on the axis of the next joint.
        Constraint::PointOnLine(uprights[k + 1], UnitVec3(YAxis), Vec3(1, 0, 0), rods[k], Vec3(1, 0, 0));
    }
    State state = model.system.realizeTopology();
    model.system.realizeModel(state);
    for (int k = 0; k <= n; ++k) uprights[k].setRate(state, 1);
    for (int k = 0; k < n; ++k) rods[k].setRate(state, -1);
    run(model, state, uprights[0], accuracy);
}

}  // namespace

int main(int count, char** words) {
    const std::string task = count > 1 ? words[1] : "";
    try {
        if (task == "forward") {
            for (const char* joint : {"revolute", "spherical"})
                for (int n : {1, 2, 4, 8, 16, 32, 64, 128, 256})
                    std::printf("simbody %s %d %g\n", joint, n, forward(joint, n)), std::fflush(stdout);
        } else if (count == 4 && task == "chain") {
            chain(std::atoi(words[2]), std::atof(words[3]));
        } else if (count == 4 && task == "windows") {
            windows(std::atoi(words[2]), std::atof(words[3]));
        } else {
            std::fprintf(stderr, "simbody forward | chain N ACCURACY | windows N ACCURACY\n");
            return 1;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
