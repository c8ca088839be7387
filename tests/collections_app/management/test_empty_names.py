"""What a script gives whose variable is not set: an empty name, which stands for no collection and for none of the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from collections_app.exceptions import InvalidParameter
from collections_app.models import Collection, IngestJob, Source
from docsmcp_site.management.commands.up import choose_documents
from tests.collections_app.management.conftest import Run
from tests.factories import make_collection

EMPTY = "'' is no name for a collection"


@pytest.mark.parametrize(
    "arguments",
    [
        ["reindex", "--language", "german"],
        ["jobs", "list"],
        ["sync_sources", "--all"],
        ["sync_sources", "--list"],
        ["restore_documents"],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_not_every_collection(run: Run, source: Source, arguments: list[str]) -> None:
    make_collection("other", tenant=source.collection.tenant)
    code, out, err = run(*arguments, "--collection", "")
    assert (code, out) == (2, "")
    assert EMPTY in err
    assert set(Collection.objects.values_list("language", flat=True)) == {"english"}
    assert not IngestJob.objects.exists()


@pytest.mark.parametrize("command", ["reindex", "sync_sources"])
def test_nor_is_it_every_tenant_s(run: Run, source: Source, command: str) -> None:
    code, _, err = run(command, "--collection", "", "--all-tenants")
    assert code == 2
    assert "--collection is one tenant's" in err


def test_an_imported_collection_is_called_by_a_name_or_as_it_was(run: Run, source: Source, tmp_path: Path) -> None:
    file = tmp_path / "docs.zip"
    assert run("export_collection", "docs", file)[0] == 0
    source.collection.delete()
    code, _, err = run("import_collection", file, "--collection", "")
    assert code == 2
    assert EMPTY in err
    assert run("import_collection", file)[0] == 0


def test_a_folder_that_is_served_goes_to_a_collection_with_a_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=EMPTY):
        choose_documents(tmp_path, "")


def test_an_empty_tenant_is_none(run: Run, source: Source) -> None:
    code, _, err = run("jobs", "list", "--tenant", "")
    assert code == 2
    assert "'' is no name for a tenant" in err


def test_a_token_comes_from_a_variable_with_a_name(run: Run) -> None:
    """Without it the source would be read as one that needs none."""
    code, _, err = run("ingest_git", "https://example.org/docs.git", "--collection", "docs", "--token-env", "")
    assert code == 2
    assert "The environment variable '' is not set" in err
    assert not Collection.objects.exists()
