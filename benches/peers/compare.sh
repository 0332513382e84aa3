#!/usr/bin/env bash
# Compares dysim with other programs in one run on this machine and writes docs/benchmarks.md.
# Installs pin, mujoco, drake and exudyn from PyPI to a throw-away directory, and ngspice and Simbody from Debian where it may.
# What cannot be installed is left out of the tables. Nothing else should run meanwhile: the times are those of day.
# Usage: benches/peers/compare.sh [ROUNDS]
# VENV=DIR uses a Python environment that exists, or makes it there and keeps it. PREBUILT=yes builds nothing.
# SECTIONS="100 1000" makes the ladders and rings of the circuits smaller. PAGE=FILE writes another file.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=benches/peers
rounds="${1:-5}"
target="${CARGO_TARGET_DIR:-target}"
page="${PAGE:-docs/benchmarks.md}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "$(date -u +%H:%M:%S) $*" >&2; }

# Debian packages: only root or a sudo that does not ask.
missing=()
command -v ngspice >/dev/null || missing+=(ngspice)
[ -e /usr/include/simbody/Simbody.h ] || missing+=(libsimbody-dev)
if [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null; then
    sudo=()
    [ "$(id -u)" -eq 0 ] || sudo=(sudo --non-interactive)
    say "installs ${missing[*]}"
    { "${sudo[@]}" apt-get update && "${sudo[@]}" apt-get install --yes --no-install-recommends "${missing[@]}"; } >"$work/apt.log" 2>&1 ||
        say "${missing[*]} cannot be installed: $(tail -1 "$work/apt.log")"
fi

venv="${VENV:-$work/venv}"
if [ ! -x "$venv/bin/python" ]; then
    say "installs packages of Python"
    python3 -m venv "$venv"
    for package in numpy mujoco pin drake exudyn; do
        "$venv/bin/pip" install --quiet "$package" || say "$package cannot be installed"
    done
fi
if [ -z "${PREBUILT:-}" ]; then
    say "builds dysim"
    cargo build --quiet --release -p dysim
    cargo build --quiet --release --manifest-path "$here/native/Cargo.toml" --target-dir "$target/peers"
fi
dysim="$target/release/dysim"
simbody="$work/simbody"
if ! g++ -O2 -w -o "$simbody" "$here/simbody/simbody.cpp" -I/usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon 2>"$work/g++.log"; then
    say "Simbody is left out: $(head -1 "$work/g++.log")"
    simbody=""
fi

version() { "$venv/bin/pip" list 2>/dev/null | awk -v p="$1" 'tolower($1) == p { print $2 }' | grep . || echo "not installed"; }
debian() { dpkg-query --showformat '${Version}' --show "$1" 2>/dev/null | grep . || echo "not installed"; }

# The least time to start the program, in milliseconds.
start_time() {
    python3 - "$dysim" <<'PYTHON'
import subprocess, sys, time
def once():
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "--version"], capture_output=True, check=True)
    return time.perf_counter() - start
print(f"{1e3 * min(once() for _ in range(50)):.1f}")
PYTHON
}

head_of_page() {
    cat <<END
# Comparison with other programs

Made by \`benches/peers/compare.sh $rounds\` in one run; do not edit. In each table all programs take turns, and the least of $rounds wall
times counts. Ratios within a table say something; the numbers themselves depend on the machine.

- machine: $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg) at the start
- dysim: $("$dysim" --version | tail -1)
- MuJoCo $(version mujoco), Pinocchio $(version pin), Drake $(version drake), Exudyn $(version exudyn) from PyPI; Simbody $(debian libsimbody-dev), ngspice $(debian ngspice) from Debian
- dysim is a program that starts, reads a text and writes files, and all of this is in its times; starting and ending alone
  (\`dysim --version\`) takes $(start_time) ms here. The others are timed in a process that runs already, with the model built (Exudyn builds
  it each time); ngspice is a program as dysim is.

END
}

{
    head_of_page
    say "forward dynamics"
    echo "## Forward dynamics of chains"
    echo
    echo "One evaluation of the accelerations, kinematics included: microseconds per added body, (t(N) - t(N/2))/(N/2), so that the cost of a"
    echo "call from Python cancels. MuJoCo has its contacts and constraints switched off. Drake's ball joints have three angles, the others'"
    echo "are quaternions. dysim and phyz are built for any x86-64 processor, the others choose for themselves."
    {
        [ -x "$target/peers/release/peers" ] && "$target/peers/release/peers"
        [ -n "$simbody" ] && "$simbody" forward
        "$venv/bin/python" "$here/chains.py"
    } | python3 "$here/table.py"
    say "whole simulations"
    SIMBODY="$simbody" "$venv/bin/python" "$here/simulations.py" "$dysim" "$rounds"
    if command -v ngspice >/dev/null; then
        say "circuits"
        echo
        echo "## Circuits"
        echo
        echo "ngspice with reltol 1e-6; the same netlists, read by dysim through \`import-spice\`."
        echo
        python3 "$here/circuits.py" "$dysim" "$here"/circuits/*.cir
    fi
} >"$work/page.md"
{
    cat "$work/page.md"
    echo
    python3 "$here/losses.py" <"$work/page.md"
    echo
    cat "$here/remarks.md"
} >"$page"
say "wrote $page"
