"""Values that stand in the code of a configuration as they are: in Sphinx's conf.py, and in Docusaurus' JavaScript. Nothing is run. PURE.

https://www.sphinx-doc.org/en/master/usage/configuration.html,
https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-client-redirects, https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

# What is not closed ends with its line, or with the text: a pattern that fails there would be tried again at every sign before.
_STRING = r"\"(?:[^\"\\\n]|\\.?)*+\"?|'(?:[^'\\\n]|\\.?)*+'?"
_TOKEN = re.compile(rf"#[^\n]*+|(?P<string>{_STRING})|(?P<sign>[:,\[\]{{}}(])")
# At the margin: what stands under a condition may not apply.
_ASSIGNED = re.compile(
    rf"\n(?P<name>redirects|rediraffe_redirects|exclude_patterns)[ \t]*(?::[^=\n]*+)?\+?=\s*+"
    rf"(?:(?P<many>[\[{{])|(?P<text>{_STRING}))"
)

_JS_STRING = rf"{_STRING}|`[^`\\$\n]*+`"
# Signs of a comment may stand in a text: `**/*.js`, `https://…`.
_COMMENT = re.compile(rf"(?P<text>{_JS_STRING})|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
_OBJECT = re.compile(r"\{[^{}]*+\}")
_TO = re.compile(rf"\bto[ \t]*:\s*+(?P<to>{_JS_STRING})")
_FROM = re.compile(rf"\bfrom[ \t]*:\s*+(?P<from>\[[^\]]*+|{_JS_STRING})")
_STRINGS = re.compile(_JS_STRING)
_EXCLUDE = re.compile(r"\bexclude[ \t]*:\s*+\[(?P<patterns>[^\]]*+)")
_PATH = re.compile(rf"\bpath[ \t]*:\s*+(?P<path>{_JS_STRING})")
_REDIRECTS = "plugin-client-redirects"


@dataclass(frozen=True, slots=True)
class PythonValues:
    """What names are assigned at the margin: texts, lists of texts, pairs of texts."""

    texts: Mapping[str, str]
    lists: Mapping[str, Sequence[str]]
    pairs: Mapping[str, Sequence[tuple[str, str]]]


def read_python(text: str) -> PythonValues:
    texts: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    pairs: dict[str, list[tuple[str, str]]] = {}
    text = f"\n{text}"
    for found in _ASSIGNED.finditer(text):
        name = found["name"]
        if found["text"]:
            texts[name] = _unquote(found["text"])
        elif found["many"] == "[":
            lists.setdefault(name, []).extend(each for _, each in _iter_items(text, found.end("many")))
        else:
            items = _iter_items(text, found.end("many"))
            pairs.setdefault(name, []).extend((key, value) for key, value in items if key is not None)
    return PythonValues(texts, lists, pairs)


def _iter_items(text: str, start: int) -> Iterator[tuple[str | None, str]]:
    """The texts in a list or mapping up to its end, with their keys; no further than where another one, or a call, begins."""
    key: str | None = None
    value: list[str] = []
    for token in _TOKEN.finditer(text, start):
        if token["string"]:
            value.append(_unquote(token["string"]))
        elif token["sign"] == ":":
            key, value = "".join(value), []
        elif token["sign"]:
            if value:
                yield key, "".join(value)
            key, value = None, []
            if token["sign"] != ",":
                return


def _unquote(string: str) -> str:
    return re.sub(r"\\(.)", r"\1", string[1:-1])


@dataclass(frozen=True, slots=True)
class DocusaurusValues:
    """`excluded`: patterns with the folder of their pages."""

    moved: Sequence[tuple[str, str]]
    excluded: Sequence[tuple[str, Sequence[str]]]


def read_docusaurus(text: str) -> DocusaurusValues:
    text = _COMMENT.sub(lambda found: found["text"] or "", text)
    return DocusaurusValues(
        list(_iter_redirects(text.partition(_REDIRECTS)[2])) if _REDIRECTS in text else [],
        list(_iter_excluded(text)) if "exclude" in text else [],
    )


def _iter_redirects(text: str) -> Iterator[tuple[str, str]]:
    """Of the objects after the plugin's name, those with both `from` and `to`."""
    for each in _OBJECT.finditer(text):
        to, old = _TO.search(each[0]), _FROM.search(each[0])
        if to and old:
            yield from ((string[1:-1], to["to"][1:-1]) for string in _STRINGS.findall(old["from"]))


def _iter_excluded(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Patterns of an object of options without others in it that has the folder of its pages."""
    for each in _OBJECT.finditer(text):
        patterns, path = _EXCLUDE.search(each[0]), _PATH.search(each[0])
        if patterns and path:
            yield path["path"][1:-1], [string[1:-1] for string in _STRINGS.findall(patterns["patterns"])]
