"""References to code that mkdocs-autorefs resolves for mkdocstrings (`[words][sea.Boat]`, `[sea.Boat][]`): each becomes its words, since
only a build knows where they lead. PURE.

https://mkdocstrings.github.io/autorefs/. What a page defines was written as a link before, by markdown/reference_links.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from collections_app.parsing.markdown.reference_links import fold_label
from collections_app.parsing.safety.places import replace_outside_code

_CODE = r"`[^`\n]++`"
_PART = r"[A-Za-z_]\w*+"
_DOTTED = rf"{_PART}(?:\.{_PART})++"
# Not a file that a page of another site may have forgotten to define: `[CONTRIBUTING.md][]`.
_NO_FILE = rf"(?!{_PART}\.(?:com|css|html?|io|js|json|mdx?|org|py|rst|sh|toml|ts|txt|ya?ml)$)"
_NAME = re.compile(rf"{_NO_FILE}{_DOTTED}")
_WORD = re.compile(rf"{_NO_FILE}{_PART}(?:[.-]\w++)*+")
_HINT = re.compile(rf"\]\[(?:\]|{_DOTTED}\])")
# What stands right behind other brackets or a word is code without its signs (`list[0][a.b]`), or a link of Org. `[^1]` is a footnote.
_WORDS = rf"(?!\^)(?P<words>(?:{_CODE}|[^\[\]`\n\\]|\n(?![ \t]*+\n)){{1,500}}+)"
_REFERENCE = re.compile(rf"(?<![\]\[)!`\\$_A-Za-z0-9])\[{_WORDS}\]\[(?P<name>[^\[\]\n\s]*+)\](?![\[({{])")
_DEFINED = re.compile(r"^[ \t>]*+(?:[-*+][ \t]++)?\[([^\[\]\n]++)\]:", re.MULTILINE)
_ONLY_CODE = re.compile(rf"{_CODE}(?:\(\))?")


def write_autorefs(content: str) -> str:
    """The text with the words of references to names with dots. Where there are such, other names that the page does not define are
    references, too. No line moves.
    """
    if "][" not in content or not _HINT.search(content):
        return content
    defined = {fold_label(label) for label in _DEFINED.findall(content)}
    written = replace_outside_code(_REFERENCE, _make_writer(defined, _is_sure), content)
    return written if written == content else replace_outside_code(_REFERENCE, _make_writer(defined, _may_be), written)


def _make_writer(defined: set[str], is_meant: Callable[[str, str], bool]) -> Callable[[re.Match[str]], str]:
    def write(found: re.Match[str]) -> str:
        words, name = found["words"], found["name"]
        is_undefined = fold_label(name or words) not in defined
        return words if words.strip() and is_undefined and is_meant(words, name) else found[0]

    return write


def _is_sure(words: str, name: str) -> bool:
    return _NAME.fullmatch(name or words.strip("`")) is not None


def _may_be(words: str, name: str) -> bool:
    return _WORD.fullmatch(name or words) is not None or (not name and _ONLY_CODE.fullmatch(words) is not None)
