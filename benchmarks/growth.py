"""Pages for any size of library, made of real ones: each copy has rare words of its own, and may be in another language. PURE.

The commonest words stay what they are, so that they are as common in a large library as in a small one. Of the others two in three get an
ending that only this copy has: the vocabulary grows about as it does with real text (Heaps' law). A language that is not English is made by
putting other letters in the place of each: its words are of the right length and frequency, and those of no other language.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

LANGUAGES = (
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "swedish",
    "finnish",
    "russian",
)
COMMONEST = 2_000
WORD = re.compile(r"[A-Za-z]{3,}")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FENCED_LINE = re.compile(r"^(```.*)$", re.MULTILINE)
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувщыжз")


@dataclass(frozen=True, slots=True)
class Page:
    """`section_count` is near what ingest makes of it."""

    path: str
    text: str
    headings: tuple[str, ...]

    @property
    def section_count(self) -> int:
        return max(1, len(self.headings))


def read_library(folder: Path) -> list[Page]:
    files = ((str(file.relative_to(folder)), file.read_text(errors="replace")) for file in sorted(folder.rglob("*.md")))
    return [Page(path, text, tuple(HEADING.findall(text))) for path, text in files]


def find_common(pages: Iterable[Page]) -> frozenset[str]:
    counts = Counter(word for page in pages for word in WORD.findall(page.text.lower()))
    return frozenset(word for word, _ in counts.most_common(COMMONEST))


@dataclass(frozen=True, slots=True)
class Copy:
    """How the words of one copy of the library read."""

    number: int
    common: frozenset[str]

    @property
    def language(self) -> str:
        """English every other time."""
        return LANGUAGES[1 + self.number // 2 % 9] if self.number % 2 else LANGUAGES[0]

    def rewrite(self, text: str) -> str:
        if not self.number:
            return text
        front = match[0] if (match := FRONT_MATTER.match(text)) else ""
        parts = FENCED_LINE.split(text[len(front) :])  # every other one is a fence, which names a language of code
        return front + "".join(part if index % 2 else self.rewrite_words(part) for index, part in enumerate(parts))

    def rewrite_words(self, text: str) -> str:
        ending = write_letters(self.number)
        table = make_alphabet(self.language)
        known: dict[str, str] = {}

        def rewrite(match: re.Match[str]) -> str:
            word = match[0]
            if word not in known:
                lower = word.lower()
                varies = lower not in self.common and crc32(f"{lower} {self.number}".encode()) % 3
                known[word] = f"{word}{ending if varies else ''}".translate(table)
            return known[word]

        return WORD.sub(rewrite, text)


def make_alphabet(language: str) -> dict[int, int]:
    """A letter → the one that this language has in its place."""
    if language == "english":
        return {}
    if language == "russian":
        return CYRILLIC
    generator = random.Random(language)
    replaced = "".join("".join(generator.sample(kind, len(kind))) for kind in (VOWELS, CONSONANTS))
    return str.maketrans(VOWELS + CONSONANTS, replaced)


def write_letters(number: int) -> str:
    letters = "x"
    while number:
        number, digit = divmod(number, len(CONSONANTS))
        letters += CONSONANTS[digit] + VOWELS[digit % len(VOWELS)]
    return letters


def iter_copies(libraries: Sequence[Sequence[Page]]) -> Iterator[tuple[Copy, int]]:
    """Which copy, of which library; without end."""
    common = find_common(page for library in libraries for page in library)
    number = 0
    while True:
        for index in range(len(libraries)):
            yield Copy(number, common), index
        number += 1
