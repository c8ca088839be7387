"""What an ingesting command refuses leaves nothing behind, and a rehearsal refuses it too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collections_app.models import Collection
from tests.collections_app.management.conftest import Run

SITE = ["ingest_site", "https://docs.example.org/"]
GIT = ["ingest_git", "https://git.example.org/docs.git"]
TOO_OFTEN = ["--refresh", "5"]
TOO_LARGE = ["--max-file-bytes", "20000000"]


@pytest.mark.parametrize("is_rehearsal", [False, True], ids=["a run", "a dry run"])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([*SITE, *TOO_OFTEN], "every 300 seconds at most"),
        ([*GIT, *TOO_OFTEN], "every 300 seconds at most"),
        ([*SITE, *TOO_LARGE], "max_file_bytes may be at most 10,485,760 here"),
        ([*GIT, *TOO_LARGE], "max_file_bytes may be at most 10,485,760 here"),
        (["ingest_path", *TOO_LARGE], "max_file_bytes may be at most 10,485,760 here"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value.partition(" ")[0],
)
def test_numbers_that_no_source_may_have(
    run: Run, folder: Path, arguments: list[str], told: str, *, is_rehearsal: bool
) -> None:
    where = [folder] if arguments[0] == "ingest_path" else []
    code, out, err = run(*arguments, *where, "--collection", "new", *(["--dry-run"] if is_rehearsal else []))
    assert (code, out) == (2, "")
    assert told in err
    assert not Collection.objects.exists()


def test_a_place_that_cannot_be_noted(run: Run, folder: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9"))
    odd.mkdir()
    (odd / "a.md").write_text("# A\n")
    code, _, err = run("ingest_path", odd, "--collection", "new")
    assert code == 2
    assert "The directory's name is not UTF-8" in err
    assert not Collection.objects.exists()
