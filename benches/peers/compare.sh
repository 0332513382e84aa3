#!/usr/bin/env bash
# Compares dysim with other programs in one run on this machine and writes docs/benchmarks.md.
# Installs pin, mujoco, drake and exudyn from PyPI to a throw-away directory; ngspice comes from the system
# (`apt-get install ngspice`). What cannot be installed is left out of the tables.
# Usage: benches/peers/compare.sh [ROUNDS]; VENV=DIR uses a Python environment that exists, CIRCUITS=no leaves out the circuits, whose times
# are those of day and need a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=benches/peers
rounds="${1:-5}"
target="${CARGO_TARGET_DIR:-target}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

venv="${VENV:-$work/venv}"
if [ -z "${VENV:-}" ]; then
    python3 -m venv "$venv"
    for package in numpy mujoco pin drake exudyn; do
        "$venv/bin/pip" install --quiet "$package" || echo "$package cannot be installed" >&2
    done
fi
if [ -z "${PREBUILT:-}" ]; then
    cargo build --release -p dysim
    cargo build --release --manifest-path "$here/native/Cargo.toml" --target-dir "$target/peers"
fi
dysim="$target/release/dysim"

version() { "$venv/bin/pip" list 2>/dev/null | awk -v p="$1" 'tolower($1) == p { print $1, $2 }'; }
page="$work/benchmarks.md"
{
    echo "# Comparison with other programs"
    echo
    echo "Made by \`${CIRCUITS:+CIRCUITS=$CIRCUITS }benches/peers/compare.sh $rounds\` in one run; do not edit. In each table all programs take turns and the least of $rounds"
    echo "processor times counts. Ratios within a table say something, the numbers themselves depend on the machine and on what else it does."
    echo
    echo "- machine: $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg) at the start"
    echo "- dysim: $("$dysim" --version | tail -1)"
    for package in mujoco pin drake exudyn; do
        echo "- $(version "$package" | grep . || echo "$package: not installed")"
    done
    echo "- ngspice: $( (ngspice --version 2>/dev/null || true) | grep -o 'ngspice-[0-9]*' | head -1 | grep . || echo "not installed")"
    if [ -x "$target/peers/release/peers" ]; then
        echo
        echo "## Forward dynamics of chains"
        echo
        echo "One evaluation of the accelerations, kinematics included; microseconds per added body, so that the cost of a call from Python cancels."
        echo
        echo '```text'
        { "$target/peers/release/peers"; "$venv/bin/python" "$here/chains.py"; } | python3 "$here/table.py"
        echo '```'
    fi
    "$venv/bin/python" "$here/simulations.py" "$dysim" "$rounds"
    if [ "${CIRCUITS:-yes}" = yes ] && command -v ngspice >/dev/null; then
        echo
        echo "## Circuits"
        echo
        echo "Wall time of the whole command; ngspice with reltol 1e-6."
        echo
        python3 "$here/circuits.py" "$dysim" "$here"/circuits/*.cir
    fi
    echo
    cat "$here/remarks.md"
} >"$page"
cp "$page" docs/benchmarks.md
echo "wrote docs/benchmarks.md"
