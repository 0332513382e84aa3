#!/usr/bin/env python3
"""Whole simulations with dysim and with other programs: wall time against error.

Usage: simulations.py DYSIM [ROUNDS]; SIMBODY=PROGRAM names what simbody.cpp has become.
Programs that cannot be imported are left out. Prints tables in Markdown. All cases of a table take turns, and the least of
ROUNDS times counts. dysim's time is that of the whole command: starting, reading the model, writing the results. The others are
timed without their start and without building the model (Exudyn with it: its systems are built anew for each run).

The error is the distance of the free end at the end of the run from a reference: dysim with RelErr 1e-11 (loops: 1e-10) by
extrapolation (odeint_bs), a method that no entry of the table uses.
"""

import math
import os
import sys
import time

from dysim_cases import END, Dysim, DysimModel, chain_text, windows_text
from peer_cases import (
    DrakeChain,
    ExudynChain,
    ExudynWindows,
    MujocoBox,
    PinocchioChain,
    Simbody,
    drake,
    exudyn,
    mujoco,
    mujoco_chain,
    mujoco_windows,
    pin,
)

SIMBODY = os.environ.get("SIMBODY")


def take_turns(cases, rounds):
    """The least wall time of each case, which may tell its own; a case that fails keeps its reason."""
    best, reasons = {}, {}
    for _ in range(rounds):
        for name, case in cases.items():
            if name in reasons:
                continue
            start = time.perf_counter()
            try:
                told = case()
            except Exception as error:  # whatever another program may throw
                reasons[name] = " ".join(str(error).split())[:80]
                continue
            seconds = time.perf_counter() - start if told is None else told
            best[name] = min(best.get(name, math.inf), seconds)
    return best, reasons


def table(title, cases, reference, rounds):
    best, reasons = take_turns(cases, rounds)
    print(f"\n{title}\n")
    print("| program and setting | wall time, ms | error, m |\n|---|---|---|")
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
    print(f"N rods of 1 m and 1 kg fall from the horizontal for {END:g} s.")
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
        if SIMBODY:
            for accuracy in (1e-3, 1e-6, 1e-9):
                cases[f"Simbody Runge-Kutta-Merson, accuracy {accuracy:g}"] = Simbody(SIMBODY, "chain", n, accuracy)
        if pin:
            for steps in (100, 1000):
                cases[f"Pinocchio in a Python loop of RK4, {steps} steps"] = PinocchioChain(n, steps)
        table(f"### Chain, N = {n}", cases, exact, rounds)


def windows(program, rounds):
    print("\n## N-four-bar\n")
    print(
        "IFToMM benchmark A02: N windows of rods of 1 m and 1 kg, all upright, pushed at 1 rad/s, for 1 s. MuJoCo keeps the loops by soft\n"
        "equations, so that its error does not vanish with the step. Exudyn has all coordinates of all rods and index 2."
    )
    for n in (2, 10, 50):
        exact = reference(program, windows_text(n, "odeint_bs", 1e-10, END), "u0")
        cases = {}
        for tolerance in (1e-4, 1e-7):
            cases[f"dysim de, RelErr {tolerance:g}"] = Dysim(program, windows_text(n, "de", tolerance, END), "u0")
        if mujoco:
            for step in (1e-2, 1e-3):
                cases[f"MuJoCo implicitfast, step {step:g}"] = mujoco_windows(n, step, "implicitfast", END)
        if exudyn:
            for steps in (100, 1000):
                cases[f"Exudyn generalized alpha, {steps} steps"] = ExudynWindows(n, steps)
        if SIMBODY:
            for accuracy in (1e-3, 1e-6):
                cases[f"Simbody Runge-Kutta-Merson, accuracy {accuracy:g}"] = Simbody(SIMBODY, "windows", n, accuracy)
        table(f"### N-four-bar, N = {n}", cases, exact, rounds)


def box(program, rounds):
    print("\n## A box that falls on a floor\n")
    print(
        "`models/mechanics/falling_box.dys`, 4 s: eight contacts that stick and slip, every event located to rounding, all result files\n"
        "written. MuJoCo's contact is another law (soft, fixed step, no events, no files): the times are side by side, the motions are not the same."
    )
    model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../models/mechanics/falling_box.dys")
    cases = {"dysim derf, RelErr 1e-6": DysimModel(program, model)}
    if mujoco:
        cases |= {f"MuJoCo, step {step:g}": MujocoBox(step) for step in (2e-3, 2e-4)}
    best, reasons = take_turns(cases, rounds)
    print("\n| program and setting | wall time, ms |\n|---|---|")
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
