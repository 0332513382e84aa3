#!/usr/bin/env bash
# Makes the gallery: runs every model, plots its results, draws it if it has bodies, and writes README.md.
# Needs the programs, which it builds, and a Vulkan driver (docs/animator.md). Takes some minutes without a graphics card.
# `docs/gallery/make.sh PATTERN` renews only models whose path contains the pattern, and the page.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C

gallery=docs/gallery
profile="${PROFILE:-release}"
target="${CARGO_TARGET_DIR:-target}/$([ "$profile" = dev ] && echo debug || echo "$profile")"
pattern="${1:-}"
# Motions that are shown as a film: model, seconds of motion per second of film.
declare -A films=([mechanics_falling_box]=0.5 [loops_excavator]=2 [loops_stewart_platform]=1 [loops_strandbeest]=1
    [loops_squeezer]=0.005 [mechanics_person]=1 [loops_four_bar]=0.5 [mechanics_swing_on_ropes]=1)
# What is plotted where the usual choice shows too much.
declare -A columns=([circuits_buck_converter]="out.v L.i")

if [ -z "${PREBUILT:-}" ]; then
    cargo build --profile "$profile" -p dysim -p anidysim
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$work}"

# The name of a model's pictures: folder and file, since a name may occur twice.
key() { # model
    echo "$(basename "$(dirname "$1")")_$(basename "$1" .dys)"
}

draw() { # key name model
    local key=$1 name=$2 model=$3 end
    end=$(grep -v '^#' "$work/$name.ani" | tail -1 | cut -d' ' -f1)
    if [ -n "${films[$key]:-}" ]; then
        local speed=${films[$key]}
        local to
        to=$(awk -v e="$end" -v s="$speed" 'BEGIN { m = 4*s; print (e < m) ? e : m }')
        "$target/anidysim" "$model" --data "$work/$name.ani" --record "$gallery/$key.gif" --size 360x270 --fps 10 \
            --speed "$speed" --to "$to" --hide legend >/dev/null
    else
        local at
        at=$(awk -v e="$end" 'BEGIN { print 0.37*e }')
        "$target/anidysim" "$model" --data "$work/$name.ani" --record "$gallery/$key.png" --size 360x270 \
            --from "$at" --to "$at" --hide legend >/dev/null
    fi
}

plot() { # key name
    local key=$1 name=$2 choice=()
    for column in ${columns[$key]:-}; do
        choice+=(-y "$column")
    done
    "$target/dysim" plot "$work/$name.csv" -q "${choice[@]}" -o "$gallery/$key.svg"
}

for model in models/*/*.dys; do
    [[ "$model" == *"$pattern"* ]] || continue
    name=$(sed -n 's/.*ModelName *= *\([^;]*\);.*/\1/p' "$model" | head -1)
    key=$(key "$model")
    echo "$model"
    "$target/dysim" --quiet --out "$work" "$model"
    if [ -f "$work/$name.csv" ] && [ "$(wc -l <"$work/$name.csv")" -gt 2 ]; then
        plot "$key" "$name"
    fi
    if [ -f "$work/$name.ani" ] && grep -q '^Primitive' "$model"; then
        draw "$key" "$name" "$model"
    fi
done

page="$gallery/README.md"
{
    echo "# Gallery"
    echo
    echo "Every model of the folder \`models\`, drawn by \`anidysim\` and plotted by \`dysim plot\`. Made by \`docs/gallery/make.sh\`."
    for folder in models/*/; do
        echo
        echo "## $(basename "$folder")"
        for model in "$folder"*.dys; do
            name=$(basename "$model" .dys)
            key=$(key "$model")
            echo
            echo "### $name"
            echo
            # The comment at the top, up to the first empty line.
            sed -n '/^\/\//!q; s/^\/\/ \{0,1\}//p' "$model"
            echo
            echo "[The model](../../$model)"
            for picture in "$key.gif" "$key.png" "$key.svg"; do
                if [ -f "$gallery/$picture" ]; then
                    echo
                    echo "![$name]($picture)"
                fi
            done
        done
    done
} >"$page"
echo "wrote $page"
