#!/usr/bin/env bash
# Builds the static program for this machine into stage/, as the release does but for the time the optimiser takes, twice, and the
# archive must be the same. Elsewhere than on Linux x86_64, and where Rust has no such target to give, says so and builds nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
export TARGET=x86_64-unknown-linux-musl PROFILE=dev CARGO_PROFILE_DEV_DEBUG=false GITHUB_REF_NAME=
rm -rf stage dist
if [ "$(uname -sm)" != "Linux x86_64" ] || ! rustup target add "$TARGET" >/dev/null 2>&1; then
  echo "no static program on this machine"
  exit 0
fi
sums=()
for _ in 1 2; do
  bash .github/scripts/build-release.sh
  sums+=("$(sha256sum dist/refdrift-*.tar.gz | cut -d ' ' -f 1)")
done
test "${sums[0]}" = "${sums[1]}"
echo "ok - the archive is the same twice"
# An engine for the image where there is none.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! command -v buildah >/dev/null && ! docker info >/dev/null 2>&1; then
  { apt-get update -qq && apt-get install -qq --no-install-recommends buildah; } >/dev/null 2>&1 || echo "no container engine to be had"
fi
