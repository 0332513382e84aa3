#!/usr/bin/env bash
# Same model, same bits: runs every model with the debug and with the release build and compares all tables byte by byte.
# Rust neither reorders floating-point operations nor fuses them when it optimises, so that the two differ only where a
# function of the mathematical library is evaluated at compile time. The stated bound is: no difference at all in tables of smooth
# models, and 100 RelErr elsewhere; the script prints every table that differs and by how much, and fails beyond the bound.
# Usage: packaging/compare_profiles.sh [PATTERN]; DEBUG=PROGRAM RELEASE=PROGRAM compares programs that are built already.
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
if [ -z "${DEBUG:-}" ]; then
    cargo build -p dysim
    cargo build --release -p dysim
fi
debug="${DEBUG:-$target/debug/dysim}"
release="${RELEASE:-$target/release/dysim}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debug" "$work/release"
same=0
different=0
beyond=0
for model in models/*/*.dys; do
    [[ "$model" == *"${1:-}"* ]] || continue
    rm -f "$work"/debug/* "$work"/release/*
    "$debug" --quiet --out "$work/debug" "$model"
    "$release" --quiet --out "$work/release" "$model"
    for file in "$work"/debug/*; do
        name=$(basename "$file")
        [[ "$name" == *.log ]] && continue
        if cmp -s "$file" "$work/release/$name"; then
            same=$((same + 1))
            continue
        fi
        different=$((different + 1))
        # The largest difference, relative to the largest value of the same column.
        worst=$(paste -d '|' "$file" "$work/release/$name" | awk -F'|' '
            /^[#t]/ { next }
            { n = split($1, a, /[ ,]+/); m = split($2, b, /[ ,]+/); if (n != m) { print "inf"; done = 1; exit }
              for (k = 1; k <= n; k++) { d = a[k] - b[k]; if (d < 0) d = -d; v = a[k] < 0 ? -a[k] : a[k]
                if (d > diff[k]) diff[k] = d; if (v > size[k]) size[k] = v } }
            END { if (done) exit; for (k in diff) { r = diff[k]/(size[k] > 0 ? size[k] : 1); if (r > w) w = r } printf "%.1e", w }')
        tolerance=$(sed -n 's/.*RelErr *= *\([0-9.eE+-]*\);.*/\1/p' "$model" | head -1)
        echo "$model: $name differs by $worst of its largest value (RelErr $tolerance)"
        if ! awk -v w="$worst" -v t="${tolerance:-1e-6}" 'BEGIN { exit !(w != "inf" && w <= 100*t) }'; then
            beyond=$((beyond + 1))
        fi
    done
done
echo "$same tables are the same to the last bit, $different differ, $beyond of them beyond the bound"
[ "$beyond" -eq 0 ]
