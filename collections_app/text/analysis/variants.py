"""Uniform words for numbers and abbreviations that are written in several ways. PURE, on folded text.

`3,000` becomes 3000, `401(k)` 401k, `U.S.` US, `SOC2` and `SOC 2` SOC_2; a version also gives its series, `8.2` for `8.2.1`. The index has
these words besides those of the text. A question searches for them instead of its own words; for a number with blanks or full stops, only
if it ends in 000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# For speed, patterns begin with a character that most of a text does not have; what must come before it is checked afterwards.
_FIRST = r"\d(?<![\w.,']\d)"
_LETTERED = r"\d(?<![\w.]\d)\d*(?:\([A-Za-z0-9]\))+"
_INITIALS = r"[A-Z]\.[A-Z](?<![\w.][A-Z]\.[A-Z])(?:\.[A-Z])*(?!\w|\.\w)"
# In a text this may also be several numbers (`80 443`) or a version (`1.100`); in a question it must be an amount.
WRITTEN_NUMBER = re.compile(rf"{_FIRST}\d{{0,2}}(?:(?:[,']\d{{3}})+|(?:[. ]\d{{3}})+)(?!\w)|{_LETTERED}", re.ASCII)
ASKED_NUMBER = re.compile(
    rf"{_FIRST}\d{{0,2}}(?:(?:[,']\d{{3}})+|(?:[. ]\d{{3}})*[. ]000)(?!\w|\.\d)|{_LETTERED}", re.ASCII
)
INITIALS = re.compile(_INITIALS, re.ASCII)
SERIES = re.compile(r"\d(?:(?<![\w.]\d)|(?<=\bv\d))\d{0,3}\.\d{1,4}(?=\.\d{1,5}(?!\w|\.\w))", re.ASCII)
SIGN = re.compile(r"[^A-Za-z0-9]")
# In a text, a name before a number begins with a capital; questions do not keep to that. A single word with a number (`sha256`) counts in
# any case.
_NUMBER = r"(\d{1,5}[a-z]?)(?!\w|[.,']\d| \d{3}(?!\w))"
WRITTEN_NUMBERED = re.compile(rf"([A-Z](?<![A-Za-z0-9_][A-Z])[A-Za-z]*)(?:\.[ -]?|[ /-]){_NUMBER}", re.ASCII)
JOINED_NUMBER = re.compile(r"\d(?<=[A-Za-z]\d)\d{0,4}[a-z]?(?!\w|[.,']\d)", re.ASCII)
LETTERS = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]{2,}\Z", re.ASCII)
MAX_LETTERS = 40
ASKED_NUMBERED = re.compile(rf"((?<![A-Za-z0-9_])[A-Za-z]+)\.?[ /-]?{_NUMBER}", re.ASCII)
PARAGRAPH = re.compile(rf"§ ?{_NUMBER}", re.ASCII)
# A digit or two initials, without which a line has nothing that is written in several ways.
VARIED = re.compile(r"[0-9.](?:(?<=[0-9])|(?<=[A-Z]\.)[A-Z])")


def take_varied_lines(text: str) -> str:
    """Those lines of a text that list_plain() and list_numbered() may find something in: mostly few, often none."""
    lines = []
    found = VARIED.search(text)
    while found:
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        lines.append(text[text.rfind("\n", 0, found.start()) + 1 : end])
        found = VARIED.search(text, end)
    return "\n".join(lines)


def list_plain(text: str) -> list[str]:
    """The uniform words for numbers and initials in a text, and the series of versions; each once."""
    written = dict.fromkeys(WRITTEN_NUMBER.findall(text) + INITIALS.findall(text))
    return [*(SIGN.sub("", each) for each in written), *list_series(text)]


def list_series(text: str) -> list[str]:
    """The series of versions, each once; for texts and questions."""
    return list(dict.fromkeys(SERIES.findall(text)))


def make_plain(question: str) -> str:
    """The question with uniform words instead of its own. Initials are kept too, as their word may be a stop word (`I.T.`)."""
    question = ASKED_NUMBER.sub(lambda written: f"{SIGN.sub('', written[0])} ", question)
    return INITIALS.sub(lambda written: f"{written[0]} {SIGN.sub('', written[0])} ", question)


def list_numbered(text: str, *, is_question: bool = False) -> list[str]:
    """Names followed by a number (`SOC 2`, `Section 5`, `GS-15`, `HTTP/3`, `§ 7`), written as SOC_2 and paragraph_7, each once."""
    found = ASKED_NUMBERED.findall(text) if is_question else [*WRITTEN_NUMBERED.findall(text), *iter_joined(text)]
    found += [("paragraph", number) for number in PARAGRAPH.findall(text)]
    return list(dict.fromkeys(map("_".join, found)))


def iter_joined(text: str) -> Iterator[tuple[str, str]]:
    """The (letters, number) of each word that consists of both (`sha256`); a single letter is no name (`k8s`)."""
    for number in JOINED_NUMBER.finditer(text):
        start = number.start()
        if letters := LETTERS.search(text, max(start - MAX_LETTERS, 0), start):
            yield letters[0], number[0]
