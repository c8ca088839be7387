"""VuePress and Vue's router in Markdown: links as elements, badges, and values in headings that only a build knows. PURE.

What Vue's documentation says for one style of its API alone (`<div class="options-api">`) is labelled with that style.

`<RouterLink :to="`/${$site.themeConfig.version}/sails`">the sails</RouterLink>` becomes its words, or a link if the address is plain. A
badge becomes its text, except in a heading, where it is dropped because it is not part of the name. `# Sails v{{ $page.version }}` is
called “Sails”.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.parsing.dialects.tab_labels import break_label, find_place_of_label
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.safety.places import Places, find_code_spans, replace_outside_code
from collections_app.text.spans import is_in_span, replace_spans

_MAX_LINE_CHARACTERS = 1_000
_MAY_HAVE_TAGS = re.compile(r"<(?:RouterLink|router-link|Badge)\s")
_LINK = re.compile(
    r"<(RouterLink|router-link)\s(?:[^<>\n]{0,200}?\s)?(?P<bound>:|v-bind:)?to=(?:\"([^\"<>\n]{0,500})\"|'([^'<>\n]{0,500})')"
    r"[^<>\n]{0,200}>(?P<words>[^\n]{0,500}?)</\1>"
)
_LOOKS = re.compile(r"</?(?:b|em|i|strong)>")
_QUOTED = re.compile(r"([`'\"])([^`'\"$]*)\1")  # an address with a value in it (`${version}`) is not known
_SAFE_ADDRESS = re.compile(r"https?:|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_BADGE = re.compile(r"(?P<before>[^\S\n]{0,9})<Badge\s(?P<attributes>[^<>\n]{0,500})/>")
_TEXT = re.compile(r"(?<![\w:-])text=(?:\"([^\"]*)\"|'([^']*)')")
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")

_STYLED = re.compile(r"<(?:div|p) class=\"(?P<style>options|composition)-api\">(?=[ \t]*\n)")
_OTHER_STYLE = re.compile(r"</span>[ \t]*(?=<span class=\"(?:options|composition)-api\">)")

_VALUE = r"(?:\b[vV])?\{\{[ \t]{0,9}\$[a-z]\w*(?:\.\w+)+[ \t]{0,9}\}\}"
_MAY_HAVE_VALUES = re.compile(r"\{\{[ \t]{0,9}\$")
_VALUES = re.compile(
    rf"[ \t]{{0,3}}\({_VALUE}\)|(?:[ \t]{{1,3}}(?:for|in|of|version))?[ \t]{{1,3}}{_VALUE}[ \t]*$|{_VALUE}"
)


def write_vuepress_signs(content: str) -> str:
    """The text with these tags and values replaced; no line moves."""
    if _MAY_HAVE_TAGS.search(content):
        content = replace_outside_code(_LINK, _write_link, content)
        content = replace_outside_code(_BADGE, _write_badge, content)
    if '-api">' in content:
        content = replace_spans(content, sorted(_iter_styles(content, Places(content, has_markup=True))))
    if not _MAY_HAVE_VALUES.search(content):
        return content
    lines = content.split("\n")
    for heading in list(iter_headings(lines)):
        if len(lines[heading.line]) <= _MAX_LINE_CHARACTERS:
            sign, blank, words = lines[heading.line].partition(" ")
            lines[heading.line] = f"{sign}{blank}{drop_values(words)}"
    return "\n".join(lines)


def _iter_styles(content: str, places: Places) -> Iterator[tuple[int, int, str]]:
    """Labels of blocks for one style of Vue's API, and what divides words of both styles."""
    for block in _STYLED.finditer(content):
        if not places.is_code(*block.span()):
            below = find_place_of_label(content, *block.span())
            words = f"{block['style'].capitalize()} API"
            yield below, below, f"<b>{words}</b>" if below == block.end() else break_label(f"**{words}**")
    for end in _OTHER_STYLE.finditer(content):
        if not places.is_code(*end.span()):
            yield *end.span(), "</span> / "


def drop_values(words: str) -> str:
    """A title or heading without values that only a build knows, and without the `v` of a version or the preposition before it. If nothing
    else remains, it stays as it is.
    """
    code = find_code_spans(words)
    left = _VALUES.sub(lambda found: found[0] if is_in_span(code, *found.span()) else "", words)
    return " ".join(left.split()).lstrip(":–—- ") if left != words and any(map(str.isalnum, left)) else words


def _write_link(link: re.Match[str]) -> str:
    written, words = link[3] or link[4] or "", _LOOKS.sub("", link["words"])
    quoted = _QUOTED.fullmatch(written) if link["bound"] else None
    target = quoted[2] if quoted else "" if link["bound"] else written
    is_link = is_address(target) and _SAFE_ADDRESS.match(target) and words.strip() and not set("[]|") & {*words}
    return f"[{words}]({target})" if is_link else words


def _write_badge(badge: re.Match[str]) -> str:
    found = _TEXT.search(badge["attributes"])
    text = (found[1] or found[2] or "").strip() if found else ""
    start = badge.string.rfind("\n", 0, badge.start()) + 1
    return "" if not text or _HEADING.match(badge.string, start) else f"{badge['before']}**{text}**"
