#!/bin/sh
# Compares forward dynamics of chains with Pinocchio, MuJoCo and phyz in one run on this machine.
# Needs Python 3 with venv, cargo and the network. Everything it installs goes to a throw-away
# directory.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet pin mujoco numpy
cargo build --quiet --release --manifest-path "$here/native/Cargo.toml" --target-dir "$work/target"
{
    "$work/target/release/peers"
    "$work/venv/bin/python" "$here/chains.py"
} | tee "$work/times" >&2
python3 "$here/table.py" <"$work/times"
