"""Inline markup: emphasis, code, passthroughs, anchors, references, and the macros in macros.py. Text → nodes of a tree.

The text is read once, from left to right; a mark without a closing partner is plain text. Once a search for a kind of closing mark has
failed, it is known that there is none further on either, so that no series of marks takes quadratic time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence

from collections_app.parsing.asciidoc.attribute_lists import read_attribute_list
from collections_app.parsing.asciidoc.attributes import Attributes
from collections_app.parsing.asciidoc.footnotes import Footnotes
from collections_app.parsing.asciidoc.inline.brackets import Brackets
from collections_app.parsing.asciidoc.inline.links import make_link, make_reference
from collections_app.parsing.asciidoc.inline.macros import MACROS, PICTURE_IN_LINK, SITE_MACROS, drop_window_sign
from collections_app.parsing.asciidoc.inline.partners import Partners
from collections_app.parsing.asciidoc.inline.passthroughs import MACRO_END, Passthroughs
from collections_app.parsing.asciidoc.references import References
from collections_app.parsing.asciidoc.signs import KEPT, unprotect
from collections_app.parsing.html.elements import Node, make_element
from collections_app.parsing.html.tree import Element, get_raw_text

MAX_MARKED_UP_CHARACTERS = 20_000
"""Characters of a paragraph: in a longer one, markup is text."""

_MAX_DEPTH = 12
_MAX_TARGET_CHARACTERS = 1000
_MAX_MACRO_CHARACTERS = 5000


_TOKEN = re.compile(
    r"""(?P<escape>\\)
    | \x01(?P<kept>\d+)\x01
    | (?P<entity>&(?:[A-Za-z][A-Za-z0-9]{1,31}|\#\d{2,7}|\#x[0-9A-Fa-f]{2,6});)
    | (?P<quote>[*_`#^~])
    | (?P<curved>["'](?=`))
    | (?P<reference><<(?=[^\s<>]))
    | (?P<angle><(?=(?:https?|ftp|irc|mailto):))
    | (?P<role>\[(?=[^\[\]\n]{1,200}\][*_`#^~]))
    | (?P<anchor>\[\[)
    | (?P<term>\(\((?=[^\s(]|\())
    | (?<![A-Za-z0-9_/:@.-])(?P<address>(?:https?|ftp|irc|file)://(?=[^\s\[\]]))
    | (?<![A-Za-z0-9_/:@.-])(?P<unknown>\{(?=\w[\w-]{0,100}\}[^\s\[\]]{0,1000}\[))
    | (?:(?<![A-Za-z0-9_])|(?=(?:footnote|xref):))(?P<macro>[A-Za-z][A-Za-z0-9_-]{0,40}):(?=[^\s\[]|\[)
    | (?P<break>[ ]\+(?=[ ]*(?:\n|$)))""",
    re.VERBOSE,
)
_QUOTES = re.compile(
    r"(?P<escape>\\)|(?P<quote>[*_`#^~])|(?P<curved>[\"'](?=`))|(?P<role>\[(?=[^\[\]\n]{1,200}\][*_`#^~]))"
)
# In the old mode: `+code+`, and 'emphasis' in straight quotes.
_OLD_TOKEN = re.compile(_TOKEN.pattern.replace("[*_`#^~]", "[*_`#^~+']"), re.VERBOSE)
_KEPT = re.compile(f"{KEPT}(\\d+){KEPT}")
_GLUED = re.compile("(?:footnote|xref)$")
"""Macros that may directly follow a word, as in `x{blank}`."""

_ROLE = re.compile(r"\[([^\[\]\n]{1,200})\](?=[*_`#^~])")
# Values of attributes may have `&lt;`, as what a reader is to fill in: `https://__&lt;host&gt;__/`
_ADDRESS = re.compile(r"[a-z]+://(?:[^\s\[\]<>&]|&(?![lg]t;)){1,2000}")
_NAMES_ADDRESS = re.compile(r"[/.]|ur[il]|link|site|docs")
_AFTER_ADDRESS = ".,;:!?)'\"*_`" + "\u201d"
_MACRO_TARGET = re.compile(rf"[^\s\[\]]{{0,{_MAX_TARGET_CHARACTERS}}}\[")
_ANCHOR = re.compile(
    r"\[\[(?P<bibliography>\[)?(?P<id>[\w:.-]{1,300})(?:,[ ]*(?P<text>[^\]\n]{0,300}))?\]\](?(bibliography)\])"
)
_INDEX_TERM = re.compile(r"\(\((?P<hidden>\()?(?P<text>[^()]{1,500})\)\)(?(hidden)\))")
_UNSPACED = {"^": re.compile(r"\^([^\s^]{1,200})\^"), "~": re.compile(r"~([^\s~]{1,200})~")}
_TAGS: Mapping[str, str] = {
    "*": "strong",
    "_": "em",
    "`": "code",
    "#": "span",
    "^": "sup",
    "~": "sub",
    "+": "code",
    "'": "em",
}
_CONSTRAINED_END: Mapping[str, re.Pattern[str]] = {
    "*": re.compile(r"(?<=\S)\*(?!\w)"),
    "_": re.compile(r"(?<=\S)_(?!\w)"),
    "#": re.compile(r"(?<=\S)#(?!\w)"),
    "+": re.compile(r"(?<=\S)\+(?!\w)"),
    "'": re.compile(r"(?<=\S)'(?!\w)"),
    "`": re.compile(r"(?<=\S)`(?![\w\"'`])"),
}
_CURVED_END: Mapping[str, re.Pattern[str]] = {'"': re.compile(r"(?<=\S)`\"(?!\w)"), "'": re.compile(r"(?<=\S)`'(?!\w)")}
_BEFORE: Mapping[str, re.Pattern[str]] = {
    "*": re.compile(r"[^\w;:}]"),
    "_": re.compile(r"[^\w;:}]"),
    "#": re.compile(r"[^\w&;:}]"),
    "+": re.compile(r"[^\w;:}]"),
    "'": re.compile(r"[^\w;:}]"),
    "`": re.compile(r"[^\w;:\"'`}]"),
}
_TYPOGRAPHIC = re.compile(r"\.\.\.|--|->|=>|<-|<=|\((?:C|R|TM)\)|(?<=\w\\)'(?=\w)|&(?=#?\w+;)|\+")
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{2,7}|#x[0-9A-Fa-f]{2,6});")

_Found = tuple[Sequence[Node], int]
"""The nodes, and where the text continues."""


class InlineReader:
    """Reads the inline markup of one document: knows its attributes, and collects references and footnotes."""

    def __init__(self, attributes: Attributes, references: References, footnotes: Footnotes, path: str) -> None:
        self.attributes = attributes
        self.references = references
        self.footnotes = footnotes
        self.path = path

    def read(self, text: str) -> list[Node]:
        """Read lines of text as nodes."""
        if len(text) > MAX_MARKED_UP_CHARACTERS:
            return [write_plain(self.attributes.replace_references(text))]
        is_old = "compat-mode" in self.attributes
        passthroughs = Passthroughs(text, self.read, is_old=is_old)
        marked_up = self.attributes.replace_references(passthroughs.take())
        if len(marked_up) > MAX_MARKED_UP_CHARACTERS:
            return [write_plain(self.attributes.replace_references(text))]
        tokens = _OLD_TOKEN if is_old else _TOKEN
        marked_up = self._take_site_macros(marked_up, passthroughs.kept, tokens)
        return InlineLine(self, marked_up, passthroughs.kept, 0, tokens).read()

    def _take_site_macros(self, text: str, kept: list[Sequence[Node]], tokens: re.Pattern[str]) -> str:
        """The text with numbers of `kept` in place of the macros, so that their brackets do not end a link."""
        if "[" not in text or not SITE_MACROS.search(text):
            return text
        line = InlineLine(self, text, kept, 1, tokens)

        def take(macro: re.Match[str]) -> str:
            nodes = MACROS[macro["macro"]](line, macro["target"], macro["text"])
            kept.append(nodes or [])
            return f"{KEPT}{len(kept) - 1}{KEPT}"

        return SITE_MACROS.sub(take, text)

    def read_quotes(self, text: str) -> list[Node]:
        """Read code in which only emphasis is interpreted."""
        if len(text) > MAX_MARKED_UP_CHARACTERS:
            return [text]
        return InlineLine(self, text, (), 0, _QUOTES).read()


def get_lines(nodes: Sequence[Node]) -> list[str]:
    """The text of nodes, with as many lines as it was read from."""
    return "".join(node if isinstance(node, str) else get_raw_text(node) for node in nodes).split("\n")


def get_words(nodes: Sequence[Node]) -> str:
    """The text of nodes, on one line."""
    return " ".join(" ".join(get_lines(nodes)).split())


def write_plain(text: str) -> str:
    """Write text in which only character references are interpreted."""
    return unprotect(_ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text)


class InlineLine:
    """A piece of text in which passthroughs and attributes are already replaced."""

    def __init__(
        self,
        reader: InlineReader,
        text: str,
        kept: Sequence[Sequence[Node]],
        depth: int,
        tokens: re.Pattern[str],
        *,
        is_code: bool = False,
    ) -> None:
        self.reader = reader
        self._tokens = tokens
        self._text = text
        self._kept = kept
        self._depth = depth
        self._is_code = is_code
        self._partners = Partners(text)
        self._brackets = Brackets(text)

    def read(self) -> list[Node]:
        nodes: list[Node] = []
        position = 0
        while token := self._tokens.search(self._text, position):
            if token.start() > position:
                nodes.append(write_plain(self._text[position : token.start()]))
            found = self._read_escaped(token) if token["escape"] else self._read_token(token)
            if found is None:
                # A role may begin after the first of two brackets.
                position = token.start() + 1 if token.lastgroup == "anchor" else token.end()
                nodes.append(write_plain(self._text[token.start() : position]))
            else:
                nodes += found[0]
                position = found[1]
        nodes.append(write_plain(self._text[position:]))
        return nodes

    def read_inner(self, text: str, *, is_code: bool = False) -> list[Node]:
        """Read the text inside a span, a link or a footnote."""
        if self._depth >= _MAX_DEPTH:
            return [write_plain(text)]
        is_code = is_code or self._is_code
        return InlineLine(self.reader, text, self._kept, self._depth + 1, self._tokens, is_code=is_code).read()

    def write_words(self, text: str) -> str:
        """Text without markup, such as an address: passthroughs in it become their words."""
        words = _KEPT.sub(lambda kept: get_words(self._kept[int(kept[1])]), text) if KEPT in text else text
        return unprotect(words)

    def _read_token(self, token: re.Match[str]) -> _Found | None:
        return _READERS[token.lastgroup or ""](self, token)

    def _read_escaped(self, backslash: re.Match[str]) -> _Found | None:
        """A backslash before markup is removed, and the markup is text."""
        start = backslash.end()
        if found := _TYPOGRAPHIC.match(self._text, start):
            return [write_plain(found[0])], found.end()
        start += self._text.startswith("\\", start)
        token = self._tokens.match(self._text, start)
        if token is None or token.lastgroup in ("escape", "kept") or self._read_token(token) is None:
            return None
        length = 2 if token["quote"] and start > backslash.end() else len(token[0])
        return [write_plain(self._text[start : start + length])], start + length

    def _read_kept(self, token: re.Match[str]) -> _Found:
        return self._kept[int(token["kept"])], token.end()

    def _read_entity(self, token: re.Match[str]) -> _Found:
        return [write_plain(token[0])], token.end()

    def _read_quote(self, token: re.Match[str]) -> _Found | None:
        return self._read_span(token["quote"], token.start(), token.start(), frozenset())

    def _read_role(self, token: re.Match[str]) -> _Found | None:
        """A span with a role before it. Of roles, only one that strikes text out changes anything."""
        role = _ROLE.match(self._text, token.start())
        if role is None:
            return None
        roles = read_attribute_list(role[1]).roles
        return self._read_span(self._text[role.end()], token.start(), role.end(), roles)

    def _read_span(self, sign: str, first: int, start: int, roles: frozenset[str]) -> _Found | None:
        """`first` is where the span begins, including its role, `start` where its mark is."""
        tag = "del" if sign == "#" and roles & {"line-through", "strike", "strikethrough"} else _TAGS[sign]
        if pattern := _UNSPACED.get(sign):
            found = pattern.match(self._text, start)
            return ([self._make_span(tag, found[1])], found.end()) if found else None
        if self._text.startswith(2 * sign, start):
            end = self._partners.find(2 * sign, 2 * sign, start + 3)
            if end >= 0:
                return [self._make_span(tag, self._text[start + 2 : end])], end + 2
        inner = start + 1
        if inner >= len(self._text) or self._text[inner].isspace():
            return None
        if first > 0 and not _BEFORE[sign].match(self._text, first - 1):
            return None
        end = self._partners.find(sign, _CONSTRAINED_END[sign], inner + 1)
        if end < 0:
            return None
        return [self._make_span(tag, self._text[inner:end])], end + 1

    def _make_span(self, tag: str, text: str) -> Element:
        return make_element(tag, self.read_inner(text, is_code=tag == "code"))

    def _read_curved(self, token: re.Match[str]) -> _Found | None:
        """Curved quotation marks, which are written as straight ones."""
        sign, inner = token["curved"], token.end() + 1
        if (
            inner >= len(self._text)
            or self._text[inner].isspace()
            or self._text[token.start() - 1 : token.start()].isalnum()
        ):
            return None
        end = self._partners.find(sign + "`", _CURVED_END[sign], inner + 1)
        return ([sign, *self.read_inner(self._text[inner:end]), sign], end + 2) if end >= 0 else None

    def _read_reference(self, token: re.Match[str]) -> _Found | None:
        end = self._partners.find(">>", ">>", token.end())
        if end < 0 or end - token.end() > _MAX_TARGET_CHARACTERS:
            return None
        target, comma, text = self._text[token.end() : end].partition(",")
        words = self.read_inner(text.strip()) if comma else []
        return make_reference(self.reader, self.write_words(target.strip()), words, is_macro=False), end + 2

    def _read_angle(self, token: re.Match[str]) -> _Found | None:
        end = self._partners.find(">", ">", token.end())
        inner = self._text[token.end() : end]
        if end < 0 or len(inner) > _MAX_TARGET_CHARACTERS or re.search(r"[\s<\[]", inner):
            return None
        return [self.write_words(inner)], end + 1

    def _read_anchor(self, token: re.Match[str]) -> _Found | None:
        anchor = _ANCHOR.match(self._text, token.start())
        if anchor is None:
            return None
        id, text = self.write_words(anchor["id"]), self.write_words(anchor["text"] or "")
        if anchor["bibliography"]:
            self.reader.references.add(id, f"[{text or id}]")
            return [f"[{text or id}]"], anchor.end()
        self.reader.references.add(id, text)
        return [make_element("a", id=id)], anchor.end()

    def _read_term(self, token: re.Match[str]) -> _Found | None:
        """An index term: shown, or only listed in the index if in three brackets."""
        term = _INDEX_TERM.match(self._text, token.start())
        if term is None:
            return None
        return ([] if term["hidden"] else self.read_inner(re.split(" >> | &> ", term["text"])[0])), term.end()

    def _read_address(self, token: re.Match[str]) -> _Found | None:
        address = _ADDRESS.match(self._text, token.start())
        if address is None:
            return None
        target, end = address[0], address.end()
        if self._text.startswith("[", end):
            closing = self._find_bracket_end(end + 1)
            if closing >= 0:
                return self.make_link(target, self._text[end + 1 : closing]), closing + 1
        target = target.rstrip(_AFTER_ADDRESS)
        return [self.write_words(target)], token.start() + len(target)

    def _read_unknown(self, token: re.Match[str]) -> _Found | None:
        """A link whose address begins with an attribute that only a build sets. In code such braces belong to templates."""
        opening = _MACRO_TARGET.match(self._text, token.start())
        end = self._find_bracket_end(opening.end()) if opening and not self._is_code else -1
        if opening is None or end < 0:
            return None
        target = opening[0][:-1]
        if not _NAMES_ADDRESS.search(target):
            return None
        return self.make_link(target, self._text[opening.end() : end]), end + 1

    def make_link(self, target: str, text: str) -> Sequence[Node]:
        return make_link(self.write_words(target), self.read_inner(read_link_text(text)))

    def _read_macro(self, token: re.Match[str]) -> _Found | None:
        """A macro. An unknown one stays as it is written, and its target is not parsed."""
        opening = _MACRO_TARGET.match(self._text, token.end())
        if opening is None:
            return None
        name, target = token["macro"], opening[0][:-1]
        if name not in MACROS and (glued := _GLUED.search(name)):
            start = token.start() + glued.start()
            return [write_plain(self._text[token.start() : start])], start
        macro, end = MACROS.get(name), self._find_macro_end(name, opening.end())
        if macro is None or end < 0:
            return None
        nodes = macro(self, target, self._text[opening.end() : end].replace("\\]", "]"))
        return (nodes, end + 1) if nodes is not None else None

    def _find_macro_end(self, name: str, start: int) -> int:
        if name.startswith("footnote"):
            return self._brackets.find_closing(start - 1)
        return self._find_bracket_end(start)

    def _find_bracket_end(self, start: int) -> int:
        """The end of the brackets of a macro or a link whose text starts here; -1 if it is not close."""
        end = self._brackets.find_end(start - 1)
        end = end if end >= 0 else self._partners.find("]", MACRO_END, start)
        return end if end <= start + _MAX_MACRO_CHARACTERS else -1

    def _read_break(self, token: re.Match[str]) -> _Found:
        return [make_element("br")], token.end()


_READERS: Mapping[str, Callable[[InlineLine, re.Match[str]], _Found | None]] = {
    "kept": InlineLine._read_kept,
    "entity": InlineLine._read_entity,
    "quote": InlineLine._read_quote,
    "curved": InlineLine._read_curved,
    "reference": InlineLine._read_reference,
    "angle": InlineLine._read_angle,
    "role": InlineLine._read_role,
    "anchor": InlineLine._read_anchor,
    "term": InlineLine._read_term,
    "address": InlineLine._read_address,
    "unknown": InlineLine._read_unknown,
    "macro": InlineLine._read_macro,
    "break": InlineLine._read_break,
}


def read_link_text(text: str) -> str:
    """The text in the brackets of a link, without attributes and the sign for a new window."""
    text = text.strip()
    if picture := PICTURE_IN_LINK.match(text):
        return picture["macro"]
    if "=" in text:
        text = read_attribute_list(text).get(0)
    elif len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    return drop_window_sign(text)
