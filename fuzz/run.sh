#!/bin/sh
# Fuzzes every target for some seconds (60), guided by coverage, with the stable compiler.
# Usage: fuzz/run.sh [SECONDS]
# Inputs that fail are left in fuzz/found; put them into fuzz/corpus/<target> when they are cured, and every test run tries
# them again.
set -eu
cd "$(dirname "$0")"
seconds="${1:-60}"
target=x86_64-unknown-linux-gnu
# The passes that `cargo fuzz` asks for; naming the target keeps them out of build scripts.
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table" \
    CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true cargo build --release --target "$target"
mkdir -p found
for name in parse format model expression animation; do
    corpus=corpus/$name
    [ -d "$corpus" ] || corpus=corpus/parse
    new=$(mktemp -d)
    echo "== $name"
    "${CARGO_TARGET_DIR:-target}/$target/release/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 \
        -print_final_stats=1 -artifact_prefix="found/$name-" "$new" "$corpus" 2>&1 | grep -E "DONE|ERROR|panicked|stat::number" ||
        true
    rm -rf "$new"
done
failed=$(ls found)
[ -z "$failed" ] || { echo "found: $failed"; exit 1; }
