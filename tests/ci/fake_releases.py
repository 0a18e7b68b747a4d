"""Pages of releases on 127.0.0.1 under any name, over HTTPS with certificates of an authority made for the run, and over HTTP;
for the scripts beside this file."""

import http.server
import ssl
import subprocess
import threading
import time


class Server:
    """Answers HTTPS requests from a table of (host, path); what it has not is a 404."""

    def __init__(self, world):
        self.table, self.log = {}, []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                host = self.headers["host"].split(":")[0]
                server.log.append((host, self.path))
                answer = server.table.get((host, self.path), (404, {}, b"no"))
                if answer == "stall":
                    time.sleep(5)
                    self.close_connection = True
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True

        self.http, self.plain = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2))
        # Whoever does not trust the certificate hangs up; that is a case here, not an accident.
        self.http.handle_error = lambda *_: None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(world / "server.pem", world / "server.key")
        self.ports = {443: self.http.server_port, 80: self.plain.server_port}
        self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
        for one in (self.http, self.plain):
            one.daemon_threads = True
            threading.Thread(target=one.serve_forever, daemon=True).start()

    def curlrc(self, world):
        """What makes curl ask this server whatever the name, and trust it."""
        ways = "".join(f'connect-to = ":{asked}:127.0.0.1:{port}"\n' for asked, port in self.ports.items())
        return f'{ways}cacert = "{world / "ca.pem"}"\n'

    def stop(self):
        self.http.shutdown()
        self.plain.shutdown()


def certificates(world):
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=world, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", "-new", *key, "-subj", "/CN=github.com", "-keyout", "server.key", "-out", "server.csr")
    (world / "names").write_text("subjectAltName=DNS:github.com,DNS:ghes.example\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "server.pem")
