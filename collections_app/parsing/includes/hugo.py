"""Tags of Hugo and Quarto that include files, also within a line: in a sentence, a cell, a command, or between other tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from collections_app.parsing.file_names import get_extension
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.includes.excerpts import Excerpt
from collections_app.parsing.includes.lines import Include, Writing
from collections_app.parsing.safety.places import Places

_TAG = r"\{\{[<%][ \t]*+(?P<name>include|readfile|codenew|code_sample|docs/shared|embed-md)[ \t](?P<arguments>[^{}\n]*)[%>]\}\}"
_BEFORE = re.compile(r"(?P<prefix>[ \t>]*+(?:(?:[-*+:]|\d{1,9}[.)])[ \t]++)?)")
_ALONE = re.compile(rf"{_BEFORE.pattern}{_TAG}[ \t]*$")
_ANYWHERE = re.compile(_TAG)
_FILE = re.compile(r"(?:^|[ \t]|\b(?:file|lookup)=)[\"']?(?P<target>[^\s\"'=]+\.\w+)")
_NAME = re.compile(r"[ \t]*\"(?P<target>[\w./-]+)\"[ \t]*")
_FOLDERS = {
    "codenew": "examples/",
    "code_sample": "examples/",
    "docs/shared": "shared/",
    "embed-md": "embeds/",
}
# Where a site's own `include` finds its files.
_OF_THEME = "includes/"
_HTML = (".html", ".htm")
# Of a longer line each tag would take longer.
_MAX_LINE_CHARACTERS = 10_000
_LIST_MARKER = re.compile(r"[^\s>]")
_BLOCK = re.compile(r"[ \t]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t]|[#>|]|```|~~~|:::)")
_FENCE = ("```", "~~~")


def find_tag(line: str, number: int) -> Include | None:
    """The file that a tag on a line of its own includes."""
    tag = _ALONE.match(line)
    return _read(tag, number, tag["prefix"]) if tag else None


def join(folder: str, target: str) -> str:
    return f"{folder}{target.lstrip('/').removeprefix(folder)}"


def write_within_lines(text: str, find: Callable[[Include], Sequence[str] | None]) -> str:
    """The text with the files that tags within its lines include; `find` gives the lines of a file, or None. In code only `readfile`
    counts: pages show the others there, which are about them.
    """
    if "{{<" not in text and "{{%" not in text:
        return text
    places = Places(text, has_markup=True)
    return _ANYWHERE.sub(lambda tag: _write(tag, places, find), text)


def find_within_lines(text: str) -> list[str]:
    """The tags within lines whose files are not in the text, outside of code."""
    if "{{<" not in text and "{{%" not in text:
        return []
    places = Places(text, has_markup=True)
    tags = _ANYWHERE.finditer(text)
    return [tag[0] for tag in tags if not places.is_code(*tag.span()) and _is_within(tag, places) and _read(tag, 0, "")]


def _is_within(tag: re.Match[str], places: Places) -> bool:
    """Whether it is a tag that is not alone on its line."""
    number = places.get_line(tag.start())
    line, column = places.lines[number], tag.start() - places.get_start(number)
    is_usual = len(line) <= _MAX_LINE_CHARACTERS and not _ALONE.match(line)
    return is_usual and not line.startswith("{", column - 1, column)


def _write(tag: re.Match[str], places: Places, find: Callable[[Include], Sequence[str] | None]) -> str:
    number = places.get_line(tag.start())
    line, is_within, is_code = places.lines[number], _is_within(tag, places), places.is_code(*tag.span())
    if (tag["name"] != "readfile" or len(line) > _MAX_LINE_CHARACTERS) if is_code else not is_within:
        return tag[0]
    prefix = _LIST_MARKER.sub(" ", _BEFORE.match(line)["prefix"])  # type: ignore[index]  # it matches everywhere
    include = _read(tag, number, prefix, in_code=is_code)
    found = find(include) if include else None
    if not found:
        return tag[0]
    lines = "\n".join(each.removeprefix(prefix) for each in found).strip("\n").split("\n")
    if is_code:
        is_sound = len(lines) == 1 or (not is_within and not any(map(_is_fence, lines)))
        return f"\n{prefix}".join(lines) if is_sound else tag[0]
    if line.lstrip(" \t>").startswith("|"):
        return _write_cell(lines)
    is_html = line.lstrip().startswith("<")
    if not is_html and not any(map(_BLOCK.match, lines)):
        return " ".join(map(str.strip, lines))
    return "\n".join(["", "", *(f"{prefix}{each}" if each else "" for each in lines), "", prefix])


def _write_cell(lines: Sequence[str]) -> str:
    """The lines in a cell of a table, where no block can be: code is a span for each line."""
    written, is_code = list[str](), False
    for line in lines:
        if _is_fence(line):
            is_code = not is_code
        elif line.strip():
            cell = line.strip().replace("|", "\\|")
            written.append(make_code_span(cell) if is_code else cell)
    return "<br>".join(written)


def _is_fence(line: str) -> bool:
    return line.lstrip().startswith(_FENCE)


def _read(tag: re.Match[str], number: int, prefix: str, *, in_code: bool = False) -> Include | None:
    """Hugo's own names of such tags, of which `include` may leave out the ending of Markdown, and writes HTML as it is."""
    is_include, arguments = tag["name"] == "include", tag["arguments"]
    file = _FILE.search(arguments)
    name = _NAME.fullmatch(arguments) if is_include and not file else None
    if not file and not name:
        return None
    target = file["target"] if file else f"{name['target']}.md" if name else ""
    path = join(_FOLDERS.get(tag["name"], ""), target)
    is_as_it_is = in_code or (is_include and get_extension(path) in _HTML)
    return Include(
        number, number + 1, prefix, path, Excerpt(), Writing.AS_IT_IS if is_as_it_is else Writing.BY_EXTENSION,
        also_in=_OF_THEME if is_include else "",
    )  # fmt: skip
