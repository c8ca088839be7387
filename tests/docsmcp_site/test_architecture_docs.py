"""docs/architecture.md names every module of the packages that it has a row for, and none that is not there."""

from __future__ import annotations

import re

import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT

PAGE = (PROJECT_ROOT / "docs" / "architecture.md").read_text()
ROWS: dict[str, str] = dict(re.findall(r"^\| `(\w+)/` \|(.*)\|$", PAGE, re.MULTILINE))


def test_there_are_rows() -> None:
    assert {"access", "limits", "reports", "search", "text"} <= ROWS.keys()


@pytest.mark.parametrize("package", ROWS)
def test_a_row_names_what_the_package_has(package: str) -> None:
    directory = PROJECT_ROOT / "collections_app" / package
    files = {path.stem for path in directory.glob("*.py")} - {"__init__"}
    folders = {path.parent.name for path in directory.glob("*/__init__.py")}
    named = {name.rstrip("/") for name in re.findall(r"`(\w+/?)`", ROWS[package])}
    assert named == files | folders
