"""Reads lines `program joint n seconds` and prints two tables in Markdown: microseconds per added body.

Calls from Python cost about a microsecond each. The table therefore shows the time of the added
bodies, (t(n) - t(n/2)) / (n/2), in which a constant cost per call cancels. For programs whose cost
grows faster than n this exceeds the mean.
"""

import sys
from collections import defaultdict

NAMES = {"dysim": "dysim", "drake": "Drake", "mujoco": "MuJoCo", "phyz": "phyz", "pinocchio": "Pinocchio", "simbody": "Simbody"}

times = defaultdict(dict)
for line in sys.stdin:
    program, joint, n, seconds = line.split()
    times[joint, program][int(n)] = float(seconds)

for joint in ("revolute", "spherical"):
    programs = [p for p in NAMES if (joint, p) in times]
    print(f"\n### Chain of {joint} joints\n")
    print("| N | " + " | ".join(NAMES[p] for p in programs) + " |")
    print("|---" * (1 + len(programs)) + "|")
    for n in (8, 16, 32, 64, 128, 256):
        cells = []
        for program in programs:
            t = times[joint, program]
            known = n in t and n // 2 in t
            cells.append(f"{1e6 * (t[n] - t[n // 2]) / (n // 2):.3f}" if known else "-")
        print(f"| {n} | " + " | ".join(cells) + " |")
