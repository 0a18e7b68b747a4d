# The image of refdrift: one static program, no shell, not root. Nothing of the repository is executed, and a workspace that
# belongs to another user is read all the same.
#
#   from source:            docker build -t refdrift .
#   from a release binary:  docker build -t refdrift --build-arg FROM_STAGE=release .   (needs ./refdrift, static, for this machine)
#   use:                    docker run --rm -v "$PWD:/work:ro" refdrift check

ARG FROM_STAGE=source

FROM rust:1.90-alpine AS source
RUN apk add --no-cache musl-dev gcc make
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist && cp target/dist/refdrift /refdrift

FROM scratch AS release
COPY refdrift /refdrift

FROM ${FROM_STAGE} AS program

FROM scratch
COPY --from=program /refdrift /refdrift
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/refdrift"]
CMD ["check"]
