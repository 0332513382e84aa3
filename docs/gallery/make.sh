#!/usr/bin/env bash
# Makes the gallery: runs every model, plots its results, draws its bodies or its bond graph, and writes README.md.
# What is shown of each model stands in choice.txt.
# Needs the programs, which it builds, and a Vulkan driver (docs/animator.md). Takes some minutes without a graphics card.
# `docs/gallery/make.sh PATTERN` renews only models whose path contains the pattern, and the page.
# PROGRAMS=DIR takes programs that are built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C

gallery=docs/gallery
pattern="${1:-}"
programs="${PROGRAMS:-${CARGO_TARGET_DIR:-target}/release}"
if [ -z "${PROGRAMS:-}" ]; then
    cargo build --release -p dysim -p anidysim
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$work}"

# The name of a model's pictures: folder and file, since a name may occur twice.
key() { # model
    echo "$(basename "$(dirname "$1")")_$(basename "$1" .dys)"
}

# The options of a model in choice.txt: 2 is the plot, 3 the drawing.
choice() { # key column
    awk -F'|' -v key="$1" -v column="$2" '{ name = $1; gsub(/ /, "", name) } name == key { print $column }' "$gallery/choice.txt"
}

# Draws the bodies of a model: a picture at a third of the motion, or a film of four seconds.
draw() { # key name model results
    local key=$1 name=$2 model=$3 results=$4 film="" data="$4/$2.ani" end options=()
    read -r -a words <<<"$(choice "$key" 3)"
    for word in "${words[@]}"; do
        case "$word" in
        film=*) film=${word#film=} ;;
        mode=*) data="$results/${name}_mode${word#mode=}.ani" ;;
        *) options+=("$word") ;;
        esac
    done
    local common=(--data "$data" --size 360x270 "${options[@]}")
    end=$(grep -v '^#' "$data" | tail -1 | cut -d' ' -f1)
    rm -f "$gallery/$key".{png,gif}
    if [ -n "$film" ]; then
        local to
        to=$(awk -v e="$end" -v s="$film" 'BEGIN { m = 4*s; print (e < m) ? e : m }')
        "$programs/anidysim" "$model" "${common[@]}" --record "$gallery/$key.gif" --fps 10 --speed "$film" --to "$to" >/dev/null
    else
        local at
        at=$(awk -v e="$end" 'BEGIN { print 0.37*e }')
        "$programs/anidysim" "$model" "${common[@]}" --record "$gallery/$key.png" --from "$at" --to "$at" >/dev/null
    fi
}

plot() { # key name results
    # Names with a star are for the program, not for the shell.
    local table=csv options=()
    read -r -a words <<<"$(choice "$1" 2)"
    for word in "${words[@]}"; do
        case "$word" in
        table=*) table=${word#table=} ;;
        *) options+=("$word") ;;
        esac
    done
    "$programs/dysim" plot "$3/$2.$table" -q "${options[@]}" -o "$gallery/$1.svg"
}

for model in models/*/*.dys; do
    [[ "$model" == *"$pattern"* ]] || continue
    name=$(sed -n 's/.*ModelName *= *\([^;]*\);.*/\1/p' "$model" | head -1)
    key=$(key "$model")
    # A directory of its own: two models may have the same name.
    results="$work/$key"
    mkdir "$results"
    echo "$model"
    "$programs/dysim" --quiet --out "$results" "$model"
    if [ -f "$results/$name.csv" ] && [ "$(wc -l <"$results/$name.csv")" -gt 2 ]; then
        plot "$key" "$name" "$results"
    fi
    if [[ "$model" == models/bondgraphs/* ]]; then
        "$programs/dysim" --bonds-svg "$gallery/${key}_graph.svg" "$model" --quiet
    fi
    if [ -f "$results/$name.ani" ] && grep -q '^ *Primitive' "$model"; then
        draw "$key" "$name" "$model" "$results"
    fi
    rm -r "$results"
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
            for picture in "$key.gif" "$key.png" "${key}_graph.svg" "$key.svg"; do
                if [ -f "$gallery/$picture" ]; then
                    echo
                    echo "![$name]($picture)"
                fi
            done
        done
    done
} >"$page"
# Pictures of models that are gone.
for picture in "$gallery"/*.{gif,png,svg}; do
    grep -q "($(basename "$picture"))" "$page" || rm "$picture"
done
echo "wrote $page"
