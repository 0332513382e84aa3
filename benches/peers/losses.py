"""Reads the tables of a page of compare.sh and says where dysim loses.

A whole simulation of another program is a loss if dysim needs longer for the same error or a smaller one: of its entries in the
table, the fastest that is at least as accurate counts. Where a table has no errors, the times alone count.
"""

import math
import sys


def tables(lines):
    """Heading, names of the columns and rows of each table of a page."""
    heading, rows = "", []
    for line in [*lines, ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if rows:
            yield heading, rows[0], rows[2:]
            rows = []
        if line.startswith("#"):
            heading = line.lstrip("# ").strip()


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def simulations(heading, columns, rows):
    """Losses in a table of wall times, with or without errors."""
    entries = [(row[0], number(row[1]), number(row[2]) if len(columns) > 2 else 0.0) for row in rows]
    ours = [entry for entry in entries if entry[0].startswith("dysim")]
    for name, time, error in entries:
        if name.startswith("dysim") or math.isnan(time):
            continue
        enough = [entry for entry in ours if entry[2] <= error]
        if not enough:
            yield heading, name, f"{time:.2f} ms at {error:.1e} m", "not as accurate", math.inf
            continue
        best = min(enough, key=lambda entry: entry[1])
        if best[1] > time:
            accuracy = f" at {error:.1e} m" if len(columns) > 2 else ""
            reached = f" at {best[2]:.1e} m" if len(columns) > 2 else ""
            yield heading, name, f"{time:.2f} ms{accuracy}", f"{best[1]:.2f} ms{reached}", best[1] / time


def evaluations(heading, columns, rows):
    """Losses in a table with a column for each program; a difference that is not positive is disturbed."""
    if columns[1] != "dysim":
        return
    for row in rows:
        for name, cell in zip(columns[2:], row[2:]):
            if 0 < number(cell) < number(row[1]):
                ratio = number(row[1]) / number(cell)
                yield f"{heading}, N = {row[0]}", name, f"{cell} us per body", f"{row[1]} us per body", ratio


def circuits(_, columns, rows):
    """Losses in the table of circuits."""
    for row in rows:
        if number(row[3]) > 1:
            yield f"Circuit {row[0]}", "ngspice", f"{row[2]} s", f"{row[1]} s", number(row[3])


def main():
    kinds = {"program and setting": simulations, "N": evaluations, "netlist": circuits}
    compared, losses = 0, []
    for heading, columns, rows in tables(sys.stdin.read().splitlines()):
        if columns[0] not in kinds:
            continue
        compared += len(rows)
        losses += kinds[columns[0]](heading, columns, rows)
    print("## Where dysim loses\n")
    if not compared:
        print("Nothing was compared.")
    elif not losses:
        print("Nowhere in these tables.")
    else:
        print("| task | program | its time | dysim, at least as accurate | ratio |\n|---|---|---|---|---|")
        for task, name, theirs, ours, ratio in losses:
            print(f"| {task} | {name} | {theirs} | {ours} | {'-' if math.isinf(ratio) else f'{ratio:.1f}'} |")


if __name__ == "__main__":
    main()
