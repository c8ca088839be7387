"""The parts of a link in double brackets, and how to tell that it is a link. It knows no files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collections_app.parsing.file_names import get_extension

# A link has no brackets in it, and is not the bracketed text of a Markdown link with an address or a label after it. What must not stand
# before it is looked for last: a pattern that begins with a certain character is searched for much faster.
WIKILINK = re.compile(
    r"(?:\[\[(?<![\\\[!]\[\[)|!(\[\[)(?<![\\\[!]!\[\[))(?![\s\[\]])([^\[\]\n]{1,500}+)(?<!\s)\]\](?!\(|\]|\[(?!\[))"
)

HINT = re.compile(rb"\[\[(?![\s\[\]])[^\[\]\n]{1,2000}\]\]")
"""Matches in every text in which WIKILINK does."""

_PICTURES = frozenset({".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"})
_NO_NOTES = _PICTURES | frozenset(
    {
        ".3gp", ".base", ".canvas", ".drawio", ".excalidraw", ".flac", ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".ogg", ".ogv", ".pdf",
        ".wav", ".webm",
    }
)  # fmt: skip

# Sizes and positions of pictures: `300`, `300x200`, `50%`, `right`.
_LOOK = re.compile(r"\d+(?:x\d+)?(?:px|%)?|left|right|center|alt|thumb|frame")
# Signs of code, tests in shells, quoted texts and templates, which names of files do not have.
_FOREIGN = re.compile(r"[\"{}<>$=*\\`;]|&&|\|\||^[-!|,]|,$|^\W*$|^_?toc_?$", re.IGNORECASE)
_NUMBER = re.compile(r"[\d\s.,;+-]*")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?$")
_WORDS = re.compile(r"[^\W_] +[^\W_]")
_NAME = re.compile(r"[A-Z][a-z]{2}")
_SMALL = re.compile(r"[a-z]|[^\W\d_a-zA-Z]")
_WEB = re.compile(r"https?://\S+$")


@dataclass(frozen=True, slots=True)
class Wikilink:
    """`[[target#part|words]]`; with `!` before it, it embeds its target. `part` is a heading, or `^` with a block's id; each may
    be empty.
    """

    is_embedding: bool
    target: str
    part: str
    words: str

    @property
    def heading(self) -> str:
        """The last of the nested headings that it names; empty if it names none."""
        return "" if self.part.startswith("^") else self.part.rpartition("#")[2].strip()

    @property
    def block(self) -> str:
        return self.part.removeprefix("^") if self.part.startswith("^") else ""

    @property
    def shown(self) -> str:
        """The words that Obsidian shows, but without the id of a block in another page."""
        if self.words:
            return self.words
        headings = [] if self.block else [heading.strip() for heading in self.part.split("#")]
        return " > ".join(filter(None, [self.target, *headings])) or self.part

    @property
    def description(self) -> str:
        """The description of a picture: its words without those about size and position, else its name."""
        said = [word.strip() for word in self.words.split("|")]
        name = self.target.rpartition("/")[2].rpartition(".")[0]
        return next((word for word in said if word and not _LOOK.fullmatch(word)), name)

    @property
    def is_picture(self) -> bool:
        return is_picture_name(self.target)

    @property
    def is_note(self) -> bool:
        """Whether the target may be a page, which other pages can embed."""
        return get_extension(self.target) not in _NO_NOTES

    @property
    def address(self) -> str:
        """The target's address on the web; empty if it has none. GitHub's wikis put it after the words."""
        return next((text for text in (self.words, self.target) if _WEB.match(text)), "")

    @property
    def is_number(self) -> bool:
        return _NUMBER.fullmatch(self.target) is not None and not _DATE.match(self.target) and not self.part

    @property
    def names_word(self) -> bool:
        """Whether it names a single word and nothing else."""
        return not self.is_embedding and not self.part and self.target.isidentifier()

    @property
    def is_foreign(self) -> bool:
        """Whether it has signs of something that is not a link."""
        named = self.target or self.part
        return bool(_FOREIGN.search(named) or (self.is_number and not self.words))

    @property
    def is_sure(self) -> bool:
        """Whether it can only be a link: a name with other words for it that read like words, a page with a part, an embedding."""
        if self.is_foreign or self.is_number or (self.words and _FOREIGN.search(self.words)):
            return False
        if self.is_embedding or (self.target and self.part):
            return True
        if not self.target or not self.words or not _SMALL.search(self.target):
            return False
        return bool(
            _WORDS.search(self.target)
            or (_WORDS.search(self.words) and _SMALL.search(self.words))
            or (_NAME.match(self.target) and self.words.islower())
        )


def is_picture_name(path: str) -> bool:
    return get_extension(path) in _PICTURES


def read_wikilink(text: str, *, is_embedding: bool = False) -> Wikilink:
    """The link between the brackets. In a table, its bar has a backslash before it."""
    named, _, words = text.replace("\\|", "|").partition("|")
    target, _, part = (named.strip(), "", "") if _WEB.match(named.strip()) else named.partition("#")
    return Wikilink(is_embedding, target.strip(), part.strip(), words.strip())
