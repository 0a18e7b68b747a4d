#!/usr/bin/env bash
# Builds the program for TARGET and packs it into dist/, without anything in the archive that changes from build to build.
# PROFILE is for tests; users get `dist`.
set -euo pipefail
profile="${PROFILE:-dist}"
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
if [ -n "${GITHUB_REF_NAME:-}" ] && [ "$GITHUB_REF_NAME" != "release-$version" ]; then
  echo "::error title=release::the tag is $GITHUB_REF_NAME, Cargo.toml says $version"
  exit 1
fi
case "$TARGET" in
  *-linux-musl)
    if ! command -v musl-gcc >/dev/null; then
      as_root=; [ "$(id -u)" = 0 ] || as_root=sudo
      $as_root apt-get update -qq
      $as_root apt-get install -qq --no-install-recommends musl-tools >/dev/null
    fi
    ;;
esac
rustup target add "$TARGET"
cargo build --locked --quiet --profile "$profile" --target "$TARGET"
[ "$profile" != dev ] || profile=debug
program=refdrift
case "$TARGET" in *windows*) program=refdrift.exe ;; esac
rm -rf stage && mkdir -p dist stage
cp "${CARGO_TARGET_DIR:-target}/$TARGET/$profile/$program" LICENSE-MIT LICENSE-APACHE stage/
"stage/$program" --version
# tar's options for this differ from system to system, and each has a Python.
python="$(command -v python3 || command -v python)"
"$python" .github/scripts/pack.py "dist/refdrift-$version-$TARGET.tar.gz" stage "$program" LICENSE-MIT LICENSE-APACHE
