"""Runs the scripts of the release workflow, in its order, against a bare repository, a stand-in for gh that keeps releases in a
folder, and a server on 127.0.0.1 that hands them out; then installs from the tags as users of the action do. Also checks that the
archive is the same twice, that the bill of materials is valid CycloneDX, and what the crate's package holds."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fake_releases import Server, certificates  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/ci-tools/sbom"
PROGRAM = pathlib.Path(os.environ.get("REFDRIFT_STATIC") or os.environ.get("REFDRIFT_BIN") or ROOT / "target/debug/refdrift")
TARGET = "x86_64-unknown-linux-musl"
GH = f"""#!{sys.executable}
import os, pathlib, shutil, subprocess, sys
state, arguments = pathlib.Path(os.environ["GH_STATE"]), sys.argv[1:]
with (state / "log").open("a") as log:
    log.write(" ".join(a for a in arguments if not a.startswith("dist/")) + "\\n")
if " ".join(arguments[:2]) in os.environ.get("GH_FAILS", "-").split(","):
    sys.exit("HTTP 500")
if arguments[0] == "release":
    verb, tag = arguments[1:3]
    release = state / tag
    if verb != "create" and not release.exists():
        sys.exit("release not found")
    if verb == "view":
        print("true" if (release / "draft").exists() else "false")
    elif verb == "create":
        remote = f"{{os.environ['GITHUB_SERVER_URL']}}/{{os.environ['GITHUB_REPOSITORY']}}.git"
        if release.exists() or subprocess.run(["git", "ls-remote", "--exit-code", remote, f"refs/tags/{{tag}}"]).returncode:
            sys.exit("it exists, or has no tag")
        release.mkdir()
        (release / "draft").touch()
    elif verb == "edit":
        (release / "draft").unlink(missing_ok=True)
    if verb in ("create", "upload"):
        for file in (a for a in arguments if a.startswith("dist/")):
            shutil.copy(file, release)
"""
DOCKER = """#!/bin/sh
echo "$*" >>"$GH_STATE/docker"
[ "$1" != build ] || { test -x context/refdrift && test -f context/Dockerfile; }
"""
# The first call of a version says that there is none.
CARGO = """#!/bin/sh
echo "$*" >>"$GH_STATE/cargo"
[ "$1" != info ] || exec test -e "$GH_STATE/published"
[ "$1" != publish ] || touch "$GH_STATE/published"
"""


def git(folder, *arguments):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", *arguments], cwd=folder, check=True,
                          capture_output=True, text=True).stdout.strip()


class Project:
    """The repository on its server, its releases, and the machines that jobs run on."""

    def __init__(self, world):
        self.world, self.remote, self.state, self.bin = world, world / "remote/o/refdrift.git", world / "state", world / "bin"
        for folder in (self.state, self.bin, world / "curl"):
            folder.mkdir()
        for name, text in (("gh", GH), ("docker", DOCKER)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        git(world, "clone", "--quiet", "--bare", ROOT, self.remote)
        for line in git(self.remote, "tag").split():
            git(self.remote, "tag", "--delete", line)
        certificates(world)
        self.server = Server(world)
        (world / "curl/.curlrc").write_text(self.server.curlrc(world))
        self.jobs = 0
        # What a debugger needs would only take time to pack.
        self.program = world / "program"
        subprocess.run(["strip", "-o", self.program, PROGRAM], check=True)
        # What is not committed yet is tested too.
        work = self.clone("HEAD")
        for name in (".github", "Cargo.toml", "Cargo.lock", "action.yml", "Dockerfile", ".gitignore"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, work / name, **({"dirs_exist_ok": True} if (ROOT / name).is_dir() else {}))
        self.push(work, "as it is here")

    def push(self, work, message):
        git(work, "add", "--all")
        git(work, "commit", "--quiet", "--allow-empty", "--message", message)
        git(work, "push", "--quiet", self.remote, "+HEAD:refs/heads/main")

    def clone(self, revision="main"):
        self.jobs += 1
        work = self.world / f"job {self.jobs}"
        git(self.world, "clone", "--quiet", self.remote, work)
        git(work, "checkout", "--quiet", "--detach", "origin/main" if revision == "main" else revision)
        return work

    def version(self, version):
        """Commits a version and pushes the tag that starts its release."""
        work = self.clone()
        text = (work / "Cargo.toml").read_text()
        before = re.search(r'(?m)^version = "(.*)"$', text).group(1)
        (work / "Cargo.toml").write_text(text.replace(f'version = "{before}"', f'version = "{version}"', 1))
        lock, own = (work / "Cargo.lock").read_text(), 'name = "refdrift"\nversion = "{}"'
        (work / "Cargo.lock").write_text(lock.replace(own.format(before), own.format(version)))
        self.push(work, f"Version {version}")
        git(work, "push", "--quiet", self.remote, f"HEAD:refs/tags/release-{version}")

    def archive(self, work, version, content):
        """Archives of two targets, packed once for each content."""
        (work / "dist").mkdir(exist_ok=True)
        stage, packed = self.world / f"stage {content}", self.world / f"{content}.tar.gz"
        if not packed.exists():
            stage.mkdir()
            shutil.copy(self.program, stage / "refdrift")
            (stage / "LICENSE-MIT").write_text(content)
            pack = [sys.executable, ".github/scripts/pack.py", packed, stage, "refdrift", "LICENSE-MIT"]
            subprocess.run(pack, cwd=work, check=True)
        for target in (TARGET, "aarch64-unknown-linux-musl"):
            shutil.copy(packed, work / f"dist/refdrift-{version}-{target}.tar.gz")

    def script(self, name, work, version, **environment):
        run = subprocess.run(["bash", f".github/scripts/{name}.sh"], cwd=work, capture_output=True, text=True, timeout=300, env={
            **os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "GITHUB_REF_NAME": f"release-{version}",
            "GITHUB_SHA": git(self.remote, "rev-parse", f"refs/tags/release-{version}"), "GITHUB_REPOSITORY": "o/refdrift",
            "GITHUB_SERVER_URL": f"file://{self.world}/remote", "GH_STATE": str(self.state), "RUNNER_TEMP": str(work / "temp"),
            "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_ACTOR": "a", "TOKEN": "none", "ACTION_REPOSITORY": "o/refdrift",
            "CURL_HOME": str(self.world / "curl"), "GH_TOKEN": "none", "REFDRIFT_BIN": "", **environment})
        return run.returncode, run.stdout + run.stderr

    def build(self, version, content="x"):
        """The jobs that build, and what the publishing one downloads."""
        work = self.clone(f"refs/tags/release-{version}")
        self.archive(work, version, content)
        return work

    def publish(self, work, version, **environment):
        """The publishing job, up to its first failing step."""
        for step in ("release-files", "release-commit", "release-publish"):
            code, log = self.script(step, work, version, **environment)
            if code:
                return step, log
        self.hand_out()
        return "", ""

    def hand_out(self):
        for release in self.state.glob("v*"):
            if not (release / "draft").exists():
                for file in release.iterdir():
                    path = f"/o/refdrift/releases/download/{release.name}/{file.name}"
                    self.server.table[("github.com", path)] = (200, {}, file.read_bytes())

    def refs(self):
        return git(self.remote, "for-each-ref", "--format=%(refname) %(objectname)")

    def log(self, name="log"):
        return (self.state / name).read_text().splitlines() if (self.state / name).exists() else []

    def user(self, tag):
        """What `uses: o/refdrift@TAG` gets: the sha256 of the program, where it is the released one."""
        self.jobs += 1
        action = self.world / f"user {self.jobs}" / "_actions/o/refdrift" / tag
        git(self.world, "clone", "--quiet", "--branch", tag, self.remote, action)
        temp = action.parent / "temp"
        temp.mkdir()
        environment = {"PATH": os.environ["PATH"], "CURL_HOME": str(self.world / "curl"), "RUNNER_TEMP": str(temp), "RUNNER_OS": "Linux",
                       "RUNNER_ARCH": "X64", "GITHUB_OUTPUT": str(temp / "output"), "GITHUB_SERVER_URL": "https://github.com"}
        # Without a release this would build for minutes.
        (temp / "cargo").write_text("#!/bin/sh\nexit 9\n")
        (temp / "cargo").chmod(0o755)
        environment["PATH"] = f"{temp}:{environment['PATH']}"
        run = subprocess.run(["bash", action / ".github/scripts/install.sh"], env=environment, capture_output=True, text=True, timeout=120)
        if run.returncode:
            return run.stdout + run.stderr
        return hashlib.sha256(pathlib.Path((temp / "output").read_text().strip().removeprefix("path=")).read_bytes()).hexdigest()


def releases(world):
    project = Project(world)
    released = hashlib.sha256(project.program.read_bytes()).hexdigest()

    project.version("0.1.0")
    work = project.build("0.1.0")
    yield "a tag that is not the version's is refused", project.script("build-release", work, "0.1.0", GITHUB_REF_NAME="release-9.9.9", TARGET="x")[0] == 1
    # GitHub fails in the middle, twice; the job is run again.
    yield "stops where GitHub fails", project.publish(work, "0.1.0", GH_FAILS="release create")[0] == "release-publish"
    tagged = project.refs()
    yield "and its tag is there", "refs/tags/v0.1.0 " in tagged and "refs/tags/v1 " not in tagged
    yield "again, later", project.publish(project.build("0.1.0"), "0.1.0", GH_FAILS="release edit")[0] == "release-publish"
    yield "a draft is not handed out", "no released program" in project.user("v0.1.0")
    work = project.build("0.1.0")
    yield "goes on", project.publish(work, "0.1.0") == ("", "") and project.refs() == tagged
    verbs = [line.split()[1] for line in project.log() if line.startswith("release")]
    yield "with one release", verbs.count("create") == 2 and verbs.count("upload") == 1 and verbs[-1] == "edit"
    commit = git(project.remote, "rev-parse", "v0.1.0")
    yield "on what was built", git(project.remote, "rev-parse", "v0.1.0^") == git(project.remote, "rev-parse", "release-0.1.0")
    changed = git(project.remote, "diff", "--name-only", "v0.1.0^", "v0.1.0")
    yield "but for the checksums", changed == ".github/scripts/release.sha256"
    yield "users of the version get the release", project.user("v0.1.0") == released

    code, log = project.script("release-try", project.clone(), "0.1.0")
    yield "the release is tried", code == 0 and "stale references" in log
    for _ in range(2):
        yield "the major tag", project.script("release-major", project.clone(), "0.1.0")[0] == 0
        yield "is on the same commit", git(project.remote, "rev-parse", "v1") == commit
    yield "users of the major tag get the release", project.user("v1") == released

    before, calls = project.refs(), len(project.log())
    yield "a second run changes nothing", project.publish(project.build("0.1.0"), "0.1.0") == ("", "") and project.refs() == before
    yield "and sends nothing", not {"create", "upload", "edit"} & {line.split()[1] for line in project.log()[calls:]}
    step, log = project.publish(project.build("0.1.0", content="other"), "0.1.0")
    yield "other archives are refused", step == "release-commit" and "::error" in log and project.refs() == before

    project.version("0.2.0")
    yield "the next version", project.publish(project.build("0.2.0"), "0.2.0") == ("", "")
    yield "is tried before the major tag moves", git(project.remote, "rev-parse", "v1") == commit
    project.script("release-major", project.clone(), "0.2.0")
    newer = git(project.remote, "rev-parse", "v1")
    yield "which then moves", newer == git(project.remote, "rev-parse", "v0.2.0")
    project.version("0.1.1")
    yield "a version of an older line", project.publish(project.build("0.1.1"), "0.1.1") == ("", "")
    code, log = project.script("release-major", project.clone(), "0.1.1")
    yield "does not move it back", code == 0 and "::notice" in log and git(project.remote, "rev-parse", "v1") == newer
    yield "and is there for whoever names it", project.user("v0.1.1") == released
    project.version("2.0.0")
    project.publish(project.build("2.0.0"), "2.0.0")
    project.script("release-major", project.clone(), "2.0.0")
    yield "the next major has its own tag", git(project.remote, "rev-parse", "v2") == git(project.remote, "rev-parse", "v2.0.0")
    yield "and leaves the last one", git(project.remote, "rev-parse", "v1") == newer

    (project.state / "v2.0.0" / f"refdrift-2.0.0-{TARGET}.tar.gz").write_bytes(b"evil")
    project.hand_out()
    yield "an archive that was exchanged is refused", "not what was released" in project.user("v2.0.0")
    project.server.table.clear()
    (project.bin / "cargo").write_text("#!/bin/sh\nexit 0\n")
    (project.bin / "cargo").chmod(0o755)
    code, log = project.script("release-try", project.clone(), "2.0.0")
    yield "a release that is gone is noticed", code == 1 and "the release was not found" in log
    (project.bin / "cargo").unlink()

    code, log = project.script("release-image", work, "0.1.0", REGISTRY="")
    yield "no registry, no image", code == 0 and "::notice" in log and not project.log("docker")
    code, log = project.script("release-image", work, "0.1.0", REGISTRY="registry.invalid")
    calls = project.log("docker")
    builds = [c for c in calls if c.startswith("build ")]
    yield "two images from the release", code == 0 and [c.split()[2] for c in builds] == ["linux/amd64", "linux/arm64"]
    kinds = [c.split()[0] for c in calls]
    yield "tried before they are pushed", kinds == ["login", "build", "build", "run", "push", "push", "manifest", "manifest"]

    (project.bin / "cargo").write_text(CARGO)
    (project.bin / "cargo").chmod(0o755)
    for _ in range(2):
        yield "the crate", project.script("release-crate", work, "0.1.0")[0] == 0
    yield "is published once", [c.split()[0] for c in project.log("cargo")] == ["info", "publish", "info"]
    project.server.stop()


def materials(world):
    work = world / "work"
    text = subprocess.run([sys.executable, ".github/scripts/sbom.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    yield "the same twice", text == subprocess.run([sys.executable, ".github/scripts/sbom.py"], cwd=ROOT, capture_output=True, text=True).stdout
    if not (TOOLS / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin/pip", "install", "--quiet", "cyclonedx-python-lib[json-validation]==11.12.0"], check=True)
    validate = ("import sys; from cyclonedx.validation.json import JsonStrictValidator as V; from cyclonedx.schema import SchemaVersion as S\n"
                "sys.exit(str(e) if (e := V(S.V1_5).validate_str(sys.stdin.read())) else 0)")

    def valid(bill):
        return subprocess.run([TOOLS / "bin/python", "-c", validate], input=json.dumps(bill), text=True, capture_output=True).returncode == 0

    bill = json.loads(text)
    yield "valid CycloneDX", valid(bill) and not valid({**bill, "components": [{"name": "x"}]})
    names = {c["name"] for c in bill["components"]}
    yield "the crates that are built in", {"gix", "octocrab", "tree-sitter"} <= names and not {"wiremock", "insta", "proptest"} & names
    yield "with licence and sha256", all(c.get("licenses") and c.get("hashes") for c in bill["components"])

    stage = world / "stage"
    work.mkdir()
    sums = set()
    for number in range(2):
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir()
        (stage / "refdrift").write_bytes(bytes(range(256)) * 999)
        os.utime(stage / "refdrift", (number * 10**6, number * 10**6))
        (stage / "refdrift").chmod(0o700 if number else 0o755)
        (stage / "LICENSE-MIT").write_text("x")
        out = work / f"{number}.tar.gz"
        subprocess.run([sys.executable, ROOT / ".github/scripts/pack.py", out, stage, "refdrift", "LICENSE-MIT"], check=True)
        sums.add(hashlib.sha256(out.read_bytes()).hexdigest())
    yield "an archive does not tell when or by whom it was made", len(sums) == 1
    listed = subprocess.run(["tar", "-tvzf", out], capture_output=True, text=True).stdout
    yield "and tar reads it", listed.splitlines()[0].startswith("-rwxr-xr-x 0/0") and listed.splitlines()[0].endswith(" refdrift")

    matrix = set(re.findall(r"target: ([a-z0-9_-]+)", (ROOT / ".github/workflows/release.yml").read_text()))
    known = set(re.findall(r"target=([a-z0-9_-]+)", (ROOT / ".github/scripts/install.sh").read_text()))
    yield "what is built is what is looked for", matrix == known and len(matrix) == 5


def crate(world):
    pack = ["cargo", "package", "--allow-dirty", "--quiet"]
    run = subprocess.run([*pack, "--list"], cwd=ROOT, capture_output=True, text=True)
    files = run.stdout.split()
    yield "the crate can be packed", run.returncode == 0 and {"Cargo.toml", "src/main.rs", "README.md", "LICENSE-MIT"} <= set(files)
    known = ("src/", "schemas/", "docs/", "fixtures/demo/")
    bad = [f for f in files if "/" in f and not f.startswith(known)]
    yield "without what only its tests need", not bad
    yield "and builds from its package", subprocess.run(pack, cwd=ROOT, stdout=sys.stderr).returncode == 0
    size = max(p.stat().st_size for p in (ROOT / "target/package").glob("refdrift-*.crate"))
    yield f"which is small ({size // 1024} KiB)", size < 2 * 1024 * 1024


def main():
    lines = []
    for part in (materials, releases, crate):
        with tempfile.TemporaryDirectory() as name:
            for what, holds in part(pathlib.Path(name)):
                lines.append(f"{'ok' if holds else 'NOT OK'} - {part.__name__}: {what}")
                print(lines[-1], flush=True)
    return 1 if any(line.startswith("NOT OK") for line in lines) else 0


sys.exit(main())
