#!/usr/bin/env bash
# Publishes the crate, unless a run before this one has.
set -euo pipefail
version="${GITHUB_REF_NAME#release-}"
if cargo info --quiet --registry crates-io "refdrift@$version" >/dev/null 2>&1; then
  echo "refdrift $version is published already"
else
  cargo publish --locked
fi
