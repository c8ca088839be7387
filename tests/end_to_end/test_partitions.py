"""The recipe of docs/scaling.md for splitting large tables by tenant, done to a database with documents of two tenants and the wall on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.end_to_end.test_backup import run_docsmcp, run_script
from tests.end_to_end.test_backup_of_a_server import COUNT, needs_debians
from tests.running_server import COLLECTION, make_environment, write_pages
from tests.services.postgresql import find_binaries, serve

pytestmark = needs_debians

# Each tenant's own rows, as a caller of each tenant sees them behind the wall, and searches that ask the views.
LOOK = """
from collections_app.models import Collection, Document, Section
from collections_app.postgres.row_security import is_available, list_unprotected, show_tenants, walled
from tests.factories import find_paths
from tests.index_check import check_index
from collections_app.search import narrowing
narrowing.MANY_DOCUMENTS = 0
for collection in Collection.objects.all():
    check_index(collection)
print(is_available(), list_unprotected())
for collection in Collection.objects.select_related("tenant").order_by("pk"):
    with walled():
        show_tenants({collection.tenant_id})
        found = find_paths(collection, "blooms", filters={"path": {"$contains": ".md"}})
        print(Document.objects.count(), Section.objects.count(), *sorted(found))
with walled():
    print(Document.objects.count(), Section.objects.count())
"""
MAKE_TENANT = "from tests.factories import make_tenant; make_tenant('other')"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    directory = tmp_path_factory.mktemp("partitions")
    with serve(find_binaries("15")) as url:
        settings = {
            "DJANGO_SETTINGS_MODULE": "docsmcp_site.settings",
            "EMBEDDINGS_KIND": "none",
            "SECRET_KEY": "k" * 50,
        }
        environment = make_environment(directory, settings | {"DATABASE_URL": url})
        run_docsmcp(environment, "migrate")
        run_script(environment, MAKE_TENANT)
        write_pages(
            directory / COLLECTION, {"orchid.md": "# Orchid\n\nIt blooms.\n", "tulip.md": "# Tulip\n\nIt blooms.\n"}
        )
        write_pages(directory / "theirs", {"secret.md": "# Secret\n\nIt blooms too.\n"})
        run_docsmcp(environment, "ingest_path", directory / COLLECTION, "--collection", COLLECTION)
        run_docsmcp(environment, "ingest_path", directory / "theirs", "--collection", "theirs", "--tenant", "other")
        yield environment


def read_recipe() -> str:
    section = (PROJECT_ROOT / "docs/scaling.md").read_text().partition("## Partitions")[2].partition("\n## ")[0]
    (recipe,) = re.findall(r"```sql\n(.*?)```", section, re.DOTALL)
    return str(recipe)


def test_nothing_is_lost_and_all_of_it_goes_on(environment: dict[str, str], tmp_path: Path) -> None:
    seen, counts = run_script(environment, LOOK), run_script(environment, COUNT)
    assert seen.splitlines() == ["True []", "2 2 orchid.md tulip.md", "1 1 secret.md", "0 0"]
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as owner:
        owner.execute(read_recipe().encode())
    run_docsmcp(environment, "roles", "--apply")
    assert run_script(environment, LOOK) == seen
    assert run_script(environment, COUNT) == counts

    write_pages(tmp_path / "more", {"more.md": "# More\n\nIt blooms as well.\n"})
    run_docsmcp(environment, "ingest_path", tmp_path / "more", "--collection", COLLECTION)
    assert run_script(environment, LOOK).splitlines()[1] == "3 3 more.md orchid.md tulip.md"
    (tmp_path / "more" / "more.md").unlink()
    (tmp_path / "more" / "last.md").write_text("# Last\n\nIt blooms at last.\n")
    run_docsmcp(environment, "ingest_path", tmp_path / "more", "--collection", COLLECTION, "--prune")
    assert run_script(environment, LOOK).splitlines()[1].endswith("last.md orchid.md tulip.md")
    run_docsmcp(environment, "reindex", "--all")
    run_docsmcp(environment, "migrate", "--check")
    assert_partitions_are_closed(environment["DATABASE_URL"])


def assert_partitions_are_closed(url: str) -> None:
    """To whom may read the tables."""
    with psycopg.connect(url) as owner:
        owner.execute("SET ROLE docsmcp_web")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("SELECT * FROM docsmcp_parts.collections_app_document_0")
