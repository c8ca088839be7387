"""Files that hang, crash or grow end the process that parses them, and nothing else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from collections_app.exceptions import FileTooLarge, IngestError, ParseError, UnsupportedFormat
from collections_app.parsing import ParsedDocument, RawDocument, isolation, parse, pipeline
from collections_app.parsing.documents import ContentPolicy
from collections_app.parsing.formats import Format
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.collections_app.parsing.pdf.pdf_files import make_pdf, place

DEADLINE_SECONDS = 240
HTML = b"<html><body><h1>A page</h1><p>With a few words of text.</p></body></html>"
MEBIBYTE = 1024**2


@pytest.fixture(autouse=True)
def _fresh_processes() -> Iterator[None]:
    isolation._end_idle()
    yield
    isolation._end_idle()


def parse_html(content: bytes = HTML) -> ParsedDocument:
    return parse(RawDocument("a.html", content))


def get_idle_pid() -> int:
    (process,) = isolation._idle
    return process._process.pid


def is_running(pid: int) -> bool:
    """Whether the process has not ended, and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def make_slow_text() -> bytes:
    """A text for which docutils takes thirty seconds."""
    return b"".join(b"Title %06d\n============\n\n*a* **b** ``c`` :ref:`d` |e|\n\n" % n for n in range(30_000))


def make_bomb() -> bytes:
    """A PDF of some kilobytes, one page of which unpacks to 256 MiB."""
    deflate = zlib.compressobj(9)
    packed = b"".join(deflate.compress(bytes(MEBIBYTE)) for _ in range(256)) + deflate.flush()
    for _ in range(3):
        packed = zlib.compress(packed, 9)
    filters = b"/FlateDecode " * 4
    stream = b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream" % (len(packed), filters, packed)
    return re.sub(rb"<< /Length.*?endstream", lambda _: stream, make_pdf([place("a", 50, 700)]), flags=re.DOTALL)


def refuse(path: str, content: bytes) -> IngestError:
    with pytest.raises(IngestError) as caught:
        parse(RawDocument(path, content))
    return caught.value


def test_a_document_is_the_same_apart_as_here() -> None:
    raw = RawDocument("a.html", HTML, metadata={"a": [1]}, source_url="https://docs.example.org/a")
    assert parse(raw) == pipeline.parse_as(Format.HTML, raw, ContentPolicy.STRIP)


def test_the_process_is_kept_for_the_next_file() -> None:
    parse_html()
    first = get_idle_pid()
    parse_html()
    assert get_idle_pid() == first


def test_a_large_parent_keeps_it_too() -> None:
    ballast = bytearray(b"x") * (400 * MEBIBYTE)
    parse_html()
    first = get_idle_pid()
    parse_html()
    assert get_idle_pid() == first
    assert ballast


def test_small_texts_start_no_process_and_large_ones_do() -> None:
    parse(RawDocument("a.md", b"# A\n\nwords\n"))
    assert isolation._idle == []
    parse(RawDocument("a.md", b"# A\n\n" + b"words " * 100_000))
    assert len(isolation._idle) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_page_with_parts_in_restructured_text_is_parsed_apart(encoding: str) -> None:
    document = parse(RawDocument("a.md", "```{eval-rst}\na :sub:`b`\n```\n".encode(encoding)))
    assert "eval-rst" not in document.content
    assert len(isolation._idle) == 1


def test_a_refusal_arrives_as_it_was_made_and_the_process_stays() -> None:
    error = refuse("a.pdf", make_pdf([""]))
    assert isinstance(error, UnsupportedFormat)
    assert error.details == {"pages": 1, "pages_with_text": 0}
    get_idle_pid()


def test_a_file_that_unpacks_without_end_is_refused_for_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MAX_MEMORY_BYTES", 192 * MEBIBYTE)
    error = refuse("a.pdf", make_bomb())
    assert isinstance(error, FileTooLarge)
    assert "more than 192 MiB of memory. Cut it" in error.message
    assert parse_html().title == "A page"


def test_a_text_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MAX_MEMORY_BYTES", 100 * MEBIBYTE)
    assert isinstance(refuse("a.md", b"# A\n" * 2 * MEBIBYTE), FileTooLarge)


def test_a_file_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MAX_CPU_SECONDS", 1)
    error = refuse("a.rst", make_slow_text())
    assert isinstance(error, ParseError)
    assert "more than 1 seconds" in error.message
    assert parse_html().title == "A page"


def test_processor_time_is_counted_for_each_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MAX_CPU_SECONDS", 1)
    parse_html()
    pid = get_idle_pid()
    while get_cpu_ticks(pid) < 250:
        parse_html(b"<html><body>" + b"<p>With a few <b>words</b> of text.</p>" * 200)
    assert get_idle_pid() == pid


def test_a_file_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    parse_html()
    monkeypatch.setattr(isolation, "MAX_SECONDS", 0.1)
    os.kill(get_idle_pid(), signal.SIGSTOP)
    assert "Cut it into several files" in refuse("a.html", HTML).message
    assert isolation._idle == []


def kill_stopped(pid: int, number: signal.Signals) -> None:
    os.kill(pid, number)
    os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize(
    ("number", "kind", "told"),
    [
        (signal.SIGSEGV, ParseError, ["The parsing process was ended by signal SIGSEGV"]),
        (signal.SIGABRT, FileTooLarge, []),
        (signal.SIGKILL, FileTooLarge, []),
    ],
)
def test_a_file_that_crashes_its_parser_fails_alone(
    number: signal.Signals, kind: type[IngestError], told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    parse_html()
    pid = get_idle_pid()
    os.kill(pid, signal.SIGSTOP)  # so that the file is on its way when the process ends
    killer = threading.Timer(0.05, kill_stopped, (pid, number))
    killer.start()
    error = refuse("a.html", HTML)
    killer.join()
    assert type(error) is kind
    assert [record.message for record in caplog.records] == told
    assert parse_html().title == "A page"


def test_an_idle_process_that_has_ended_is_followed_by_another() -> None:
    parse_html()
    first = isolation._idle[0]
    first._connection.send(None)  # no request: it ends
    wait_until(lambda: not is_running(first._process.pid))
    first._process.returncode = 0
    assert parse_html().title == "A page"
    assert isolation._idle != [first]


def test_signals_of_the_terminal_are_the_parents_affair() -> None:
    parse_html()
    pid = get_idle_pid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
    parse_html()
    assert get_idle_pid() == pid


PARENT = """
import sys
from collections_app.parsing import RawDocument, isolation, parse
parse(RawDocument("a.rst", b"Title\\n=====\\n"))
print(isolation._idle[0]._process.pid, flush=True)
parse(RawDocument("a.rst", sys.stdin.buffer.read()))
"""


def test_the_process_ends_with_its_parent_in_the_middle_of_a_file() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT_ROOT
    )
    assert parent.stdin
    assert parent.stdout
    with parent.stdin, parent.stdout:
        pid = int(parent.stdout.readline())
        idle = get_cpu_ticks(pid)
        parent.stdin.write(make_slow_text())
    wait_until(lambda: get_cpu_ticks(pid) > idle + 50)
    killed = get_cpu_ticks(pid)
    parent.kill()
    parent.wait()
    ticks: list[int] = []

    def has_ended() -> bool:
        ticks.append(get_cpu_ticks(pid))
        return not is_running(pid)

    wait_until(has_ended)
    assert max(ticks) < killed + 100  # the text takes thousands


def get_cpu_ticks(pid: int) -> int:
    """Processor time in hundredths of a second; 0 of a process that is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
    except FileNotFoundError:
        return 0


def test_a_fork_does_not_use_its_parents_process() -> None:
    parse_html()
    if (pid := os.fork()) == 0:
        os._exit(0 if isolation._idle == [] else 1)
    assert os.waitpid(pid, 0)[1] == 0
    parse_html()
    get_idle_pid()
