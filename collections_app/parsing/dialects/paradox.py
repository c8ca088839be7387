"""Lightbend's Paradox, with which Akka, Pekko and others make their sites: directives within lines (`@ref:[words](page.md)`,
`@scala[Option]@java[Optional]`), blocks (`@@@ note`), dependencies of builds, and languages side by side as definitions (`Scala`,
`:  code`). Files that `@@snip` and `@@include` name are put in by includes/. PURE.

https://developer.lightbend.com/docs/paradox/current/directives/index.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.safety.places import replace_outside_spans

_SIGN = re.compile(
    r"@(?:(?:ref|extref|apidoc|scaladoc|javadoc|scala|java):?\[|@(?:@[ \t]*+[a-z]|snip|dependency|toc|include))"
)
_NAMED = {"java": "Java", "scala": "Scala"}
_TERM = re.compile(r"\w[\w .+#/-]{0,40}$")
_DEFINITION = re.compile(r":[ \t]++")
_BLOCK = re.compile(r"([ \t]*+)@@@[ \t]*+(?:(?P<name>[A-Za-z-]+)[ \t]*+(?:\{(?P<options>[^{}]*+)\})?)?[ \t]*$")
_TITLE = re.compile(r"\btitle=(?:\"([^\"]*)\"|([^\s\"]+))")
_GROUP = re.compile(r"\.group-([a-z]+)")
# What has nothing to say by itself: contents, the version and licence of a module.
_SILENT = re.compile(r"[ \t]*+@@(?:toc|project-info)\b[^{}]*+(?:\{[^{}]*+\})?[ \t]*$")
_DEPENDENCY = re.compile(r"[ \t]*+@@dependency[ \t]*+\[[^\]]*+\][ \t]*+\{[ \t]*$")
_FIELD = re.compile(r"\b(?P<key>[a-zA-Z]+)(?P<number>\d*)=(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^\s\"]+))")
_MAX_DEPENDENCY_LINES = 100
_LABEL = r"(?P<words>(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*+\])*+\])*+)"
_WITHIN = re.compile(
    r"@(?P<name>ref|link|extref|github|issue|scaladoc|javadoc|apidoc|apiref|api|scala|java):?\["
    + _LABEL
    + r"\](?:\((?P<target>(?:[^()]|\([^()]*+\))*+)\)(?:[ \t]*+\{[^{}]*+\})?)?"
)
_FOLLOWING = re.compile(r"(?P<blanks>[ \t]*+)@(?:java|scala)\[")
# The packages before a class, and what stands for any of them: `stream.*.Sink`.
_PACKAGES = re.compile(r"(?:[a-z_]++\.|\*\.)+(?=[A-Z])")
_OF_API = frozenset({"api", "apidoc", "apiref", "javadoc", "scaladoc"})
_LINKS = frozenset({"link", "ref"})
_SENTENCE_ENDS = (".", ":", "!", "?")
_MAX_LINE_CHARACTERS = 1_000
_MAX_PASSAGE_CHARACTERS = 10_000
_MAX_DEPTH = 5
_WORD = re.compile(r"\w")
_BLANK = re.compile(r"\s")


def write_paradox_signs(content: str) -> str:
    """The text with what readers see of such directives; no line moves."""
    if "@" not in content or not _SIGN.search(content):
        return content
    lines = list(_iter_beside_each_other(content.split("\n")))
    kinds = list(iter_line_kinds(lines))
    blocks: list[str] = []
    first = 0  # of the lines that directives may extend over
    for number, kind in enumerate(kinds):
        line = lines[number]
        if kind is LineKind.CODE or not line.strip() or line.lstrip().startswith("@@"):
            _write_passage(lines, first, number)
            first = number + 1
        if kind is LineKind.CODE or "@@" not in line or len(line) > _MAX_LINE_CHARACTERS:
            continue
        if block := _BLOCK.match(line):
            lines[number] = block[1] + _write_block(block, blocks)
        elif _SILENT.match(line):
            lines[number] = ""
        elif _DEPENDENCY.match(line):
            _write_dependency(lines, number)
    _write_passage(lines, first, len(lines))
    return "\n".join(lines)


def _write_passage(lines: list[str], first: int, end: int) -> None:
    """Writes the directives within these lines; of a long passage, of a table, those within each."""
    text = "\n".join(lines[first:end])
    if "@" in text:
        parts = [text] if len(text) <= _MAX_PASSAGE_CHARACTERS else lines[first:end]
        written = (_write_within(part) if len(part) <= _MAX_PASSAGE_CHARACTERS else part for part in parts)
        lines[first:end] = "\n".join(written).split("\n")


def _iter_beside_each_other(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with terms and their definitions as labels in bold and text at the margin."""
    width = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        is_term = following.startswith(":") and _DEFINITION.match(following) and _TERM.match(line)
        begin = _DEFINITION.match(line) if line.startswith(":") and number and lines[number - 1].strip() else None
        indent = len(line) - len(line.lstrip(" \t"))
        if is_term:
            width = 0
            yield f"**{line.strip()}**"
        elif begin:
            width = begin.end()
            yield line[width:]
        else:
            width = width if not line.strip() or indent else 0
            yield line[min(indent, width) :]


def _write_block(block: re.Match[str], blocks: list[str]) -> str:
    """What stands for the first or the last line of a block: the sign of a box, or the language of what is in it. `blocks` has the last
    lines of those that are open.
    """
    if not block["name"]:
        return blocks.pop() if blocks else ""
    name, options = block["name"].lower(), block["options"] or ""
    if name in ("div", "index", "vars"):
        group = _GROUP.search(options)
        blocks.append("")
        return f"**{_NAMED.get(group[1], group[1])}**" if group else ""
    title = _TITLE.search(options)
    blocks.append(":::")
    return f"::: {name} {(title[1] or title[2]) if title else ''}".rstrip()


def _write_dependency(lines: list[str], first: int) -> None:
    """Puts code with the coordinates in place of `@@dependency[sbt] { group=… artifact=… version=… }`."""
    rest = lines[first + 1 : first + 1 + _MAX_DEPENDENCY_LINES]
    fields = list(takewhile(lambda line: line.strip() != "}", rest))
    end = first + 2 + len(fields)
    told = ["```text", *_iter_coordinates(fields), "```"]
    if len(fields) < len(rest) and 2 < len(told) <= end - first:
        lines[first:end] = [*told, *[""] * (end - first - len(told))]


def _iter_coordinates(fields: Iterable[str]) -> Iterator[str]:
    found: dict[str, dict[str, str]] = {}
    for field in _FIELD.finditer("\n".join(fields)):
        found.setdefault(field["key"], {})[field["number"]] = field["quoted"] or field["plain"] or ""
    values = {name: found.get("value", {}).get(number, name) for number, name in found.get("symbol", {}).items()}
    for number, artifact in found.get("artifact", {}).items():
        version = found.get("version", {}).get(number, "")
        parts = [found.get("group", {}).get(number, ""), artifact, values.get(version, version)]
        yield ":".join(filter(None, parts))


def _write_within(text: str) -> str:
    """The text with what readers see of its directives, from the outermost to those in their words."""
    for _ in range(_MAX_DEPTH):
        written = replace_outside_spans(_WITHIN, _write_on_its_lines, text)
        if written == text:
            break
        text = written
    return text


def _write_on_its_lines(found: re.Match[str]) -> str:
    """Options may extend over lines that nothing is left of: these stay, blank."""
    written = _write_directive(found)
    return written + "\n" * (found[0].count("\n") - written.count("\n"))


def _write_directive(found: re.Match[str]) -> str:
    name, words, target = found["name"], found["words"].strip(" \t"), found["target"] or ""
    if (language := _NAMED.get(name)) and _WORD.search(words):
        return _write_of_language(language, words, found)
    if name in _LINKS and is_address(target):
        return f"[{words}]({target})"
    if name in _OF_API and words and "`" not in words and not _BLANK.search(words):
        return f"`{words if target else _PACKAGES.sub('', words, count=1)}`"
    return words


def _write_of_language(language: str, words: str, found: re.Match[str]) -> str:
    """Readers see the words of the language that they chose: all are said, each with its language."""
    told = f"{language}: {words}" if words.rstrip().endswith(_SENTENCE_ENDS) else f"{words} ({language})"
    following = _FOLLOWING.match(found.string, found.end())
    return f"{told} /{'' if following['blanks'] else ' '}" if following else told
