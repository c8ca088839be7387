"""The numbers that an OpenDocument text gives its headings and items (OpenDocument 1.3, part 3, sections 16.30 to 16.34)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from collections_app.parsing.office.numbers import read_number, write_number
from collections_app.parsing.office.odt.names import STYLE, TEXT

DEEPEST_LEVEL = 10
MAX_NUMBER = 100_000
_MAX_LABEL_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Level:
    """`format` is `1`, `a`, `A`, `i`, `I`, or empty for no number; `shown` is the number of levels whose numbers are written."""

    format: str = ""
    before: str = ""
    behind: str = ""
    shown: int = 1
    start: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether Markdown numbers the items in the same way."""
        return self.format == "1" and self.shown == 1 and not self.before and self.behind in ("", ".", ")")


_BULLET = Level()


class Numbering:
    """The levels of a list style, or of the headings, and the current number of each."""

    def __init__(self, levels: Mapping[int, Level]) -> None:
        self._levels = levels
        self._counters: dict[int, int] = {}

    def get_level(self, depth: int) -> Level:
        return self._levels.get(depth, _BULLET)

    def count(self, depth: int, start: int | None = None) -> int:
        """The next number at this depth, 1 for the outermost. Deeper levels begin anew."""
        now = self._counters.get(depth)
        if start is None:
            start = self.get_level(depth).start if now is None else now + 1
        self._counters[depth] = start
        self.restart(depth + 1)
        return start

    @property
    def counters(self) -> dict[int, int]:
        return dict(self._counters)

    def resume(self, counters: Mapping[int, int]) -> None:
        """Continue with the numbers of another list."""
        self._counters = dict(counters)

    def restart(self, depth: int) -> None:
        """Begin anew at this depth and below."""
        for below in [each for each in self._counters if each >= depth]:
            del self._counters[below]

    def write_label(self, depth: int) -> str:
        """The number last counted, such as `2.1` or `(a)`; empty if there is none."""
        level = self.get_level(depth)
        if not level.format:
            return ""
        shown = [each for each in range(max(depth - level.shown + 1, 1), depth + 1) if self.get_level(each).format]
        numbers = (
            write_number(self._counters.get(each, self.get_level(each).start), self.get_level(each).format)
            for each in shown
        )
        return f"{level.before}{'.'.join(numbers)}{level.behind}".strip()[:_MAX_LABEL_CHARACTERS]


class Numberings:
    """The numberings of one document: those of list styles by name, and that of its headings."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._lists: dict[str, Numbering] = {}
        self.headings = Numbering({})
        for root in roots:
            for style in root.iter(f"{TEXT}list-style"):
                self._lists[style.get(f"{STYLE}name", "")] = Numbering(_read_levels(style))
            for style in root.iter(f"{TEXT}outline-style"):
                self.headings = Numbering(_read_levels(style))

    def get(self, name: str) -> Numbering:
        return self._lists.setdefault(name, Numbering({}))


def _read_levels(style: Element) -> dict[int, Level]:
    levels = dict[int, Level]()
    for each in style:
        if each.tag in (f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"):
            depth = read_number(each.get(f"{TEXT}level"), 0, DEEPEST_LEVEL)
            levels[depth] = Level(
                format=each.get(f"{STYLE}num-format", "")[:1],
                before=each.get(f"{STYLE}num-prefix", ""),
                behind=each.get(f"{STYLE}num-suffix", ""),
                shown=read_number(each.get(f"{TEXT}display-levels"), 1, DEEPEST_LEVEL),
                start=read_number(each.get(f"{TEXT}start-value"), 1, MAX_NUMBER),
            )
    return levels
