"""What an MDX page imports of its source's texts and code, and the components that show it: `<Name />`, `<Code>{name}</Code>`, and those
that are given it as a property (`code={{ python: name, rust: other }}`), each as a tab with its key as the label, perhaps only what stands
between two marks (`startMarker="// BEGIN rig" endMarker="// END rig"`). Components that name a
file themselves: `<Snippet file="rig.mdx" />`, `<Include src="parts/rig" />`, `<include>./rig.mdx</include>`, and Fern's
`<Markdown src="/parts/rig.mdx" />`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from collections_app.parsing.file_names import get_extension
from collections_app.parsing.includes.excerpts import Excerpt, is_short
from collections_app.parsing.includes.lines import Include, Writing

_PREFIX = r"(?P<prefix>[ \t>]*+)"
_IMPORT = re.compile(
    r"import[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]+from[ \t]+(?P<quote>[\"'])(?P<loader>!!?raw-loader!)?"
    r"(?P<target>[^\"'?]+)(?P<raw>\?raw)?(?P=quote)"
)
_COMPONENT = re.compile(_PREFIX + r"<(?P<name>[A-Z_$][\w$]*)(?=[\s/])(?P<attributes>[^<>]*)/>[ \t]*$")
_CODE_COMPONENT = re.compile(_PREFIX + r"<Code\w*\b[^<>{}]*>?\{(?P<name>\w+)\}[^{}]*>[ \t]*$")
_FILE = re.compile(r"\b(?:file|src|path)=[\"']([^\"']+)[\"']")
# The components that show the file that they name, and the folder in which Mintlify looks for it.
_NAMING = {"Snippet": "snippets/", "Include": "", "Markdown": ""}
_INCLUDE_ELEMENT = re.compile(
    _PREFIX
    + r"<include(?P<attributes>(?:[ \t][^<>]*)?)>[ \t]*(?P<target>[^\s<>{}#]+)(?:#(?P<region>[\w-]+))?[ \t]*</include>[ \t]*$"
)
_LANGUAGE = re.compile(r"\blang=[\"']([\w+-]+)[\"']")
# What a text is given: `name="value"`, `name={'value'}`.
_GIVEN = re.compile(r"(?<![\w-])([A-Za-z_]\w*+)=(?:\{[ \t]*)?(?:\"([^\"<>{}\n]{0,200})\"|'([^'\"<>{}\n]{0,200})')")
_BEGINS = re.compile(r"[ \t>]*+<[A-Z_$][\w$]*(?:[ \t/]|$)")
_ENDS = re.compile(r"/>[ \t]*$")
_MOST_LINES = 60
# `={name}`, or in an object `key: name` or only `name`.
_PROPERTY = re.compile(
    r"=[ \t]*\{\s*+(?P<whole>[A-Za-z_]\w*+)\s*+\}"
    r"|(?:(?P<quote>[\"'])(?P<quoted>[^\"'<>{}\n]{1,100})(?P=quote)\s*+:\s*+|(?<![\w.$-])(?P<key>[\w$-]++)\s*+:\s*+|(?<![\w.$-]))"
    r"(?P<name>[A-Za-z_]\w*+)(?=\s*+[,}])"
)
# Those of Weaviate's and Dagster's sites: what stands in the lines before and after each part to show.
_MARKS = tuple(
    tuple(re.compile(rf"(?<![\w-]){name}=\{{?[ \t]*([\"'])(?P<mark>[^\"'{{}}\n]+)\1") for name in names)
    for names in (("startMarker", "endMarker"), ("startAfter", "endBefore"))
)
_ALL = "all"
_MDX = ".mdx"
_TEXT_EXTENSIONS = frozenset({".md", _MDX})


class Imports:
    """The imports of one page, as far as its lines have been read."""

    def __init__(self) -> None:
        self._found: dict[str, Include] = {}

    def add(self, line: str) -> None:
        """Remember an import, if the line is one and imports text or code, not a component. Where it is shown is not known yet."""
        if not (match := _IMPORT.match(line)):
            return
        target = match["target"].removeprefix("@site/")
        is_code = bool(match["loader"] or match["raw"])
        if is_code or get_extension(target) in _TEXT_EXTENSIONS:
            writing = Writing.AS_CODE if is_code else Writing.BY_EXTENSION
            self._found[match["name"]] = Include(0, 0, "", target, Excerpt(), writing)

    def find_shown(self, lines: Sequence[str], number: int) -> Sequence[Include]:
        """The files shown by the component that begins in this line."""
        line = lines[number]
        if match := _CODE_COMPONENT.match(line):
            return self._find(match, number, Writing.AS_CODE)
        if match := _INCLUDE_ELEMENT.match(line):
            return [_read_element(match, number)]
        if not _BEGINS.match(line):
            return ()
        end = _find_end(lines, number)
        match = _COMPONENT.match("\n".join(lines[number:end])) if end else None
        if match is None:
            return ()
        if match["name"] in _NAMING and (file := _FILE.search(match["attributes"])):
            target = f"{_NAMING[match['name']]}{file[1]}{'' if get_extension(file[1]) else _MDX}"
            shown = Include(number, end, match["prefix"], target, Excerpt(), Writing.BY_EXTENSION)
            return [shown] if get_extension(target) in _TEXT_EXTENSIONS else ()
        return self._find(match, number, Writing.BY_EXTENSION, end) or self._find_given(match, number, end)

    def _find(self, match: re.Match[str], number: int, writing: Writing, end: int = 0) -> Sequence[Include]:
        imported = self._found.get(match["name"])
        if imported is None or imported.writing is not writing:
            return ()
        values = tuple((name, double or single) for name, double, single in _GIVEN.findall(match[0]))
        return [replace(imported, first=number, end=end or number + 1, prefix=match["prefix"], values=values)]

    def _find_given(self, match: re.Match[str], first: int, end: int) -> Sequence[Include]:
        """The files given as properties, in order; a file given under several keys comes once. All but the first are inserted after the
        tag. If one of these is missing, a tag of its own is written, so that it is reported.
        """
        labels: dict[str, list[str]] = {}
        for given in _PROPERTY.finditer(match["attributes"]) if self._found else ():
            name = given["whole"] or given["name"]
            if name in self._found:
                label = "" if given["whole"] else given["quoted"] or given["key"] or name
                labels.setdefault(name, []).append(label)
        prefix, excerpt = match["prefix"], _read_marks(match["attributes"])
        found = [
            _wrap(replace(self._found[name], first=end, end=end, prefix=prefix, excerpt=excerpt), ", ".join(keys))
            for name, keys in labels.items()
        ]
        missing = [(f"{prefix}<{match['name']} text={{{name}}} />",) for name in labels]
        behind = [replace(include, otherwise=tag) for include, tag in zip(found[1:], missing[1:], strict=True)]
        return [*(replace(include, first=first) for include in found[:1]), *behind]


def _read_marks(attributes: str) -> Excerpt:
    """What a component shows of the code that it is given: all, or the parts between two marks."""
    for first, last in _MARKS:
        if (before := first.search(attributes)) and (after := last.search(attributes)):
            return Excerpt(marks=(before["mark"], after["mark"]), indent=0)
    return Excerpt()


def _read_element(match: re.Match[str], number: int) -> Include:
    """Fumadocs' element around a path, perhaps with the name of a region of the file, and with a language if it is shown as code."""
    language = _LANGUAGE.search(match["attributes"])
    writing = Writing.AS_CODE if language else Writing.BY_EXTENSION
    excerpt = Excerpt(region=match["region"] or "")
    return Include(
        number, number + 1, match["prefix"], match["target"], excerpt, writing, language[1] if language else ""
    )


def _find_end(lines: Sequence[str], number: int) -> int:
    """The number of the line after the tag that begins in this one; 0 if another tag begins before its end."""
    for place in range(number, min(number + _MOST_LINES, len(lines))):
        if not is_short(lines[place]) or (place > number and "<" in lines[place]):
            break
        if _ENDS.search(lines[place]):
            return place + 1
    return 0


def _wrap(include: Include, label: str) -> Include:
    """The file in a tab with that label, if it has one."""
    if not label or label == _ALL:
        return replace(include, before=("",), after=("",))
    return replace(include, before=("", f'<TabItem value="{label}">', ""), after=("", "</TabItem>", ""))
