"""Any number of pages made from real ones, for measuring size."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path


def make_pages(docs: Path, count: int, target: Path) -> Path:
    """A folder of `count` Markdown pages: those of `docs`, again and again, each copy with a line of its own. Returns it."""
    for number, source in enumerate(islice(cycle(list_pages(docs)), count)):
        page = target / f"copy-{number // 1000}" / f"{number}-{source.name}"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"{source.read_text(errors='replace')}\n\nThis is copy {number} of this page.\n")
    return target


def list_pages(docs: Path) -> list[Path]:
    pages = sorted(docs.rglob("*.md"))
    if not pages:
        raise SystemExit(f"No Markdown below {docs}")
    return pages
