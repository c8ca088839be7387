"""Reads what a page says about itself outside of its text: title, description, keywords, language, canonical address. It judges nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collections_app.parsing.headings.text import shorten_heading
from collections_app.parsing.html.links import join_url
from collections_app.parsing.html.tree import Element, get_text

_SEPARATOR = re.compile(r"\s+(?:[—–|·»]|::|-)\s+")
_MAX_META_CHARACTERS = 2000


@dataclass(frozen=True, slots=True)
class Head:
    """`title` is `full_title` without the site's name. Addresses are absolute if the page's own is known."""

    title: str
    full_title: str
    description: str
    keywords: tuple[str, ...]
    language: str
    canonical_url: str


def read_head(root: Element, base_url: str) -> Head:
    meta = read_meta(root)
    full_title = find_title_text(root)
    return Head(
        title=_find_title(full_title, meta.get("og:site_name", "")),
        full_title=full_title,
        description=meta.get("description") or meta.get("og:description", ""),
        keywords=tuple(dict.fromkeys(filter(None, (word.strip() for word in meta.get("keywords", "").split(","))))),
        language=find_language(root, meta),
        canonical_url=find_canonical_url(root, base_url),
    )


def read_meta(root: Element) -> dict[str, str]:
    """The first `<meta>` of each name, by the name in lower case."""
    named: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or meta.get("http-equiv") or "").strip().lower()
        if name:
            named.setdefault(name, " ".join(meta.get("content", "")[:_MAX_META_CHARACTERS].split()))
    return named


def find_language(root: Element, meta: dict[str, str]) -> str:
    language = root.get("lang") or root.get("xml:lang") or meta.get("content-language", "")
    return language.split(",")[0].strip()[:35]


def find_canonical_url(root: Element, base_url: str) -> str:
    links = (link.get("href", "") for link in root.iter("link") if "canonical" in link.get("rel", "").lower().split())
    href = next(filter(None, map(str.strip, links)), "")
    url = join_url(base_url, href) if href else ""
    return url if url.startswith(("http://", "https://")) else ""


def find_title_text(root: Element) -> str:
    """The page's `<title>` as written; titles in drawings do not count."""
    title = root.find("head/title")
    if title is None:
        title = next((each for each in root.iter("title") if each.getparent() is not None), None)
    return "" if title is None else shorten_heading(get_text(title))


def split_title(full_title: str) -> list[str]:
    """The parts of a title: the names of the page, of its subject and of the site, in any order."""
    return [part.strip() for part in _SEPARATOR.split(full_title) if part.strip()]


def _find_title(full_title: str, site_name: str) -> str:
    parts = split_title(full_title)
    return next((part for part in parts if part.casefold() != site_name.casefold()), "") if parts else ""
