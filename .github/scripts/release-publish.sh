#!/usr/bin/env bash
# Makes the release with everything in dist/: a draft first, so that nobody sees half of it. A run that is repeated goes on where
# the last one stopped, and changes nothing of a release that is out.
set -euo pipefail
tag="v${GITHUB_REF_NAME#release-}"
if draft="$(gh release view "$tag" --json isDraft --jq .isDraft 2>/dev/null)"; then
  if [ "$draft" != true ]; then
    echo "$tag is released already"
    exit 0
  fi
  gh release upload "$tag" --clobber dist/*
else
  gh release create "$tag" --draft --verify-tag --generate-notes dist/*
fi
gh release edit "$tag" --draft=false
