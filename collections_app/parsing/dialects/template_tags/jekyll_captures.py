"""Texts that Liquid captures in a page, to show them further down: code for an include that shows it in tabs, a text for a box, a text that
is shown as it is.

`{% capture example %}` … `{% endcapture %}` becomes fenced code if `{% include code-block.html python=example %}` follows, in the language
that the argument names; the text of a box if `{% include note.html content=example %}` follows; just its text if `{{ example }}` follows on
a line of its own. What shows it is dropped: the text stays where it was captured, and no line moves. Texts that are shown twice, or
elsewhere than on a line of their own, stay as they are written. PURE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from collections_app.parsing.dialects.template_tags.arguments import read_arguments
from collections_app.parsing.dialects.template_tags.jekyll_includes import describe_kind
from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.safety.places import Places
from collections_app.text.markdown.code_blocks import NAMES
from collections_app.text.markdown.code_choice import CALLED, PROGRAMMING
from collections_app.text.spans import replace_spans

_TAG = re.compile(
    r"^(?P<indent>[ \t]*+)(?:\{%-?\s*+(?:capture\s++(?P<captured>[\w-]++)|(?P<end>endcapture)"
    r"|include\s++(?P<file>[\w./-]+?\.html)(?![\w./-])(?P<arguments>(?:\s++[\w-]++\s*+=\s*+(?:[\w.-]++|\"[^\"{}]*+\"|'[^'{}]*+'))*+))"
    r"\s*+-?%\}|\{\{-?[ \t]*+(?P<value>[\w-]++)[ \t]*+-?\}\})[ \t]*+$",
    re.MULTILINE,
)
_VARIABLE = re.compile(r"([\w-]++)\s*+=\s*+([\w.-]++)")
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_LIQUID = re.compile(r"\{[{%]([^{}]*)\}")
_LETTERS = re.compile(r"[a-z]++")
_WORD = re.compile(r"[\w-]++")
_CODE_WORDS = frozenset({"code", "codeblock", "highlight", "snippet"})
_LANGUAGES = PROGRAMMING.union(NAMES, NAMES.values())
# Of an include that shows a text in a box.
_BOXED = "content"
_FENCE = re.compile(r"\s*+(?:`{3}|~{3})")

_Change = tuple[int, int, str]


class _Text(NamedTuple):
    """A captured text, by its two tags."""

    opening: re.Match[str]
    closing: re.Match[str]


def write_captures(content: str) -> str:
    """The text with what is captured and shown once as what it is shown as; no line moves."""
    if "endcapture" not in content:
        return content
    places = Places(content, has_markup=True)
    tags = [tag for tag in _TAG.finditer(content) if not places.is_code(tag.start("indent"), tag.end())]
    return replace_spans(content, sorted(_iter_changes(content, tags)))


def _iter_changes(content: str, tags: Sequence[re.Match[str]]) -> Iterator[_Change]:
    times = Counter(tag["captured"] for tag in tags if tag["captured"])
    told = Counter(word for tag in _LIQUID.findall(content) for word in _WORD.findall(_QUOTED.sub("", tag)))
    shown_once = {name for name in times if told[name] == 2 * times[name]}
    texts, opening = dict[str, _Text](), None
    for tag in tags:
        if tag["captured"]:
            opening = tag
        elif tag["end"] and opening:
            texts[opening["captured"]] = _Text(opening, tag)
            opening = None
        elif (
            not opening
            and (names := _find_names(tag))
            and shown_once.issuperset(names)
            and texts.keys() >= names.keys()
        ):
            for name, argument in names.items():
                yield from _write_text(content, texts.pop(name), tag, argument)
            yield _drop(tag)


def _find_names(tag: re.Match[str]) -> Mapping[str, str]:
    """The names of the texts that a tag shows, each with the argument for it; empty if it is not known how it shows them."""
    if tag["value"]:
        return {tag["value"]: ""}
    names = {name: argument for argument, name in _VARIABLE.findall(_QUOTED.sub("''", tag["arguments"] or ""))}
    return names if all(argument == _BOXED or _is_code(tag, argument) for argument in names.values()) else {}


def _is_code(tag: re.Match[str], argument: str) -> bool:
    return argument in _LANGUAGES or not _CODE_WORDS.isdisjoint(_LETTERS.findall(tag["file"] or ""))


def _write_text(content: str, text: _Text, tag: re.Match[str], argument: str) -> Iterator[_Change]:
    """What replaces the tags around a text: fences right above and below its code, or the kind of a box."""
    body = content[text.opening.end() : text.closing.start()]
    if not _is_code(tag, argument) or not body.strip() or _FENCE.match(body):
        kind = describe_kind(tag["file"], read_arguments(tag["arguments"])) if tag["file"] else ""
        yield _drop(text.opening, kind)
        yield _drop(text.closing)
        return
    indent, fence = text.opening["indent"], make_fence(body)
    first = text.opening.end() + len(body) - len(body.lstrip())
    first = content.rindex("\n", 0, first)
    last = text.opening.end() + len(body.rstrip())
    language = argument if argument in _LANGUAGES else CALLED.get(argument, "")
    above = "\n" * content.count("\n", text.opening.start(), first)
    below = "\n" * (content.count("\n", last, text.closing.end()) - 1)
    yield text.opening.start(), first, f"{above}{indent}{fence}{language}"
    yield last, text.closing.end(), f"\n{indent}{fence}{below}"


def _drop(tag: re.Match[str], words: str = "") -> _Change:
    return *tag.span(), words + "\n" * tag[0].count("\n")
