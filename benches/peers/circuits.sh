#!/bin/sh
# Compares dysim with ngspice on the netlists of `circuits/` and on generated ladders and rings, in one run on this
# machine, and writes the table to circuits.md. Needs cargo, Python 3 and ngspice.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
cargo build --quiet --release -p dysim
dysim="${CARGO_TARGET_DIR:-target}/release/dysim"
{
    echo "# dysim and ngspice"
    echo
    echo "Made by \`circuits.sh\`: wall time of the whole command, best of several in turn; commit $(git rev-parse --short HEAD),"
    echo "$(ngspice --version | grep -o "ngspice-[0-9]*" | head -1) with reltol 1e-6${PREFIX:+, both at real-time priority by \`$PREFIX\`}, load $(cut -d' ' -f1 /proc/loadavg) of $(nproc) processors."
    echo
    python3 "$here/circuits.py" "$dysim" "$here"/circuits/*.cir
} | tee "$here/circuits.md"
