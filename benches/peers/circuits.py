#!/usr/bin/env python3
"""dysim beside ngspice on the same netlists: wall time of the whole command, and how far the curves are apart.

Usage: circuits.py DYSIM NETLISTS...
Needs ngspice (Debian package `ngspice`). Prints a table in Markdown.
"""

import csv
import os
import struct
import subprocess
import sys
import tempfile
import time

# Settings at which ngspice's own error is well below the 1e-3 that is asked for.
TIGHT = ".options reltol=1e-6 abstol=1e-14 vntol=1e-9 chgtol=1e-17 gmin=1e-12 method=gear\n"
SECTIONS = (100, 1000, 10000)
REPEATS = 3


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


def interpolate(times, values, t):
    """The straight line between the two points around t."""
    low, high = 0, len(times) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    span = times[high] - times[low]
    f = (t - times[low]) / span if span > 0 else 0.0
    return values[low] + min(max(f, 0.0), 1.0) * (values[high] - values[low])


def name_of(column):
    """ngspice's name of a column of ours."""
    element, quantity = column.replace('"', "").rsplit(".", 1)
    return f"v({element})" if quantity == "v" else f"i({element})"


def timed(command, folder):
    """The shortest wall time of a few runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        best = min(best, time.perf_counter() - start)
        if done.returncode != 0:
            return None, done.stdout + done.stderr
    return best, ""


def compare(folder, stem):
    """The largest difference of any common signal, relative to the signal's largest value."""
    names, columns = raw(os.path.join(folder, "out.raw"))
    theirs = dict(zip(names, columns))
    rows = list(csv.reader(open(os.path.join(folder, f"{stem}.csv"))))
    worst, place = 0.0, "-"
    times = [float(row[0]) for row in rows[1:]]
    for k, title in enumerate(rows[0][1:], start=1):
        other = theirs.get(name_of(title.replace("node:", "")))
        if other is None:
            continue
        size = max(abs(x) for x in other)
        if size < 1e-9:
            continue
        at = [interpolate(theirs["time"], other, t) for t in times]
        difference = max(abs(float(row[k]) - x) for row, x in zip(rows[1:], at)) / size
        if difference > worst:
            worst, place = difference, title
    return worst, place


def measure(dysim, text, stem):
    """One row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        netlist = os.path.join(folder, f"{stem}.cir")
        with open(netlist, "w") as file:
            file.write(text)
        title, rest = text.split("\n", 1)
        with open(os.path.join(folder, "tight.cir"), "w") as file:
            file.write(f"{title}\n{TIGHT}{rest}")
        subprocess.run([dysim, "import-spice", netlist, "-o", f"{stem}.dys"], cwd=folder, capture_output=True)
        theirs, said = timed(["ngspice", "-b", "-r", "out.raw", "tight.cir"], folder)
        ours, words = timed([dysim, "--quiet", f"{stem}.dys"], folder)
        if ours is None or theirs is None:
            reason = " ".join((words or said).split())[:200]
            return f"| {stem} | {'failed' if ours is None else f'{ours:.3f}'} | {theirs or 0:.3f} | - | {reason} |"
        worst, place = compare(folder, stem)
        return f"| {stem} | {ours:.3f} | {theirs:.3f} | {ours / theirs:.2f} | {worst:.1e} at {place} |"


def main():
    dysim, files = os.path.abspath(sys.argv[1]), sys.argv[2:]
    print("| netlist | dysim s | ngspice s | ratio | largest difference |")
    print("|---|---|---|---|---|")
    for path in sorted(files):
        stem = os.path.splitext(os.path.basename(path))[0]
        print(measure(dysim, open(path).read(), stem), flush=True)
    for kind in (ladder, ring):
        for n in SECTIONS:
            text = "\n".join(kind(n)) + "\n"
            print(measure(dysim, text, f"{kind.__name__}_{n}"), flush=True)


if __name__ == "__main__":
    main()
