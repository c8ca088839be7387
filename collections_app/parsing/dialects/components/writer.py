"""Replaces component tags (capitalised names) and fragments in MDX, and those in Markdown that a site renders, with what readers see: their
children, and the prose in their attributes. In Markdown this includes custom elements, named without their prefix (`<docs-info>`), and
Vue's slots (`<template v-slot:Linux>`), with which VuePress makes tabs.

`<Card title="Start here" href="/start">` leaves “[**Start here**](/start)”, `<Link to="/start">here</Link>` “[here](/start)”. What is kept
of other tags:

    parameter, field         name and type as code, and whether it is required
    tab without a label      its value, else its name
    condition                what it asks for (conditions.py)
    fragment                 its slot
    box (`<Warning>`)        its kind
    `<Since v="2.1" />`      the version
    listing                  its number and its file
    `<Image>` with words     a picture
    array of rows, entries   a table, a list (rows.py)
    call or command          code (code.py)

In MDX children are moved to the margin, because their indentation would make them code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from lxml.html import defs

from collections_app.parsing.dialects.components.code import describe_code
from collections_app.parsing.dialects.components.conditions import describe_condition
from collections_app.parsing.dialects.components.markup_values import write_markup_values
from collections_app.parsing.dialects.components.rows import write_arrays
from collections_app.parsing.dialects.mdx_code import MAX_TAG_CHARACTERS, MAX_UNCLOSED, MdxPlaces
from collections_app.parsing.dialects.shown_tags import empty_quotes, is_address, write_kind, write_title
from collections_app.parsing.dialects.tab_labels import break_label, find_place_of_label
from collections_app.parsing.safety.places import Places, is_alone, would_become_code
from collections_app.text.spans import is_in_span, replace_spans

_HTML_TAGS = defs.tags | {"dialog", "main", "template", "xmp"}
# In MDX also empty elements that HTML does not know, which only a site's style shows, as space, and empty labels, which it cannot show.
_TAG_START = re.compile(
    r"(?<!\\)<(/?)([A-Z][\w.]*(?=[\s/>])|(?=>)|(?!(?:"
    + "|".join(sorted(_HTML_TAGS))
    + r")\b)[a-z][a-z0-9]*+(?=[ \t]*+/>)|label(?=\s[^<>{}\n]*+(?<=/)>))"
)
# In Markdown also custom elements of HTML, whose names have a hyphen; the tags of Hugo (`{{<name>}}`) are none.
_TAG_OR_CUSTOM_START = re.compile(
    r"(?<!\\)(?<!\{\{)<(/?)([A-Z][\w.]*(?=[\s/>])|[a-z][a-z0-9.]*+(?:-[a-z0-9._]++)++(?=[\s/>])|template(?=[\s>])|(?=>))"
)
# Vue's slots (`<template v-slot:Linux>`, `#Linux`): their content is shown, as a tab or at a place in a component.
_SLOT = re.compile(r"(?<!\S)(?:v-slot:|#)([A-Za-z][\w.-]*)(?=[\s/>=]|$)")
_BEFORE_SLOT = re.compile(r"[ \t]*\n[ \t]*<template\s(?:[^<>]*\s)?(?:v-slot:|#)[A-Za-z]")
_BEFORE_HTML = re.compile(r"[ \t]*\n[ \t]*<")
_BEFORE_TEXT = re.compile(r"[ \t]*\n(?:[ \t]*\n)+([ \t]*)(?=[^ \t\n])")
# A component whose first child is one too, indented as code would be. Its lines are HTML up to the next blank one.
_BEFORE_INDENTED = re.compile(
    r"<(?:[A-Z]|[a-z][a-z0-9.]*-)[^<>\n]*(?<!/)>[ \t]*\n(?=(?:\t| {4})[ \t]*<(?:[A-Z]|[a-z][a-z0-9.]*-))"
)
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n|$)")
_INDENTATION = re.compile(r"(?<=\n)[ \t]+")
_KEEPS_BLANKS = re.compile(r"<(?:pre|script|style|textarea)\b", re.IGNORECASE)
_CUSTOM = re.compile(r"[a-z][^-]*-")
_PART = re.compile(r"\"[^\"]*\"|'(?<!\w')[^']*'|`[^`]*`|[{}]|/?>")
_ATTRIBUTE = re.compile(r"(?<![\w-])([A-Za-z][\w-]*+)\s*+=\s*+\{?\s*+(?:\"([^\"]*)\"|'([^']*)')")
_PROSE = frozenset(
    {"title", "label", "description", "caption", "alt", "summary", "tip", "header", "heading", "question"}
)
# Prose if they have several words: one or two may be a switch or data.
_SENTENCES = frozenset({"answer", "body", "desc", "excerpt", "subtitle"})
_SENTENCE_WORDS = 4
# Which element a heading is: `heading="h4"`.
_ELEMENT = re.compile(r"h[1-6]")
_NO_SENTENCE = re.compile(r"[{}<>=]")
_LISTING = re.compile(r"Listing|Code")
_FILE_NAME = ("filename", "file-name")
_PICTURE = re.compile(r"(?:Image|Img|Picture|Screenshot)$")
_TARGET = frozenset({"href", "to", "url", "link"})
_LINK_TEXT = re.compile(r"[^<>\[\]\n]{1,300}(?=</(?:[A-Z]|[a-z][a-z0-9.]*-))")
_IDENTIFIER = frozenset({"name", "path", "query", "body", "header", "param", "type"})
_PARAMETER = re.compile(r"Param|Field|Prop")
_FLAG = re.compile(r"(?<![\w-])(required|deprecated)(?![\w-])(?!\s*=\s*\{?\s*false)")
_DEFAULT = re.compile(r"(?<![\w-])default\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|\{([^{}]*)\})")
_BOX = re.compile(r"(?:Caution|Danger|Important|Info|Note|Tip|Warning)$")
_BOX_OF_TYPE = re.compile(r"(?:Admonition|Alert|Aside|Callout)$")
_VERSION = re.compile(r"(?:Added|Available|Deprecated|New|Removed|Since|Version)(?:In|Since|Badge)?$")
_VERSION_KEYS = frozenset({"v", "ver", "version", "since", "in"})
_TAB = re.compile(r"(?:Tab|TabItem|TabPanel|TabsContent|Tabs\.\w+)$")
_LABELLED = re.compile(rf"{_TAB.pattern}|(?:Accordion|AccordionItem|Collapsible|Details|Dropdown|Expandable)$")

_MAY_HAVE = re.compile(r"^[ \t>]*+</?(?:[A-Z]|template(?:[\s>]|$))|</(?:[A-Z]|[a-z][a-z0-9.]*+-)")
_SIGN = re.compile(r"<(?:/?[A-Z]|/?template|/[a-z][a-z0-9.]*+-)")
_TEMPLATE = "template"
# Tags that may hide something are left to the content policy, which comes later.
_MAY_HIDE = re.compile(r"(?<![\w-])(?:hidden|style|aria-hidden|class|className)(?![\w-])", re.IGNORECASE)

_CODE_ELEMENT = re.compile(r"<(pre|code)\b[^<>]*>.*?</\1>", re.DOTALL | re.IGNORECASE)
_MAX_PARAGRAPH_CHARACTERS = 5_000
_LINE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag from `start` to `end`; `depth` is the change of nesting depth, `text` what replaces the tag."""

    start: int
    end: int
    depth: int
    text: str
    name: str
    attributes: str


def drop_lone_components(content: str) -> str:
    """A Markdown text without component tags that are alone on their lines and in pairs or have something to say, and without pairs of
    custom elements. No line moves. Browsers do not show tags that HTML does not know, but a single `<name>` may be a placeholder to fill
    in.
    """
    lines = content.split("\n") if _SIGN.search(content) else []
    if not any("<" in line and _MAY_HAVE.search(line) for line in lines):
        return content
    content = _move_children(content)
    places = Places(content, has_markup=True)
    found = _iter_tags(content, MdxPlaces(content), _TAG_OR_CUSTOM_START)
    code = _find_code(content)
    tags = [
        tag
        for tag in found
        if _is_markup(places, tag) and not is_in_span(code, tag.start, tag.end) and _may_go(content, tag)
    ]
    return _write_tags(content, _place_labels(content, _choose_whole(content, tags)))


def _move_children(content: str) -> str:
    """The text with the components directly below one at the margin moved there, with their lines: they would become code without it."""
    opening = _BEFORE_INDENTED.search(content)
    if not opening:
        return content
    places = Places(content, has_markup=True)
    changes: list[tuple[int, int, str]] = []
    while opening:
        blank = _BLANK_LINE.search(content, opening.end())
        end = blank.start() if blank else len(content)
        is_at_margin = opening.start() == 0 or content[opening.start() - 1] == "\n"
        if (
            is_at_margin
            and not places.is_code_at(opening.start())
            and not _KEEPS_BLANKS.search(content, opening.end(), end)
        ):
            begin = opening.end() - 1
            changes.append((begin, end, _INDENTATION.sub("", content[begin:end])))
        opening = _BEFORE_INDENTED.search(content, end)
    return replace_spans(content, changes)


def drop_components(content: str) -> str:
    """The MDX text without component tags; no line moves."""
    places = MdxPlaces(content)
    tags = _place_labels(content, _iter_tags(content, places))
    if not tags:
        return content
    changes = [(places.get_line(tag.end - 1), tag.depth) for tag in tags if tag.depth]
    return "\n".join(iter_moved(_write_tags(content, tags).split("\n"), changes))


def _place_labels(content: str, tags: Iterable[_Tag]) -> list[_Tag]:
    """The tags in order; what is put below a heading comes after the tags in the heading."""
    return sorted((part for tag in tags for part in _place_label(content, tag)), key=attrgetter("start"))


def _place_label(content: str, tag: _Tag) -> Iterator[_Tag]:
    """The tag. If a tab or an accordion begins with a heading, its label goes below that heading, so that the heading's section says which
    one it belongs to.
    """
    below = (
        find_place_of_label(content, tag.start, tag.end)
        if tag.text and tag.depth > 0 and (_LABELLED.match(tag.name) or describe_condition(tag.name, tag.attributes))
        else tag.end
    )
    if below > tag.end:
        yield from (replace(tag, text=""), _Tag(below, below, 0, break_label(tag.text), "", ""))
    else:
        yield tag


def _write_tags(content: str, tags: Iterable[_Tag]) -> str:
    """The text with each tag replaced, and line ends that keep the following lines in place."""
    lost = ((tag, content.count("\n", tag.start, tag.end) - tag.text.count("\n")) for tag in tags)
    return replace_spans(content, ((tag.start, tag.end, tag.text + "\n" * count) for tag, count in lost))


def _iter_tags(content: str, places: MdxPlaces, start: re.Pattern[str] = _TAG_START) -> Iterator[_Tag]:
    position, unclosed, closing_text = 0, 0, ""
    while unclosed < MAX_UNCLOSED and (opening := start.search(content, position)):
        position = opening.end()
        if places.is_code_at(opening.start()):
            continue
        end = _find_end(content, opening.end())
        if end is None:
            unclosed += 1
            continue
        position = end
        is_empty = content[end - 2] == "/"
        depth = 0 if is_empty else -1 if opening[1] else 1
        attributes = content[opening.end() : end]
        text, closing_text, rows = closing_text, "", ""
        if not opening[1]:
            rows, others = write_arrays(opening[2], attributes)
            others = write_markup_values(others)
            text = describe_component(opening[2], others, in_heading=places.is_in_heading(opening.start()))
            target = "" if text or is_empty else _find_target(_read_attributes(others))
            if target and _LINK_TEXT.match(content, end):
                text, closing_text = "[", f"]({target})"
        begin = opening.start() - (_count_too_far_in(content, opening.start(), end) if opening[2] == _TEMPLATE else 0)
        text = _describe_slot(content, opening.start(), end) if opening[2] == _TEMPLATE else text
        if rows:
            text = _add_rows(text, rows, content.count("\n", begin, end))
        yield _Tag(begin, end, depth, text, opening[2], attributes)


def _add_rows(text: str, rows: str, lines: int) -> str:
    """The table below the text of the tag, if the tag has enough lines for it: no line may move."""
    told = f"{text.rstrip()}\n\n{rows}" if text.strip() else rows
    return told if told.count("\n") <= lines else text


def _is_markup(places: Places, tag: _Tag) -> bool:
    """Whether the tag is not code, and HTML behind it does not become code when it is removed."""
    is_told = bool(tag.text.strip() or _BEFORE_SLOT.match(places.content, tag.end))
    is_safe = is_told or not would_become_code(places.content, tag.end)
    return is_safe and not places.is_code_at(tag.start)


def _find_code(content: str) -> list[tuple[int, int]]:
    """Where HTML's own code elements begin and end."""
    return (
        [found.span() for found in _CODE_ELEMENT.finditer(content)] if "<pre" in content or "<code" in content else []
    )


def _may_go(content: str, tag: _Tag) -> bool:
    """Whether the tag is alone on its line, or belongs to a link or a custom element, which may also stand within a line."""
    is_within = tag.depth and (_CUSTOM.match(tag.name) or tag.text == "[" or tag.text.startswith("]("))
    return bool(is_within) or is_alone(content, tag.start, tag.end)


def _choose_whole(content: str, tags: Sequence[_Tag]) -> Iterator[_Tag]:
    """Tags with a partner, and empty ones with something to say; but no HTML elements, and none with attributes that may hide. Partners are
    both alone on their lines, or in the same paragraph.
    """
    waiting: dict[str, list[int]] = {}
    whole = {number for number, tag in enumerate(tags) if not tag.depth and tag.text.strip() and _is_component(tag)}
    for number, tag in enumerate(tags):
        if tag.depth > 0:
            waiting.setdefault(tag.name, []).append(number)
        elif tag.depth < 0 and waiting.get(tag.name):
            opening = waiting[tag.name].pop()
            is_pair = _is_component(tags[opening]) and _belong_together(content, tags[opening], tag)
            whole |= {opening, number} if is_pair else set()
    return (tag for number, tag in enumerate(tags) if number in whole)


def _belong_together(content: str, opening: _Tag, closing: _Tag) -> bool:
    if is_alone(content, opening.start, opening.end) and is_alone(content, closing.start, closing.end):
        return True
    is_near = closing.start - opening.end <= _MAX_PARAGRAPH_CHARACTERS
    return is_near and content.find("\n\n", opening.end, closing.start) < 0


def _is_component(tag: _Tag) -> bool:
    is_shown = _SLOT.search(tag.attributes) if tag.name == _TEMPLATE else tag.name.lower() not in _HTML_TAGS
    return bool(is_shown) and _MAY_HIDE.search(tag.attributes) is None


def _find_end(content: str, start: int) -> int | None:
    depth = 0
    for part in _PART.finditer(content, start, start + MAX_TAG_CHARACTERS):
        if part[0] in "{}":
            depth += 1 if part[0] == "{" else -1
        elif part[0].endswith(">") and depth == 0:
            return part.end()
    return None


def describe_component(name: str, attributes: str, *, in_heading: bool = False) -> str:
    """What a reader would see of the tag, followed by a blank. The text of a badge in a heading is not part of the heading, and is left
    out.
    """
    if prefix := _CUSTOM.match(name):  # `docs-tab-item` as `DocsTabItem` without its prefix: `TabItem`
        name = "".join(map(str.capitalize, name[prefix.end() :].split("-")))
    found = _read_attributes(attributes)
    if _PARAMETER.search(name):
        names = "".join(f"`{value}` " for key, value in found if value and key in _IDENTIFIER)
        return names + _describe_demands(attributes)
    if _PICTURE.search(name) and (picture := _write_picture(dict(found))):
        return picture
    prose = _find_prose(name, found, in_heading=in_heading)
    code = describe_code(name, attributes, dict(found))
    if not prose and not code and _VERSION.match(name):
        return "".join(f"{name} {value} " for key, value in found if value and key in _VERSION_KEYS)
    if not prose:
        condition = "" if in_heading else describe_condition(name, attributes)
        return code or (write_title(condition, "") if condition else _describe_box(name, dict(found).get("type", "")))
    return "".join([write_title(prose[0], _find_target(found)), code, *(f"{value} " for value in prose[1:])])


def _find_prose(name: str, attributes: Sequence[tuple[str, str]], *, in_heading: bool) -> Sequence[str]:
    """The prose in the attributes of a tag, the title first."""
    prose = [value for key, value in attributes if value and key in _PROSE and not _ELEMENT.fullmatch(value)]
    prose += [value for key, value in attributes if key in _SENTENCES and _is_sentence(value)]
    if _LISTING.search(name):
        prose = [*_name_listing(name, dict(attributes)), *prose]
    others = [
        *(["value", "name"] if _TAB.match(name) else []),
        *([] if in_heading else ["text"]),
        *(["slot"] if name == "Fragment" else []),  # several fragments stand side by side, each for one case
    ]
    found = ([value for key, value in attributes if value and key == other] for other in others)
    return prose or next(filter(None, found), [])


def _is_sentence(value: str) -> bool:
    return value[:1].isalpha() and len(value.split()) >= _SENTENCE_WORDS and not _NO_SENTENCE.search(value)


def _describe_slot(content: str, start: int, end: int) -> str:
    """The name of a slot in bold, except that of the default slot. Between lines of HTML, both tags become HTML, so the lines stay one
    block.
    """
    slot, is_before_html = _SLOT.search(content, start, end), _BEFORE_HTML.match(content, end)
    if slot and slot[1] != "default":
        return f"<p><strong>{slot[1]}</strong></p>" if is_before_html else write_title(slot[1], "")
    is_behind_html = content[max(0, start - _LINE_CHARACTERS) : start].rstrip(" \t").endswith(">\n")
    return "<p></p>" if is_before_html and is_behind_html else ""


def _count_too_far_in(content: str, start: int, end: int) -> int:
    """How many columns a slot's tag is indented more than its text. Its name moves that far to the left, as it would become code."""
    own = content[max(0, start - _LINE_CHARACTERS) : start].rpartition("\n")[2]
    text = _BEFORE_TEXT.match(content, end)
    return max(0, len(own) - len(text[1])) if text and own.isspace() else 0


def _read_attributes(attributes: str) -> list[tuple[str, str]]:
    return [(key, " ".join((double or single).split())) for key, double, single in _ATTRIBUTE.findall(attributes)]


def _name_listing(name: str, attributes: Mapping[str, str]) -> Sequence[str]:
    """The number of a listing, as texts refer to it, and its file."""
    number = attributes.get("number", "")
    file = next((attributes[key] for key in _FILE_NAME if attributes.get(key)), "")
    return [*([f"{name} {number}"] if number else []), *([file] if file else [])]


def _write_picture(attributes: Mapping[str, str]) -> str:
    """The picture with its caption; empty if it has no address or no words."""
    words, source = attributes.get("alt", ""), attributes.get("src", "")
    if not words or not is_address(source):
        return ""
    return " ".join([f"![{words}]({source})", attributes.get("caption", "")]).rstrip() + " "


def _find_target(attributes: Sequence[tuple[str, str]]) -> str:
    """The target that can be used as a link's address; empty if there is none."""
    return next((value for key, value in attributes if key in _TARGET and is_address(value)), "")


def _describe_demands(attributes: str) -> str:
    """What a parameter demands, such as `(required, default `10`) `; empty if nothing is said."""
    demands = list(dict.fromkeys(_FLAG.findall(empty_quotes(attributes))))
    if found := _DEFAULT.search(attributes):
        value = " ".join((found[1] or found[2] or found[3] or "").split()).strip("\"'`")
        demands += [f"default `{value}`"] if value else []
    return f"({', '.join(demands)}) " if demands else ""


def _describe_box(name: str, type: str) -> str:
    return write_kind(name if _BOX.match(name) else type if _BOX_OF_TYPE.match(name) else "")


def iter_moved(lines: Sequence[str], changes: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The lines; those within components are moved left by the indentation of their first child."""
    indents: list[int | None] = []
    position = 0
    for number, line in enumerate(lines):
        yield _move(line, indents) if indents else line
        while position < len(changes) and changes[position][0] == number:
            if changes[position][1] > 0:
                indents.append(None)
            elif indents:
                indents.pop()
            position += 1


def _move(line: str, indents: list[int | None]) -> str:
    """The line moved left by the innermost indentation that is known; the first line of a component tells that of its children."""
    indent = len(line) - len(line.lstrip(" \t"))
    if indents[-1] is None and line.strip():
        indents[-1] = indent
    known = [each for each in indents[-2:] if each is not None]
    return line[min(indent, known[-1]) :] if known else line
