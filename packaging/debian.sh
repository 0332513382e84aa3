#!/usr/bin/env bash
# Builds the Debian packages of both programs, or of those that are named: packaging/debian.sh [dysim] [anidysim].
# Installs cargo-deb if it is missing, and checks what it has made.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
    programs=(dysim anidysim)
fi
target="${CARGO_TARGET_DIR:-target}"
# The manifests name files below target/.
generated=target/packaging
mkdir -p "$generated"

if ! cargo deb --version >/dev/null 2>&1; then
    cargo install --locked cargo-deb
fi

for program in "${programs[@]}"; do
    cargo build --release -p "$program"
    built="$target/release/$program"
    case "$program" in
    dysim) page=(man) script=(completions) ;;
    anidysim) page=(--man) script=(--completions) ;;
    esac
    "$built" "${page[@]}" >"$generated/$program.1"
    "$built" "${script[@]}" bash >"$generated/$program.bash"
    "$built" "${script[@]}" zsh >"$generated/_$program"
    "$built" "${script[@]}" fish >"$generated/$program.fish"
    package=$(cargo deb --no-build -p "$program" | tail -1)
    echo "$package"
    # What must be in it: the program, its page, its completions, and the libraries that nobody else pulls.
    contents=$(dpkg-deb --contents "$package")
    for file in "usr/bin/$program" "man1/$program.1" "completions/$program"; do
        grep -q "$file" <<<"$contents" || { echo "$package has no $file"; exit 1; }
    done
    if [ "$program" = anidysim ]; then
        dpkg-deb --field "$package" Depends | grep -q mesa-vulkan-drivers || { echo "no driver in Depends"; exit 1; }
    fi
done
