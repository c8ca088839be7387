"""docs/api.md says what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collections_app.api.errors import CODES
from tests.collections_app.api.test_surface import SCHEMA

TEXT = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
PLACES = {"collection": "C", "path": "PATH", "source_id": "ID", "job_id": "ID"}


@pytest.mark.parametrize("path", SCHEMA["paths"])
def test_every_path_is_named(path: str) -> None:
    assert f"`{path.format(**PLACES)}`" in TEXT


def test_no_other_path_is_named() -> None:
    named = set(re.findall(r"`(?:POST )?(/api/[A-Za-z/]+)`", TEXT)) - {"/api/", "/api/schema"}
    assert named == {path.format(**PLACES) for path in SCHEMA["paths"]}


@pytest.mark.parametrize("code", [*CODES.values()])
def test_every_code_of_http_is_named(code: str) -> None:
    assert code in TEXT
