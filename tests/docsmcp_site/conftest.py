"""One embedded server's data directory for all tests that only need some server, and empty ones for the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests.docsmcp_site.embedded_server import make_open_dir


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the embedded server say nothing about another one: `make test-services` leaves them out."""
    for item in items:
        if isinstance(item, pytest.Function) and {"open_dir", "shared_open_dir"} & set(item.fixturenames):
            item.add_marker("embedded")


@pytest.fixture
def open_dir() -> Iterator[Path]:
    """An empty directory that every user may enter, unlike tmp_path."""
    yield from make_open_dir()


@pytest.fixture(scope="session")
def shared_open_dir() -> Iterator[Path]:
    yield from make_open_dir()


@pytest.fixture
def server_dir(shared_open_dir: Path) -> Iterator[Path]:
    """A data directory, mostly with a database. Whatever a test does to its server, the next one finds it stopped."""
    server_dir = shared_open_dir / "data"
    yield server_dir
    EmbeddedPostgres(server_dir).stop()


@pytest.fixture
def server(server_dir: Path) -> EmbeddedPostgres:
    """The running server of `server_dir`."""
    server = EmbeddedPostgres(server_dir)
    server.ensure()
    return server
