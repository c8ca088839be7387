"""Parses in another process, so that a file that makes its parser hang, crash or grow does not affect ours. It is no sandbox.

The process is kept for the next file, so that it adds at most a fraction of a millisecond to each. It ends when it has been idle for a
while, when it has grown, and when this process ends. It runs process.py.
"""

from __future__ import annotations

import atexit
import logging
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Pipe
from pathlib import Path

from collections_app.exceptions import FileTooLarge, ParseError
from collections_app.parsing.documents import ContentPolicy, ParsedDocument, RawDocument
from collections_app.parsing.formats import Format

MAX_CPU_SECONDS = 120
MAX_SECONDS = 300.0
"""Seconds of clock time, for files that wait instead of working, and for an overloaded machine."""

MAX_MEMORY_BYTES = 1024**3
"""Bytes of address space, of which Python and its libraries take a tenth."""

logger = logging.getLogger(__name__)

_MODULE = "collections_app.parsing.isolation.process"
_PACKAGES = str(Path(__file__).resolve().parents[2])


class _Retired(Exception):
    """The process had ended before it was given a file."""


def parse_apart(format: Format, raw: RawDocument, policy: ContentPolicy) -> ParsedDocument:
    """Like pipeline.parse_as(), but also raises ParseError (took too long, crashed) and FileTooLarge (memory)."""
    while True:
        process = _take_process()
        try:
            result = process.parse(format, raw, policy)
        except _Retired:
            process.end()
            continue
        except BaseException:
            process.end()
            raise
        _idle.append(process)
        if isinstance(result, Exception):
            raise result
        return result


class ParsingProcess:
    """One parsing process, which parses one file at a time."""

    def __init__(self) -> None:
        self._has_answered = False  # if it ends at its first file, it was not idle
        self._connection, theirs = Pipe()
        their_lifeline, self._lifeline = Pipe(duplex=False)
        with theirs, their_lifeline:
            descriptors = theirs.fileno(), their_lifeline.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE, *map(str, (*descriptors, MAX_CPU_SECONDS, MAX_MEMORY_BYTES))],
                pass_fds=descriptors,
                stdin=subprocess.DEVNULL,
                stdout=2,  # standard output belongs to the protocol in some commands
                cwd="/",
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(filter(None, [_PACKAGES, os.environ.get("PYTHONPATH")])),
                },
            )

    def parse(self, format: Format, raw: RawDocument, policy: ContentPolicy) -> ParsedDocument | Exception:
        """The document, or why there is none. Raises if the process can no longer be used."""
        try:
            self._connection.send((format, raw, policy))
            if not self._connection.poll(MAX_SECONDS):
                raise _make_too_slow(f"{MAX_SECONDS / 60:g} minutes by the clock")
            result: ParsedDocument | Exception = self._connection.recv()
        except (EOFError, OSError):
            raise self._explain_end() from None
        self._has_answered = True
        return result

    def _explain_end(self) -> Exception:
        status = self._process.wait()
        if status == 0 and self._has_answered:
            return _Retired()
        if status == -signal.SIGXCPU:
            return _make_too_slow(f"{MAX_CPU_SECONDS} seconds of the processor")
        if -status in _OUT_OF_MEMORY:
            return make_too_large()
        if status > 0:
            return RuntimeError(f"the parsing process ended with {status}")
        logger.warning("The parsing process was ended by signal %s", signal.Signals(-status).name)
        return ParseError("The file makes its parser crash: it is broken, or made to do harm. Export or print it anew.")

    def end(self) -> None:
        self._hang_up()
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """For a forked process, of which the parsing process is not a child."""
        self._hang_up()
        self._process.returncode = 0

    def _hang_up(self) -> None:
        self._connection.close()
        self._lifeline.close()


# The signals by which PDFium, the C library and the kernel end a process that gets no more memory.
_OUT_OF_MEMORY = frozenset({signal.SIGABRT, signal.SIGILL, signal.SIGKILL, signal.SIGTRAP})


def _make_too_slow(limit: str) -> ParseError:
    return ParseError(f"Reading it took more than {limit}, so it was given up. Cut it into several files.")


def make_too_large() -> FileTooLarge:
    return FileTooLarge(
        f"Reading it takes more than {MAX_MEMORY_BYTES // 1024**2:,} MiB of memory. Cut it into several files, or print it anew."
    )


_idle: list[ParsingProcess] = []


def _take_process() -> ParsingProcess:
    """A process that nobody else uses."""
    try:
        return _idle.pop()
    except IndexError:
        return ParsingProcess()


def _end_idle() -> None:
    while _idle:
        _idle.pop().end()


def _forget_idle() -> None:
    while _idle:
        _idle.pop().forget()


atexit.register(_end_idle)
os.register_at_fork(after_in_child=_forget_idle)
