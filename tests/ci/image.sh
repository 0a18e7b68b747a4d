#!/usr/bin/env bash
# Proves the image's recipe with the static program that REFDRIFT_STATIC names. Where Docker or buildah runs, the image is built
# from the Dockerfile and run; elsewhere the same is done by hand in a root directory of its own: the program, nothing else, not
# root. The workspace always belongs to another user and cannot be written. The stage that builds from source needs a base image
# and is not built here; what it installs is what the static build takes as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The recipe itself: the last stage is empty but for the program, and is not root; the compiler is the oldest one supported.
last="$(awk '/^FROM /{text=""} {text=text $0 "\n"} END{printf "%s", text}' Dockerfile)"
grep -q '^FROM scratch$' <<<"$last"
grep -q '^USER 65532:65532$' <<<"$last"
test "$(grep -c '^COPY\|^ADD\|^RUN' <<<"$last")" = 1
grep -q "^FROM rust:$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)-alpine AS source$" Dockerfile

program="${REFDRIFT_STATIC:-${REFDRIFT_BIN:-target/debug/refdrift}}"
if [ -n "${REFDRIFT_STATIC:-}" ]; then
  if readelf --program-headers --wide "$program" | grep -q INTERP || readelf --dynamic "$program" | grep -q NEEDED; then
    echo "$program needs other files to run"
    exit 1
  fi
  echo "ok - the program is static"
fi

bash tests/ci/sample.sh "$work/sample"
if [ "$(id -u)" = 0 ]; then
  chown -R 1234:1234 "$work/sample"
  chmod -R a-w,a+rX "$work/sample"
fi
mkdir "$work/context"
cp "$program" "$work/context/refdrift"
cp Dockerfile "$work/context/"
if [ -n "${REFDRIFT_STATIC:-}" ] && docker info >/dev/null 2>&1; then
  how=docker
  docker build --quiet --build-arg FROM_STAGE=release --tag refdrift-test "$work/context"
  docker run --rm --network none --volume "$work/sample:/work:ro" refdrift-test check --base HEAD~1 >"$work/report"
  ! docker run --rm --network none --volume "$work/sample:/work:ro" refdrift-test check --base HEAD~1 --output /report 2>/dev/null || exit 1
elif [ -n "${REFDRIFT_STATIC:-}" ] && [ "$(id -u)" = 0 ] && command -v buildah >/dev/null; then
  how=buildah
  engine() { buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"; }
  engine bud --quiet --isolation chroot --build-arg FROM_STAGE=release --tag refdrift-test "$work/context" >/dev/null
  container="$(engine from --pull-never localhost/refdrift-test)"
  # `run` takes the image's user and folder, but not its entry point.
  test "$(engine inspect --type image --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.User}}' localhost/refdrift-test)" = '[/refdrift] 65532:65532'
  inside="$(engine mount "$container")"
  test "$(cd "$inside" && find . -type f)" = ./refdrift
  engine run --isolation chroot --volume "$work/sample:/work:ro" "$container" -- /refdrift check --base HEAD~1 >"$work/report"
  # Only root could write there.
  ! engine run --isolation chroot --volume "$work/sample:/work:ro" "$container" -- /refdrift check --base HEAD~1 --output /report 2>/dev/null || exit 1
elif [ "$(id -u)" = 0 ]; then
  how='a root directory'
  root="$work/root"
  mkdir -p "$root/work"
  cp "$program" "$root/refdrift"
  # A program that is not static brings its libraries along.
  { ldd "$program" 2>/dev/null || true; } | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"
  done
  cp -a "$work/sample/." "$root/work/"
  chmod 755 "$work" "$root"
  env -i "$(PATH="$PATH:/usr/sbin:/sbin" command -v chroot)" --userspec=65532:65532 "$root" /refdrift check --repo /work --base HEAD~1 >"$work/report"
else
  echo "neither a container engine nor root: only the recipe was read"
  exit 0
fi
grep -q 'README.md' "$work/report"
echo "ok - the image, by $how"
