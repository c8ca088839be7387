"""The transport of lines, over streams of this process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from threading import Event, current_thread, main_thread
from typing import Any, BinaryIO, cast

import pytest

from collections_app.access.authentication import InvalidCredential
from collections_app.access.principal import Principal, Scope
from collections_app.activity.history import record_search
from collections_app.exceptions import CollectionNotFound, InvalidParameter
from collections_app.models import ApiKey, Collection, SearchEvent
from collections_app.provisioning import get_tenant
from mcp_app.dispatching.dispatcher import Dispatcher
from mcp_app.entries import Tool
from mcp_app.management.commands.mcp_stdio import choose_collection, make_identify
from mcp_app.protocol.answers import Content
from mcp_app.registry import Registry
from mcp_app.transports import stdio
from mcp_app.transports.stdio import MAX_LINE_BYTES
from tests.factories import find, make_collection, put
from tests.mcp_app.fake_tools import DISPATCHER, READER, WRITER, NothingParams, make_message

DEADLINE_SECONDS = 240
PING = json.dumps(make_message("ping", id=41)).encode()
PONG = {"jsonrpc": "2.0", "id": 41, "result": {}}


def refuse() -> Principal:
    raise InvalidCredential


def serve(
    *lines: bytes,
    identify: Any = lambda: READER,
    end: bytes = b"\n",
    dispatcher: Dispatcher = DISPATCHER,
    **options: Any,
) -> list[Any]:
    """The messages that come out for these lines."""
    out = io.BytesIO()
    stdio.serve(io.BytesIO(b"\n".join(lines) + end), out, dispatcher, identify, **options)
    assert not out.getvalue() or out.getvalue().endswith(b"\n")
    return [json.loads(line) for line in out.getvalue().splitlines()]


class TestLines:
    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b"", b"\n\n  \n"])
    def test_each_request_is_answered_in_order(self, end: bytes) -> None:
        assert serve(PING, PING.replace(b"41", b"42"), end=end) == [PONG, PONG | {"id": 42}]

    def test_notifications_and_blank_lines_get_no_answer(self) -> None:
        assert serve(b"", b'{"jsonrpc":"2.0","method":"notifications/initialized"}', b"  ") == []

    def test_what_is_no_message_is_refused_and_the_next_is_answered(self) -> None:
        first, second = serve(b"{", PING)
        assert (first["error"]["code"], second) == (-32700, PONG)

    @pytest.mark.parametrize("excess", [1, 2, 3, MAX_LINE_BYTES, 3 * MAX_LINE_BYTES])
    def test_a_line_that_is_too_long_is_refused_with_its_id(self, excess: int) -> None:
        long = PING + b" " * (MAX_LINE_BYTES - len(PING) + excess)
        first, second = serve(long, PING)
        assert (first["error"]["code"], first["id"], second) == (-31413, 41, PONG)

    def test_the_longest_line_is_answered(self) -> None:
        assert serve(PING + b" " * (MAX_LINE_BYTES - len(PING)), PING) == [PONG, PONG]

    def test_both_eras_are_served(self) -> None:
        modern = json.dumps(make_message("server/discover", modern=True)).encode()
        legacy = json.dumps(make_message("initialize", {"protocolVersion": "2025-11-25"})).encode()
        discovered, initialized = serve(modern, legacy)
        assert discovered["result"]["resultType"] == "complete"
        assert initialized["result"]["protocolVersion"] == "2025-11-25"

    def test_progress_comes_line_by_line(self) -> None:
        call = make_message("tools/call", {"name": "report_progress", "_meta": {"progressToken": 1}})
        messages = serve(json.dumps(call).encode())
        assert [message.get("method") for message in messages] == ["notifications/progress"] * 3 + [None]

    @pytest.mark.requirement("stdio.lines")
    def test_no_message_holds_a_line_break(self) -> None:
        call = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a\nb\r\u2028c"}})
        [answer] = serve(json.dumps(call).encode())
        assert "a\nb" in answer["result"]["content"][0]["text"]

    def test_who_asks_is_asked_anew_each_time(self) -> None:
        callers = iter([WRITER, READER])
        call = json.dumps(make_message("tools/call", {"name": "take_note"})).encode()
        first, second = serve(call, call, identify=lambda: next(callers))
        assert ("result" in first, second["error"]["code"]) == (True, -32602)

    def test_a_key_that_is_good_no_more_is_refused_with_the_id(self) -> None:
        [answer] = serve(PING, identify=refuse)
        assert (answer["error"]["code"], answer["id"]) == (-31401, 41)

    def test_it_may_be_narrowed(self) -> None:
        call = make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a", "format": "json"}})
        [answer] = serve(json.dumps(call).encode(), narrowed_to=("acme", "guide"))
        assert answer["result"]["structuredContent"]["narrowed_to"] == ["acme", "guide"]


class Client(io.RawIOBase):
    """Sends these lines; what is callable among them is called in its place."""

    def __init__(self, *steps: bytes | Callable[[], object]) -> None:
        super().__init__()
        self.steps = list(steps)
        self.out = io.BytesIO()

    def readline(self, size: int | None = -1, /) -> bytes:
        while self.steps:
            step = self.steps.pop(0)
            if isinstance(step, bytes):
                return step + b"\n"
            step()
        return b""

    def list_ids(self) -> list[Any]:
        return [json.loads(line).get("id") for line in self.out.getvalue().splitlines()]


class TestSession:
    """A call of a tool is held up where it asks who its caller is, until it is let go."""

    CALL = json.dumps(make_message("tools/call", {"name": "echo_query", "arguments": {"query": "a"}}, id=1)).encode()

    def run(self, client: Client, held: Event) -> None:
        def identify() -> Principal:
            if current_thread() is not main_thread():
                assert held.wait(DEADLINE_SECONDS)
            return READER

        stdio.serve(cast("BinaryIO", client), client.out, DISPATCHER, identify)

    def cancel(self, request_id: object) -> bytes:
        message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}
        return json.dumps(message).encode()

    @pytest.mark.requirement("stdio.concurrent")
    def test_a_long_call_holds_up_neither_a_ping_nor_another_call(self) -> None:
        held = Event()
        client = Client(self.CALL, self.CALL.replace(b'"id": 1', b'"id": 2'), PING, held.set)
        self.run(client, held)
        assert client.list_ids()[0] == 41
        assert sorted(client.list_ids()) == [1, 2, 41]

    def test_more_calls_than_there_are_workers_are_all_answered(self) -> None:
        held = Event()
        calls = [self.CALL.replace(b'"id": 1', b'"id": %d' % n) for n in range(100, 100 + stdio.WORKERS * 4)]
        client = Client(*calls, PING, held.set)
        self.run(client, held)
        assert sorted(client.list_ids()) == [41, *range(100, 100 + stdio.WORKERS * 4)]

    @pytest.mark.requirement("stdio.cancelled")
    def test_a_cancelled_call_gets_no_answer(self) -> None:
        held = Event()
        other = self.CALL.replace(b'"id": 1', b'"id": 2')
        client = Client(self.CALL, other, self.cancel(1), self.cancel(99), self.cancel(None), PING, held.set)
        self.run(client, held)
        assert sorted(client.list_ids()) == [2, 41]

    def test_an_id_may_be_used_again_after_its_answer(self) -> None:
        held = Event()
        held.set()
        client = Client(self.CALL, self.cancel(1), self.CALL)
        self.run(client, held)
        assert client.list_ids()[-1] == 1

    @pytest.mark.parametrize(
        ("agreed", "kind"), [("2025-06-18", "resource_link"), ("2025-03-26", "text"), (None, "text")]
    )
    def test_the_revision_that_was_agreed_to_holds_for_what_follows(self, agreed: str | None, kind: str) -> None:
        link = Content([{"type": "resource_link", "uri": "test://a", "name": "a"}])
        tool = Tool("link", "Link", "Gives a link.", NothingParams, lambda call, params: link)
        handshake = make_message("initialize", {"protocolVersion": agreed}) if agreed else make_message("ping")
        call = make_message("tools/call", {"name": "link"}, id=7)
        messages = serve(
            json.dumps(handshake).encode(), json.dumps(call).encode(), dispatcher=Dispatcher(Registry([tool]))
        )
        assert [block["type"] for block in messages[-1]["result"]["content"]] == [kind]


@pytest.mark.django_db
class TestCaller:
    def test_without_a_key_it_is_the_operator_who_reads_all_of_one_tenant(self) -> None:
        own = make_collection("own", tenant=get_tenant())
        make_collection("foreign")
        operator = make_identify("", "default")()
        assert list(Collection.objects.visible_to(operator)) == [own]
        assert operator.scopes == {Scope.READ, Scope.ASK}
        assert not operator.is_anonymous
        assert choose_collection(operator, "OWN") == ("default", "own")
        with pytest.raises(CollectionNotFound):
            choose_collection(operator, "foreign")

    def test_the_operators_searches_are_the_tenants_and_no_keys(self) -> None:
        own = make_collection("own", tenant=get_tenant())
        put(own, {"a.md": "# A\n\nText.\n"})
        record_search(make_identify("", "default")(), [own], find(own, "text"), 1)
        event = SearchEvent.objects.get()
        assert (event.tenant.slug, event.api_key_id) == ("default", None)

    def test_with_a_key_it_is_the_key_until_that_is_revoked(self) -> None:
        granted = make_collection("granted")
        key, secret = ApiKey.objects.issue(tenant=granted.tenant, name="k", collections=[granted])
        identify = make_identify(secret, "default")
        assert identify().api_key_id == key.pk
        assert choose_collection(identify(), "granted") == (granted.tenant.slug, "granted")
        key.revoke()
        with pytest.raises(InvalidCredential):
            identify()

    def test_a_key_that_is_not_good_and_a_tenant_that_is_not_there_are_told_at_once(self) -> None:
        with pytest.raises(InvalidParameter, match="DOCSMCP_API_KEY"):
            make_identify("dmcp_bad", "default")
        with pytest.raises(InvalidParameter, match="'nope'"):
            make_identify("", "nope")
