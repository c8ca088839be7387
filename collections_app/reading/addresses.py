"""The addresses of pages: a document's path → its page, its Markdown, a section on it.

A page's address is the document's path without a final `.md`; with `.md` appended, it is the document's Markdown.
"""

from __future__ import annotations

import json
from urllib.parse import quote

from django.urls import reverse

from collections_app.models import Collection
from collections_app.naming.paths import compose

# Prefix of the server's own addresses below a collection: no document's path begins with it.
OWN = "-/"
OWN_FILES = frozenset({"llms.txt", "llms-full.txt", "sitemap.xml"})


def get_collection_url(tenant: str, collection: str) -> str:
    return reverse("reading:contents", args=[tenant, collection])


def get_url_of(collection: Collection) -> str:
    return get_collection_url(collection.tenant.slug, collection.slug)


def quote_page(path: str) -> str:
    """The page's address, relative to its collection's."""
    shown = path.removesuffix(".md")
    return quote(path if not shown or shown.endswith(("/", ".md")) or shown in OWN_FILES else shown)


def quote_markdown(path: str) -> str:
    """The address of the page's Markdown, relative to its collection's."""
    return quote(path if path.endswith(".md") else f"{path}.md")


def quote_fragment(section_id: str) -> str:
    return quote(section_id, safe="/-")


def list_page_paths(address: str) -> list[str]:
    """The paths that the document with its page at this address may have, likeliest first."""
    return [compose(address), compose(f"{address}.md")]


def list_markdown_paths(address: str) -> list[str]:
    return [compose(address), compose(address.removesuffix(".md"))]


def format_reading(collection: Collection, path: str, section_id: str) -> str:
    """How an agent reads the section: the call that returns its text."""
    document = json.dumps(f"{collection.tenant.slug}/{collection.slug}:{path}", ensure_ascii=False)
    return f"read_sections(path={document}, section_ids=[{json.dumps(section_id, ensure_ascii=False)}])"
