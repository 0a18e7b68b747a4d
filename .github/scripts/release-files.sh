#!/usr/bin/env bash
# Writes the checksums of the archives in dist/ and the bill of materials.
set -euo pipefail
(cd dist && sha256sum refdrift-*.tar.gz >release.sha256)
python3 .github/scripts/sbom.py >dist/refdrift.cdx.json
