"""Replays the requests refdrift sends against GitHub's published descriptions of its APIs: npm @octokit/openapi, cut down to the
paths in use, behind @stoplight/prism-cli with --errors; and npm @octokit/graphql-schema. Stops by itself; talks to 127.0.0.1 only."""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from fake_api import Api  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "target/ci-tools/npm"
PROGRAM = pathlib.Path(os.environ.get("REFDRIFT_BIN", ROOT / "target/debug/refdrift"))
PACKAGES = ["@stoplight/prism-cli@5.14.2", "@octokit/openapi@23.0.2", "@octokit/graphql-schema@15.26.1", "graphql@16.15.0"]
PATHS = {
    "/repos/{owner}/{repo}/pulls/{pull_number}": ["get"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews": ["post"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/pulls/comments/{comment_id}": ["patch"],
    "/repos/{owner}/{repo}/check-runs": ["post"],
    "/repos/{owner}/{repo}/check-runs/{check_run_id}": ["patch"],
    "/repos/{owner}/{repo}/commits/{ref}/check-runs": ["get"],
}


def pruned(text):
    """The description with the paths in use and what they refer to."""
    whole = json.loads(text)
    paths = {path: {method: whole["paths"][path][method] for method in methods} for path, methods in PATHS.items()}
    out = {"openapi": whole["openapi"], "info": whole["info"], "paths": paths, "components": {}}
    open_ends = re.findall(r'"#/components/([^"]+)"', json.dumps(paths))
    seen = set()
    while open_ends:
        kind, name = open_ends.pop().split("/", 1)
        if (kind, name) not in seen:
            seen.add((kind, name))
            part = whole["components"][kind][name]
            out["components"].setdefault(kind, {})[name] = part
            open_ends += re.findall(r'"#/components/([^"]+)"', json.dumps(part))
    return out


def record(world):
    """Every kind of request: reviews, edits, threads, comments on files, check runs with further annotations."""
    work = world / "work"
    subprocess.run(["bash", ROOT / "tests/ci/sample.sh", work], check=True)
    git = ["git", "-C", work]
    names = subprocess.run([*git, "rev-parse", "HEAD", "HEAD~1"], check=True, capture_output=True, text=True)
    head, base = names.stdout.split()
    log = []

    def run(api, base, *arguments):
        event = {"pull_request": {"number": 7, "head": {"sha": head, "repo": {"full_name": "o/r"}},
                                  "base": {"sha": base, "repo": {"full_name": "o/r"}}}}
        (world / "event.json").write_text(json.dumps(event))
        environment = {"PATH": os.environ["PATH"], "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REPOSITORY": "o/r",
                       "GITHUB_EVENT_PATH": str(world / "event.json"), "GITHUB_TOKEN": "none", "GITHUB_WORKSPACE": str(work),
                       "GITHUB_API_URL": api.url, "GITHUB_GRAPHQL_URL": f"{api.url}/graphql", "RUNNER_TEMP": str(world)}
        subprocess.run([PROGRAM, "action", "--check-run", "true", *arguments], check=True, capture_output=True, timeout=120,
                       env=environment)

    first = Api(head)
    run(first, base)
    run(first, head)
    # What was fixed comes back: its thread is opened again.
    run(first, base)
    refusing = Api(head, refuse_lines=True)
    run(refusing, base, "--max-comments", "1")
    queries = []
    for api in (first, refusing):
        log += [r for r in api.log if not r["path"].endswith("/graphql")]
        queries += [r["body"] for r in api.log if r["path"].endswith("/graphql")]
    # A batch of further annotations looks like the first one.
    created = next(r for r in log if r["method"] == "POST" and r["path"].endswith("/check-runs"))
    log.append({"method": "PATCH", "path": "/repos/o/r/check-runs/1", "body": {"output": created["body"]["output"]}})
    return log, queries


def check_queries(queries):
    """What is wrong with the GraphQL requests, and with the check itself: mistakes must be found."""
    seen = list({json.dumps(q, sort_keys=True): q for q in queries}.values())
    asked = next(q for q in seen if "reviewThreads" in q["query"])
    wrong = [{**asked, "query": asked["query"].replace("isResolved", "isSettled")}, {**asked, "query": asked["query"] + "}"},
             {**asked, "variables": {**asked["variables"], "number": "7"}}, {**asked, "variables": {}},
             {**asked, "variables": {**asked["variables"], "extra": 1}}]
    command = ["node", ROOT / "tests/ci/graphql.mjs", TOOLS]
    answer = subprocess.run(command, input=json.dumps(seen + wrong), check=True, capture_output=True, text=True, timeout=120)
    errors = json.loads(answer.stdout)
    bad = [f"{q['query']}: {e}" for q, e in zip(seen, errors) if e]
    bad += [f"not refused: {q}" for q, e in zip(wrong, errors[len(seen):]) if not e]
    for kind in ("viewer", "reviewThreads", " resolveReviewThread(", " unresolveReviewThread("):
        if not any(kind in q["query"] for q in seen):
            bad.append(f"no request with {kind} was seen")
        print("ok - GraphQL", kind.strip(" ("))
    return bad


def replay(url, entry):
    body = json.dumps(entry["body"]).encode() if entry["body"] is not None else None
    headers = {"content-type": "application/json", "accept": "*/*", "authorization": "Bearer none"}
    request = urllib.request.Request(url + entry["path"], body, headers, method=entry["method"])
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        places = [v["location"][0] for v in json.loads(text).get("validation", [])] if text.startswith("{") else []
        # Where only the answer is at fault, the description's own example does not match its own schema.
        if places and all(place == "response" for place in places):
            return 200, ""
        return error.code, text[:500]


def main():
    if not all((TOOLS / "node_modules" / name.rsplit("@", 1)[0]).exists() for name in PACKAGES):
        TOOLS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", TOOLS, *PACKAGES], check=True)
    with tempfile.TemporaryDirectory() as name:
        world = pathlib.Path(name)
        description = TOOLS / "node_modules/@octokit/openapi/generated/api.github.com.json"
        (world / "api.json").write_text(json.dumps(pruned(description.read_text())))
        log, queries = record(world)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        prism = subprocess.Popen(
            [TOOLS / "node_modules/.bin/prism", "mock", "--errors", "--host", "127.0.0.1", "--port", str(port), world / "api.json"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for line in prism.stdout:
                if "is listening" in line:
                    break
            url = f"http://127.0.0.1:{port}"
            # The oracle itself: a review with an unknown event must be refused.
            review = next(r for r in log if r["path"].endswith("/reviews"))
            wrong = {**review, "body": {**review["body"], "event": "SHOUT"}}
            bad = [] if replay(url, wrong)[0] == 422 else ["a wrong review was not refused"]
            bad += check_queries(queries)
            kinds = set()
            for entry in log:
                status, why = replay(url, entry)
                kinds.add((entry["method"], re.sub(r"[0-9a-f]{40}|/\d+", "/N", entry["path"].split("?")[0])))
                if status >= 300:
                    bad.append(f"{entry['method']} {entry['path']}: {status} {why}")
            for method, path in sorted(kinds):
                print("ok -", method, path)
            if len(kinds) < len(PATHS):
                bad.append(f"only {len(kinds)} kinds of requests were seen")
            print("\n".join(bad))
            return 1 if bad else 0
        finally:
            prism.terminate()
            try:
                prism.wait(timeout=10)
            except subprocess.TimeoutExpired:
                prism.kill()


sys.exit(main())
