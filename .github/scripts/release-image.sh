#!/usr/bin/env bash
# Builds the image from the released program, tries it, and pushes it for both architectures to REGISTRY, a variable of the
# repository; without one there is no image.
set -euo pipefail
version="${GITHUB_REF_NAME#release-}"
if [ -z "${REGISTRY:-}" ]; then
  echo "::notice title=refdrift::no image: the variable IMAGE_REGISTRY is not set"
  exit 0
fi
image="$REGISTRY/${GITHUB_REPOSITORY,,}"
docker login "$REGISTRY" --username "$GITHUB_ACTOR" --password-stdin <<<"$TOKEN"
images=()
for pair in amd64:x86_64 arm64:aarch64; do
  rm -rf context && mkdir context
  tar -xzf "dist/refdrift-$version-${pair#*:}-unknown-linux-musl.tar.gz" -C context refdrift
  cp Dockerfile context/
  docker build --platform "linux/${pair%:*}" --build-arg FROM_STAGE=release --tag "$image:$version-${pair%:*}" context
  images+=("$image:$version-${pair%:*}")
done
docker run --rm --network none "${images[0]}" demo
for one in "${images[@]}"; do docker push "$one"; done
docker manifest create "$image:$version" "${images[@]}"
docker manifest push "$image:$version"
