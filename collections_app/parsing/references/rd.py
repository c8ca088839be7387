r"""What pages of R documentation refer to in others, and what they can be referred to by: topics, which are the names that a page documents
(`\alias`) and that of its file. In other packages of the source a topic has the name of its package's folder before it (`boats::sail`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from collections_app.parsing.hints import Hint
from collections_app.parsing.references.mentions import MAX_MENTIONS, Mention
from collections_app.parsing.references.names import MAX_LABEL_CHARACTERS, Label, Names
from collections_app.parsing.references.targets import Kind

HINT = Hint(rb"\\link")
"""Is in every text in which iter_mentions() finds something."""

MAX_CHARACTERS = 2_000_000

_LINK = re.compile(r"\\(link(?:S4class)?)(?:\[([^\[\]{}\n]{0,300})\])?\{((?:[^{}\\\n]|\\.){1,300})\}")
_NAME = re.compile(r"^[ \t]*\\(?:alias|name)\{((?:[^{}\\\n]|\\.){1,300})\}", re.MULTILINE)
_ESCAPED = re.compile(r"\\([\\%{}])")


def name_topic(macro: str, option: str, words: str) -> str:
    r"""The topic that a link leads to: `\link{sail}`, `\link[=sail]{words}`, `\link[boats]{sail}`, `\link[boats:sail]{words}`."""
    topic = f"{words}-class" if macro == "linkS4class" else words
    if option.startswith("="):
        return option[1:]
    package, sign, name = option.partition(":")
    return f"{package}::{name if sign else topic}" if package else topic


def iter_mentions(text: str) -> Iterator[Mention]:
    """The topics, each once, up to MAX_MENTIONS."""
    topics = (name_topic(macro, option, _read(words)) for macro, option, words in _LINK.findall(text))
    yield from (Mention(Kind.LABEL, topic) for topic in islice(dict.fromkeys(topics), MAX_MENTIONS))


def read_names(text: str, path: str) -> Names:
    folder, file = posixpath.split(path)
    package = posixpath.basename(posixpath.dirname(folder))
    topics = dict.fromkeys([*map(_read, _NAME.findall(text)), posixpath.splitext(file)[0]])
    names = [topic for topic in topics if len(topic) <= MAX_LABEL_CHARACTERS]
    return Names("", [Label(name, "", "") for topic in names for name in (topic, f"{package}::{topic}")])


def _read(written: str) -> str:
    return _ESCAPED.sub(r"\1", written).strip()
