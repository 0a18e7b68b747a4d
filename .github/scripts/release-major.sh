#!/usr/bin/env bash
# Moves the tag that workflows name (`v1`) onto the tag of this version, unless it is at a newer version already. The action's
# interface is the first one from the start: versions 0.x of the program move `v1` too.
set -euo pipefail
version="${GITHUB_REF_NAME#release-}"
major="v${version%%.*}"
[ "$major" != v0 ] || major=v1
remote="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"
gh auth setup-git
git fetch --quiet "$remote" "refs/tags/v$version"
new="$(git rev-parse "FETCH_HEAD^{commit}")"
old=
if git fetch --quiet "$remote" "refs/tags/$major" 2>/dev/null; then
  old="$(git rev-parse FETCH_HEAD)"
  there="$(git show "FETCH_HEAD:Cargo.toml" | sed -n 's/^version = "\(.*\)"$/\1/p' | head -n 1)"
  if [ "$(printf '%s\n' "$there" "$version" | sort -V | tail -n 1)" != "$version" ]; then
    echo "::notice title=release::$major stays at $there, which is newer than $version"
    exit 0
  fi
fi
git push --quiet --force-with-lease="refs/tags/$major:$old" "$remote" "$new:refs/tags/$major"
