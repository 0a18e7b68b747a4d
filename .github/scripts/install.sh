#!/usr/bin/env bash
# Finds or gets the program for action.yml and publish/action.yml, and says where it is in the output `path`. In this order:
# REFDRIFT_BIN; the release for this machine, if its sha256 is committed beside this script; a build from the action's source.
# The working directory is the user's checkout: nothing in it is trusted, and only REFDRIFT_BIN may be a path from there.
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
program=refdrift
[ "${RUNNER_OS:-}" != Windows ] || program=refdrift.exe

# Where the release is. Inside another composite action the context names that one, so the folder the runner put this one in
# comes first: .../_actions/OWNER/NAME/REF.
repository="${ACTION_REPOSITORY:-}"
if [[ "${root//\\//}" =~ /_actions/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/ ]]; then repository="${BASH_REMATCH[1]}"; fi

# The runner's folder is the job's own; any other place is one that nobody else can have filled.
if [ -n "${RUNNER_TEMP:-}" ]; then folder="$RUNNER_TEMP/refdrift-bin-$version"; else folder="$(mktemp -d)"; fi
mkdir -p "$folder"
# All names below are relative: tar takes `D:\` for another machine, and sha256sum escapes a backslash.
cd "$folder"
[ ! -x "$program" ] || found "$folder/$program"

sha256() {
  { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi } <"$1" | cut -d ' ' -f 1
}

# The archive, from the server the job is on, else (an action of github.com on GitHub Enterprise Server) from github.com.
fetch() {
  local server
  for server in "${GITHUB_SERVER_URL:-https://github.com}" https://github.com; do
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --connect-timeout 10 --max-time 120 --output "$name" \
      "$server/$repository/releases/download/v$version/$name" && return 0
    [ "$server" != https://github.com ] || return 1
  done
  return 1
}

download() {
  local expected
  [ -n "$target" ] && [ -n "$repository" ] && [ -f "$digests" ] || return 1
  expected="$(awk -v name="$name" '$2 == name { print $1 }' "$digests")"
  [ -n "$expected" ] || return 1
  fetch || return 1
  if [ "$(sha256 "$name")" != "$expected" ]; then
    rm -f "$name"
    echo "::error title=refdrift::$name is not what was released: its sha256 differs from the committed one"
    exit 1
  fi
  # The committed digest is what counts; the attestation says besides that the release workflow made it.
  if command -v gh >/dev/null && [ -n "${GH_TOKEN:-}" ] && [ "${GITHUB_SERVER_URL:-}" = https://github.com ]; then
    if ! gh attestation verify "$name" --repo "$repository" --signer-workflow "$repository/.github/workflows/release.yml" \
      >/dev/null 2>&1; then
      echo "::warning title=refdrift::the attestation of $name could not be verified; its sha256 is the committed one"
    fi
  fi
  # One member, and that a file; only a whole one gets the name that the next step finds.
  rm -rf new && mkdir new && tar -xzf "$name" -C new "$program" || return 1
  [ -f "new/$program" ] && [ ! -L "new/$program" ] && [ -x "new/$program" ] || return 1
  mv "new/$program" "$program"
}

if download; then
  found "$folder/$program"
fi

echo "::notice title=refdrift::no released program for this machine; building it takes about ten minutes"
if ! command -v cargo >/dev/null; then
  echo "::error title=refdrift::there is no released program for this machine, and no cargo to build one; set REFDRIFT_BIN"
  exit 1
fi
# From the action's own folder: a toolchain file of the checkout could name a program to run.
cd "$root"
cargo install --locked --quiet --path "$root" --root "$folder/build" >&2
found "$folder/build/bin/$program"
