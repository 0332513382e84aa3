"""Reads lines `program joint n seconds` and prints microseconds per body, as two tables.

Calls from Python cost about a microsecond each. The table therefore shows the time of the added
bodies, (t(n) - t(n/2)) / (n/2), in which a constant cost per call cancels. For programs whose cost
grows faster than n this exceeds the mean.
"""

import sys
from collections import defaultdict

times = defaultdict(dict)
for line in sys.stdin:
    program, joint, n, seconds = line.split()
    times[joint, program][int(n)] = float(seconds)

for joint in ("revolute", "spherical"):
    programs = sorted({p for (j, p) in times if j == joint}, key=lambda p: (p != "dysim", p))
    print(f"\n{joint}: microseconds per added body")
    print("     N " + "".join(f"{p:>11}" for p in programs))
    for n in (8, 16, 32, 64, 128, 256):
        cells = []
        for program in programs:
            t = times[joint, program]
            known = n in t and n // 2 in t
            cells.append(f"{1e6 * (t[n] - t[n // 2]) / (n // 2):11.3f}" if known else f"{'-':>11}")
        print(f"{n:6} " + "".join(cells))
