#!/usr/bin/env bash
# Commits the checksums of the archives beside install.sh, on top of what they were built from, and makes the tag of the version
# on that commit, once and for good: whoever uses the action by it gets archives whose sha256 is committed. A run that is repeated
# finds its own tag; one with other archives stops before anything is changed.
set -euo pipefail
tag="v${GITHUB_REF_NAME#release-}"
remote="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"
sums=.github/scripts/release.sha256
gh auth setup-git
if git fetch --quiet "$remote" "refs/tags/$tag" 2>/dev/null; then
  if ! git merge-base --is-ancestor "$GITHUB_SHA" FETCH_HEAD || ! diff -q <(git show "FETCH_HEAD:$sums") dist/release.sha256 >/dev/null; then
    echo "::error title=release::$tag is there already, of another commit or with other archives; nothing was changed"
    exit 1
  fi
  echo "$tag is there already, with these archives"
  exit 0
fi
cp dist/release.sha256 "$sums"
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git add --force "$sums"
git commit --quiet --message "Checksums of $tag"
git push --quiet "$remote" "HEAD:refs/tags/$tag"
