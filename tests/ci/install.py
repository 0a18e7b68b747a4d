"""Drives .github/scripts/install.sh, unchanged, with the machine's own bash, curl and tar: releases come from a server on
127.0.0.1 that every name leads to, with certificates of an authority made here. Cargo and gh are stand-ins that write down how
they were called, but for one build from source by the real cargo. Stops by itself."""

import concurrent.futures
import gzip
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fake_releases import Server, certificates  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = "bash sh curl tar gzip sed awk head cut sha256sum mkdir mktemp dirname rm mv cat touch".split()
VERSION = next(line.split('"')[1] for line in (ROOT / "Cargo.toml").read_text().splitlines() if line.startswith("version"))
LINUX = f"refdrift-{VERSION}-x86_64-unknown-linux-musl.tar.gz"
PROGRAM = b'#!/bin/sh\ntouch "$RAN"\necho released\n'
STAND_IN = '#!/bin/sh\n{{ echo "$PWD"; for a in "$@"; do echo "$a"; done; }} >"$CALLS/{name}"\nexit {status}\n'


def archive(*members):
    """A tar.gz of (name, content or link target, type) in this order."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content, kind in members:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = kind, 0o755
            if kind == tarfile.REGTYPE:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
            else:
                entry.linkname = content
                tar.addfile(entry)
    return out.getvalue()


FILE, LINK = tarfile.REGTYPE, tarfile.SYMTYPE
GOOD = archive(("refdrift", PROGRAM, FILE), ("LICENSE-MIT", b"x", FILE))


class Case:
    """One job: its own action folder, runner folder, checkout and programs on the path."""

    def __init__(self, world, server, name):
        self.server, self.owner = server, name.replace(" ", "-")
        self.folder = world / "jobs" / name
        self.action = self.folder / "_actions" / self.owner / "refdrift" / "v 1"
        self.scripts, self.tools = self.action / ".github/scripts", self.folder / "bin"
        self.calls, self.work, self.curl = (self.folder / n for n in ("calls", "checkout", "curl"))
        for folder in (self.scripts, self.tools, self.calls, self.work, self.curl):
            folder.mkdir(parents=True)
        shutil.copy(ROOT / ".github/scripts/install.sh", self.scripts)
        shutil.copy(ROOT / "Cargo.toml", self.action)
        for tool in TOOLS:
            (self.tools / tool).symlink_to(shutil.which(tool))
        # Every name leads to the server here; a transfer that stands still is given up sooner than users would.
        (self.curl / ".curlrc").write_text(f"{server.curlrc(world)}speed-limit = 1\nspeed-time = 1\n")
        self.stand_in("cargo", 0)
        self.environment = {
            "PATH": str(self.tools), "CURL_HOME": str(self.curl), "CALLS": str(self.calls), "RAN": str(self.folder / "ran"),
            "RUNNER_TEMP": str(self.folder / "tem p"), "GITHUB_OUTPUT": str(self.folder / "output"), "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64", "GITHUB_SERVER_URL": "https://github.com", "ACTION_REPOSITORY": f"{self.owner}/refdrift",
            "GH_TOKEN": "none"}

    def stand_in(self, name, status):
        (self.tools / name).write_text(STAND_IN.format(name=name, status=status))
        (self.tools / name).chmod(0o755)

    def path(self, name=LINUX):
        return f"/{self.owner}/refdrift/releases/download/v{VERSION}/{name}"

    def serve(self, body, name=LINUX, host="github.com", status=200, headers=None):
        self.server.table[(host, self.path(name))] = body if body == "stall" else (status, headers or {}, body)

    def commit(self, body, name=LINUX):
        """Commits the digest of an archive."""
        with (self.scripts / "release.sha256").open("a") as file:
            file.write(f"{hashlib.sha256(body).hexdigest()}  {name}\n")

    def run(self, **environment):
        (self.folder / "output").unlink(missing_ok=True)
        done = subprocess.run(["bash", self.scripts / "install.sh"], cwd=self.work, text=True, capture_output=True, timeout=120,
                              env={k: v for k, v in {**self.environment, **environment}.items() if v is not None})
        self.code, self.log = done.returncode, done.stdout + done.stderr
        output = self.folder / "output"
        self.output = output.read_text().strip().removeprefix("path=") if output.exists() else ""
        return self

    def called(self, name):
        call = self.calls / name
        return call.read_text().splitlines() if call.exists() else None

    def asked(self):
        return [(host, path) for host, path in self.server.log if f"/{self.owner}/" in path]

    def installed(self):
        program = pathlib.Path(self.output)
        return (self.code == 0 and program.is_file() and not program.is_symlink() and program.read_bytes() == PROGRAM
                and not self.called("cargo"))

    def built(self):
        """Built from the action's own folder, after a notice, without looking at the checkout's toolchain."""
        folder = f"{self.environment['RUNNER_TEMP']}/refdrift-bin-{VERSION}/build"
        expected = [str(self.action), "install", "--locked", "--quiet", "--path", str(self.action), "--root", folder]
        return (self.code == 0 and self.called("cargo") == expected and self.output.startswith(f"{folder}/bin/refdrift")
                and "::notice title=refdrift::" in self.log and not (self.folder / "ran").exists())


def good(case):
    case.commit(GOOD)
    case.serve(GOOD)
    case.run()
    yield "installed", case.installed() and "::" not in case.log
    yield "found where the next step looks", subprocess.run([case.output], capture_output=True, env=case.environment).stdout == b"released\n"
    first = case.output
    case.server.table.clear()
    case.run()
    yield "a second run takes what is there", case.installed() and case.output == first and len(case.asked()) == 1
    case.run(RUNNER_TEMP=None, TMPDIR=str(case.folder))
    yield "without the runner's folder nothing that is there is trusted", len(case.asked()) > 1


def wrong_digest(case):
    case.commit(GOOD)
    case.serve(archive(("refdrift", PROGRAM + b"evil", FILE)))
    case.stand_in("gh", 0)
    case.run()
    yield "refused", case.code == 1 and "::error" in case.log and "not what was released" in case.log and case.output == ""
    yield "nothing run or kept", not (case.folder / "ran").exists() and not list((case.folder / "tem p").rglob("*refdrift*.gz"))
    yield "and nothing else is tried", case.called("cargo") is None and case.called("gh") is None


def no_digest(case):
    case.serve(GOOD)
    yield "without a file of digests", case.run().built() and not case.asked()
    case.commit(GOOD, f"refdrift-{VERSION}-riscv64-unknown-linux-musl.tar.gz")
    yield "without the archive's line", case.run().built() and not case.asked()


def no_release(case):
    case.commit(GOOD)
    yield "404", case.run().built() and len(case.asked()) == 1


def stalled(case):
    case.commit(GOOD)
    case.serve("stall")
    yield "a server that says nothing", case.run().built()


def cut_short(case):
    case.commit(GOOD)
    case.serve(GOOD[:100], headers={"content-length": str(len(GOOD))})
    yield "a transfer that breaks off", case.run().built()


def truncated(case):
    half = GOOD[: len(GOOD) // 2]
    case.commit(half)
    case.serve(half)
    yield "an archive that was released broken", case.run().built()
    yield "leaves no program", not (case.folder / f"tem p/refdrift-bin-{VERSION}/refdrift").exists()


def plain_http(case):
    case.commit(GOOD)
    case.serve(b"", status=302, headers={"location": f"http://github.com{case.path('elsewhere')}"})
    case.serve(GOOD, "elsewhere")
    yield "a way to plain http is not gone", case.run().built() and len(case.asked()) == 1


def unknown_authority(case):
    case.commit(GOOD)
    case.serve(GOOD)
    rc = case.curl / ".curlrc"
    rc.write_text("\n".join(line for line in rc.read_text().splitlines() if "cacert" not in line))
    yield "a certificate of an unknown authority", case.run().built() and not case.asked()


def hostile(case):
    outside = case.folder / "evil"
    for body in (
        archive(("../evil", b"x", FILE), ("../../evil", b"x", FILE), (str(outside), b"x", FILE), ("refdrift", PROGRAM, FILE)),
        archive(("refdrift", PROGRAM, FILE), ("bin", "/", LINK), ("bin/evil", b"x", FILE)),
    ):
        shutil.rmtree(case.folder / "tem p", ignore_errors=True)
        (case.scripts / "release.sha256").unlink(missing_ok=True)
        case.commit(body)
        case.serve(body)
        case.run()
        yield "other members are not unpacked", case.installed() and not list(case.folder.rglob("evil"))
        inside = {p.name for p in (case.folder / f"tem p/refdrift-bin-{VERSION}").iterdir()}
        yield "nor kept", inside == {"refdrift", "new", LINUX}
    for what, body in {
        "a link": archive(("refdrift", "/bin/true", LINK)),
        "a link to what comes next": archive(("refdrift", "x", LINK), ("x", PROGRAM, FILE)),
        "a folder": archive(("refdrift", "", tarfile.DIRTYPE)),
        "no program": archive(("./other", PROGRAM, FILE)),
        "a program outside": archive(("../refdrift", PROGRAM, FILE)),
        "no archive": b"<html>",
        "no tar": gzip.compress(b"x"),
    }.items():
        shutil.rmtree(case.folder / "tem p", ignore_errors=True)
        (case.scripts / "release.sha256").unlink(missing_ok=True)
        (case.calls / "cargo").unlink(missing_ok=True)
        case.commit(body)
        case.serve(body)
        yield f"{what} is not taken", case.run().built() and not list((case.folder / "tem p").glob("refdrift"))


def attestation(case):
    case.commit(GOOD)
    case.serve(GOOD)
    repository = f"{case.owner}/refdrift"
    folder = str(case.folder / f"tem p/refdrift-bin-{VERSION}")
    asked = [folder, "attestation", "verify", LINUX, "--repo", repository, "--signer-workflow",
             f"{repository}/.github/workflows/release.yml"]

    def again(**environment):
        shutil.rmtree(case.folder / "tem p", ignore_errors=True)
        (case.calls / "gh").unlink(missing_ok=True)
        return case.run(**environment)

    again()
    yield "without gh", case.installed() and "attestation" not in case.log
    case.stand_in("gh", 0)
    again()
    yield "a good one", case.installed() and case.called("gh") == asked and "attestation" not in case.log
    case.stand_in("gh", 1)
    again()
    yield "a failing one is told", case.installed() and case.called("gh") == asked and "::warning title=refdrift::the attestation" in case.log
    again(GH_TOKEN="")
    yield "without a token", case.installed() and case.called("gh") is None
    case.serve(GOOD, host="ghes.example")
    again(GITHUB_SERVER_URL="https://ghes.example")
    yield "not on GHES", case.installed() and case.called("gh") is None and "attestation" not in case.log


def enterprise(case):
    case.commit(GOOD)
    case.serve(GOOD, host="ghes.example")
    case.run(GITHUB_SERVER_URL="https://ghes.example")
    yield "from the server itself", case.installed() and [h for h, _ in case.asked()] == ["ghes.example"]
    shutil.rmtree(case.folder / "tem p")
    case.server.table.pop(("ghes.example", case.path()))
    case.serve(GOOD)
    case.run(GITHUB_SERVER_URL="https://ghes.example")
    yield "else from github.com", case.installed() and [h for h, _ in case.asked()][1:] == ["ghes.example", "github.com"]


def names(case):
    for system, machine, target in (
        ("Linux", "X64", "x86_64-unknown-linux-musl"), ("Linux", "ARM64", "aarch64-unknown-linux-musl"),
        ("macOS", "X64", "x86_64-apple-darwin"), ("macOS", "ARM64", "aarch64-apple-darwin"),
        ("Windows", "X64", "x86_64-pc-windows-msvc"),
    ):
        shutil.rmtree(case.folder / "tem p", ignore_errors=True)
        program = "refdrift.exe" if system == "Windows" else "refdrift"
        name, body = f"refdrift-{VERSION}-{target}.tar.gz", archive((program, PROGRAM, FILE))
        case.commit(body, name)
        case.serve(body, name)
        # On Windows the runner's folder has a drive and backslashes in its name.
        temp = str(case.folder / "D:\\a\\tem p") if system == "Windows" else case.environment["RUNNER_TEMP"]
        case.run(RUNNER_OS=system, RUNNER_ARCH=machine, RUNNER_TEMP=temp)
        yield f"{system} {machine}", case.installed() and case.output.endswith(f"/{program}") and case.asked()[-1][1] == case.path(name)
    for system, machine in (("Linux", "ARM"), ("Linux", "X86"), ("Windows", "ARM64"), ("", "")):
        case.environment["RUNNER_OS"], case.environment["RUNNER_ARCH"] = system, machine
        case.environment["RUNNER_TEMP"] = str(case.folder / f"{system}{machine}")
        before = len(case.asked())
        yield f"none for {system} {machine}", case.run().built() and len(case.asked()) == before
    case.environment["RUNNER_TEMP"] = str(case.folder / "mac")
    (case.tools / "sha256sum").unlink()
    case.environment.update(RUNNER_OS="Linux", RUNNER_ARCH="X64")
    (case.calls / "cargo").unlink()
    (case.tools / "shasum").write_text(f'#!/bin/sh\n[ "$*" = "-a 256" ] && exec {shutil.which("sha256sum")}\n')
    (case.tools / "shasum").chmod(0o755)
    yield "shasum in place of sha256sum", case.run().installed()


def whose(case):
    case.commit(GOOD)
    case.serve(GOOD)
    yield "inside another action", case.run(ACTION_REPOSITORY="other/outer").installed()
    here = case.folder / "checkout of the action"
    shutil.copytree(case.action, here)
    case.scripts, case.action = here / ".github/scripts", here
    before = len(case.asked())
    case.environment["RUNNER_TEMP"] = str(case.folder / "other")
    yield "a local action has no release", case.run(ACTION_REPOSITORY="").built() and len(case.asked()) == before


def named(case):
    program = case.work / "my refdrift"
    program.write_bytes(PROGRAM)
    case.run(REFDRIFT_BIN=str(program))
    yield "one that cannot be run", case.code == 1 and "::error title=refdrift::REFDRIFT_BIN" in case.log and not case.output
    program.chmod(0o755)
    case.run(REFDRIFT_BIN=str(program))
    yield "REFDRIFT_BIN comes first", case.installed() and case.output == str(program) and not case.asked()


def no_cargo(case):
    (case.tools / "cargo").unlink()
    case.run()
    yield "no release and no cargo", case.code == 1 and "::error" in case.log and "set REFDRIFT_BIN" in case.log and not case.output


def from_source(case):
    """The real cargo with the script's own arguments; `--debug` and the target folder of the gate are added to save minutes."""
    cargo = pathlib.Path(shutil.which("cargo"))
    (case.tools / "cargo").write_text(f'#!/bin/sh\nPATH="{os.environ["PATH"]}" exec "{cargo}" "$@" --debug\n')
    keep = {k: v for k, v in os.environ.items() if k.startswith(("CARGO_", "RUSTUP_")) or k == "HOME"}
    case.scripts, case.action = ROOT / ".github/scripts", ROOT
    if (case.scripts / "release.sha256").exists():
        keep["RUNNER_ARCH"] = "none"
    case.run(**keep, CARGO_TARGET_DIR=os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target")), ACTION_REPOSITORY="")
    shown = subprocess.run([case.output or "false", "--version"], capture_output=True, text=True).stdout
    yield "a build from source by the real cargo", case.code == 0 and shown.strip() == f"refdrift {VERSION}"


CASES = [good, wrong_digest, no_digest, no_release, stalled, cut_short, truncated, plain_http, unknown_authority, hostile,
         attestation, enterprise, names, whose, named, no_cargo, from_source]


def main():
    with tempfile.TemporaryDirectory() as name:
        world = pathlib.Path(name)
        certificates(world)

        def check(test):
            case = Case(world, Server(world), test.__name__.replace("_", " "))
            results = []
            for what, holds in test(case):
                results.append(f"{'ok' if holds else 'NOT OK'} - {case.owner}: {what}")
                if not holds:
                    results.append(f"{case.code} {case.output}\n{case.log}\n{case.asked()} {case.called('cargo')} {case.called('gh')}")
            case.server.stop()
            return results

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            lines = [line for results in pool.map(check, CASES) for line in results]
    print("\n".join(lines))
    return 1 if any(line.startswith("NOT OK") for line in lines) else 0


sys.exit(main())
