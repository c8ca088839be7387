"""A database of the very first tables, with everything in it that there was then, is brought to this release by every migration since:
nothing is lost, and its tables are in the end as a new database gets them in one step.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import psycopg
import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT
from docsmcp_site.database.embedded_postgres import EmbeddedPostgres
from tests.docsmcp_site.embedded_server import make_open_dir
from tests.migrated import give_tables
from tests.running_server import make_environment
from tests.schema import read_schema

pytestmark = pytest.mark.embedded

TIMEOUT_SECONDS = 600
DOCSMCP = ("-m", "docsmcp_site.command_line")
SETTINGS = {"DJANGO_SETTINGS_MODULE": "docsmcp_site.settings", "EMBEDDINGS_KIND": "none", "LOG_LEVEL": "WARNING"}
SECRET = "dmcp_0a1b2c3d_a-secret-of-the-first-release"

# By the models as the first migration has them, which a new database is not made by any more.
FILL = """
import hashlib, sys, django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
executor = MigrationExecutor(connection)
executor.loader.replace_migrations = False
executor.loader.build_graph()
first = [("collections_app", "0001_initial")]
apps = executor.migrate(first).apps
def make(model, /, **values):
    return apps.get_model("collections_app", model).objects.create(**values)
tenant = make("Tenant", slug="default", name="Default")
user = make("User", username="ann", password="!", is_staff=True)
make("Membership", tenant=tenant, user=user, role="owner")
digest = hashlib.sha256(sys.argv[1].encode()).hexdigest()
key = make("ApiKey", tenant=tenant, name="old", prefix="dmcp_0a1b2c3d", digest=digest, scopes=["read"], all_collections=False)
collection = make("Collection", tenant=tenant, slug="handbook", name="Handbook", index_version=3)
of = {"tenant": tenant, "collection": collection}
make("CollectionGrant", api_key=key, **of)
source = make("Source", kind="upload", **of)
document = make("Document", source=source, path="guide.md", title="Guide", format="markdown", content_hash="0" * 64, size_bytes=42,
    content="# Guide\\n\\nOrchids bloom.\\n\\n## Watering\\n\\nTwice a week.\\n", status="success", **of)
parts = (("guide", "Guide", 1, "# Guide\\n\\nOrchids bloom.\\n\\n", 1),
    ("guide/watering", "Watering", 2, "## Watering\\n\\nTwice a week.\\n", 1))
for n, (section_id, heading, level, content, end) in enumerate(parts):
    section = make("Section", document=document, position=n, end_position=end, section_id=section_id, heading=heading, level=level,
        heading_path=[heading], start_line=n, end_line=n + 3, content=content, character_count=len(content), token_count=9, **of)
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO collections_app_sectionvector (tenant_id, collection_id, document_id, section_id, part, vector) "
            "VALUES (%s, %s, %s, %s, 0, to_tsvector('english', %s))", [tenant.pk, collection.pk, document.pk, section.pk, content])
make("TermStatistic", term="orchid", sections=1, **of)
make("TermStatistic", term="", sections=2, **of)
make("SectionEmbedding", document=document, section=section, model="old", vector=[1.0, 0.0], **of)
make("Upload", source=source, path="guide.md", content=b"# Guide", content_hash="0" * 64, size_bytes=7, **of)
job = make("IngestJob", source=source, state="succeeded", done=1, total=1, **of)
make("FileOutcome", job=job, path="guide.md", outcome="indexed", document=document, **of)
make("SearchEvent", tenant=tenant, api_key=key, query="orchids", mode="keyword", hits=1, duration_ms=1.0)
"""

LOOK = """
import sys, django
django.setup()
from collections_app.access.authentication import authenticate
from collections_app.models import *
from collections_app.postgres.row_security import is_available
from collections_app.search import SearchOptions, search
from tests.index_check import check_index
principal = authenticate(sys.argv[1])
collections = list(Collection.objects.visible_to(principal).select_related("tenant"))
check_index(collections[0])
hits = search("orchids blooming", collections, SearchOptions(limit=10, snippet_length=200)).hits
print([(hit.path, hit.section_id) for hit in hits])
texts = [section.content for section in Section.objects.order_by("position")]
print(texts == ["# Guide\\n\\nOrchids bloom.\\n\\n", "## Watering\\n\\nTwice a week.\\n"])
job, file, upload = IngestJob.objects.get(), FileOutcome.objects.get(), Upload.objects.get()
print(job.state, file.outcome, bytes(upload.content), SearchEvent.objects.get().query)
print(User.objects.get(username="ann").roles == {collections[0].tenant_id: "owner"}, is_available())
print(collections[0].stored_documents, collections[0].stored_bytes)
"""


@pytest.fixture(scope="module")
def upgraded() -> Iterator[Path]:
    """The data directory of that database, once it is brought to this release."""
    for open_dir in make_open_dir():
        data_dir = open_dir / "data"
        run(data_dir, "-c", FILL, SECRET)
        run(data_dir, *DOCSMCP, "migrate")
        yield data_dir


@pytest.fixture
def new() -> Iterator[Path]:
    """The data directory of a database that was made by this release."""
    for open_dir in make_open_dir():
        give_tables(open_dir / "data")
        yield open_dir / "data"


def run(data_dir: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT_ROOT,
        env=make_environment(data_dir.parent, SETTINGS),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def connected(data_dir: Path) -> Iterator[psycopg.Cursor]:
    with psycopg.connect(**asdict(EmbeddedPostgres(data_dir).ensure())) as session, session.cursor() as cursor:
        yield cursor


def read_tables(data_dir: Path) -> dict[str, list[str]]:
    with connected(data_dir) as cursor:
        return read_schema(cursor)


def test_the_first_tables_become_todays_with_all_that_was_in_them(upgraded: Path) -> None:
    run(upgraded, *DOCSMCP, "reindex", "--all")  # as the notes of the release say
    found, is_whole, kept, owns, stored = run(upgraded, "-c", LOOK, SECRET).splitlines()
    assert found == "[('guide.md', 'guide')]"
    assert is_whole == "True"
    assert kept == "succeeded indexed b'# Guide' orchids"
    assert owns == "True True"
    assert stored == "1 42"


def test_they_become_what_a_new_database_gets_in_one_step(upgraded: Path, new: Path) -> None:
    have, should_have = read_tables(upgraded), read_tables(new)
    assert {kind: set(have[kind]) ^ set(should_have[kind]) for kind in have if have[kind] != should_have[kind]} == {}


def test_they_count_as_made_in_one_step(upgraded: Path, new: Path) -> None:
    """Later migrations build on that step, whichever way a database has come."""
    run(upgraded, *DOCSMCP, "migrate", "--check")
    assert list_applied(upgraded) == list_applied(new)


def list_applied(data_dir: Path) -> set[tuple[str, str]]:
    with connected(data_dir) as cursor:
        return set(cursor.execute("SELECT app, name FROM django_migrations").fetchall())
