"""Replaces component tags (capitalised names) and fragments in MDX, and those in Markdown that a site renders, with what readers see: their
children, and the prose in their attributes. In Markdown this includes custom elements, named without their prefix (`<docs-info>`), and
Vue's slots (`<template v-slot:Linux>`), with which VuePress makes tabs.

In MDX children are moved to the margin, because their indentation would make them code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from collections_app.parsing.dialects.components.conditions import describe_condition
from collections_app.parsing.dialects.components.descriptions import CUSTOM, LABELLED
from collections_app.parsing.dialects.components.slots import BEFORE_SLOT, SLOT, SLOT_ELEMENT
from collections_app.parsing.dialects.components.tags import HTML_TAGS, TAG_OR_CUSTOM_START, Tag, iter_tags
from collections_app.parsing.dialects.mdx_code import MdxPlaces
from collections_app.parsing.dialects.tab_labels import break_label, find_place_of_label
from collections_app.parsing.safety.places import Places, is_alone, would_become_code
from collections_app.text.spans import is_in_span, replace_spans

# A component whose first child is one too, indented as code would be. Its lines are HTML up to the next blank one.
_BEFORE_INDENTED = re.compile(
    r"<(?:[A-Z]|[a-z][a-z0-9.]*-)[^<>\n]*(?<!/)>[ \t]*\n(?=(?:\t| {4})[ \t]*<(?:[A-Z]|[a-z][a-z0-9.]*-))"
)
_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n|$)")
_INDENTATION = re.compile(r"(?<=\n)[ \t]+")
_KEEPS_BLANKS = re.compile(r"<(?:pre|script|style|textarea)\b", re.IGNORECASE)
_MAY_HAVE = re.compile(r"^[ \t>]*+</?(?:[A-Z]|template(?:[\s>]|$))|</(?:[A-Z]|[a-z][a-z0-9.]*+-)")
_SIGN = re.compile(r"<(?:/?[A-Z]|/?template|/[a-z][a-z0-9.]*+-)")
# Tags that may hide something are left to the content policy, which comes later.
_MAY_HIDE = re.compile(r"(?<![\w-])(?:hidden|style|aria-hidden|class|className)(?![\w-])", re.IGNORECASE)

_CODE_ELEMENT = re.compile(r"<(pre|code)\b[^<>]*>.*?</\1>", re.DOTALL | re.IGNORECASE)
_MAX_PARAGRAPH_CHARACTERS = 5_000


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
    found = iter_tags(content, MdxPlaces(content), TAG_OR_CUSTOM_START)
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
    tags = _place_labels(content, iter_tags(content, places))
    if not tags:
        return content
    changes = [(places.get_line(tag.end - 1), tag.depth) for tag in tags if tag.depth]
    return "\n".join(iter_moved(_write_tags(content, tags).split("\n"), changes))


def _place_labels(content: str, tags: Iterable[Tag]) -> list[Tag]:
    """The tags in order; what is put below a heading comes after the tags in the heading."""
    return sorted((part for tag in tags for part in _place_label(content, tag)), key=attrgetter("start"))


def _place_label(content: str, tag: Tag) -> Iterator[Tag]:
    """The tag. If a tab or an accordion begins with a heading, its label goes below that heading, so that the heading's section says which
    one it belongs to.
    """
    below = (
        find_place_of_label(content, tag.start, tag.end)
        if tag.text and tag.depth > 0 and (LABELLED.match(tag.name) or describe_condition(tag.name, tag.attributes))
        else tag.end
    )
    if below > tag.end:
        yield from (replace(tag, text=""), Tag(below, below, 0, break_label(tag.text), "", ""))
    else:
        yield tag


def _write_tags(content: str, tags: Iterable[Tag]) -> str:
    """The text with each tag replaced, and line ends that keep the following lines in place."""
    lost = ((tag, content.count("\n", tag.start, tag.end) - tag.text.count("\n")) for tag in tags)
    return replace_spans(content, ((tag.start, tag.end, tag.text + "\n" * count) for tag, count in lost))


def _is_markup(places: Places, tag: Tag) -> bool:
    """Whether the tag is not code, and HTML behind it does not become code when it is removed."""
    is_told = bool(tag.text.strip() or BEFORE_SLOT.match(places.content, tag.end))
    is_safe = is_told or not would_become_code(places.content, tag.end)
    return is_safe and not places.is_code_at(tag.start)


def _find_code(content: str) -> list[tuple[int, int]]:
    """Where HTML's own code elements begin and end."""
    return (
        [found.span() for found in _CODE_ELEMENT.finditer(content)] if "<pre" in content or "<code" in content else []
    )


def _may_go(content: str, tag: Tag) -> bool:
    """Whether the tag is alone on its line, or belongs to a link or a custom element, which may also stand within a line."""
    is_within = tag.depth and (CUSTOM.match(tag.name) or tag.text == "[" or tag.text.startswith("]("))
    return bool(is_within) or is_alone(content, tag.start, tag.end)


def _choose_whole(content: str, tags: Sequence[Tag]) -> Iterator[Tag]:
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


def _belong_together(content: str, opening: Tag, closing: Tag) -> bool:
    if is_alone(content, opening.start, opening.end) and is_alone(content, closing.start, closing.end):
        return True
    is_near = closing.start - opening.end <= _MAX_PARAGRAPH_CHARACTERS
    return is_near and content.find("\n\n", opening.end, closing.start) < 0


def _is_component(tag: Tag) -> bool:
    is_shown = SLOT.search(tag.attributes) if tag.name == SLOT_ELEMENT else tag.name.lower() not in HTML_TAGS
    return bool(is_shown) and _MAY_HIDE.search(tag.attributes) is None


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
