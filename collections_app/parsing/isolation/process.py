"""The process that documents are parsed in: `python -m collections_app.parsing.isolation.process SOCKET PIPE SECONDS BYTES`.

SOCKET receives files and sends documents. PIPE is one that nobody writes to: once its other end is closed, for whatever reason, this
process ends at once. SECONDS and BYTES limit the processor time and memory that a file may take; the kernel enforces them.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import sys
from contextlib import suppress
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from traceback import format_exc

from collections_app.exceptions import FileTooLarge, IngestError
from collections_app.parsing.documents import ContentPolicy, ParsedDocument, RawDocument
from collections_app.parsing.formats import Format
from collections_app.parsing.isolation import make_too_large
from collections_app.parsing.pipeline import parse_as

IDLE_SECONDS = 60.0
KEPT_BYTES = 256 * 1024**2
"""A process that uses more memory than this is not kept for the next file."""

_LEFT_TO_THE_PARENT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_NO_LIMIT = resource.RLIM_INFINITY


def main(socket: int, pipe: int, max_cpu_seconds: int, max_memory_bytes: int) -> None:
    prepare(max_memory_bytes)
    end_with_the_parent(pipe)
    with Connection(socket) as connection, suppress(EOFError, OSError):
        while connection.poll(IDLE_SECONDS):
            format, raw, policy = connection.recv()
            limit(resource.RLIMIT_CPU, get_cpu_seconds() + max_cpu_seconds)
            answer = do(format, raw, policy)
            connection.send(answer)
            if isinstance(answer, FileTooLarge) or get_resident_bytes() > KEPT_BYTES:
                return


def prepare(max_memory_bytes: int) -> None:
    """Leave signals to the whole process group to the parent: this process ends when the parent does."""
    for number in _LEFT_TO_THE_PARENT:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    with suppress(OSError):  # if memory runs out, the kernel should kill this process and not its parent
        Path("/proc/self/oom_score_adj").write_text("500")
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_AS, max_memory_bytes)


def limit(what: int, amount: int) -> None:
    """Set the limit, as far as the system allows."""
    _, most = resource.getrlimit(what)
    with suppress(OSError, ValueError):
        resource.setrlimit(what, (amount if most == _NO_LIMIT else min(amount, most), most))


def end_with_the_parent(pipe: int) -> None:
    """The only event on the pipe is that its other end is closed: the kernel sends SIGIO, which ends this process even in native code. On
    the socket, news of a file that was read already could come late, and would end it too.
    """
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def do(format: Format, raw: RawDocument, policy: ContentPolicy) -> ParsedDocument | Exception:
    try:
        return parse_as(format, raw, policy)
    except IngestError as error:
        return error.with_traceback(None)
    except MemoryError:
        return make_too_large()
    except Exception:
        return RuntimeError(f"in the parsing process: {format_exc()}")


def get_cpu_seconds() -> int:
    """The processor time that this process has used, rounded up."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return ceil(usage.ru_utime + usage.ru_stime)


def get_resident_bytes() -> int:
    """Memory in use; 0 if the system does not report it. The peak of getrusage() would include the parent's, from before this program was
    loaded.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
