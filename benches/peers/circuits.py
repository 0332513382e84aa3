#!/usr/bin/env python3
"""dysim beside ngspice on the same netlists: wall time of the whole command, and how far the curves are apart.

Usage: circuits.py DYSIM NETLISTS...
Needs ngspice (Debian package `ngspice`). Prints two tables in Markdown. Both programs are started in turn, and the
shortest time of each counts. Curves are compared at the same instants with a further run of ngspice in steps of a
hundredth of the output interval (ladders and rings: a twentieth), so that straight lines between its points do not
count as differences. At the corners of sources currents jump; there, and only there, any value counts as right that
ngspice has within a hundredth of the output interval. Where ngspice does not reach the end in short steps, longer ones
are taken.
"""

import bisect
import csv
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

# Settings at which ngspice's own error is well below the 1e-3 that is asked for.
TIGHT = ".options reltol=1e-6 abstol=1e-14 vntol=1e-9 chgtol=1e-17 gmin=1e-12 method=gear\n"
SECTIONS = tuple(map(int, os.environ.get("SECTIONS", "100 1000 10000").split()))
REPEATS = 5
# What both programs are started with, such as `chrt -r 1` on a machine that has other work.
PREFIX = os.environ.get("PREFIX", "").split()


def ladder(n):
    """A chain of n RC sections behind a step."""
    lines = [f"RC ladder of {n} sections", "V1 n0 0 PULSE(0 1 0 1n 1n 1)"]
    for k in range(1, n + 1):
        lines += [f"R{k} n{k - 1} n{k} 1", f"C{k} n{k} 0 1n"]
    return lines + [".tran 20n 2u 0 20n", f".save v(n1) v(n10) v(n{n})", ".end"]


def ring(n):
    """n RC sections in a ring, fed at one place and grounded opposite to it."""
    lines = [f"RC ring of {n} sections", "I1 0 n0 PULSE(0 1m 0 1n 1n 1)", f"Rg n{n // 2} 0 1k"]
    for k in range(n):
        lines += [f"R{k} n{k} n{(k + 1) % n} 1", f"C{k} n{k} 0 1n"]
    return lines + [".tran 20n 2u 0 20n", f".save v(n0) v(n10) v(n{n // 2})", ".end"]


def raw(path):
    """Names and columns of a binary result file of ngspice."""
    data = open(path, "rb").read()
    head, values = data.split(b"Binary:\n", 1)
    text = head.decode()
    n = int(text.split("No. Variables:")[1].split()[0])
    points = int(text.split("No. Points:")[1].split()[0])
    variables = text.split("Variables:\n")[1].strip().splitlines()
    names = [line.split()[1] for line in variables]
    numbers = struct.unpack(f"<{n * points}d", values[: 8 * n * points])
    return names, [numbers[k::n] for k in range(n)]


def value(times, values, t):
    """The straight line between the two points around t."""
    high = min(max(bisect.bisect_right(times, t), 1), len(times) - 1)
    span = times[high] - times[high - 1]
    f = (t - times[high - 1]) / span if span > 0 else 0.0
    return values[high - 1] + min(max(f, 0.0), 1.0) * (values[high] - values[high - 1])


def corners(text, stop):
    """The instants at which PULSE and PWL sources of a netlist have corners."""
    found = []
    for kind, arguments in re.findall(r"(PULSE|PWL)\(([^)]*)\)", text, re.I):
        numbers = [number(word) for word in arguments.split()]
        if kind.upper() == "PWL":
            found += numbers[::2]
            continue
        delay, rise, fall, width, period = (numbers[2:] + [0.0] * 5)[:5]
        start = delay
        while start <= stop:
            found += [start, start + rise, start + rise + width, start + rise + width + fall]
            start += period if period > 0 else 2 * stop + 1
    return sorted(found)


def distance(times, values, t, width, x):
    """How far x is from the curve at t, or from the values that the curve takes within a width around t."""
    if width == 0:
        return abs(value(times, values, t) - x)
    inside = values[bisect.bisect_left(times, t - width) : bisect.bisect_right(times, t + width)]
    around = [value(times, values, t - width), value(times, values, t + width), *inside]
    return max(min(around) - x, x - max(around), 0.0)


def name_of(column):
    """ngspice's name of a column of ours."""
    element, quantity = column.replace('"', "").rsplit(".", 1)
    return f"v({element})" if quantity == "v" else f"i({element})"


def run(command, folder):
    """Wall time of a command and what it said, None if it failed."""
    start = time.perf_counter()
    done = subprocess.run([*PREFIX, *command], cwd=folder, capture_output=True, text=True)
    wall = time.perf_counter() - start
    return (wall if done.returncode == 0 else None), done.stdout + done.stderr


def race(commands, folder, repeats):
    """The shortest wall time of each command, started in turn."""
    best = [float("inf")] * len(commands)
    for _ in range(repeats):
        for k, command in enumerate(commands):
            wall, said = run(command, folder)
            if wall is None:
                return None, " ".join(said.split())[-200:]
            best[k] = min(best[k], wall)
    return best, ""


def reached(folder):
    """Where the run of ngspice in short steps ended."""
    names, columns = raw(os.path.join(folder, "fine.raw"))
    return max(columns[names.index("time")], default=0.0)


def gap(ours, theirs, step, breaks):
    """The largest difference of any common signal, relative to the signal's largest value, and its place."""
    worst, place = 0.0, "-"
    for title, column in ours.items():
        other = theirs.get(title)
        size = max(map(abs, other)) if other and title != "time" else 0.0
        if size < 1e-9:
            continue
        for t, x in zip(ours["time"], column):
            if not theirs["time"][0] <= t <= theirs["time"][-1]:
                continue
            next_one = bisect.bisect_left(breaks, t - step / 100)
            at_corner = next_one < len(breaks) and breaks[next_one] <= t + step / 100
            width = step / 100 if at_corner else 0.0
            difference = distance(theirs["time"], other, t, width, x) / size
            if difference > worst:
                worst, place = difference, f"{title} at {t:.3g} s"
    return worst, place


def compare(folder, stem, step, breaks):
    """How far dysim and the run of ngspice that was timed are from the reference."""
    rows = list(csv.reader(open(os.path.join(folder, f"{stem}.csv"))))
    columns = [[float(x) for x in column] for column in zip(*rows[1:])]
    titles = ["time"] + [name_of(title.replace("node:", "")) for title in rows[0][1:]]
    if reached(folder) < 0.999 * columns[0][-1]:
        return (float("nan"), f"ngspice stops at {reached(folder):.3g} s"), (float("nan"), "")
    reference = dict(zip(*raw(os.path.join(folder, "fine.raw"))))
    timed = dict(zip(*raw(os.path.join(folder, "out.raw"))))
    ours = dict(zip(titles, columns))
    # At the same instants, with straight lines between the points of ngspice.
    rows_of = lambda column: [value(timed["time"], column, t) for t in ours["time"]]
    timed = {title: rows_of(column) for title, column in timed.items() if title in ours}
    return gap(ours, reference, step, breaks), gap(timed, reference, step, breaks)


SUFFIXES = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3}


def number(text):
    """A number with a suffix of SPICE."""
    return float(text[:-1]) * SUFFIXES[text[-1]] if text[-1] in SUFFIXES else float(text)


def measure(dysim, text, stem, repeats=REPEATS, parts=100):
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:

        def write(name, content):
            with open(os.path.join(folder, name), "w") as file:
                file.write(content)

        title, rest = text.split("\n", 1)
        write(f"{stem}.cir", text)
        write("tight.cir", f"{title}\n{TIGHT}{rest}")
        step, stop = re.search(r"^\.tran (\S+) (\S+)", text, re.M).groups()
        _, said = run([dysim, "import-spice", f"{stem}.cir", "-o", f"{stem}.dys"], folder)
        commands = [[dysim, "--quiet", f"{stem}.dys"], ["ngspice", "-b", "-r", "out.raw", "tight.cir"]]
        best, words = race(commands, folder, repeats)
        if best is None:
            return f"| {stem} | - | - | - | {words or said} | - |"
        for part in [p for p in (parts, 20, 10, 5, 2) if p <= parts]:
            plan = f".tran {step} {stop} 0 {number(step) / part}"
            fine = re.sub(r"^\.tran (\S+) (\S+)( 0 \S+)?", plan, rest, flags=re.M)
            write("fine.cir", f"{title}\n{TIGHT}{fine}")
            run(["ngspice", "-b", "-r", "fine.raw", "fine.cir"], folder)
            if reached(folder) >= 0.999 * number(stop):
                break
        (worst, place), (other, _) = compare(folder, stem, number(step), corners(text, number(stop)))
        ours, theirs = best
        times = f"{ours:.3f} | {theirs:.3f} | {ours / theirs:.2f}"
        return f"| {stem} | {times} | {worst:.1e}, {place} | {other:.1e} |"


def prepare(dysim, kind, n):
    """Time from the command to the end of a first step, with everything read, prepared and written once."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "net.cir"), "w") as file:
            file.write("\n".join(kind(n)) + "\n")
        run([dysim, "import-spice", "net.cir", "-o", "net.dys"], folder)
        path = os.path.join(folder, "net.dys")
        text = open(path).read()
        text = re.sub(r"Tend( *)= \S+;", r"Tend\1= 1e-12;", text)
        text = re.sub(r"Tstep( *)= \S+;", r"Tstep\1= 1e-12;", text)
        with open(path, "w") as file:
            file.write(text)
        best, words = race([[dysim, "--quiet", "net.dys"]], folder, REPEATS)
        if best is None:
            return f"| {kind.__name__}_{n} | {words} | - |"
        return f"| {kind.__name__}_{n} | {best[0]:.3f} | {1e6 * best[0] / n:.0f} |"


def main():
    dysim, files = os.path.abspath(sys.argv[1]), sys.argv[2:]
    print("| netlist | dysim s | ngspice s | ratio | largest difference of dysim, relative | of ngspice |")
    print("|---|---|---|---|---|---|")
    for path in sorted(files):
        stem = os.path.splitext(os.path.basename(path))[0]
        print(measure(dysim, open(path).read(), stem), flush=True)
    for kind in (ladder, ring):
        for n in SECTIONS:
            text = "\n".join(kind(n)) + "\n"
            print(measure(dysim, text, f"{kind.__name__}_{n}", REPEATS if n < 10000 else 2, 20), flush=True)
    print("\n| first step of | s | us per section |")
    print("|---|---|---|")
    for kind in (ladder, ring):
        for n in SECTIONS:
            print(prepare(dysim, kind, n), flush=True)


if __name__ == "__main__":
    main()
