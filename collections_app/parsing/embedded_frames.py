"""Other sites' pages within a page (`<iframe src="https://…">`), as videos mostly are: a link says the same in a fraction of the words.

What hides one stays as it is written, for the content policy; so do one's own pages, and all that an expression fills in. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import parse_qs, urlsplit

from collections_app.parsing.hiding_styles import is_hiding_style
from collections_app.parsing.safety.places import Places

_FRAME = r"<iframe(?P<attributes>\s[^<>{}]{1,2000}+)(?:(?<=/)>|>\s{0,20}+</iframe\s*+>)"
_FRAME_ALONE = re.compile(_FRAME, re.IGNORECASE)
_FRAME_IN_BOX = re.compile(
    rf"<div(?P<box>\s[^<>{{}}]{{0,500}}+)?>\s{{0,20}}+{_FRAME}\s{{0,20}}+</div\s*+>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"([\w-]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=<>`]++)))?+")
_HIDING = frozenset({"hidden", "aria-hidden", "inert"})
_SIZES = ("width", "height")
_NOTHING = re.compile(r"[01](?:px)?")
_SIGNS = re.compile(r"[\[\]<>{}`*_\\|]")
_UNSAFE = re.compile(r"[\s<>\"'`{}\\]")
_PLAYER = re.compile(r"youtube(?: video)?(?: player)?", re.IGNORECASE)


def write_frames_as_links(content: str) -> str:
    """The text with as many lines as before."""
    if "<iframe" not in content.lower():
        return content
    for pattern in (_FRAME_IN_BOX, _FRAME_ALONE):
        places = Places(content, has_markup=True)
        content = pattern.sub(lambda frame, places=places: _write(frame, places), content)  # type: ignore[misc]
    return content


def _write(frame: re.Match[str], places: Places) -> str:
    attributes = _read_attributes(frame["attributes"])
    is_hidden = _hides(attributes) or _hides(_read_attributes(frame.groupdict().get("box") or ""))
    link = "" if is_hidden or places.is_code(*frame.span()) else _write_link(attributes)
    return link + "\n" * frame[0].count("\n") if link else frame[0]


def _read_attributes(text: str) -> Mapping[str, str]:
    return {name.lower(): unescape("".join(values)).strip() for name, *values in _ATTRIBUTE.findall(text)}


def _hides(attributes: Mapping[str, str]) -> bool:
    is_small = any(_NOTHING.fullmatch(attributes.get(size, "")) for size in _SIZES)
    return is_small or not _HIDING.isdisjoint(attributes) or is_hiding_style(attributes.get("style", ""))


def _write_link(attributes: Mapping[str, str]) -> str:
    """Empty for what leads to no other site."""
    address = re.sub("^//", "https://", attributes.get("src", ""))
    try:
        host, path, query = (parts := urlsplit(address)).hostname or "", parts.path, parse_qs(parts.query)
    except ValueError:  # brackets around what is no address of IPv6
        return ""
    if parts.scheme not in ("http", "https") or not host or _UNSAFE.search(address):
        return ""
    title, site = attributes.get("title", ""), host.removeprefix("www.")
    if site in ("youtube.com", "youtube-nocookie.com") and path.startswith("/embed/"):
        start = "".join(f"&t={each}" for each in query.get("start", [])[:1])
        address, site = f"https://www.youtube.com/watch?v={path.split('/')[2]}{start}", "Video on YouTube"
        title = "" if _PLAYER.fullmatch(title) else title
    words = site if not title or _SIGNS.search(title) else " ".join(title.split())
    return f'<a href="{escape(address)}">{escape(words)}</a>'
