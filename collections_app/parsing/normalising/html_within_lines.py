"""Writes HTML tags within a line of Markdown as Markdown, if there is an equivalent: code, links, breaks at the ends of lines. Icons that a
font draws for a name (`<span class="material-symbols" title="Supported">done</span>`) are what they are labelled with.

A tag stays as it is written if it contains what Markdown cannot express: expressions and templates, attributes that hide or mean something,
or Markdown in code. So do tags in headings, whose words make ids, and tags that end on another line. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from functools import lru_cache
from html import unescape
from itertools import pairwise

from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.html.classes import read_class
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, HEADING_TAGS
from collections_app.parsing.safety.hiding_styles import is_hiding_style
from collections_app.parsing.safety.places import find_code_spans, replace_outside_code
from collections_app.text.spans import is_in_span

_MAX_LINE_CHARACTERS = 5_000
_MAY_HAVE_TAGS = re.compile(r"<(?:a|/?br|code|i|img|kbd|mark|samp|span|tt)(?=[\s/>])", re.IGNORECASE)
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]")
_FIRST_TAG = re.compile(r"[ \t>]*+</?([a-zA-Z][\w-]*+)")
_NO_MARKDOWN = re.compile(r"<(?:[!?]|pre|script|style|svg|template|textarea)", re.IGNORECASE)

_CODE_NAMES = "code|kbd|samp|tt"
# Not behind a sign that would change the meaning of what replaces the tag.
_APART = r"(?<![\\<!\]`])"
_CODE = re.compile(
    rf"{_APART}(?<!/code>)<({_CODE_NAMES})(\s[^<>]*+)?>((?:[^<]|<(?!/?(?:{_CODE_NAMES})[\s>]))++)</\1>", re.IGNORECASE
)
_SPAN = re.compile(
    rf"{_APART}<(?:mark|span)(\s[^<>]*+)?>((?:[^<]|<(?!/?(?:mark|span)[\s>]))*+)</(?:mark|span)>", re.IGNORECASE
)
_ICON = re.compile(
    rf"{_APART}<(?P<tag>i|span)(?P<attributes>\s[^<>]*+)>[ \t]*+[a-z][a-z0-9_]*+[ \t]*+</(?P=tag)>(?P<blank>[ \t]?+)"
)
_ICON_CLASS = re.compile(r"(?<!\S)material-(?:icons|symbols)(?:-[a-z]+)?(?!\S)")
_LINK = re.compile(rf"{_APART}<a(\s[^<>]*+)>([^<>\[\]]++)</a>", re.IGNORECASE)
# A link target without text: `<span id="sail"/>`, `<a name="sail"></a>`.
_PLACE = re.compile(rf"{_APART}<(?:a|span)(\s[^<>]*?)(?:/>|>[ \t]*+</(?:a|span)>)([ \t]*+)", re.IGNORECASE)
# A picture at the beginning or the end of a link's words.
_PICTURE = re.compile(
    r"(?P<before>(?:^|(?<=[^\s\[]))[ \t]*)<img(?P<last>\s[^<>]*+)>(?=[ \t]*\]\()"
    r"|(?<=(?<!!)\[)<img(?P<first>\s[^<>]*+)>[ \t]*(?=[^\s\[\]<])",
    re.IGNORECASE,
)
_ANCHOR_TAG = re.compile(rf"{_APART}<a(?P<attributes>\s[^<>]*+)>|</a>", re.IGNORECASE)
_NO_WORDS = re.compile(r"[\[\]<>`*_\\|]")
# What may begin a line without being a sign of Markdown.
_FIRST_WORD = re.compile(r"[^\W\d_]|`")
_BEGINS_WITH_WORD = re.compile(r"[^\W\d_]|[^\x00-\xff]")
_BREAK = re.compile(r"(?<!\\)(?:<br[ \t]*+/?>[ \t]*+)++$", re.IGNORECASE)
# An invalid tag that browsers accept and people write.
_BREAK_END = re.compile(r"</br(?<!\\</br)[ \t]*+/?>", re.IGNORECASE)

_ATTRIBUTE = re.compile(r"\s*+([\w-]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'))?+(?=[\s/]|$)")
_PLAIN_ATTRIBUTES = frozenset({"class", "dir", "href", "lang", "rel", "style", "target"})
_OWN_ATTRIBUTES = _PLAIN_ATTRIBUTES | {"id", "name", "title"}
_ICON_ATTRIBUTES = _PLAIN_ATTRIBUTES | {"aria-hidden", "aria-label", "role", "title", "translate"}
_PLACE_ATTRIBUTES = frozenset({"class", "id", "name"})
_PICTURE_ATTRIBUTES = frozenset(
    {"alt", "aria-hidden", "class", "decoding", "height", "loading", "src", "style", "title", "width"}
)
_SAFE_ADDRESS = re.compile(r"(?:https?|mailto):|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_TAG_IN_CODE = re.compile(r"(?<!\\)</?(?:a|b|em|i|span|strong|var)(\s[^<>]*+)?>", re.IGNORECASE)
_NOT_PLAIN = re.compile(r"(?<!\\)<[a-zA-Z/]|\\\\|`|\]\(|\*[^*]*+\*|~~|(?<!\w)_[^_]*+_(?!\w)|\{[{%<]")
_SIGN_ALONE = re.compile(r"<(?![A-Za-z/])")
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"[^\W_]+")
_PLAIN_TITLE = re.compile(r"\w[\w ,.'()/-]*")
_TOUCHING = r"</?(?:a|code|img|kbd|mark|samp|span|tt)(?=[\s/>])[^<>]*>"
_TOUCHES_BEFORE = re.compile(_TOUCHING, re.IGNORECASE)
_TOUCHES_BEHIND = re.compile(rf"{_TOUCHING}$", re.IGNORECASE)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_EXPRESSION = re.compile(r"(?<!\\)[{}]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{}~])")  # except the separator of cells
_ENDS_PARAGRAPH = re.compile(r"[ \t>]*+(?:$|(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|\||`{3}|~{3}|:{3}|[-=]++[ \t]*+$)")


def write_tags_as_markdown(content: str, *, is_jsx: bool) -> str:
    """The text of a document with its inline tags as Markdown; no line moves. In JSX, braces contain expressions."""
    if not _MAY_HAVE_TAGS.search(content):
        return content
    if _BREAK_END.search(content):
        content = replace_outside_code(_BREAK_END, lambda _: "<br>", content)
    lines = content.split("\n")
    changing = [number for number, line in enumerate(lines) if "<" in line and _may_change(line)]
    kinds = [*iter_line_kinds(lines[: changing[-1] + 2]), LineKind.HTML] if changing else []
    for number in changing:
        if kinds[number] is LineKind.MARKDOWN:
            line, following = lines[number], lines[number + 1] if kinds[number + 1] is LineKind.MARKDOWN else ""
            written = line if _UNDERLINE.match(following) else _write_line(_drop_own_links(line), is_jsx=is_jsx)
            lines[number] = _write_break(written, following)
    return "\n".join(lines)


def _may_change(line: str) -> bool:
    if len(line) > _MAX_LINE_CHARACTERS or not _MAY_HAVE_TAGS.search(line):
        return False
    if _HEADING.match(line) or _NO_MARKDOWN.search(line):
        return False
    first = _FIRST_TAG.match(line)
    return not first or (first[1].lower() not in BLOCK_TAGS and first[1].lower() not in HEADING_TAGS)


def _write_line(line: str, *, is_jsx: bool) -> str:
    """Replace tags outside of code spans. A single backtick may belong to a code span over several lines; then the line stays."""
    pieces, position = list[str](), 0
    for start, end in [*find_code_spans(line), (len(line), len(line))]:
        text = line[position:start]
        if "`" in text:
            return line
        if (position and _TOUCHES_BEFORE.match(text)) or (end > start and _TOUCHES_BEHIND.search(text)):
            return line  # two code spans would touch
        text = _PICTURE.sub(_write_picture, _PLACE.sub(_drop_place, text))
        text = _SPAN.sub(_write_span, _ICON.sub(_write_icon, text))
        text = _CODE.sub(lambda code: _write_code(code, is_jsx=is_jsx), text)
        pieces += [_LINK.sub(_write_link, text) if "[" not in text else text, line[start:end]]
        position = end
    return "".join(pieces)


def _drop_own_links(line: str) -> str:
    """Replace links to their own position, which serve to copy the address of a row or a term, with their words."""
    spans = find_code_spans(line)
    tags = [tag for tag in _ANCHOR_TAG.finditer(line) if not is_in_span(spans, *tag.span())]
    for opening, closing in reversed(list(pairwise(tags))):
        if not closing["attributes"] and opening["attributes"] and _leads_to_itself(opening["attributes"]):
            before, words, behind = (
                line[: opening.start()],
                line[opening.end() : closing.start()],
                line[closing.end() :],
            )
            if _may_stand_between(before, words, behind):
                line = before + words + behind
    return line


def _leads_to_itself(attributes: str) -> bool:
    found = _read_plain(attributes, _OWN_ATTRIBUTES) or {}
    own, target = found.get("id") or found.get("name"), found.get("href", "")
    return bool(own) and target == f"#{own}" and found.get("title", target) in (own, target)


def _may_stand_between(before: str, words: str, behind: str) -> bool:
    """Whether the words of a link mean the same without its tags: they begin no block, and their signs do not combine with those of the
    text.
    """
    if not words.strip() or words[0] == "[" or words[-1] in "]\\":
        return False
    is_apart = not (before.endswith("`") and words[0] == "`") and not (words[-1] == "`" and behind.startswith("`"))
    return is_apart and bool(before.strip(" \t>") or _FIRST_WORD.match(words))


def _write_span(span: re.Match[str]) -> str:
    """The words of a span, unless they begin a line with what may begin a block, or contain the beginning of a tag."""
    is_first = not span.string[: span.start()].strip(" \t>") and not _BEGINS_WITH_WORD.match(span[2])
    attributes = _read_plain(span[1], _PLAIN_ATTRIBUTES | _PLACE_ATTRIBUTES | {"title"})
    if is_first or attributes is None or _SIGN_ALONE.search(span[2]) or not _is_told(attributes, span.string):
        return span[0]
    title = attributes.get("title", "")
    is_said = not title or span.string.startswith(title, span.end() + 1)
    return span[2] if is_said else _tell_title(span[2], title) or span[0]


def _write_icon(icon: re.Match[str]) -> str:
    """The label of an icon; nothing if it has none and stands before or behind words."""
    attributes = _read_plain(icon["attributes"], _ICON_ATTRIBUTES)
    if not attributes or not _ICON_CLASS.search(attributes.get("class", "")):
        return icon[0]
    label = unescape(attributes.get("aria-label") or attributes.get("title", ""))
    if label:
        return f"{label}{icon['blank']}" if _PLAIN_TITLE.fullmatch(label) else icon[0]
    before, behind = icon.string[: icon.start()].strip(" \t>"), icon.string[icon.end() :]
    return "" if before or not behind or _FIRST_WORD.match(behind) else icon[0]


def _tell_title(text: str, title: str) -> str:
    """The text of a tag with a title: alone if it contains the title's words; a symbol (`✓`) with the title behind it. Else empty."""
    words, titled = (set(map(str.lower, _WORD.findall(unescape(each)))) for each in (text, title))
    if titled <= words:
        return text
    return f"{text} {title}".lstrip() if not words and _PLAIN_TITLE.fullmatch(title) else ""


def _drop_place(place: re.Match[str]) -> str:
    """Remove a link target whose name is also in the text beside it: asking for the name finds that text."""
    before, behind = place.string[: place.start()], place.string[place.end() :]
    attributes = _read_plain(place[1], _PLACE_ATTRIBUTES)
    if (
        not attributes
        or not _is_told(attributes, place.string)
        or not (before.strip(" \t>") or _FIRST_WORD.match(behind))
    ):
        return place[0]
    return place[2] if before[-1:].strip() else ""


def _is_told(attributes: Mapping[str, str], text: str) -> bool:
    """Whether the names of a link target are words of the text, whatever is between these words, as when a fragment is looked up."""
    words = _read_words(text)
    return all(f" {_list_words(name)} " in words for key, name in attributes.items() if key in ("id", "name"))


@lru_cache(maxsize=8)
def _read_words(text: str) -> str:
    """Remembered, since a line may have many targets."""
    return f" {_list_words(_TAG.sub(' ', text))} "


def _list_words(text: str) -> str:
    return " ".join(_WORD.findall(unescape(text).lower()))


def _write_picture(picture: re.Match[str]) -> str:
    """The description of a picture, if it has one."""
    attributes = _read_plain(picture["last"] or picture["first"], _PICTURE_ATTRIBUTES)
    if attributes is None:
        return picture[0]
    words = " ".join(_NO_WORDS.sub(" ", unescape(attributes.get("alt", ""))).split())
    before = picture["before"]
    return f"{words} " if words and before is None else f"{before or ' '}{words}" if words else ""


def _write_code(code: re.Match[str], *, is_jsx: bool) -> str:
    text = _TAG_IN_CODE.sub(lambda tag: "" if _read_plain(tag[1]) is not None else tag[0], code[3])
    if _read_plain(code[2]) is None or _NOT_PLAIN.search(text) or (is_jsx and _EXPRESSION.search(text)):
        return code[0]
    plain = unescape(_ESCAPED.sub(r"\1", text)).strip()
    return make_code_span(plain) if plain and plain.count("|") == text.count("|") and "`" not in plain else code[0]


def _write_link(link: re.Match[str]) -> str:
    target = unescape((_read_plain(link[1]) or {}).get("href", ""))
    is_link = is_address(target) and _SAFE_ADDRESS.match(target) and "|" not in target and link[2].strip()
    return f"[{link[2]}]({target})" if is_link else link[0]


def _read_plain(attributes: str | None, names: Set[str] = _PLAIN_ATTRIBUTES) -> Mapping[str, str] | None:
    """The attributes of a tag; None if one hides it, is not among these names, or cannot be read."""
    found, position, text = dict[str, str](), 0, (attributes or "").rstrip(" \t/")
    while position < len(text):
        attribute = _ATTRIBUTE.match(text, position)
        if not attribute or attribute[1].lower() not in names:
            return None
        found[attribute[1].lower()] = attribute[2] or attribute[3] or ""
        position = attribute.end()
    is_hidden = is_hiding_style(unescape(found.get("style", ""))) or read_class(found.get("class", "")).is_unseen
    return None if is_hidden else found


def _write_break(line: str, following: str) -> str:
    """Replace breaks at the end of a line with two blanks if the paragraph continues, else with nothing. Breaks in a table's cell stay."""
    found = _BREAK.search(line)
    text = line[: found.start()].rstrip(" \t") if found else ""
    if not found or _may_be_row(text) or not (text or _ENDS_PARAGRAPH.match(following)):
        return line
    return text if _ENDS_PARAGRAPH.match(following) else f"{text}  "


def _may_be_row(line: str) -> bool:
    """Whether there is a separator of cells outside of code spans."""
    spans = find_code_spans(line)
    return any(not is_in_span(spans, *sign.span()) for sign in re.finditer(r"\|", line))
