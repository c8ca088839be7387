"""Invisible characters: which of them scripts and emoji need, and what text is smuggled in the others. It looks at one line at a time.

Needed are: joiners after letters of scripts that join, zero-width spaces after letters of scripts without blanks, joiners between emoji,
one variation selector after a character, tags after a black flag, direction marks and isolates in lines with right-to-left letters, Hangul
fillers beside Hangul. Embeddings and overrides of direction are never needed in text. Soft hyphens are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from collections_app.parsing.documents import Finding, FindingKind
from collections_app.parsing.safety.prose import make_excerpt

_TAGS = "\U000e0020-\U000e007e"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_DIRECTION = "\u200e\u200f\u061c\u2066-\u2069"
_INVISIBLE = (
    f"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d{_DIRECTION}\u202a-\u202e\u2060-\u2064\u206a-\u206f"
    f"\u3164\ufeff\uffa0\ufff9-\ufffb{_SELECTORS}\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)

_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
_WITHOUT_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u4e00-\u9fff"
_EMOJI = "\u2190-\u2bff\u3030\u303d\U0001f000-\U0001faff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"

_NEEDED = (
    f"(?<=[{_JOINING}])[\u200c\u200d](?![\u200b-\u200d])"
    f"|(?<=[{_WITHOUT_BLANKS}])\u200b(?![\u200b-\u200d])"
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[^\\s{_INVISIBLE}])[{_SELECTORS}](?![{_SELECTORS}])"
    f"|(?<=\U0001f3f4)[{_TAGS}]{{1,6}}\U000e007f"
    f"|(?<=[{_HANGUL}])[\u115f\u1160\u3164]|[\u115f\u3164](?=[{_HANGUL}])"
    "|(?<=[\u1800-\u18af])[\u180b-\u180f]|(?<=[\u1780-\u17ff])[\u17b4\u17b5]"
)

_ANY = re.compile(f"[{_INVISIBLE}]")
# All of them begin with such a character: where none is, nothing else is tried.
_SPLIT = re.compile(f"(?=[{_INVISIBLE}])(?:(?P<needed>{_NEEDED})|(?P<taken>[{_INVISIBLE}]))")
_SPLIT_RIGHT_TO_LEFT = re.compile(
    f"(?=[{_INVISIBLE}])(?:(?P<needed>{_NEEDED}|[{_DIRECTION}])|(?P<taken>[{_INVISIBLE}]))"
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_MIN_SMUGGLED_CHARACTERS = 4
_NAMED = 5


@dataclass(frozen=True, slots=True)
class InvisibleRun:
    """The characters removed from a line, counted from 0; `excerpt` is the beginning of the line without them."""

    line: int
    characters: str
    excerpt: str


def has_invisible_characters(text: str) -> bool:
    """A quick check whether the text needs a closer look; most do not."""
    return not text.isascii() and _ANY.search(text) is not None


def strip_invisible(line: str) -> tuple[str, str]:
    """The line without the invisible characters that nothing needs, and these characters."""
    split = _SPLIT_RIGHT_TO_LEFT if _RIGHT_TO_LEFT.search(line) else _SPLIT
    taken = "".join(match["taken"] for match in split.finditer(line) if match["taken"])
    return (split.sub(lambda match: match["needed"] or "", line), taken) if taken else (line, "")


def strip_invisible_lines(content: str) -> tuple[str, list[InvisibleRun]]:
    """The text without them, and what was removed from which line."""
    if not has_invisible_characters(content):
        return content, []
    runs = []
    lines = content.split("\n")
    for number, line in enumerate(lines):
        if has_invisible_characters(line):
            lines[number], taken = strip_invisible(line)
            if taken:
                runs.append(InvisibleRun(number, taken, make_excerpt(lines[number])))
    return "\n".join(lines), runs


def iter_run_findings(runs: Iterable[InvisibleRun], *, removed: bool) -> Iterator[Finding]:
    """A finding for each run. If its characters spell a text, that text is reported as hidden."""
    for run in runs:
        if smuggled := read_smuggled_text(run.characters):
            yield Finding(FindingKind.HIDDEN_TEXT, run.line, make_excerpt(smuggled), removed)
        else:
            yield Finding(FindingKind.INVISIBLE_CHARACTERS, run.line, _describe(run), removed)


def _describe(run: InvisibleRun) -> str:
    names = ", ".join(f"U+{ord(each):04X}" for each in sorted(set(run.characters))[:_NAMED])
    return make_excerpt(f"{len(run.characters)} × {names} in: {run.excerpt}")


def read_smuggled_text(characters: str) -> str:
    """The ASCII text that tag characters or variation selectors spell (one character or byte each); empty if they spell none."""
    spelt = "".join(filter(None, map(_read_character, characters)))
    is_text = len(spelt) >= _MIN_SMUGGLED_CHARACTERS and any(each.isalnum() for each in spelt)
    return spelt if is_text else ""


def _read_character(character: str) -> str:
    code = ord(character)
    if 0xE0020 <= code <= 0xE007E:
        return chr(code - 0xE0000)
    if 0xFE00 <= code <= 0xFE0F:
        byte = code - 0xFE00
    elif 0xE0100 <= code <= 0xE01EF:
        byte = code - 0xE0100 + 16
    else:
        return ""
    return chr(byte) if 32 <= byte < 127 else ""
