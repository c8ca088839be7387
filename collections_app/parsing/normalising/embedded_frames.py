"""Replaces other sites' pages within a page (`<iframe src="https://…">`) and videos (`<video>`) with links, which say the same in far
fewer words.

Hidden frames and videos stay as written, for the content policy; so do frames of the site's own pages and whatever an
expression fills in. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape, unescape
from urllib.parse import parse_qs, urlsplit

from collections_app.parsing.safety.hiding_styles import is_hiding_style
from collections_app.parsing.safety.places import Places

_FRAME = r"<iframe(?P<attributes>\s[^<>{}]{1,2000}+)(?:(?<=/)>|>\s{0,20}+</iframe\s*+>)"
_FRAME_ALONE = re.compile(_FRAME, re.IGNORECASE)
_FRAME_IN_BOX = re.compile(
    rf"<div(?P<box>\s[^<>{{}}]{{0,500}}+)?>\s{{0,20}}+{_FRAME}\s{{0,20}}+</div\s*+>", re.IGNORECASE
)
# Its content, other than its sources, is for browsers that cannot show it.
_VIDEO = (
    r"(?<!\\)<video(?P<attributes>\s[^<>{}]{0,2000}+)?>(?P<within>(?:[^<>{}]{0,500}+(?:<(?:img|source|track)(?=\s)[^<>{}]{0,1000}+>)?+){1,10}+)"
    r"</video\s*+>"
)
_VIDEO_ALONE = re.compile(_VIDEO, re.IGNORECASE)
_VIDEO_IN_FIGURE = re.compile(
    rf"(?P<before><figure(?P<box>\s[^<>{{}}]{{0,500}}+)?>\s{{0,20}}+){_VIDEO}"
    r"(?P<behind>\s{0,20}+(?:<figcaption(?:\s[^<>{}]{0,500}+)?>[^{}]{0,2000}?</figcaption\s*+>\s{0,20}+)?+</figure\s*+>)",
    re.IGNORECASE,
)
_SOURCE = re.compile(r"<source(?P<attributes>\s[^<>]*+)>", re.IGNORECASE)
_PICTURE = re.compile(r"<img(?P<attributes>\s[^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=<>`]++)))?+")
_HIDING = frozenset({"hidden", "aria-hidden", "inert"})
_SIZES = ("width", "height")
_NOTHING = re.compile(r"[01](?:px)?")
_SIGNS = re.compile(r"[\[\]<>{}`*_\\|]")
_UNSAFE = re.compile(r"[\s<>\"'`{}\\]")
_VIDEO_ADDRESS = re.compile(r"https?://|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_PLAYER = re.compile(r"youtube(?: video)?(?: player)?", re.IGNORECASE)

_WriteLink = Callable[[Mapping[str, str], str], str]


def write_frames_as_links(content: str) -> str:
    """The text with frames and videos as links; the number of lines is unchanged."""
    folded = content.lower()
    if "<iframe" in folded:
        content = _replace((_FRAME_IN_BOX, _FRAME_ALONE), _write_link, content)
    return _replace((_VIDEO_IN_FIGURE, _VIDEO_ALONE), _write_video, content) if "<video" in folded else content


def _replace(patterns: Sequence[re.Pattern[str]], write_link: _WriteLink, content: str) -> str:
    for pattern in patterns:
        places = Places(content, has_markup=True)
        content = pattern.sub(lambda found, places=places: _write(found, places, write_link), content)  # type: ignore[misc]
    return content


def _write(found: re.Match[str], places: Places, write_link: _WriteLink) -> str:
    parts = found.groupdict()
    attributes = _read_attributes(parts["attributes"] or "")
    if _hides(attributes) or _hides(_read_attributes(parts.get("box") or "")) or places.is_code(*found.span()):
        return found[0]
    link = write_link(attributes, parts.get("within") or "")
    if not link:
        return found[0]
    shown = f"{parts.get('before') or ''}{link}{parts.get('behind') or ''}"
    return shown + "\n" * (found[0].count("\n") - shown.count("\n"))


def _read_attributes(text: str) -> Mapping[str, str]:
    return {name.lower(): unescape("".join(values)).strip() for name, *values in _ATTRIBUTE.findall(text)}


def _hides(attributes: Mapping[str, str]) -> bool:
    is_small = any(_NOTHING.fullmatch(attributes.get(size, "")) for size in _SIZES)
    return is_small or not _HIDING.isdisjoint(attributes) or is_hiding_style(attributes.get("style", ""))


def _write_video(attributes: Mapping[str, str], within: str) -> str:
    """A link in the words of its title, or of the picture in its place; empty if there is no address."""
    sources = [attributes, *(_read_attributes(source["attributes"]) for source in _SOURCE.finditer(within))]
    address = next((each["src"] for each in sources if each.get("src")), "")
    if not address or _UNSAFE.search(address) or not _VIDEO_ADDRESS.match(address):
        return ""
    pictures = (_read_attributes(picture["attributes"]) for picture in _PICTURE.finditer(within))
    titles = (attributes.get("title"), attributes.get("aria-label"), *(picture.get("alt") for picture in pictures))
    words = " ".join(_SIGNS.sub(" ", next(filter(None, titles), "")).split()) or "Video"
    return f'<a href="{escape(address)}">{escape(words)}</a>'


def _write_link(attributes: Mapping[str, str], _: str) -> str:
    """A link; empty if it does not lead to another site."""
    address = re.sub("^//", "https://", attributes.get("src", ""))
    try:
        host, path, query = (parts := urlsplit(address)).hostname or "", parts.path, parse_qs(parts.query)
    except ValueError:  # the brackets hold no IPv6 address
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
