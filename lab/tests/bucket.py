# SPDX-License-Identifier: MIT
"""Serves an S3 bucket in this process: objects, conditional writes, lists and copies, as far as the
store of a campaign uses them. Signatures are not checked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

_ENTRY = (
    "<Contents><Key>{}</Key><Size>{}</Size><ETag>e</ETag>"
    "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Bucket

    def log_message(self, *_: object) -> None:
        """Prints nothing."""

    @property
    def key(self) -> str:
        return unquote(urlsplit(self.path).path.lstrip("/")).partition("/")[2]

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        source = self.headers.get("x-amz-copy-source")
        if source:
            data = self.server.objects[unquote(source).lstrip("/").partition("/")[2]]
        with self.server.lock:
            if self.headers.get("If-None-Match") == "*" and self.key in self.server.objects:
                self._answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
                return
            self.server.objects[self.key] = data
        self._answer(200, b"<CopyObjectResult><ETag>e</ETag></CopyObjectResult>" if source else b"")

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        if "list-type" in query:
            self._answer(200, self._listed(query.get("prefix", [""])[0]))
        elif self.key in self.server.objects:
            self._answer(200, self.server.objects[self.key])
        else:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

    do_HEAD = do_GET  # noqa: N815

    def do_DELETE(self) -> None:
        self.server.objects.pop(self.key, None)
        self._answer(204, b"")

    def do_POST(self) -> None:
        """Deletes the objects of a list."""
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        keys = [part.partition("</Key>")[0] for part in text.split("<Key>")[1:]]
        for key in keys:
            self.server.objects.pop(key, None)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def _listed(self, prefix: str) -> bytes:
        found = {k: v for k, v in sorted(self.server.objects.items()) if k.startswith(prefix)}
        entries = "".join(_ENTRY.format(escape(k), len(v)) for k, v in found.items())
        whole = f"<IsTruncated>false</IsTruncated>{entries}"
        return f"<ListBucketResult>{whole}</ListBucketResult>".encode()

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Length", str(len(body))),
            ("ETag", "e"),
            ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Bucket(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, bytes] = {}
        self.lock = threading.Lock()

    @property
    def variables(self) -> dict[str, str]:
        """Returns the environment variables with which clients find the bucket."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.server_port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "any",
            "AWS_ACCESS_KEY_ID": "id",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }


@contextmanager
def served() -> Iterator[Bucket]:
    with Bucket() as bucket:
        thread = threading.Thread(target=bucket.serve_forever, daemon=True)
        thread.start()
        try:
            yield bucket
        finally:
            bucket.shutdown()
            thread.join()
