"""A server on loopback that speaks the chat, embeddings, rerank and token APIs, as well or as badly as a test wants.

`python -m tests.fake_upstream` serves the extractive stand-in for a model until it is ended, and prints its base URL.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any

from tests.http_server import QuietHandler, serving

HOST = "127.0.0.1"
DIMENSIONS = 8
LONGEST_STALL_SECONDS = 60

Body = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A request that came; `headers` by lower-case name, `body` as JSON or as the form's text."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """What is sent: the bytes in parts, with `pause_seconds` between them; `length` may promise more than comes."""

    parts: tuple[bytes, ...]
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    pause_seconds: float = 0.0


Behaviour = Callable[["FakeUpstream", Asked], Reply]


def send_json(data: Any, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply((json.dumps(data).encode(),), status, headers=named)


def answer(text: str | Callable[[Body], str], *, with_usage: bool = True) -> Behaviour:
    """A chat completion of this text, which may depend on the request; as events where the request asks for a stream."""

    def behave(upstream: FakeUpstream, asked: Asked) -> Reply:
        content = text if isinstance(text, str) else text(asked.body)
        if asked.body.get("stream"):
            return stream_completion(asked.body, content)
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        completion = make_completion(asked.body, "chat.completion", [choice])
        return send_json(completion | ({"usage": usage} if with_usage else {}))

    return behave


def make_completion(body: Body, kind: str, choices: list[Any]) -> Body:
    return {"id": "c1", "object": kind, "created": 1, "model": body.get("model", ""), "choices": choices}


def stream_completion(body: Body, content: str) -> Reply:
    """Server-sent events, a word each."""
    parts = []
    for word in re.findall(r"\S+\s*", content):
        choice = {"index": 0, "delta": {"content": word}, "finish_reason": None}
        chunk = make_completion(body, "chat.completion.chunk", [choice])
        parts.append(f"data: {json.dumps(chunk)}\n\n".encode())
    return Reply((*parts, b"data: [DONE]\n\n"), content_type="text/event-stream")


def stall(upstream: FakeUpstream, asked: Asked) -> Reply:
    """Nothing, until upstream.release() is called."""
    upstream.released.wait(LONGEST_STALL_SECONDS)
    return send_json({}, 500)


def cut_off(upstream: FakeUpstream, asked: Asked) -> Reply:
    """The beginning of an answer that says it is longer."""
    return Reply((b'{"id": "c1", "choices": [{"mess',), length=1000)


def trickle(upstream: FakeUpstream, asked: Asked) -> Reply:
    """A byte now and then: never silent for long, never done."""
    return Reply((b" ",) * 2000, pause_seconds=0.02)


def flood(upstream: FakeUpstream, asked: Asked) -> Reply:
    return Reply((b" " * 1024 * 1024,) * 8)


def fail(status: int, **headers: str) -> Behaviour:
    """An error as these servers tell one; `Retry_After="1"` and the like become headers."""
    return lambda upstream, asked: send_json({"error": {"message": "no", "type": "server_error"}}, status, **headers)


def say(text: bytes, content_type: str = "application/json") -> Behaviour:
    """These bytes, whatever they are."""
    return lambda upstream, asked: Reply((text,), content_type=content_type)


def embed(upstream: FakeUpstream, asked: Asked) -> Reply:
    """A vector for each text, the same for the same text."""
    given = asked.body["input"]
    texts = [given] if isinstance(given, str) else given
    data = [{"object": "embedding", "index": i, "embedding": make_vector(text)} for i, text in enumerate(texts)]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return send_json({"object": "list", "model": asked.body.get("model", ""), "data": data, "usage": usage})


def make_vector(text: str) -> list[float]:
    return [byte / 255 for byte in sha256(text.encode()).digest()[:DIMENSIONS]]


def rerank(upstream: FakeUpstream, asked: Asked) -> Reply:
    """A score for each text by how many of the question's words it has, the best first: as Cohere's API has it, or where `texts` are given
    as that of text-embeddings-inference."""
    words = set(asked.body["query"].lower().split())
    texts = asked.body.get("documents") or asked.body["texts"]
    counts = [(len(words & set(text.lower().split())) / len(words), index) for index, text in enumerate(texts)]
    ordered = sorted(counts, reverse=True)
    if "texts" in asked.body:
        return send_json([{"index": index, "score": score} for score, index in ordered])
    return send_json({"id": "r1", "results": [{"index": index, "relevance_score": score} for score, index in ordered]})


def give_tokens(expires_in: int = 3600, **more: str) -> Behaviour:
    """Access tokens token-1, token-2, …"""

    def behave(upstream: FakeUpstream, asked: Asked) -> Reply:
        number = upstream.count("/token")
        token = {"access_token": f"token-{number}", "token_type": "Bearer", "expires_in": expires_in}
        return send_json(token | more)

    return behave


PASSAGE = re.compile(r"^<(passage-[0-9a-f]{16}) (\d+)>\n(.*?)\n</\1 \2>$", re.DOTALL | re.MULTILINE)


def read_passages(body: Body) -> dict[int, str]:
    """The passages of a prompt, by number."""
    return {int(number): text for _, number, text in PASSAGE.findall(body["messages"][-1]["content"])}


def read_instructions(body: Body) -> str:
    """All of a prompt that is not within passages: what a model may take for instructions."""
    return "\n".join(PASSAGE.sub("", message["content"]) for message in body["messages"])


def extract(body: Body) -> str:
    """The stand-in for a model: of all lines, the two that have most of the question's words, each cited."""
    question = body["messages"][-1]["content"].rpartition("\n")[2]
    asked = set(re.findall(r"\w{3,}", question.lower()))
    lines = [
        (len(asked & set(re.findall(r"\w{3,}", line.lower()))), -number, -i, line.strip())
        for number, text in read_passages(body).items()
        for i, line in enumerate(text.partition("\n\n")[2].splitlines())
        if re.search(r"\w{3}", line)
    ]
    return "\n".join(
        f"- `{line.replace('`', '')}` [{-number}]" for _, number, _, line in sorted(lines, reverse=True)[:2]
    )


class FakeUpstream:
    """`chat`, `embeddings`, `rerank`, `models` and `token` say how requests are answered, and may change at any time; `asked` is what
    came."""

    def __init__(self, port: int) -> None:
        self.base_url = f"http://{HOST}:{port}/v1"
        self.token_url = f"http://{HOST}:{port}/token"
        self.chat: Behaviour = answer(extract)
        self.embeddings: Behaviour = embed
        self.rerank: Behaviour = rerank
        self.models: Behaviour = fail(404)
        self.token: Behaviour = give_tokens()
        self.asked: list[Asked] = []
        self.released = Event()
        self.waiting = 0
        self._lock = Lock()
        self._planned: list[Behaviour] = []

    def plan(self, *behaviours: Behaviour) -> None:
        """How the next chat requests are answered, one each, before `chat` is again."""
        self._planned = list(behaviours)

    def release(self) -> None:
        """End what stalls, for good."""
        self.released.set()

    def count(self, path: str = "/v1/chat/completions") -> int:
        return sum(asked.path == path for asked in self.asked)

    def reply(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            self.waiting += 1
            planned = self._planned.pop(0) if self._planned and asked.path.endswith("/chat/completions") else None
        try:
            return (planned or self._choose(asked.path))(self, asked)
        finally:
            with self._lock:
                self.waiting -= 1

    def _choose(self, path: str) -> Behaviour:
        routes = {
            "/v1/chat/completions": self.chat,
            "/v1/embeddings": self.embeddings,
            "/v1/rerank": self.rerank,
            "/v1/models": self.models,
            "/token": self.token,
        }
        return routes.get(path, fail(404))


@contextmanager
def serve_upstream() -> Iterator[FakeUpstream]:
    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            raw = self.read_body()
            is_json = self.headers.get_content_type() == "application/json"
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                send(self, upstream.reply(Asked(self.path, headers, json.loads(raw) if is_json else raw.decode())))
            except OSError:
                self.close_connection = True

    with serving(Handler) as port:
        upstream = FakeUpstream(port)
        try:
            yield upstream
        finally:
            upstream.release()


def send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    length = sum(map(len, reply.parts)) if reply.length is None else reply.length
    handler.close_connection = reply.length is not None
    handler.send_response(reply.status)
    for name, value in {"Content-Type": reply.content_type, "Content-Length": str(length), **reply.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    for part in reply.parts:
        handler.wfile.write(part)
        if reply.pause_seconds:
            handler.wfile.flush()
            time.sleep(reply.pause_seconds)


if __name__ == "__main__":
    with serve_upstream() as upstream:
        print(upstream.base_url, flush=True)  # noqa: T201
        Event().wait()
