"""Code in which a page keeps Liquid from its signs (`{% raw %}{{ name }}{% endraw %}`), as readers see and copy it: without these two tags.

Only on pages that a site generator runs Liquid over: they have other tags of it outside of code, or front matter that only Jekyll reads.
Elsewhere (Ansible, Jinja) the tags are what the code shows. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collections_app.parsing.safety.places import Places
from collections_app.text.spans import replace_spans

_RAW = re.compile(r"\{%-?[ \t]*+(?P<end>end)?raw[ \t]*+-?%\}")
_LIQUID = re.compile(
    r"\{%-?[ \t]*+(?:end)?(?:assign|capture|case|comment|for|if|include|include_relative|link|post_url|raw|unless)[ %-]"
)
_JEKYLLS_KEYS = frozenset({"has_children", "has_toc", "nav_exclude", "nav_order"})
_JEKYLLS_LAYOUTS = frozenset({"default", "page", "post"})


def has_raw_code(content: str, metadata: Mapping[str, Any]) -> bool:
    """Whether the page may have such code, and Liquid runs over it."""
    return "endraw" in content and (_is_jekylls(metadata) or _has_liquid(content))


def drop_raw_tags(content: str) -> str:
    """The text of such a page without these tags in code; no line moves."""
    places = Places(content, has_markup=True)
    pairs = (pair for pair in _iter_pairs(content) if places.is_code(*pair[0].span()))
    return replace_spans(content, ((*tag.span(), "") for pair in pairs for tag in pair))


def _iter_pairs(content: str) -> Iterator[Sequence[re.Match[str]]]:
    """Both tags of each pair. Liquid takes all up to the next end as text, another beginning too."""
    opening: re.Match[str] | None = None
    for tag in _RAW.finditer(content):
        if not tag["end"]:
            opening = opening or tag
        elif opening:
            yield opening, tag
            opening = None


def _is_jekylls(metadata: Mapping[str, Any]) -> bool:
    layout = metadata.get("layout")
    return (isinstance(layout, str) and layout in _JEKYLLS_LAYOUTS) or not _JEKYLLS_KEYS.isdisjoint(metadata)


def _has_liquid(content: str) -> bool:
    places = Places(content, has_markup=True)
    return any(not places.is_code(*tag.span()) for tag in _LIQUID.finditer(content))
