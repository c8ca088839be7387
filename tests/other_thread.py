"""Somebody else who works at the same database in the same moment, in a thread with a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import connection

IS_WAITED = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid())"


def start(task: Callable[[], object]) -> Future[object]:
    """Elsewhere, with a connection of its own."""

    def run() -> object:
        try:
            return task()
        finally:
            connection.close()

    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(run)
    finally:
        pool.shutdown(wait=False)


def wait_until_it_waits(other: Future[object]) -> None:
    """For a lock that somebody holds; or has ended."""
    with connection.cursor() as cursor:
        while not other.done():
            cursor.execute(IS_WAITED)
            if cursor.fetchone()[0]:
                return
