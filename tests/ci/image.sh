#!/usr/bin/env bash
# Proves the image's recipe. Where a container engine runs and REFDRIFT_STATIC names a static program, the image is built and run;
# everywhere else the same is done in a root directory of its own: the program, nothing else, not root, a workspace that belongs
# to another user and cannot be written. Needs root for that; says so and passes without.
set -euo pipefail
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The recipe itself: the last stage is empty but for the program, and is not root.
last="$(awk '/^FROM /{text=""} {text=text $0 "\n"} END{printf "%s", text}' Dockerfile)"
grep -q '^FROM scratch$' <<<"$last"
grep -q '^USER 65532:65532$' <<<"$last"
test "$(grep -c '^COPY\|^ADD\|^RUN' <<<"$last")" = 1

bash tests/ci/sample.sh "$work/sample"
if [ -n "${REFDRIFT_STATIC:-}" ] && docker info >/dev/null 2>&1; then
  mkdir "$work/context"
  cp "$REFDRIFT_STATIC" "$work/context/refdrift"
  docker build --quiet --build-arg FROM_STAGE=release --file Dockerfile --tag refdrift-test "$work/context"
  docker run --rm --network none --volume "$work/sample:/work:ro" refdrift-test check --base HEAD~1 >"$work/report"
elif [ "$(id -u)" = 0 ]; then
  program="${REFDRIFT_STATIC:-${REFDRIFT_BIN:-target/debug/refdrift}}"
  root="$work/root"
  mkdir -p "$root/work"
  cp "$program" "$root/refdrift"
  # A program that is not static brings its libraries along.
  { ldd "$program" 2>/dev/null || true; } | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"
  done
  cp -R "$work/sample/." "$root/work/"
  chown -R 1234:1234 "$root/work"
  chmod -R a-w,a+rX "$root/work"
  chmod 755 "$work" "$root"
  env -i "$(PATH="$PATH:/usr/sbin:/sbin" command -v chroot)" --userspec=65532:65532 "$root" /refdrift check --repo /work --base HEAD~1 >"$work/report"
else
  echo "neither a container engine nor root: only the recipe was read"
  exit 0
fi
grep -q 'README.md' "$work/report"
echo "ok - the image's recipe"
