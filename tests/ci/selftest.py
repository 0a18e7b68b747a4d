"""Runs the job `samples` of .github/workflows/selftest.yml with nektos/act on this machine, as it is: once on a clone of this
repository, where it must pass, and once with the expectations turned round, where it must fail. `cargo` only has to find the
program that is built already. The job `own` needs a pull request on GitHub; act.py runs the action on one in memory."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from act import ROOT, TOOLS, UPLOAD, environment, git, install  # noqa: E402

WORKFLOW = ".github/workflows/selftest.yml"


def run(world, name, change):
    work, home = (world / f"{part}-{name.replace(' ', '-')}" for part in ("work", "home"))
    git(world, "clone", "--quiet", ROOT, work)
    (home / ".config/act").mkdir(parents=True)
    (home / ".config/act/actrc").write_text("")
    # What is not committed yet is tested too.
    for part in (".github", "tests/ci"):
        shutil.copytree(ROOT / part, work / part, dirs_exist_ok=True)
    shutil.copy(ROOT / "action.yml", work)
    text = (work / WORKFLOW).read_text()
    (work / WORKFLOW).write_text(change(text))
    if change(text) == text and name != "as it is":
        raise SystemExit(f"{name}: nothing to turn round")
    git(work, "remote", "set-url", "origin", "https://github.com/o/refdrift")
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--allow-empty", "--message", "as it is here")
    stand_in = home / "bin"
    stand_in.mkdir()
    program = ROOT / "target/debug/refdrift"
    (stand_in / "cargo").write_text(f'#!/bin/sh\nmkdir -p target/debug && ln -sf "{program}" target/debug/refdrift\n')
    (stand_in / "cargo").chmod(0o755)
    upload = home / "upload"
    upload.mkdir()
    (upload / "action.yml").write_text(UPLOAD)
    git(upload, "init", "--quiet")
    head = git(work, "rev-parse", "HEAD")
    (home / "event.json").write_text(json.dumps({"ref": "refs/heads/main", "before": head, "after": head}))
    command = [TOOLS / "bin/act", "push", "--eventpath", home / "event.json",
               "--local-repository", f"actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02={upload}", "--job", "samples", "--workflows", WORKFLOW, "--platform", "ubuntu-latest=-self-hosted"]
    done = subprocess.run(command, cwd=work, timeout=300, capture_output=True, text=True, env=environment(home, stand_in))
    return done.returncode, done.stdout + done.stderr


def main():
    install()
    cases = {
        "as it is": (True, lambda text: text),
        "the bad sample must be clean": (False, lambda text: text.replace('"$BAD" -gt 0', '"$BAD" = 0')),
        "the good sample must be bad": (False, lambda text: text.replace('"$GOOD" = 0', '"$GOOD" -gt 0')),
        "the bad sample must succeed": (False, lambda text: text.replace('"$BAD_CONCLUSION" = neutral', '"$BAD_CONCLUSION" = success')),
    }
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for what, (passes, change) in cases.items():
            code, log = run(pathlib.Path(name), what, change)
            # It is the assertions that must fail, not what comes before.
            right = (code == 0) == passes and "Success - Main The good sample" in log and ("Failure - Main What they must" in log) != passes
            print("ok" if right else "NOT OK", "- self-test:", what)
            if not right:
                print(log)
                failed = True
    return 1 if failed else 0


sys.exit(main())
