"""Replaces secrets before anything leaves the process."""

import json
import re
from urllib.parse import parse_qsl, urlencode

REDACTED = "[redacted]"
HEADERS = frozenset(
    "authorization proxy-authorization cookie set-cookie x-api-key api-key x-auth-token x-access-token x-csrf-token".split()
)
FIELDS = frozenset(
    "password passwd pwd secret clientsecret token accesstoken refreshtoken idtoken apikey otp pin cvv cvc cardnumber ssn".split()
)
JSON_TYPE = re.compile(r"application/(?:[\w.-]+\+)?json", re.I)
FORM_TYPE = re.compile(r"application/x-www-form-urlencoded", re.I)


def _plain(name):
    """Field names are equal whatever their case and separators."""
    return name.lower().replace("_", "").replace("-", "")


class Redactor:
    """Header schemes and cookie names stay, since they tell how callers authenticate.

    A body is kept only in a form in which fields can be found: JSON and URL-encoded forms.
    """

    def __init__(self, headers=(), fields=()):
        self._headers = HEADERS | {name.lower() for name in headers}
        self._fields = FIELDS | {_plain(name) for name in fields}

    def headers(self, pairs):
        return [[name, self._header(name.lower(), value)] for name, value in pairs]

    def _header(self, name, value):
        if name not in self._headers:
            return value
        if name == "set-cookie":
            return re.sub(r"=[^;]*", "=" + REDACTED, value, count=1)
        if name == "cookie":
            return re.sub(r"=[^;]*", "=" + REDACTED, value)
        scheme = re.match(r"(\w+) .", value)
        return f"{scheme[1]} {REDACTED}" if scheme else REDACTED

    def path(self, path):
        before, mark, query = path.partition("?")
        return before + mark + self._pairs(query)

    def _pairs(self, text):
        pairs = parse_qsl(text, keep_blank_values=True)
        return urlencode([(name, REDACTED if _plain(name) in self._fields else value) for name, value in pairs])

    def body(self, data, content_type):
        if not data:
            return ""
        try:
            if FORM_TYPE.match(content_type):
                return self._pairs(data.decode())
            if JSON_TYPE.match(content_type):
                return json.dumps(self._value(json.loads(data)), ensure_ascii=False, separators=(",", ":"))
        except (ValueError, RecursionError):
            pass  # not what it says: nothing tells where its secrets are
        return ""

    def _value(self, value):
        if isinstance(value, dict):
            return {
                name: REDACTED if _plain(name) in self._fields else self._value(one) for name, one in value.items()
            }
        if isinstance(value, list):
            return [self._value(one) for one in value]
        return value
