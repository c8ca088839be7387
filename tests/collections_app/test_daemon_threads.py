"""Work that nobody waits for keeps no process, and is told for whom it is."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import wait

import pytest

from collections_app.daemon_threads import start
from collections_app.request_ids import get_request_id, working_for

ENDLESS = (
    "from threading import Event; from collections_app.daemon_threads import start; start(Event().wait, 'endless')"
)
SECONDS = 60


def test_it_knows_the_request_that_it_is_for() -> None:
    with working_for("request-1"):
        future = start(get_request_id, "some")
    assert future.result(SECONDS) == "request-1"


def test_its_error_is_told_to_who_waits() -> None:
    def fail() -> None:
        raise KeyError("no")

    future = start(fail, "some")
    assert wait([future], SECONDS).done
    with pytest.raises(KeyError):
        future.result()


def test_a_process_ends_without_it() -> None:
    subprocess.run([sys.executable, "-c", ENDLESS], timeout=SECONDS, check=True)
