"""The web server: gunicorn, set up for this project.

Runs gunicorn's own application class, not its command: the command puts the working directory on Python's module path, where a
folder of documents may have any file. The application is loaded once, before the workers are forked.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
import time
from contextlib import suppress
from threading import Semaphore
from typing import Any

from django.db import connections
from django.urls import get_resolver
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.glogging import Logger  # type: ignore[import-untyped]
from gunicorn.workers.base import Worker  # type: ignore[import-untyped]
from gunicorn.workers.gthread import _DEFER, ThreadWorker  # type: ignore[import-untyped]

from docsmcp_site.configuration.config import Config
from docsmcp_site.database.databases import prepare_serving
from docsmcp_site.observability.logs import make_dict_config
from docsmcp_site.observability.metrics_directory import SHARED_MEMORY, merge_dead
from docsmcp_site.processes.patient_socket import SMALL_BYTES, UNSENT_BYTES, PatientSocket

KEEP_ALIVE_SECONDS = 75
# How long a worker that ends, or is replaced, may finish its requests: longer than a tool call may take (mcp_app/entries.py).
GRACEFUL_SECONDS = 30
# Connections of one worker, idle ones included: each costs a file, but no thread.
CONNECTIONS = 4_000
# After so long a thread is freed from a client that stops in the middle of a request, or while taking an answer.
STALLED_SECONDS = 15
# What a client still sends after its answer is read for at most so long, and discarded, so that the client gets to see a refusal.
LINGER_SECONDS = 2.0
MAX_DISCARDED_BYTES = 8 * 1024**2
DISCARDED_AT_ONCE = 64 * 1024
# After about so many requests a worker is replaced, so that leaks of a library do not grow for ever; the jitter spreads the replacements.
WORKER_REQUESTS = 100_000
WORKER_REQUESTS_JITTER = 20_000
# How long at most a worker lets the others go first when somebody connects.
YIELD_SECONDS = 0.001
# With this many connections it waits for half of that.
FEW_CONNECTIONS = 8
# A worker is replaced if its main thread, which accepts connections, does nothing for so long. Other threads that hang do not count.
HANGING_SECONDS = 60
# Of a request's first line, as long as nginx lets it be. Who signs in to connect an app carries the app's whole request in the address.
ADDRESS_BYTES = 8190


class FairWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's gthread worker, but fair: the worker that is awake would accept all connections of a moment, and clients keep theirs.

    Slow clients occupy at most half of its threads.
    """

    def init_process(self) -> None:
        self.slow_places = Semaphore(max(1, self.cfg.threads // 2))
        super().init_process()

    def accept(self, listener: object) -> None:
        """A worker that comes too late finds nothing to accept."""
        if seconds := compute_yield_seconds(self.cfg.workers, self.nr_conns):
            time.sleep(seconds)
        super().accept(listener)

    def handle(self, conn: Any) -> Any:
        """Runs in a thread: handles one request, and keeps the thread only as long as PatientSocket allows."""
        if not isinstance(conn.sock, PatientSocket):
            conn.sock = PatientSocket(conn.sock, self.slow_places)
        if not conn.initialized and not conn.wait_for_data(0):
            return _DEFER  # The kernel stops waiting for the first byte after STALLED_SECONDS; gunicorn would wait 5 s more here.
        conn.sock.begin_request()
        try:
            goes_on = super().handle(conn)
            if not goes_on:
                linger(conn.sock)
        finally:
            conn.sock.end_request()
        return goes_on

    def handle_request(self, request: Any, conn: Any) -> Any:
        """Called once the headers are read. If a large body is refused, the rest is not waited for: the connection ends."""
        if get_body_bytes(request) > SMALL_BYTES:
            conn.sock.expect_upload()
            request.force_close()
        return super().handle_request(request, conn)


def get_body_bytes(request: Any) -> int:
    """The announced length, which gunicorn has checked; 0 for a chunked body."""
    return int(next((value for name, value in request.headers if name == "CONTENT-LENGTH"), 0))


def linger(sock: socket.socket) -> None:
    """Ends a connection as RFC 9112, section 9.6 describes. gunicorn's own attempt, in the thread that accepts, then finds it done."""
    deadline, discarded = time.monotonic() + LINGER_SECONDS, 0
    with suppress(OSError):
        sock.shutdown(socket.SHUT_WR)
        while (seconds := deadline - time.monotonic()) > 0 and discarded < MAX_DISCARDED_BYTES:
            sock.settimeout(seconds)
            if not (data := sock.recv(DISCARDED_AT_ONCE)):
                break
            discarded += len(data)
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def compute_yield_seconds(workers: int, connections: int) -> float:
    """The more connections a worker has, the longer; it need not know how many the others have."""
    return YIELD_SECONDS * connections / (connections + FEW_CONNECTIONS) if workers > 1 else 0.0


def make_options(config: Config, bind: str, graceful_seconds: int = GRACEFUL_SECONDS) -> dict[str, Any]:
    """gunicorn's settings. `bind` is `HOST:PORT`, or `fd://N` for a listening socket that was inherited."""
    options = {
        "bind": bind,
        "worker_class": FairWorker,
        "workers": config.web_workers,
        "threads": config.web_threads,
        "preload_app": True,
        # Clients keep their connections; with the default of 2 s they would send into closed ones.
        "keepalive": KEEP_ALIVE_SECONDS,
        # It would wait for its client without a limit.
        "sendfile": False,
        "graceful_timeout": graceful_seconds,
        "timeout": HANGING_SECONDS,
        "limit_request_line": ADDRESS_BYTES,
        "worker_connections": CONNECTIONS,
        "max_requests": WORKER_REQUESTS,
        "max_requests_jitter": WORKER_REQUESTS_JITTER,
        # TRUSTED_PROXIES decides who is believed about https (https.py); gunicorn would believe anybody on this machine.
        "forwarded_allow_ips": "",
        "when_ready": bound_waiting,
        "child_exit": keep_counts,
        # After the fork: threads do not survive it.
        "post_worker_init": write_usage,
        # All gunicorns of the user would share it.
        "control_socket_disable": True,
        "logconfig_dict": make_log_config(config),
        "logger_class": QuietLogger,
    }
    if os.access(SHARED_MEMORY, os.W_OK):  # A heartbeat on a slow disk looks like a hanging worker.
        options["worker_tmp_dir"] = str(SHARED_MEMORY)
    return options


def bound_waiting(arbiter: Arbiter) -> None:
    """Connections that send nothing are not accepted, and no read or write waits for ever. Accepted sockets inherit both (Linux)."""
    for listener in arbiter.LISTENERS:
        set_limits(listener.sock)


def set_limits(listener: socket.socket) -> None:
    seconds = struct.pack("ll", STALLED_SECONDS, 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, seconds)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, seconds)
    if listener.family == socket.AF_UNIX:
        return
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, STALLED_SECONDS)
    # With more unsent bytes, the kernel would report a slow client's progress too rarely.
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)


def write_usage(worker: object) -> None:
    """Starts writing this worker's usage counts."""
    from collections_app.activity.usage import start_writing  # its models need Django to be ready

    start_writing()


def keep_counts(arbiter: Arbiter, worker: Worker) -> None:
    """Keeps the counts of a worker that ended. Runs in the parent process, so one at a time."""
    merge_dead(worker.pid)


def make_log_config(config: Config) -> dict[str, Any]:
    """The project's log format and place. gunicorn's messages when all is well are shown only with LOG_LEVEL=DEBUG."""
    log_config = make_dict_config(config.log_level, config.log_format)
    level = "WARNING" if config.log_level == "INFO" else config.log_level
    log_config["filters"] = {"stalled": {"()": IgnoreStalled}}
    own = {"level": level, "handlers": [], "propagate": True, "filters": ["stalled"]}
    log_config["loggers"]["gunicorn.error"] = own
    return log_config


class QuietLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes no record for each request. With logging configured gunicorn would write one, which no handler takes."""

    access_log_enabled = False


class IgnoreStalled(logging.Filter):
    """Drops gunicorn's errors about a client that stopped in the middle: that is no failure of the server."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))


class WebServer(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    def __init__(self, config: Config, options: dict[str, Any]) -> None:
        self.config = config
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application with all of its views: mistakes in them show now, and workers share what is loaded."""
        from docsmcp_site.wsgi import application

        list(get_resolver().url_patterns)
        connections.close_all()  # Workers must not share any.
        prepare_serving(self.config)
        return application
