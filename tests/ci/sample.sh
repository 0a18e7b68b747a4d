#!/usr/bin/env bash
# Makes a repository of two commits from the demo's fixture: sample.sh FOLDER. Nothing of the user's git configuration is read.
set -euo pipefail
here="$(cd "$(dirname "$0")/../.." && pwd)"
folder="$1"
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=sample GIT_AUTHOR_EMAIL=sample@example.invalid GIT_COMMITTER_NAME=sample GIT_COMMITTER_EMAIL=sample@example.invalid
mkdir -p "$folder"
git -C "$folder" init --quiet --initial-branch main
for side in before after; do
  cp -R "$here/fixtures/demo/$side/." "$folder/"
  git -C "$folder" add --all
  git -C "$folder" commit --quiet --message "$side"
done
