"""Runs `refdrift action` on GitHub's published examples of events (npm @octokit/webhooks-examples): each is understood, whatever
becomes of its commits, which the sample repository does not have. Sends nothing."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/ci-tools/payloads"
PROGRAM = pathlib.Path(os.environ.get("REFDRIFT_BIN", ROOT / "target/debug/refdrift"))
EVENTS = ["pull_request", "push", "merge_group", "workflow_dispatch", "schedule", "issue_comment", "check_run"]


def main():
    package = TOOLS / "node_modules/@octokit/webhooks-examples"
    if not package.exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", TOOLS,
                        "@octokit/webhooks-examples@7.6.1"], check=True)
    examples = {e["name"]: e["examples"] for e in json.loads((package / "api.github.com/index.json").read_text())}
    bad, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        world = pathlib.Path(name)
        subprocess.run(["bash", ROOT / "tests/ci/sample.sh", world / "work"], check=True)
        for event in EVENTS:
            for example in examples.get(event, []):
                count += 1
                (world / "event.json").write_text(json.dumps(example))
                environment = {"PATH": os.environ["PATH"], "GITHUB_EVENT_NAME": event, "GITHUB_REPOSITORY": "o/r",
                               "GITHUB_EVENT_PATH": str(world / "event.json"), "GITHUB_WORKSPACE": str(world / "work"),
                               "GITHUB_OUTPUT": str(world / "output"), "RUNNER_TEMP": str(world)}
                run = subprocess.run([PROGRAM, "action"], capture_output=True, text=True, timeout=60, env=environment)
                log = run.stdout + run.stderr
                # The commits are not there; that is all that may be wrong.
                unknown = run.returncode == 2 and ("cannot be resolved" in log or "does not have" in log)
                if "event has no" in log or "panicked" in log or not (run.returncode == 0 or unknown):
                    bad.append(f"{event} {example.get('action', '')}: {run.returncode} {log[:300]}")
    print(f"{count} payloads read, {len(bad)} not understood")
    print("\n".join(bad))
    return 1 if bad or count < 30 else 0


sys.exit(main())
