#!/usr/bin/env bash
# Finds or gets the program for action.yml and publish/action.yml, and says where it is in the output `path`. In this order:
# REFDRIFT_BIN; the release for this machine, if its sha256 is committed beside this script; a build from the action's source.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
digests="$here/release.sha256"

found() {
  echo "path=$1" >>"$GITHUB_OUTPUT"
  exit 0
}

if [ -n "${REFDRIFT_BIN:-}" ]; then
  [ -x "$REFDRIFT_BIN" ] || { echo "::error title=refdrift::REFDRIFT_BIN names no program that can be run"; exit 1; }
  found "$REFDRIFT_BIN"
fi

version="$(sed -n 's/^version = "\([0-9A-Za-z.+-]*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)"
case "${RUNNER_OS:-}-${RUNNER_ARCH:-}" in
  Linux-X64) target=x86_64-unknown-linux-musl ;;
  Linux-ARM64) target=aarch64-unknown-linux-musl ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *) target= ;;
esac
name="refdrift-$version-$target.tar.gz"
folder="${RUNNER_TEMP:-${TMPDIR:-/tmp}}/refdrift-bin-$version"
program="$folder/refdrift"
[ "${RUNNER_OS:-}" = Windows ] && program="$program.exe"
[ -x "$program" ] && found "$program"
mkdir -p "$folder"

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

download() {
  local expected archive="$folder/$name"
  [ -n "$target" ] && [ -f "$digests" ] || return 1
  expected="$(awk -v name="$name" '$2 == name { print $1 }' "$digests")"
  [ -n "$expected" ] || return 1
  curl --fail --silent --show-error --location --proto '=https' --retry 3 --max-time 120 --output "$archive" \
    "${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:-}/releases/download/v$version/$name" || return 1
  if [ "$(sha256 "$archive")" != "$expected" ]; then
    echo "::error title=refdrift::$name is not what was released: its sha256 differs from the committed one"
    exit 1
  fi
  # The committed digest is what counts; the attestation says besides that the release workflow made it.
  if command -v gh >/dev/null && [ -n "${GH_TOKEN:-}" ] && [ "${GITHUB_SERVER_URL:-}" = https://github.com ]; then
    if ! gh attestation verify "$archive" --repo "$ACTION_REPOSITORY" >/dev/null 2>&1; then
      echo "::warning title=refdrift::the attestation of $name could not be verified; its sha256 is the committed one"
    fi
  fi
  tar -xzf "$archive" -C "$folder"
  [ -x "$program" ]
}

if download; then
  found "$program"
fi

echo "::notice title=refdrift::no released program for this machine; building it takes about ten minutes"
if ! command -v cargo >/dev/null; then
  echo "::error title=refdrift::there is no released program for this machine, and no cargo to build one; set REFDRIFT_BIN"
  exit 1
fi
cargo install --locked --quiet --path "$root" --root "$folder/build" >&2
built="$folder/build/bin/refdrift"
[ "${RUNNER_OS:-}" = Windows ] && built="$built.exe"
found "$built"
