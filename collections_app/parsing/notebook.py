"""Jupyter notebooks (nbformat 3 and 4) → Markdown: cells in order, MyST as in pages, code and its text output as fences. It runs nothing.

https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collections_app.exceptions import ParseError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.myst import write_myst
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.front_matter import FrontMatter, split_front_matter
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.json_values import clean_text, read_json_object
from collections_app.parsing.markdown.fences import enclose, fence_code

MAX_OUTPUT_CHARACTERS = 4000
"""Characters kept of each output, from its beginning: the rest of a log or a printed table is no documentation."""

_TERMINAL_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
_BOLD_LINE = re.compile(r"\s*\*\*([^*\n]{1,150})(?<![.:!])\*\*[ \t]*(?:\n[ \t]*\n|\n?$)")
_PART = re.compile(
    r"(?i:chapter|part|lesson|lecture|unit|module|section|appendix) (?:\d{1,3}|[A-Z]|[IVX]{1,5})\b.*[^\W\d_]{2}"
)
_KERNEL = re.compile(r"(python|ir|julia|bash|javascript|ruby|rust)(?=[\d._-]|$)")
_MARKDOWN_CELLS = ("markdown", "html")

_Cell = Mapping[str, Any]


def parse_notebook(raw: RawDocument) -> NormalisedText:
    """Reads a notebook. Front matter in the first cell counts, as in Quarto.

    Raises ParseError (JSON, no cells, front matter) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    notebook = read_json_object(text)
    language = _find_language(notebook)
    front_matter, cells = _take_front_matter(_get_cells(notebook))
    blocks = [block for cell in cells for block in _iter_blocks(cell, language)]
    content = write_myst("\n\n".join([*blocks, ""]).rstrip("\n") + "\n", {}) if blocks else ""
    return NormalisedText(
        format="notebook",
        content=content,
        title=front_matter.title or _find_title(notebook) or _find_bold_title(content),
        description=front_matter.description,
        keywords=front_matter.keywords,
        category=front_matter.category,
        metadata={**front_matter.metadata, **({"language": language} if language else {})},
        warnings=warnings + front_matter.warnings,
    )


def _get_cells(notebook: Mapping[str, Any]) -> list[_Cell]:
    """The cells, which version 3 has in worksheets."""
    found = notebook.get("cells")
    if found is None:
        sheets = notebook.get("worksheets")
        found = [cell for sheet in _get_mappings(sheets) for cell in _get_mappings(sheet.get("cells"))]
        if not isinstance(sheets, list):
            raise ParseError("It is no notebook: it has no `cells`. Save it anew in Jupyter.")
    return _get_mappings(found)


def _get_mappings(value: Any) -> list[_Cell]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _find_language(notebook: Mapping[str, Any]) -> str:
    metadata = _get_mapping(notebook, "metadata")
    names = (
        _get_mapping(metadata, "language_info").get("name"),
        _get_mapping(metadata, "kernelspec").get("language"),
        metadata.get("language"),
    )
    told = (name.lower() for name in names if isinstance(name, str) and _LANGUAGE.fullmatch(name))
    return next(told, "") or _find_kernel_language(_get_mapping(metadata, "kernelspec").get("name"))


def _find_kernel_language(kernel: Any) -> str:
    """The language in the kernel's name, `python` in `python3`: Colab gives no other."""
    match = _KERNEL.match(kernel) if isinstance(kernel, str) else None
    if match is None:
        return ""
    return "r" if match[1] == "ir" else match[1]


def _find_title(notebook: Mapping[str, Any]) -> str:
    title = _get_mapping(notebook, "metadata").get("title")
    return " ".join(clean_text(title).split()) if isinstance(title, str) else ""


def _find_bold_title(content: str) -> str:
    """A bold line above everything that names a part of a book, if there are several level-1 headings, which are then its sections.

    Other bold lines are notes, licences, dates and names.
    """
    found = _BOLD_LINE.match(content)
    if found is None or not _PART.match(found[1]):
        return ""
    is_cut = sum(heading.level == 1 for heading in iter_headings(content.split("\n"))) > 1
    return clean_heading(found[1]) if is_cut else ""


def _get_mapping(holder: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _take_front_matter(cells: Sequence[_Cell]) -> tuple[FrontMatter, Sequence[_Cell]]:
    if not cells or cells[0].get("cell_type") not in ("raw", "markdown"):
        return FrontMatter(), cells
    front_matter, text = split_front_matter(_get_text(cells[0].get("source")) + "\n")
    return (
        (front_matter, [{**cells[0], "source": text}, *cells[1:]]) if front_matter.line_count else (front_matter, cells)
    )


def _iter_blocks(cell: _Cell, language: str) -> Iterator[str]:
    kind = cell.get("cell_type")
    if kind == "code":
        yield from _iter_code_blocks(cell, language)
        return
    text = _get_text(cell.get("source")).strip("\n")
    if not text.strip():
        return
    if kind == "heading":
        level = cell.get("level")
        yield f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {' '.join(text.split())}"
    else:
        yield enclose(text) if kind in _MARKDOWN_CELLS else fence_code(text)


def _iter_code_blocks(cell: _Cell, language: str) -> Iterator[str]:
    own_language = cell.get("language")
    source = _get_text(cell.get("source", cell.get("input")))
    if source.strip() and not _is_hidden_comment(cell, source):
        yield fence_code(source.strip("\n"), language or (own_language if isinstance(own_language, str) else ""))
    for output in _get_mappings(cell.get("outputs")):
        yield from _iter_output(output)


def _is_hidden_comment(cell: _Cell, source: str) -> bool:
    """Whether the cell has only comments, and Colab shows a form instead: it is mostly a licence."""
    is_form = _get_mapping(cell, "metadata").get("cellView") == "form"
    return is_form and all(not line.strip() or line.lstrip().startswith("#") for line in source.split("\n"))


def _iter_output(output: _Cell) -> Iterator[str]:
    match output.get("output_type"):
        case "stream":
            text = _get_text(output.get("text"))
        case "error" | "pyerr":
            text = f"{_get_text(output.get('ename'))}: {_get_text(output.get('evalue'))}".strip(": ")
        case _:
            data = output.get("data", output)
            data = data if isinstance(data, dict) else {}
            if markdown := _get_text(data.get("text/markdown")).strip():
                yield enclose(_cut(markdown))
                return
            is_picture = any(key.startswith("image/") or key in ("png", "jpeg", "svg") for key in data)
            text = "" if is_picture else _get_text(data.get("text/plain", data.get("text")))
    text = _TERMINAL_COLOUR.sub("", text).strip("\n")
    if text.strip():
        yield fence_code(_cut(text), "text")


def _cut(text: str) -> str:
    if len(text) <= MAX_OUTPUT_CHARACTERS:
        return text
    kept = text[:MAX_OUTPUT_CHARACTERS].rpartition("\n")[0] or text[:MAX_OUTPUT_CHARACTERS]
    return f"{kept}\n… ({len(text) - len(kept):,} more characters of output)"


def _get_text(value: Any) -> str:
    """A text, or a list of its lines, with `\\n` as line ends."""
    if isinstance(value, list):
        value = "".join(each for each in value if isinstance(each, str))
    return clean_text(value).replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else ""
