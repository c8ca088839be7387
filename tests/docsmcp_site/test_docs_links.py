"""Links within the documentation lead somewhere, and the README leads to every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT

README = PROJECT_ROOT / "README.md"
PAGES = sorted([*PROJECT_ROOT.glob("*.md"), *(PROJECT_ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]*`")


def iter_links(page: Path) -> Iterator[tuple[Path, str]]:
    """File and anchor, either of which may be the page's own and empty."""
    for place, anchor in LINK.findall(CODE.sub("", FENCE.sub("", page.read_text()))):
        yield (page.parent / place).resolve() if place else page, anchor


def list_anchors(page: Path) -> list[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return [re.sub(r"[^\w]+", "-", heading.lower()).strip("-") for heading in headings]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_links_lead_somewhere(page: Path) -> None:
    links = list(iter_links(page))
    assert [str(file) for file, _ in links if not file.exists()] == []
    assert [(file.name, anchor) for file, anchor in links if anchor and anchor not in list_anchors(file)] == []


def test_the_readme_leads_to_every_page() -> None:
    linked = {file for file, _ in iter_links(README)}
    assert set((PROJECT_ROOT / "docs").glob("*.md")) - linked == set()
