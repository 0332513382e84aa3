#!/usr/bin/env bash
# Builds the Debian packages of both programs, or of those that are named, with the tools that Debian has anyway:
#     packaging/debian.sh [--try] [dysim] [anidysim]
# --try installs each package, runs what it contains in an empty directory, and removes it again (as root).
# PROGRAMS=DIR takes programs that are built already; OUT=DIR gets the packages, target/debian if it is not set;
# COMPRESSION=none is quick.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

attempt=no
if [ "${1:-}" = --try ]; then
    attempt=yes
    shift
fi
programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
    programs=(dysim anidysim)
fi
out="${OUT:-target/debian}"
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
architecture=$(dpkg --print-architecture)

fail() {
    echo "$*" >&2
    exit 1
}

# The animator loads the libraries of the window and of the driver when it starts, so that they cannot be found in the program.
declare -A loads=([dysim]=""
    [anidysim]="libvulkan1, mesa-vulkan-drivers, libx11-6, libx11-xcb1, libxcursor1, libxi6, libxkbcommon0, libxkbcommon-x11-0")
declare -A relations=([dysim]="Suggests: anidysim, gnuplot" [anidysim]="Recommends: dysim")
declare -A title=([dysim]="simulates the mechatronic system that a text file describes" [anidysim]="shows in 3D what dysim simulated")
declare -A text=(
    [dysim]=" Rigid bodies with joints and contacts, closed loops, drives, circuits and controllers
 are simulated; results are tables of text and plots of them."
    [anidysim]=" Motions are drawn in a window, or as pictures and films without a display.")
declare -A page=([dysim]=man [anidysim]=--man)
declare -A completions=([dysim]=completions [anidysim]=--completions)

# Libraries that the program is linked with, as packages with their versions.
linked() { # program root
    mkdir -p "$work/$1.source/debian"
    printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$1" "$1" >"$work/$1.source/debian/control"
    (cd "$work/$1.source" && dpkg-shlibdeps -O -e"$2/usr/bin/$1" 2>/dev/null) | sed 's/^shlibs:Depends=//'
}

# Puts everything in its place below a directory.
stage() { # program built root
    local program=$1 built=$2 root=$3 doc="$3/usr/share/doc/$1"
    install -D --mode 755 --strip "$built" "$root/usr/bin/$program"
    mkdir -p "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" \
        "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" "$doc"
    "$built" "${page[$program]}" | gzip -9n >"$root/usr/share/man/man1/$program.1.gz"
    "$built" "${completions[$program]}" bash >"$root/usr/share/bash-completion/completions/$program"
    "$built" "${completions[$program]}" zsh >"$root/usr/share/zsh/vendor-completions/_$program"
    "$built" "${completions[$program]}" fish >"$root/usr/share/fish/vendor_completions.d/$program.fish"
    cat LICENSE-MIT LICENSE-APACHE >"$doc/copyright"
    gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
    if [ "$program" = dysim ]; then
        cp README.md "$doc/"
        cp -r models "$doc/"
    fi
}

control() { # program root
    local depends
    depends=$(linked "$1" "$2")
    cat <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: The dysim developers <dysim@localhost>
Section: science
Priority: optional
Depends: ${depends:-libc6}${loads[$1]:+, ${loads[$1]}}
${relations[$1]}
Installed-Size: $(du -sk "$2/usr" | cut -f1)
Description: ${title[$1]}
${text[$1]}
END
}

build() { # program
    local program=$1 root="$work/$1" built="${PROGRAMS:-${CARGO_TARGET_DIR:-target}/release}/$1"
    if [ -z "${PROGRAMS:-}" ]; then
        cargo build --release -p "$program"
    fi
    [ -x "$built" ] || fail "there is no $built"
    stage "$program" "$(realpath "$built")" "$root"
    mkdir "$root/DEBIAN"
    control "$program" "$root" >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
    chmod -R u=rwX,go=rX "$root"
    package="$out/${program}_${version}_$architecture.deb"
    dpkg-deb --root-owner-group "-Z${COMPRESSION:-xz}" --build "$root" "$package" >/dev/null
    echo "$package"
}

# Installs the package as a user would, works with it where nothing of the repository is, and removes it again.
try() { # program package
    local program=$1 package=$2 desk="$work/desk"
    apt-get install --yes --no-install-recommends "$package" >"$work/apt.log" 2>&1 || fail "$(tail -5 "$work/apt.log")"
    mkdir -p "$desk/runtime"
    cp models/mechanics/pendulum.dys "$desk/"
    (
        cd "$desk"
        export XDG_RUNTIME_DIR="$desk/runtime"
        "/usr/bin/$program" --version
        case "$program" in
        dysim)
            /usr/bin/dysim --quiet pendulum.dys --plot
            grep -q '</svg>' pendulum.svg
            ;;
        anidysim)
            # A motion of one row, so that the other package is not needed.
            printf '# DySimAniFileVersion: 0.5\n# ModelName: pendulum\n# NumberOfBodies: 1\n# NamesOfBodies: rod\n0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n' >pendulum.ani
            /usr/bin/anidysim pendulum.dys --record picture.png --size 320x240
            head -c 4 picture.png | grep -q PNG
            ;;
        esac
    ) || fail "$program of the package does not work"
    # Containers often leave out manual pages and documents when they install.
    dpkg --listfiles "$program" | grep -q "man1/$program.1.gz" || fail "$program has no manual page"
    bash -n "/usr/share/bash-completion/completions/$program" || fail "$program has no completions"
    apt-get remove --yes "$program" >"$work/apt.log" 2>&1 || fail "$(tail -5 "$work/apt.log")"
    [ ! -e "/usr/bin/$program" ] || fail "$program is still there"
    echo "$program: installed, used, removed"
}

for program in "${programs[@]}"; do
    build "$program"
    if [ "$attempt" = yes ]; then
        try "$program" "$package"
    fi
done
