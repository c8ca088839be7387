"""What holds for every test, and what several packages of them share. The settings, and the database that they need, are in settings.py."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.db import connection
from hypothesis import settings
from pytest_django.plugin import DjangoDbBlocker
from structlog.contextvars import clear_contextvars

from collections_app.clients.llm import LlmServer, get_client
from collections_app.postgres.pgvector import ensure_pgvector
from collections_app.search.terms.stand_ins import read_lexemes
from tests.fake_embedder import FakeEmbedder, using
from tests.fake_upstream import FakeUpstream, serve_upstream
from tests.migrated import give_tables

# How long an example takes says nothing on a machine that others use too. A change is judged by the same examples each time; others are
# looked for by `--hypothesis-profile=exploring`.
settings.register_profile("docsmcp", deadline=None, derandomize=True)
settings.register_profile("exploring", deadline=None)
settings.load_profile("docsmcp")

# Which ask for everything as everybody, read what is made to be slow, or start servers; those of many minutes first.
LONGEST = (
    "tests/test_isolation.py",
    "tests/collections_app/parsing/test_hostile_texts.py",
    "tests/docsmcp_site/",
    "tests/end_to_end/",
    "tests/fuzz/",
)

# Programs are started here, which find the database, and what stands before it, by themselves.
STARTING_PROGRAMS = ("tests/end_to_end/", "tests/docsmcp_site/")


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is not allowed to ask a database says nothing that could be otherwise with another: `make test-services` leaves it out."""
    fixtures = item.fixturenames if isinstance(item, pytest.Function) else ["db"]
    asks = item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(fixtures)
    if not asks and not item.nodeid.startswith(STARTING_PROGRAMS):
        item.add_marker("any_database")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of several processes none should have the longest files left when the others are through."""
    items.sort(
        key=lambda item: next((at for at, path in enumerate(LONGEST) if item.nodeid.startswith(path)), len(LONGEST))
    )


@pytest.fixture(autouse=True)
def _no_request() -> None:
    """None is being answered: what a test before this one bound to the log is not this one's."""
    clear_contextvars()


@pytest.fixture(autouse=True)
def _nobody_known() -> None:
    """The process remembers no caller, and no answer, of a test before this one."""
    LocMemCache("process", {}).clear()


@pytest.fixture(autouse=True)
def _one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the limits stands: a window that ended while a test runs would begin to count anew."""
    now = time.time()
    for module in ("django_ratelimit.core", "collections_app.limits.own_counts"):
        monkeypatch.setattr(f"{module}.time", SimpleNamespace(time=lambda: now))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """The embedded database of the tests begins as a copy of one that has its tables."""
    given = connection.settings_dict
    if "data_dir" in given["OPTIONS"]:
        give_tables(Path(given["OPTIONS"]["data_dir"]))
        given["TEST"] |= {"TEMPLATE": given["NAME"], "MIGRATE": False}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """What a process asks the database once, it has asked before a test counts statements."""
    with django_db_blocker.unblock():
        read_lexemes()


@pytest.fixture
def upstream() -> Iterator[FakeUpstream]:
    """A server for models, which answers out of the passages unless it is told otherwise."""
    with serve_upstream() as server:
        yield server
        get_client(LlmServer(server.base_url)).close()
        get_client.cache_clear()


@pytest.fixture
def needs_pgvector(db: None) -> None:
    if not ensure_pgvector():
        pytest.skip("pgvector is not there")


@pytest.fixture
def embedder() -> Iterator[FakeEmbedder]:
    with using(FakeEmbedder()) as embedder:
        yield embedder
