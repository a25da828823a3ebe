"""The queue of messages, the thread that sends them, and the middleware of both interfaces."""

import atexit
import json
import os
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import deque

from .redact import Redactor

MAX_MESSAGES = 500
MAX_BATCH_BYTES = 2 * 1024 * 1024
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
HEAD_BYTES = 2048
"""What a message takes beside its bodies, roughly."""


_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")
"""Blanks and control characters, with which no request can be sent."""


def _is_address(url):
    if _BLANK.search(url):
        return False
    try:
        parts = urllib.parse.urlsplit(url)
        # Reading the port refuses one that is not a number of a port.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class _Body:
    """A copy of what passes, up to a limit."""

    __slots__ = ("_chunks", "_size", "_limit")

    def __init__(self, limit):
        self._chunks = []
        self._size = 0
        self._limit = limit

    def add(self, chunk):
        self._size += len(chunk)
        if self._size <= self._limit:
            self._chunks.append(bytes(chunk))
        else:
            self._chunks.clear()

    def data(self):
        return b"".join(self._chunks) if self._size <= self._limit else b""


class Vigil:
    """Captures what an application serves and sends it in the background."""

    def __init__(
        self,
        url,
        key,
        *,
        collection_id=None,
        sample_rate=1.0,
        max_body_bytes=64 * 1024,
        max_queue_bytes=8 * 1024 * 1024,
        flush_seconds=1.0,
        timeout_seconds=5.0,
        redact_headers=(),
        redact_fields=(),
    ):
        if not _is_address(url):
            raise ValueError("url must be the address of Vigil, such as https://vigil.internal")
        if not key or _BLANK.search(key) or not key.isascii():
            raise ValueError("key must be an API key of Vigil, without blanks and line ends")
        self._address = url.rstrip("/") + "/api/ingestData"
        self._key = key
        self._collection_id = collection_id
        self._sample_rate = sample_rate
        self._max_body_bytes = max_body_bytes
        self._max_queue_bytes = max_queue_bytes
        self._flush_seconds = flush_seconds
        self._timeout_seconds = timeout_seconds
        self._redactor = Redactor(redact_headers, redact_fields)
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._counts = {"captured": 0, "sent": 0, "dropped": 0, "rejected": 0, "errors": 0}
        self._begin()
        if hasattr(os, "register_at_fork"):
            # A server that forks its workers has a thread in its first process only.
            os.register_at_fork(after_in_child=self._begin)
        atexit.register(self.close, 2.0)

    def _begin(self):
        self._waiting = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._thread = None
        self._is_closed = False

    # What an application calls

    def wsgi(self, application):
        """Wraps a WSGI application (Flask, Django, Pyramid ...)."""
        return _Wsgi(self, application)

    def asgi(self, application):
        """Wraps an ASGI application (FastAPI, Starlette, Django, Quart ...)."""
        return _Asgi(self, application)

    def stats(self):
        with self._changed:
            return {**self._counts, "waiting": len(self._waiting), "waiting_bytes": self._bytes}

    def close(self, seconds=5.0):
        """Sends what waits, for at most so long; what is left is dropped."""
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(seconds)
        with self._changed:
            self._counts["dropped"] += len(self._waiting)
            self._waiting.clear()
            self._bytes = 0

    # What the wrappers call

    def takes(self):
        return not self._is_closed and (self._sample_rate >= 1 or random.random() < self._sample_rate)

    def body(self):
        return _Body(self._max_body_bytes)

    def count_error(self):
        with self._changed:
            self._counts["errors"] += 1

    def add(self, message):
        size = HEAD_BYTES + len(message["request_body"]) + len(message["response_body"])
        with self._changed:
            self._counts["captured"] += 1
            if self._is_closed or self._bytes + size > self._max_queue_bytes:
                self._counts["dropped"] += 1
                return
            self._waiting.append((message, size))
            self._bytes += size
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="vigil", daemon=True)
                self._thread.start()
            elif self._bytes >= MAX_BATCH_BYTES:
                self._changed.notify_all()

    # The thread

    def _run(self):
        failures = 0
        while True:
            with self._changed:
                if failures > 0:
                    pause = min(PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS)
                    self._changed.wait_for(lambda: self._is_closed, pause)
                elif not self._is_closed:
                    self._changed.wait_for(
                        lambda: self._is_closed or self._bytes >= MAX_BATCH_BYTES, self._flush_seconds
                    )
                batch = self._take()
                if not batch and self._is_closed:
                    return
            if not batch:
                continue
            outcome = self._send(batch)
            with self._changed:
                if outcome == "again" and not self._is_closed:
                    failures += 1
                    self._give_back(batch)
                    continue
                failures = 0
                self._counts[{"sent": "sent", "refused": "rejected"}.get(outcome, "dropped")] += len(batch)

    def _take(self):
        batch, size = [], 0
        while self._waiting and len(batch) < MAX_MESSAGES and size < MAX_BATCH_BYTES:
            batch.append(self._waiting.popleft())
            size += batch[-1][1]
        self._bytes -= size
        return batch

    def _give_back(self, batch):
        size = sum(one[1] for one in batch)
        if self._bytes + size > self._max_queue_bytes:
            self._counts["dropped"] += len(batch)
            return
        self._waiting.extendleft(reversed(batch))
        self._bytes += size

    def _send(self, batch):
        try:
            body = {"batchData": [self._wire(message) for message, _ in batch]}
            if self._collection_id is not None:
                body["apiCollectionId"] = self._collection_id
            request = urllib.request.Request(
                self._address,
                json.dumps(body).encode(),
                {"content-type": "application/json", "x-api-key": self._key},
            )
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                response.read()
            return "sent"
        except urllib.error.HTTPError as error:
            error.close()
            return "again" if error.code in (408, 429) or error.code >= 500 else "refused"
        except Exception:
            return "again"

    def _wire(self, message):
        # Prepared once, so that a batch sent twice counts once.
        if "wire" not in message:
            request, response = message["request_headers"], message["response_headers"]
            message["wire"] = {
                "id": str(uuid.uuid4()),
                "path": self._redactor.path(message["path"]),
                "method": message["method"],
                "type": message["type"],
                "requestHeaders": self._redactor.headers(request),
                "requestPayload": self._payload(message["request_body"], request),
                "statusCode": message["status"],
                "status": message["reason"],
                "responseHeaders": self._redactor.headers(response),
                "responsePayload": self._payload(message["response_body"], response),
                "ip": message["ip"],
                "time": message["time"],
                "durationMs": message["duration_ms"],
                "source": "SDK",
            }
        return message["wire"]

    def _payload(self, data, headers):
        named = dict(headers)
        # Compressed bodies would have to be unpacked to be redacted.
        return "" if named.get("content-encoding") else self._redactor.body(data, named.get("content-type", ""))


def _milliseconds_since(begun):
    return round((time.perf_counter() - begun) * 1000)


class _Wsgi:
    def __init__(self, vigil, application):
        self._vigil = vigil
        self._application = application

    def __call__(self, environ, start_response):
        vigil = self._vigil
        if not vigil.takes():
            return self._application(environ, start_response)
        started, begun = int(time.time()), time.perf_counter()
        request_body, response_body = vigil.body(), vigil.body()
        head = {"status": "500 ", "headers": []}
        if "wsgi.input" in environ:
            environ["wsgi.input"] = _Input(environ["wsgi.input"], request_body)

        def started_response(status, headers, exc_info=None):
            head["status"], head["headers"] = status, list(headers)
            args = (status, headers) if exc_info is None else (status, headers, exc_info)
            write = start_response(*args)

            def written(data):
                response_body.add(data)
                return write(data)

            return written

        def finish():
            try:
                code, _, reason = head["status"].partition(" ")
                vigil.add(
                    {
                        "time": started,
                        "duration_ms": _milliseconds_since(begun),
                        "method": environ.get("REQUEST_METHOD", "GET"),
                        "path": _wsgi_path(environ),
                        "type": environ.get("SERVER_PROTOCOL", "HTTP/1.1"),
                        "request_headers": _wsgi_headers(environ),
                        "request_body": request_body.data(),
                        "status": int(code),
                        "reason": reason,
                        "response_headers": [[name.lower(), value] for name, value in head["headers"]],
                        "response_body": response_body.data(),
                        "ip": environ.get("REMOTE_ADDR", ""),
                    }
                )
            except Exception:
                vigil.count_error()

        return _Output(self._application(environ, started_response), response_body, finish)


class _Input:
    """Copies what the application reads of the request."""

    def __init__(self, stream, body):
        self._stream = stream
        self._body = body

    def _kept(self, data):
        self._body.add(data)
        return data

    def read(self, *args):
        return self._kept(self._stream.read(*args))

    def readline(self, *args):
        return self._kept(self._stream.readline(*args))

    def readlines(self, *args):
        return [self._kept(line) for line in self._stream.readlines(*args)]

    def __iter__(self):
        for line in self._stream:
            yield self._kept(line)

    def __getattr__(self, name):
        return getattr(self._stream, name)


class _Output:
    """Passes the response on, piece by piece, and closes what the application gave."""

    def __init__(self, parts, body, finish):
        self._parts = parts
        self._iterator = None
        self._body = body
        self._finish = finish

    def __iter__(self):
        return self

    def __next__(self):
        if self._iterator is None:
            self._iterator = iter(self._parts)
        part = next(self._iterator)
        self._body.add(part)
        return part

    def close(self):
        try:
            if hasattr(self._parts, "close"):
                self._parts.close()
        finally:
            finish, self._finish = self._finish, None
            if finish is not None:
                finish()


def _wsgi_path(environ):
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if raw:
        return raw
    from urllib.parse import quote

    path = quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1")) or "/"
    query = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def _wsgi_headers(environ):
    pairs = [
        [name[5:].replace("_", "-").lower(), value] for name, value in environ.items() if name.startswith("HTTP_")
    ]
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            pairs.append([name.replace("_", "-").lower(), environ[name]])
    return pairs


class _Asgi:
    def __init__(self, vigil, application):
        self._vigil = vigil
        self._application = application

    async def __call__(self, scope, receive, send):
        vigil = self._vigil
        if scope["type"] != "http" or not vigil.takes():
            return await self._application(scope, receive, send)
        started, begun = int(time.time()), time.perf_counter()
        request_body, response_body = vigil.body(), vigil.body()
        head = {"status": 500, "headers": []}

        async def received():
            event = await receive()
            if event["type"] == "http.request":
                request_body.add(event.get("body", b""))
            return event

        async def sent(event):
            if event["type"] == "http.response.start":
                head["status"], head["headers"] = event["status"], event.get("headers", [])
            elif event["type"] == "http.response.body":
                response_body.add(event.get("body", b""))
            await send(event)

        try:
            return await self._application(scope, received, sent)
        finally:
            try:
                raw = scope.get("raw_path") or scope["path"].encode()
                query = scope.get("query_string", b"")
                vigil.add(
                    {
                        "time": started,
                        "duration_ms": _milliseconds_since(begun),
                        "method": scope["method"],
                        "path": (raw.split(b"?")[0] + (b"?" + query if query else b"")).decode("latin-1"),
                        "type": f"HTTP/{scope.get('http_version', '1.1')}",
                        "request_headers": _asgi_headers(scope["headers"]),
                        "request_body": request_body.data(),
                        "status": head["status"],
                        "reason": "",
                        "response_headers": _asgi_headers(head["headers"]),
                        "response_body": response_body.data(),
                        "ip": (scope.get("client") or [""])[0],
                    }
                )
            except Exception:
                vigil.count_error()


def _asgi_headers(headers):
    return [[bytes(name).decode("latin-1").lower(), bytes(value).decode("latin-1")] for name, value in headers]
