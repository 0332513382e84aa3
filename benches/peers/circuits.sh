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
    echo "Made by \`circuits.sh\` at commit $(git rev-parse --short HEAD) with $(ngspice --version | grep -o "ngspice-[0-9]*" | head -1): wall time of the whole"
    echo "command, best of several in turn${PREFIX:+, both at real-time priority by \`$PREFIX\`}; load $(cut -d' ' -f1 /proc/loadavg) of $(nproc) processors."
    echo
    cat "$here/circuits_settings.md"
    echo
    python3 "$here/circuits.py" "$dysim" "$here"/circuits/*.cir
} | tee "$here/circuits.md"
