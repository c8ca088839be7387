"""Reads the template of a Hugo shortcode, if it only writes its arguments, its inner text, parameters of page and site, and texts, and
tests whether these exist. Anything else (other pages, data, loops) makes it unreadable. PURE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from collections_app.parsing.dialects.template_tags.arguments import Arguments
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.variables.values import Tree, find

MAX_CHARACTERS = 8_000

_ACTION = re.compile(r"\{\{(?P<trims>-(?=\s))?\s*+(?P<code>/\*[^{}]*?\*/|[^{}]*?)(?P<trims_behind>\s-)?\s*+\}\}")
# Comments, scripts and style sheets; one without an end extends to the end of the template.
_COMMENT = re.compile(r"<!--(?:.*?-->|.*)|<(script|style)\b(?:.*?</\1>|.*)", re.DOTALL | re.IGNORECASE)
_PARTS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|[()|]|:?=|[^\s()|\"`:=]+")
_NAME = re.compile(r"\$\w+")
_NUMBER = re.compile(r"\d{1,2}")
_OF_PAGE = re.compile(r"\$?\.Page\.Params\.(?P<name>\w+(?:\.\w+)*)")
_OF_SITE = re.compile(r"(?:\$?\.Site|\$?\.Page\.Site|site|hugo\.Site)\.Params\.(?P<name>\w+(?:\.\w+)*)")
_VALUE_OF_SITE = "{{< param "
_INNER = frozenset({".Inner", ".InnerDeindent", "$.Inner"})
_GET = frozenset({".Get", "$.Get"})
_GIVEN = frozenset({".Params", "$.Params"})
# Functions that change how a text is escaped or marked up, but not its words.
_SAME = frozenset(
    {"absURL", "emojify", "htmlEscape", "htmlUnescape", "markdownify", "plainify", "relURL", "safeCSS", "safeHTML", "safeHTMLAttr"}
    | {"safeURL", "strings.TrimSpace", "transform.Markdownify", "transform.Plainify"}
    | {f"{page}.RenderString" for page in (".Page", "$.Page", "page")}
)  # fmt: skip
_HIGHLIGHT = frozenset({"highlight", "transform.Highlight"})
_LANGUAGE = re.compile(r"[\w+#.-]+")
_EMPTY = ("{{}}",)
_MOST_OPEN = 20
_MOST_PARTS = 100
"""The parts of one action; brackets may be nested as deep."""
_PLACE_OF_INNER = "\x00"
_PLACE_OF_CODE = re.compile(rf"{_PLACE_OF_INNER}\x01(?P<language>.*)")
"""The position of an inner text that is highlighted."""

# Boxes around an inner text, which is Markdown.
_BOX = re.compile(r"</?(?:article|aside|center|div|main|p|section|span)\b[^<>]*>", re.IGNORECASE)
_HIDES = re.compile(r"\bhidden\b|display\s*:\s*none|sr-only", re.IGNORECASE)
_HTML_LINE = re.compile(r"^[ \t]*</?[a-zA-Z]", re.MULTILINE)
_CODE = re.compile(r"```|~~~|<pre\b", re.IGNORECASE)


class _Unreadable(Exception):
    pass


@dataclass(slots=True)
class _Branch:
    """An open `if` or `with`: whether its current branch is written, and whether a branch has been. `dot` is the value of `.`."""

    is_shown: bool
    is_done: bool
    dot: str | None


@dataclass(frozen=True, slots=True)
class Template:
    """A template, read once: pieces of text, each with the parts of the action after it (the last without any); no pieces if it is
    unreadable.
    """

    character_count: int
    has_inner: bool
    pieces: Sequence[tuple[str, Sequence[str]]] = ()


def read_template(text: str) -> Template:
    if len(text) > MAX_CHARACTERS:
        return Template(len(text), _uses_inner(text))
    cleaned = _COMMENT.sub("", text)
    has_inner = _uses_inner(cleaned)
    is_hidden = has_inner and _HIDES.search(cleaned)
    pieces = tuple(_iter_pieces(_join_lines(cleaned)))
    is_readable = not is_hidden and all(
        _PLACE_OF_INNER not in piece and "{{" not in piece and len(parts) <= _MOST_PARTS for piece, parts in pieces
    )
    return Template(len(text), has_inner, pieces if is_readable else ())


def _uses_inner(text: str) -> bool:
    return any(name in text for name in _INNER)


def _iter_pieces(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    position, is_trimmed = 0, False
    for action in [*_ACTION.finditer(text), None]:
        piece = text[position : action.start() if action else len(text)]
        piece = piece.lstrip() if is_trimmed else piece
        if action is None:
            yield piece, ()
        else:
            code = action["code"].strip()
            parts = () if code.startswith("/*") else tuple(_PARTS.findall(code)) or _EMPTY
            yield piece.rstrip() if action["trims"] else piece, parts
            position, is_trimmed = action.end(), action["trims_behind"] is not None


def render(template: Template, arguments: Arguments, inner: str, parameters: Tree, most_characters: int) -> str | None:
    """The output for a tag; None if the template is unreadable, or the output is longer than `most_characters`. `parameters` are the
    page's.
    """
    if not template.pieces or most_characters <= 0:
        return None
    try:
        written = _Rendering(arguments, _PLACE_OF_INNER if inner else "", parameters).write(template)
    except _Unreadable:
        return None
    written = (_BOX.sub("", written) if template.has_inner else written).strip()
    is_short = len(written) + written.count(_PLACE_OF_INNER) * len(inner) <= most_characters
    if not is_short:
        return None
    fenced = _PLACE_OF_CODE.sub(lambda place: fence_code(inner.strip("\n"), place["language"]), written)
    return fenced.replace(_PLACE_OF_INNER, inner)


@dataclass(slots=True)
class _Rendering:
    """The rendering of one tag."""

    arguments: Arguments
    inner: str
    parameters: Tree
    values: dict[str, str] = field(default_factory=dict)
    branches: list[_Branch] = field(default_factory=lambda: [_Branch(is_shown=True, is_done=True, dot=None)])

    def write(self, template: Template) -> str:
        written = list[str]()
        for piece, parts in template.pieces:
            written += [piece] if self.branches[-1].is_shown else []
            written.append(self._run(parts))
        if len(self.branches) > 1:
            raise _Unreadable
        return "".join(written)

    def _run(self, parts: Sequence[str]) -> str:
        """The output of an action; empty for a comment, and for one that writes nothing."""
        word = parts[0] if parts else ""
        if word in ("if", "with"):
            self._open(word, parts[1:])
        elif word == "else":
            self._turn(parts[1:])
        elif word == "end":
            self._close()
        elif len(parts) > 1 and parts[1] in (":=", "=") and _NAME.fullmatch(word):
            self.values[word] = self._read(parts[2:])
        elif parts and self.branches[-1].is_shown:
            return self._read(parts)
        return ""

    def _open(self, word: str, condition: Sequence[str]) -> None:
        if len(self.branches) > _MOST_OPEN:
            raise _Unreadable
        around = self.branches[-1]
        value = self._test(condition)
        is_shown = around.is_shown and bool(value)
        dot = value if word == "with" else around.dot
        self.branches.append(_Branch(is_shown, is_done=bool(value) or not around.is_shown, dot=dot))

    def _turn(self, condition: Sequence[str]) -> None:
        """Handle `else`, `else if` and `else with`."""
        if len(self.branches) < 2:
            raise _Unreadable
        branch, around = self.branches[-1], self.branches[-2]
        if condition and condition[0] not in ("if", "with"):
            raise _Unreadable
        value = self._test(condition[1:]) if condition else "else"
        branch.is_shown = bool(value) and not branch.is_done
        branch.is_done |= branch.is_shown
        branch.dot = value if condition[:1] == ["with"] else around.dot

    def _close(self) -> None:
        if len(self.branches) < 2:
            raise _Unreadable
        self.branches.pop()

    def _test(self, condition: Sequence[str]) -> str:
        """The value of a condition, which is empty if it is false."""
        match condition:
            case ["isset", given, key] if given in _GIVEN:
                return self._get(key)
            case [".IsNamedParams" | "$.IsNamedParams"]:
                return "named" if self.arguments.named else ""
        value = self._read(condition)
        if _VALUE_OF_SITE in value:
            raise _Unreadable
        return value

    def _read(self, parts: Sequence[str]) -> str:
        """The value of an expression: one operand, and functions that do not change it."""
        first, *functions = _split_at_bars(parts)
        value = self._read_operand(first)
        for function in functions:
            match function:
                case ["default", operand]:
                    value = value or self._read_operand([operand])
                case [name] if name in _SAME:
                    continue
                case _:
                    raise _Unreadable
        return value

    def _read_operand(self, parts: Sequence[str]) -> str:
        match parts:
            case ["(", *within, ")"]:
                return self._read(within)
            case [get, key] if get in _GET:
                return self._get(key)
            case ["index", given, key] if given in _GIVEN:
                return self._get(key)
            case [name, *operand] if name in _SAME and operand:
                return self._read_operand(operand)
            case ["trim" | "strings.Trim", *operands] if len(each := _split_operands(operands)) == 2:
                return self._read_operand(each[0])
            case [name, *operands] if name in _HIGHLIGHT:
                return self._highlight(_split_operands(operands))
            case [one]:
                return self._read_one(one)
        raise _Unreadable

    def _highlight(self, operands: Sequence[Sequence[str]]) -> str:
        """The position of highlighted code. Only the inner text may be code; a text in the template is not read."""
        text = self._read_operand(operands[0]) if operands else ""
        if text not in ("", _PLACE_OF_INNER):
            raise _Unreadable
        language = self._read_operand(operands[1]) if len(operands) > 1 else ""
        return text and f"\n{text}\x01{language if _LANGUAGE.fullmatch(language) else ''}\n"

    def _read_one(self, part: str) -> str:
        if part in _INNER:
            return self.inner
        if part in self.values:
            return self.values[part]
        if part == "." and (dot := self.branches[-1].dot) is not None:
            return dot
        if part[0] in '"`':
            return part[1:-1]
        if parameter := _OF_PAGE.fullmatch(part):
            value = find(self.parameters, parameter["name"].split("."))
            return value if isinstance(value, str) else ""
        if parameter := _OF_SITE.fullmatch(part):
            return f"{_VALUE_OF_SITE}{parameter['name']} >}}}}"
        raise _Unreadable

    def _get(self, key: str) -> str:
        """An argument by name or number."""
        if _NUMBER.fullmatch(key):
            others = self.arguments.others
            return others[int(key)] if int(key) < len(others) else ""
        return self.arguments.named.get(self._read_one(key), "")


def _split_at_bars(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The parts between bars outside of brackets."""
    depth, piece = 0, list[str]()
    for part in parts:
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "|" and depth == 0:
            yield piece
            piece = []
        else:
            piece.append(part)
    yield piece


def _split_operands(parts: Sequence[str]) -> Sequence[Sequence[str]]:
    """The operands: each is a single part, or brackets with their content."""
    depth, operands = 0, list[list[str]]()
    for part in parts:
        if depth == 0:
            operands.append([])
        depth += {"(": 1, ")": -1}.get(part, 0)
        operands[-1].append(part)
    return operands


def _join_lines(template: str) -> str:
    """The HTML without indentation and blank lines. Actions leave blank lines, which end HTML in Markdown, and indented lines after them
    are code.
    """
    if not _HTML_LINE.search(template) or _CODE.search(template):
        return template
    return "\n".join(line for line in map(str.strip, template.split("\n")) if line)
