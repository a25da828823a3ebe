import asyncio
import json
import threading
import time
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from wsgiref.simple_server import WSGIRequestHandler, make_server

from vigil_middleware import Vigil


class Collector:
    """A server that takes batches as Vigil does."""

    def __init__(self, statuses=()):
        self.messages, self.keys, self.bodies = [], set(), []
        statuses = list(statuses)
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status = statuses.pop(0) if statuses else 200
                collector.bodies.append(body)
                if status == 200:
                    collector.messages.extend(body["batchData"])
                collector.keys.add(self.headers["x-api-key"])
                self.send_response(status)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def until(ask, seconds=10):
    end = time.monotonic() + seconds
    while not (answer := ask()):
        if time.monotonic() > end:
            raise AssertionError("not in time")
        time.sleep(0.01)
    return answer


def echo(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start_response("201 Created", [("Content-Type", "application/json"), ("Set-Cookie", "sid=abc; Path=/")])
    yield b'{"got":'
    yield body or b"null"
    yield b"}"


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class MiddlewareTest(unittest.TestCase):
    def setUp(self):
        self.collector = Collector()
        self.addCleanup(self.collector.close)

    def vigil(self, **options):
        vigil = Vigil(options.pop("url", self.collector.url), "k", flush_seconds=0.02, **options)
        self.addCleanup(vigil.close, 0)
        return vigil

    def serve(self, application):
        server = make_server("127.0.0.1", 0, application, handler_class=Quiet)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def post(self, url, data, headers=()):
        request = urllib.request.Request(url, data, {"content-type": "application/json", **dict(headers)})
        with urllib.request.urlopen(request) as response:
            return response.status, response.read()

    def test_an_address_that_is_none_and_an_empty_key_are_refused_at_once(self):
        urls = ["vigil.internal", "vigil.internal:9090", "", "https://", "http://:9090", "http://x.test:port"]
        urls += ["http://x.test:99999", "http://x.test\n", "http://x. test", "http://[x.test"]
        keys = ["", "k\n", "k k", "k\x00", "kü"]
        for url, key in [(url, "k") for url in urls] + [("http://x.test", key) for key in keys]:
            with self.assertRaises(ValueError, msg=f"{url} {key}"):
                Vigil(url, key)

    def test_wsgi_sends_requests_redacted(self):
        url = self.serve(self.vigil(redact_fields=["iban"]).wsgi(echo))
        body = json.dumps({"user": "a", "Card-Number": "4111", "list": [{"iban": "DE1"}]}).encode()
        answer = self.post(url + "/pay?token=abc&x=1", body, {"authorization": "Bearer xyz", "cookie": "a=1; b=2"})
        self.assertEqual(answer, (201, b'{"got":' + body + b"}"))
        message = until(lambda: self.collector.messages)[0]
        self.assertEqual(self.collector.keys, {"k"})
        self.assertEqual(message["method"], "POST")
        self.assertEqual(message["path"], "/pay?token=%5Bredacted%5D&x=1")
        self.assertEqual(message["statusCode"], 201)
        self.assertEqual(message["status"], "Created")
        self.assertEqual(message["requestPayload"], '{"user":"a","Card-Number":"[redacted]","list":[{"iban":"[redacted]"}]}')
        self.assertIn('"got":{"user":"a"', message["responsePayload"])
        request = dict(message["requestHeaders"])
        self.assertEqual(request["authorization"], "Bearer [redacted]")
        self.assertEqual(request["cookie"], "a=[redacted]; b=[redacted]")
        self.assertEqual(dict(message["responseHeaders"])["set-cookie"], "sid=[redacted]; Path=/")
        for secret in ("4111", "xyz", "abc", "DE1"):
            self.assertNotIn(secret, json.dumps(message))

    def test_messages_tell_how_long_the_application_took(self):
        def slow(environ, start_response):
            time.sleep(0.03)
            return echo(environ, start_response)

        begun = time.monotonic()
        self.post(self.serve(self.vigil().wsgi(slow)) + "/slow", b"1")
        message = until(lambda: self.collector.messages)[0]
        self.assertGreaterEqual(message["durationMs"], 30)
        self.assertLessEqual(message["durationMs"], (time.monotonic() - begun) * 1000)

    def test_asgi_sends_requests_and_leaves_other_scopes_alone(self):
        async def application(scope, receive, send):
            if scope["type"] == "lifespan":
                return "untouched"
            event = await receive()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
            await send({"type": "http.response.body", "body": b'{"n":', "more_body": True})
            await send({"type": "http.response.body", "body": event["body"] + b"}"})

        wrapped = self.vigil().asgi(application)
        events = []

        async def receive():
            return {"type": "http.request", "body": b"7"}

        async def send(event):
            events.append(event)

        scope = {
            "type": "http", "http_version": "1.1", "method": "PUT", "path": "/käse", "raw_path": b"/k%C3%A4se",
            "query_string": b"a=1", "headers": [(b"content-type", b"application/json")], "client": ["203.0.113.9", 1],
        }
        asyncio.run(wrapped(scope, receive, send))
        self.assertEqual(asyncio.run(wrapped({"type": "lifespan"}, receive, send)), "untouched")
        self.assertEqual(len(events), 3)
        message = until(lambda: self.collector.messages)[0]
        self.assertEqual((message["path"], message["ip"]), ("/k%C3%A4se?a=1", "203.0.113.9"))
        self.assertEqual((message["requestPayload"], message["responsePayload"]), ("7", '{"n":7}'))

    def test_errors_of_the_application_stay_its_own(self):
        def broken(environ, start_response):
            raise RuntimeError("mine")

        with self.assertRaisesRegex(RuntimeError, "mine"):
            self.vigil().wsgi(broken)({}, lambda *_: None)

        async def broken_too(scope, receive, send):
            raise RuntimeError("mine too")

        with self.assertRaisesRegex(RuntimeError, "mine too"):
            asyncio.run(self.vigil().asgi(broken_too)({"type": "http", "method": "GET", "path": "/", "headers": []}, None, None))

    def test_a_batch_that_was_refused_for_now_is_sent_again_with_the_same_ids(self):
        collector = Collector([503])
        self.addCleanup(collector.close)
        url = self.serve(self.vigil(url=collector.url).wsgi(echo))
        self.post(url + "/a", b"1")
        until(lambda: collector.messages)
        first, second = collector.bodies
        self.assertEqual(first["batchData"][0]["id"], second["batchData"][0]["id"])

    def test_with_the_server_away_the_queue_is_bounded_and_the_application_answers(self):
        vigil = self.vigil(url="http://127.0.0.1:9", max_queue_bytes=10_000)
        url = self.serve(vigil.wsgi(echo))
        for _ in range(20):
            self.assertEqual(self.post(url + "/a", b"1")[0], 201)
        stats = until(lambda: (s := vigil.stats())["captured"] == 20 and s)
        self.assertLessEqual(stats["waiting_bytes"], 10_000)
        self.assertGreater(stats["dropped"], 0)

    def test_long_bodies_and_unsampled_requests_are_not_sent(self):
        url = self.serve(self.vigil(max_body_bytes=100).wsgi(echo))
        self.post(url + "/long", json.dumps(["x" * 200]).encode())
        message = until(lambda: self.collector.messages)[0]
        self.assertEqual((message["requestPayload"], message["responsePayload"]), ("", ""))
        none = self.vigil(sample_rate=0)
        self.post(self.serve(none.wsgi(echo)) + "/a", b"1")
        self.assertEqual(none.stats()["captured"], 0)


if __name__ == "__main__":
    unittest.main()
