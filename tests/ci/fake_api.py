"""A pull request in memory behind the requests refdrift makes, on 127.0.0.1 only, for the scripts beside this file.

It keeps comments and check runs, takes or refuses lines, and remembers every request."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Api:
    def __init__(self, head, checks=True, refuse_lines=False):
        self.head, self.checks, self.refuse_lines = head, checks, refuse_lines
        self.comments, self.check_runs, self.resolved, self.log = [], [], set(), []
        api = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def reply(self):
                length = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(length).decode()
                body = json.loads(text) if text else None
                path = self.path.split("?")[0]
                api.log.append({"method": self.command, "path": self.path, "body": body})
                status, answer = api.answer(self.command, path, body)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = reply

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def add(self, comment):
        user = {"login": "github-actions[bot]", "type": "Bot"}
        self.comments.append({"id": len(self.comments) + 1, "user": user, **comment})
        return self.comments[-1]

    def answer(self, method, path, body):
        refused = (422, {"message": "Validation Failed", "errors": [{"message": "line must be part of the diff"}]})
        if path.endswith("/graphql"):
            return self.graphql(body)
        if method == "GET" and path.endswith("/comments"):
            return 200, self.comments
        if method == "GET" and path.endswith("/check-runs"):
            return 200, {"total_count": len(self.check_runs), "check_runs": self.check_runs}
        if method == "GET":
            return 200, {"number": 7, "state": "open", "head": {"sha": self.head}, "base": {"repo": {"full_name": "o/r"}}}
        if method == "POST" and path.endswith("/reviews"):
            if self.refuse_lines or body["commit_id"] != self.head:
                return refused
            for comment in body["comments"]:
                self.add(comment)
            return 200, {"id": 1}
        if method == "POST" and path.endswith("/comments"):
            return 201, self.add(body)
        if "/check-runs" in path and not self.checks:
            return 403, {"message": "Resource not accessible by integration"}
        if method == "POST":
            self.check_runs.append({"id": len(self.check_runs) + 1, **body})
            return 201, self.check_runs[-1]
        if "/check-runs/" in path:
            return 200, {}
        number = int(re.search(r"/comments/(\d+)$", path).group(1))
        self.comments[number - 1].update(body)
        return 200, self.comments[number - 1]

    def graphql(self, body):
        query = body["query"]
        if "viewer {" in query:
            return 200, {"data": {"viewer": {"login": "github-actions[bot]"}}}
        if "reviewThreads" in query:
            nodes = [
                {"id": f"T{c['id']}", "isResolved": c["id"] in self.resolved, "viewerCanResolve": True,
                 "viewerCanUnresolve": True, "comments": {"nodes": [{"databaseId": c["id"]}]}}
                for c in self.comments
            ]
            threads = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": nodes}
            return 200, {"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}}
        self.resolved.add(int(body["variables"]["id"][1:]))
        return 200, {"data": {}}
