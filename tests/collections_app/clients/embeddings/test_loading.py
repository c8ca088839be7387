"""A process has one model in memory, however many of its requests are the first."""

from __future__ import annotations

from functools import partial
from typing import cast

from collections_app.clients.embeddings import Embedder, load
from tests.fake_embedder import FakeEmbedder
from tests.meeting import Meeting, do_at_once


def test_a_model_is_loaded_once_for_all_who_ask_at_once() -> None:
    loading = Meeting()

    def make() -> Embedder:
        loading.visit()
        return cast("Embedder", FakeEmbedder())

    do_at_once(partial(load, make), partial(load, make))
    assert loading.visits == 1
