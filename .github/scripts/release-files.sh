#!/usr/bin/env bash
# Writes the checksums of the archives in dist/ and the bill of materials of the crate.
set -euo pipefail
(cd dist && sha256sum refdrift-*.tar.gz >release.sha256)
cargo install --locked --quiet cargo-cyclonedx
cargo cyclonedx --format json --override-filename refdrift.cdx
mv refdrift.cdx.json dist/
