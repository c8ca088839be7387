"""Batches are parsed in a thread, one at a time, and nobody waits for those that are not wanted any more."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from threading import Event

import pytest

from collections_app.ingest import batch_parser
from collections_app.ingest.batch_parser import BatchParser
from collections_app.ingest.batches import make_item
from collections_app.ingest.items import Item
from collections_app.parsing import parse
from collections_app.parsing.documents import ContentPolicy, ParsedDocument, RawDocument

POLICY = ContentPolicy.STRIP


class Breaks(Exception):
    """What `check` raises to break off."""


@pytest.fixture
def parser() -> Iterator[BatchParser]:
    parser = BatchParser(POLICY, lambda: None)
    yield parser
    parser.close()


def make_batch(*paths: str) -> list[Item]:
    return [make_item(RawDocument(path, b"# Winch\n\nIt lifts.\n"), POLICY) for path in paths]


class Gate:
    """Lets each document through only once it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.has_begun = Event()
        self.is_open = Event()
        monkeypatch.setattr(batch_parser, "parse", self.parse)

    def parse(self, raw: RawDocument, policy: ContentPolicy) -> ParsedDocument:
        self.begun.append(raw.path)
        self.has_begun.set()
        assert self.is_open.wait(10)
        return parse(raw, policy)


def test_batches_are_taken_in_the_order_in_which_they_were_started(parser: BatchParser) -> None:
    parser.start(make_batch("a.md", "b.md"))
    parser.start(make_batch("c.md"))
    assert len(parser) == 2
    taken = [parser.take(), parser.take()]
    assert [[item.path for item in batch] for batch in taken] == [["a.md", "b.md"], ["c.md"]]
    assert all(item.parsed and item.parsed.title == "Winch" for batch in taken for item in batch)
    assert len(parser) == 0


def test_one_is_parsed_at_a_time(parser: BatchParser, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    parser.start(make_batch("a.md"))
    assert gate.has_begun.wait(10)
    parser.start(make_batch("b.md"))
    assert gate.begun == ["a.md"]
    gate.is_open.set()
    parser.take()
    parser.take()
    assert gate.begun == ["a.md", "b.md"]


def test_it_knows_which_paths_were_not_taken(parser: BatchParser) -> None:
    parser.start(make_batch("a.md"))
    parser.start(make_batch("b.md"))
    assert parser.has_any({"b.md", "c.md"})
    assert not parser.has_any({"c.md"})
    parser.take()
    assert not parser.has_any({"a.md"})


def test_once_closed_it_parses_no_further_document(parser: BatchParser, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    parser.start(make_batch("a.md", "b.md"))
    assert gate.has_begun.wait(10)
    parser.close()
    gate.is_open.set()
    with pytest.raises(CancelledError):
        parser.take()
    assert gate.begun == ["a.md"]


def test_whoever_waits_can_break_off(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    monkeypatch.setattr(batch_parser, "CHECK_SECONDS", 0)

    def check() -> None:
        if gate.has_begun.is_set():
            raise Breaks

    parser = BatchParser(POLICY, check)
    parser.start(make_batch("a.md"))
    with pytest.raises(Breaks):
        parser.take()
    gate.is_open.set()
    parser.close()
