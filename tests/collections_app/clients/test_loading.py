"""A process has one model in memory, however many of its requests are the first."""

from __future__ import annotations

from functools import partial

from collections_app.clients.loading import load
from tests.meeting import Meeting, do_at_once


def test_a_model_is_loaded_once_for_all_who_ask_at_once() -> None:
    loading = Meeting()

    def make() -> object:
        loading.visit()
        return object()

    do_at_once(partial(load, make), partial(load, make))
    assert loading.visits == 1
