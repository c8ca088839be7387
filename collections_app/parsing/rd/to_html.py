"""The page that R makes of a file, in R's order of sections, with the names that it documents below its title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.html.elements import Node, add, make_element
from collections_app.parsing.html.links import LinkResolver
from collections_app.parsing.html.to_markdown import convert_to_markdown
from collections_app.parsing.html.tree import Element, clean_text
from collections_app.parsing.rd.code import tidy_code, write_code
from collections_app.parsing.rd.links import find_link, write_links
from collections_app.parsing.rd.shown import BLOCKS, CODE, get_words, iter_shown
from collections_app.parsing.rd.syntax import Macro, Piece, Pieces, read_rd
from collections_app.parsing.references.targets import split_targets

# In the order of R's pages.
_SECTIONS: Mapping[str, str] = {
    "description": "",
    "usage": "Usage",
    "synopsis": "Usage",
    "arguments": "Arguments",
    "format": "Format",
    "details": "Details",
    "value": "Value",
    "section": "",
    "note": "Note",
    "author": "Author",
    "source": "Source",
    "references": "References",
    "seealso": "See also",
    "examples": "Examples",
}
_ORDER = {name: number for number, name in enumerate(_SECTIONS)}
_CODE_SECTIONS = frozenset({"examples", "synopsis", "usage"})
_TERMS_ARE_CODE = frozenset({"arguments", "value"})
_TAGS: Mapping[str, str] = {"bold": "strong", "dfn": "em", "emph": "em", "strong": "strong", "var": "em"}
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_SEVERAL_NAMES = re.compile(r"[\w.]+(?:,\s*[\w.]+)+")
_TERM_END = " \n:,"
_SECTION_LEVEL, _LAST_LEVEL = 2, 6


def parse_rd(raw: RawDocument) -> NormalisedText:
    """The names that the file documents are among its keywords.

    Raises ParseError (encoding, nesting) and UnsupportedFormat (binary).
    """
    text, warnings = decode_text(raw.content)
    own, targets = split_targets(clean_text(text))
    macros = [piece for piece in write_links(read_rd(own), targets) if isinstance(piece, Macro)]
    names, concepts = (list(dict.fromkeys(_iter_words(macros, *each))) for each in (("name", "alias"), ("concept",)))
    converted = convert_to_markdown([_write_page(macros, names)], LinkResolver(""))
    lines = converted.writer.lines
    return NormalisedText(
        format="rd",
        content="\n".join([*lines, ""]) if lines else "",
        title=next(_iter_words(macros, "title", "name"), ""),
        keywords=tuple(dict.fromkeys([*names, *concepts])),
        warnings=warnings,
    )


def _iter_words(macros: Sequence[Macro], *names: str) -> Iterator[str]:
    """What macros of these names say, without those that say nothing: those of the first name first."""
    said = (" ".join(get_words(macro.get(0)).split()) for name in names for macro in macros if macro.name == name)
    return filter(None, said)


def _write_page(macros: Sequence[Macro], names: Sequence[str]) -> Element:
    root = make_element("div")
    title = next((macro for macro in macros if macro.name == "title"), None)
    sections = sorted((macro for macro in macros if macro.name in _ORDER), key=lambda macro: _ORDER[macro.name])
    if title:
        add(root, "h1", _make_nodes(title.get(0)))
    if title or sections:
        _write_names(root, names)
    for macro in sections:
        _write_section(root, macro)
    return root


def _write_names(root: Element, names: Sequence[str]) -> None:
    nodes: list[Node] = []
    for name in names:
        nodes += [", " if nodes else "", make_element("code", [name])]
    _write_paragraph(root, nodes)


def _write_section(root: Element, macro: Macro) -> None:
    if macro.name in _CODE_SECTIONS:
        if code := write_code(macro.get(0)):
            add(root, f"h{_SECTION_LEVEL}", [_SECTIONS[macro.name]])
            _write_code(root, code, "r")
        return
    if macro.name == "section":
        _write_titled(root, macro, _SECTION_LEVEL)
        return
    if heading := _SECTIONS[macro.name]:
        add(root, f"h{_SECTION_LEVEL}", [heading])
    _BlockWriter(_SECTION_LEVEL, are_terms_code=macro.name in _TERMS_ARE_CODE).write(root, macro.get(0))


def _write_titled(parent: Element, macro: Macro, level: int) -> None:
    r"""`\section{…}{…}`, or one within another."""
    add(parent, f"h{level}", _make_nodes(macro.get(0)))
    _BlockWriter(level).write(parent, macro.get(1))


def _write_code(parent: Element, code: str, language: str) -> None:
    add(add(parent, "pre"), "code", [code], class_=f"language-{language}" if language else "")


class _BlockWriter:
    """Writes text in a section of this level. `are_terms_code`: whether what its items describe are names of code."""

    def __init__(self, level: int, *, are_terms_code: bool = False) -> None:
        self._level = level
        self._are_terms_code = are_terms_code

    def write(self, parent: Element, pieces: Pieces) -> None:
        self._write(parent, iter_shown(pieces))

    def _write(self, parent: Element, shown: Iterable[Piece]) -> None:
        paragraph: list[Node] = []
        for piece in shown:
            if isinstance(piece, str):
                first, *others = _PARAGRAPH_END.split(piece)
                paragraph.append(first)
                for text in others:
                    _write_paragraph(parent, paragraph)
                    paragraph = [text]
            elif piece.name in BLOCKS:
                _write_paragraph(parent, paragraph)
                paragraph = []
                self._write_block(parent, piece)
            else:
                paragraph.append(_make_inline(piece))
        _write_paragraph(parent, paragraph)

    def _write_block(self, parent: Element, macro: Macro) -> None:
        match macro.name:
            case "itemize" | "enumerate":
                self._write_list(add(parent, "ul" if macro.name == "itemize" else "ol"), macro)
            case "describe":
                _BlockWriter(self._level).write(parent, macro.get(0))
            case "item" if macro.arguments:
                self._write_term(parent, macro)
            case "tabular":
                self._write_table(add(parent, "table"), macro)
            case "preformatted":
                _write_code(parent, tidy_code(get_words(macro.get(0))), macro.option)
            case "deqn":
                add(add(parent, "p"), "math", alttext=f"${_get_line(macro.get(0))}$")
            case "subsection":
                _write_titled(parent, macro, min(self._level + 1, _LAST_LEVEL))

    def _write_list(self, parent: Element, macro: Macro) -> None:
        for item in _split(iter_shown(macro.get(0)), "item"):
            if not all(isinstance(piece, str) and not piece.strip() for piece in item):
                self._write(add(parent, "li"), item)

    def _write_term(self, parent: Element, macro: Macro) -> None:
        last = parent[-1] if len(parent) else None
        entries = last if last is not None and last.tag == "dl" else add(parent, "dl")
        add(entries, "dt", self._make_term(macro.get(0)))
        self.write(add(entries, "dd"), macro.get(1))

    def _make_term(self, pieces: Pieces) -> list[Node]:
        has_macros = any(isinstance(piece, Macro) for piece in iter_shown(pieces))
        if has_macros and not self._are_terms_code:
            nodes = _make_nodes(pieces)
            return [*nodes[:-1], nodes[-1].rstrip(_TERM_END)] if isinstance(nodes[-1], str) else nodes
        words, nodes = _get_line(pieces).rstrip(_TERM_END), []
        for name in words.split(",") if _SEVERAL_NAMES.fullmatch(words) else [words]:
            nodes += [", " if nodes else "", make_element("code" if self._are_terms_code else "strong", [name.strip()])]
        return nodes

    def _write_table(self, parent: Element, macro: Macro) -> None:
        for row in _split(iter_shown(macro.get(1)), "cr"):
            cells = _split(row, "tab")
            if len(cells) > 1 or _get_line(cells[0]):
                is_head = not len(parent) and all(map(_is_strong, cells))
                self._write_row(add(parent, "tr"), cells, is_head=is_head)

    def _write_row(self, row: Element, cells: Sequence[Pieces], *, is_head: bool) -> None:
        for cell in cells:
            self._write(add(row, "th" if is_head else "td"), cell)


def _split(shown: Iterable[Piece], name: str) -> list[Pieces]:
    """The pieces between macros of this name."""
    parts: list[Pieces] = [[]]
    for piece in shown:
        if isinstance(piece, Macro) and piece.name == name:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _is_strong(cell: Pieces) -> bool:
    said = [piece for piece in cell if not isinstance(piece, str) or piece.strip()]
    return all(isinstance(piece, Macro) and _TAGS.get(piece.name) for piece in said)


def _write_paragraph(parent: Element, nodes: Sequence[Node]) -> None:
    if not all(isinstance(node, str) and not node.strip() for node in nodes):
        add(parent, "p", nodes)


def _make_nodes(pieces: Pieces) -> list[Node]:
    return [piece if isinstance(piece, str) else _make_inline(piece) for piece in iter_shown(pieces)]


def _make_inline(macro: Macro) -> Node:
    name, words = macro.name, _get_line(macro.get(0))
    if name in CODE:
        code = make_element("code", [words])
        address = find_link(macro.get(0))
        return make_element("a", [code], href=address) if address else code
    if tag := _TAGS.get(name):
        return make_element(tag, _make_nodes(macro.get(0)))
    match name:
        case "eqn" | "deqn":
            return make_element("math", alttext=words)
        case "href":
            return make_element("a", _make_nodes(macro.get(1)), href=words)
        case "url":
            return make_element("a", [words], href=words)
        case "doi":
            return make_element("a", [f"doi:{words}"], href=f"https://doi.org/{words}")
        case "email":
            return make_element("a", [words], href=f"mailto:{words}")
        case "cr" | "tab":
            return " "
    return words


def _get_line(pieces: Pieces) -> str:
    return " ".join(get_words(pieces).split())
