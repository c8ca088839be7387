"""An OpenID Connect provider on loopback, which knows whoever a test says."""

from __future__ import annotations

import hashlib
import json
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.http_server import QuietHandler, serving

ACCESS_TOKEN = "to ask who it is"
CLIENT_ID, CLIENT_SECRET = "docs:mcp", "a+secret/of:ours"


class Refusal(dict[str, str]):
    """RFC 6749, 5.2."""


@dataclass
class FakeProvider:
    """`claims` go into the next token, beside what the standard wants; `info` is told when it is asked of the person, if there is some;
    `changes` replace answers by their path."""

    port: int = 0
    key: Any = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    claims: dict[str, Any] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256"})
    changes: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refusal: str = "invalid_grant"
    # Whom it takes for this server: by its header, or by its form.
    client: tuple[str, str] = (CLIENT_ID, CLIENT_SECRET)
    is_by_form: bool = False

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}/realms/staff"

    def let_in(self, address: str) -> dict[str, str]:
        """What the provider sends back of a person whom the product sent to this address."""
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.issuer}/authorize"
        asked = dict(parse_qsl(parts.query))
        assert (asked["response_type"], asked["client_id"], asked["code_challenge_method"]) == (
            "code",
            CLIENT_ID,
            "S256",
        )
        assert "openid" in asked["scope"].split()
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def answer(self, path: str, form: dict[str, str], authorization: str) -> Any:
        self.asked.append(path)
        if path in self.changes:
            return self.changes[path]
        match path.removeprefix("/realms/staff"):
            case "/.well-known/openid-configuration":
                places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
                places |= {"userinfo_endpoint": "who"} if self.info else {}
                return {"issuer": self.issuer, **{name: f"{self.issuer}/{place}" for name, place in places.items()}}
            case "/keys":
                return {"keys": [self.key.as_dict(private=False)]}
            case "/token":
                return self.issue(form, authorization)
            case "/who" if authorization == f"Bearer {ACCESS_TOKEN}":
                return self.info
        return None

    def issue(self, form: dict[str, str], authorization: str) -> Any:
        asked = self.codes.pop(form["code"], None)
        if asked is None:
            return Refusal({"error": self.refusal})
        if (self.read_form if self.is_by_form else self.read_header)(form, authorization) != self.client:
            return Refusal({"error": "invalid_client"})
        challenge = urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        assert challenge == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        now = int(time.time())
        standard = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        claims = {**standard, "sub": "person-1", **self.claims}
        token = jwt.encode({"kid": self.key.kid, **self.header}, claims, self.key, [self.header["alg"]])
        return {"access_token": ACCESS_TOKEN, "token_type": "Bearer", "id_token": token}

    def read_header(self, form: dict[str, str], authorization: str) -> tuple[str, str]:
        user, _, password = b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        return unquote(user), unquote(password)

    def read_form(self, form: dict[str, str], authorization: str) -> tuple[str, str]:
        assert not authorization
        return form["client_id"], form.get("client_secret", "")


@contextmanager
def serving_provider() -> Iterator[FakeProvider]:
    provider = FakeProvider()

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/realms/staff/authorize?"):
                self.send_back(f"http://127.0.0.1:{provider.port}{self.path}")
            else:
                self.tell(provider.answer(self.path, {}, self.headers.get("Authorization", "")))

        def send_back(self, address: str) -> None:
            """A real browser is let in at once."""
            answer = provider.let_in(address)
            self.send_response(302)
            self.send_header("Location", f"{provider.codes[answer['code']]['redirect_uri']}?{urlencode(answer)}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            form = {name: values[0] for name, values in parse_qs(self.read_body().decode()).items()}
            self.tell(provider.answer(self.path, form, self.headers.get("Authorization", "")))

        def tell(self, answer: Any) -> None:
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(404 if answer is None else 400 if isinstance(answer, Refusal) else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with serving(Handler) as port:
        provider.port = port
        yield provider
