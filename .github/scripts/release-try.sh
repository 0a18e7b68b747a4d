#!/usr/bin/env bash
# Gets the released program as the action does at the tag of the version, and runs it. A build from source is a failure here.
set -euo pipefail
gh auth setup-git
git fetch --quiet "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git" "refs/tags/v${GITHUB_REF_NAME#release-}"
git checkout --quiet FETCH_HEAD
GITHUB_OUTPUT="$RUNNER_TEMP/found" bash .github/scripts/install.sh
program="$(sed -n 's/^path=//p' "$RUNNER_TEMP/found")"
case "$program" in */build/bin/*) echo "::error title=release::the release was not found"; exit 1 ;; esac
"$program" demo
