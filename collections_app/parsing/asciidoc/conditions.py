"""Keeps the lines of a text selected by `ifdef`, `ifndef`, `ifeval` and `endif`, and removes these directives.

If a condition depends on attributes that neither AsciiDoc nor the text sets, they belong to a configuration that is not available. Its
content is then kept whether the condition tests for set or unset, except for the attributes that it would set.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from collections_app.parsing.asciidoc.attributes import Attributes, is_set_elsewhere, match_entry, read_entry_value

_MAX_LINE_CHARACTERS = 1000
_DIRECTIVE = re.compile(r"(?P<escape>\\?)(?P<name>ifdef|ifndef|ifeval|endif)::(?P<target>[^\s\[\]]*)\[(?P<text>.*)\]$")
_COMPARISON = re.compile(r"(?P<left>[^=!<>]*+)(?P<sign>[=!<>]=|[<>])(?P<right>[^=!<>]*+)$")
_QUOTED = re.compile(r"([\"'])(.*)\1$")
_REFERENCE = re.compile(r"\{\w[\w-]*\}")
_SIGNS: Mapping[str, Callable[[float | str, float | str], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _Answer(Enum):
    YES = auto()
    NO = auto()
    UNKNOWN = auto()


@dataclass(slots=True)
class Conditions:
    """The conditions open at a line. `own` are the attributes that the text sets or unsets anywhere."""

    attributes: Attributes
    own: frozenset[str]
    _open: list[_Answer] = field(default_factory=list)
    _counts: Counter[_Answer] = field(default_factory=Counter)

    @property
    def is_kept(self) -> bool:
        return not self._open or not self._counts[_Answer.NO]

    @property
    def is_known(self) -> bool:
        return not self._counts[_Answer.UNKNOWN]

    def take(self, line: str) -> str | None:
        """The line, as it is without directives; None if it is left out. Attribute entries are handled by the caller."""
        directive = _match(line)
        if directive is None:
            return line if self.is_kept else None
        if directive["escape"]:
            return line[1:] if self.is_kept else None
        if directive["name"] == "endif":
            if self._open:
                self._counts[self._open.pop()] -= 1
            return None
        answer = self._ask(directive)
        if directive["name"] == "ifeval" or not directive["text"]:
            self._open.append(answer)
            self._counts[answer] += 1
            return None
        is_wanted = answer is _Answer.YES or (answer is _Answer.UNKNOWN and match_entry(directive["text"]) is None)
        return directive["text"] if is_wanted and self.is_kept else None

    def _ask(self, directive: re.Match[str]) -> _Answer:
        if not self.is_kept:
            return _Answer.NO
        if directive["name"] == "ifeval":
            return self._compare(directive["text"])
        names = re.split("[,+]", directive["target"].lower())
        are_set = [name in self.attributes for name in names]
        if not any(are_set) and not all(name in self.own or is_set_elsewhere(name) for name in names):
            return _Answer.UNKNOWN
        holds = all(are_set) if "+" in directive["target"] else any(are_set)
        return _Answer.YES if holds is (directive["name"] == "ifdef") else _Answer.NO

    def _compare(self, expression: str) -> _Answer:
        comparison = _COMPARISON.match(expression.strip())
        if comparison is None:
            return _Answer.UNKNOWN
        left, right = (self.attributes.replace_references(comparison[side].strip()) for side in ("left", "right"))
        if any(
            reference[1:-1].lower() not in self.own and not is_set_elsewhere(reference[1:-1])
            for reference in _REFERENCE.findall(left + right)
        ):
            return _Answer.UNKNOWN
        values = _read_values(_REFERENCE.sub("", left), _REFERENCE.sub("", right))
        return _Answer.YES if _SIGNS[comparison["sign"]](*values) else _Answer.NO


def find_own_attributes(lines: Sequence[str]) -> frozenset[str]:
    """The names of all attributes that the text sets or unsets, whether conditionally or not."""
    entries = filter(None, (match_entry(line) for line in lines if line.startswith(":")))
    directives = (_match(line) for line in lines if line.startswith(("ifdef", "ifndef")))
    within = (match_entry(directive["text"]) for directive in directives if directive)
    return frozenset(entry["name"].lower() for entry in (*entries, *filter(None, within)))


def iter_kept_lines(lines: Sequence[str], attributes: Attributes) -> Iterator[str]:
    """The lines that are kept. Conditions are tested against `attributes`, which are updated with what the text sets along the way."""
    conditions = Conditions(attributes, find_own_attributes(lines))
    for number, line in enumerate(lines):
        kept = conditions.take(line)
        if kept is None:
            continue
        entry = match_entry(kept)
        if entry:
            if not conditions.is_known:
                continue
            attributes.take_entry(entry, read_entry_value(entry, list(lines[number + 1 : number + 50]))[0])
        yield kept


def _match(line: str) -> re.Match[str] | None:
    if not line.startswith(("if", "endif", "\\if", "\\endif")) or len(line) > _MAX_LINE_CHARACTERS:
        return None
    return _DIRECTIVE.match(line)


def _read_values(left: str, right: str) -> tuple[float | str, float | str]:
    """Both values as numbers if possible, else as texts."""
    quoted = [_QUOTED.match(side) for side in (left, right)]
    texts = [match[2] if match else side for match, side in zip(quoted, (left, right), strict=True)]
    if not any(quoted):
        try:
            return float(left), float(right)
        except ValueError:
            pass
    return texts[0], texts[1]
