#!/usr/bin/env bash
# Builds the program for TARGET and packs it into dist/, without anything in the archive that changes from build to build.
set -euo pipefail
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
case "$TARGET" in
  *-linux-musl) sudo apt-get update -qq && sudo apt-get install -qq --no-install-recommends musl-tools ;;
esac
rustup target add "$TARGET"
cargo build --locked --profile dist --target "$TARGET"
mkdir -p dist stage
program=refdrift
case "$TARGET" in *windows*) program=refdrift.exe ;; esac
cp "target/$TARGET/dist/$program" LICENSE-MIT LICENSE-APACHE stage/
"stage/$program" --version
tar -czf "dist/refdrift-$version-$TARGET.tar.gz" -C stage "$program" LICENSE-MIT LICENSE-APACHE
