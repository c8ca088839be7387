"""The attributes of a document: its own and those built into AsciiDoc, and how references to them are replaced.

A reference to an attribute that is not set stays as written: it may be `{id}` in an address, or set only in the site's configuration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.exceptions import ParseError
from collections_app.parsing.asciidoc.signs import protect

MAX_REFERENCED_CHARACTERS = 5_000_000
"""Attributes may contain attributes: a few lines could make billions of words."""

_MAX_VALUE_CHARACTERS = 20_000

_ENTRY = re.compile(r":(?P<off>!?)(?P<name>\w[\w-]*)(?P<off_after>!?):(?:[ \t]+(?P<value>.*))?$")
_PASS = re.compile(r"pass:(?P<subs>[a-z,+-]*)\[(?P<text>.*)\]$")
_MARKED_UP = frozenset({"a", "attributes", "m", "macros", "n", "normal", "q", "quotes"})
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_REFERENCE = re.compile(
    r"(?P<escape>\\?)\{(?:(?P<counter>counter2?):(?P<counted>\w[\w-]*)(?::(?P<seed>\w+))?"
    r"|set:(?P<set>\w[\w-]*)(?P<off>!?)(?::(?P<value>[^{}]*+))?|(?P<name>\w[\w-]*))\}"
)

# From https://docs.asciidoctor.org/asciidoc/latest/attributes/character-replacement-ref/; invisible characters become nothing.
_CHARACTERS: Mapping[str, str] = {
    **dict.fromkeys(("blank", "empty", "zwsp", "wj"), ""),
    "sp": " ", "nbsp": "\u00a0", "deg": "°", "brvbar": "¦",
    **dict.fromkeys(("apos", "lsquo", "rsquo"), protect("'")),
    **dict.fromkeys(("quot", "ldquo", "rdquo"), protect('"')),
    **{name: protect(sign) for name, sign in {
        "amp": "&", "asterisk": "*", "backslash": "\\", "backtick": "`", "caret": "^", "cpp": "C++", "cxx": "C++", "endsb": "]",
        "gt": ">", "lt": "<", "plus": "+", "pp": "++", "startsb": "[", "tilde": "~", "two-colons": "::", "two-semicolons": ";;",
        "vbar": "|",
    }.items()},
}  # fmt: skip

# The output that the text is read for: a web page.
_BUILT_IN: Mapping[str, str] = {
    **dict.fromkeys(("asciidoctor", "backend-html", "backend-html5", "basebackend-html", "filetype-html", "doctype-article"), ""),
    "sectids": "",
    "backend": "html5", "basebackend": "html", "filetype": "html", "doctype": "article", "outfilesuffix": ".html",
}  # fmt: skip

# Attributes that are only set elsewhere: a condition on one of them is false.
_ELSEWHERE = re.compile(
    r"env-(?:github|gitlab|vscode|idea|browser|bitbucket)|(?:base)?backend-(?:pdf|docbook\d?|manpage|epub3|revealjs|xhtml5?)"
    r"|asciidoctor-(?:diagram|pdf|epub3)|doctype-(?:article|book|inline|manpage)|asciidoc-py|safe-mode-\w+|icons|experimental"
)


class Attributes:
    """The attributes set while a document is read."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._values: dict[str, str] = {**_BUILT_IN, **(given or {})}
        self._characters_left = MAX_REFERENCED_CHARACTERS

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._values or name.lower() in _CHARACTERS

    def get(self, name: str) -> str | None:
        return self._values.get(name.lower(), _CHARACTERS.get(name.lower()))

    def set(self, name: str, value: str) -> None:
        """Set an attribute; a `leveloffset` with a sign is added to the current one."""
        name = name.lower()
        if name == "leveloffset" and value[:1] in ("+", "-"):
            value = str(read_number(self._values.get(name, "0")) + read_number(value))
        if name == "doctype":
            self._values.pop(f"doctype-{self._values.get(name)}", None)
            self._values[f"doctype-{value}"] = ""
        self._values[name] = value[:_MAX_VALUE_CHARACTERS]

    def unset(self, name: str) -> None:
        self._values.pop(name.lower(), None)

    def take_entry(self, entry: re.Match[str], value: str) -> None:
        """Apply an attribute entry, as match_entry() finds it; `value` is the whole value, including its continuation lines."""
        if entry["off"] or entry["off_after"]:
            self.unset(entry["name"])
        else:
            self.set(entry["name"], self.replace_references(_read_value(value)))

    def replace_references(self, text: str) -> str:
        """Raises ParseError if references expand a text too far."""
        return _REFERENCE.sub(self._replace, text) if "{" in text else text

    def _replace(self, reference: re.Match[str]) -> str:
        if reference["escape"]:
            return protect(reference[0][1:])
        if reference["set"]:
            if reference["off"]:
                self.unset(reference["set"])
            else:
                self.set(reference["set"], reference["value"] or "")
            return ""
        if reference["counter"]:
            value = self._count(reference["counted"], reference["seed"] or "1")
            return value if reference["counter"] == "counter" else ""
        known = self.get(reference["name"])
        if known is None:
            return reference[0]
        self._characters_left -= len(known)
        if self._characters_left < 0:
            raise ParseError(
                f"Attribute references make more than {MAX_REFERENCED_CHARACTERS:,} characters; cut the file into several."
            )
        return known

    def _count(self, name: str, seed: str) -> str:
        before = self._values.get(name.lower())
        if before is None:
            value = seed
        elif before.isdecimal():
            value = str(read_number(before) + 1)
        else:
            value = chr(ord(before[0]) + 1) if before[:1].isalpha() and before.isascii() else seed
        self.set(name, value)
        return value


def _read_value(value: str) -> str:
    """The value, of `pass:q[…]` the text in the brackets. With these letters it is marked up where it is used; without, it is HTML, whose
    tags are dropped.
    """
    passed = _PASS.match(value)
    if passed is None:
        return value
    return passed["text"] if _MARKED_UP & set(passed["subs"].split(",")) else protect(_TAG.sub("", passed["text"]))


def match_entry(line: str) -> re.Match[str] | None:
    """The match of an attribute entry: `:name: value`, or `:!name:`, which unsets one."""
    return _ENTRY.match(line) if line.startswith(":") else None


def read_entry_value(entry: re.Match[str], following: list[str]) -> tuple[str, int]:
    """The value, and how many of the following lines continue it: each line but the last ends with a backslash."""
    parts, count = [(entry["value"] or "").rstrip()], 0
    while parts[-1].endswith(" \\") and count < len(following) and following[count].strip():
        parts[-1] = parts[-1].removesuffix("\\").rstrip().removesuffix(" +")
        parts.append(following[count].strip())
        count += 1
    return " ".join(parts), count


def is_set_elsewhere(name: str) -> bool:
    """Whether it is an attribute that only tools other than a site's generator set, or that only changes the look."""
    return _ELSEWHERE.fullmatch(name) is not None


def read_number(text: str) -> int:
    """A whole number of a few digits, with or without a sign; 0 for anything else."""
    digits = text.strip().lstrip("+-")
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 7 else 0
    return -number if text.strip().startswith("-") else number
