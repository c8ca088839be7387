"""Where the beginning of a start page says what its product is, and in which sentence. PURE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from collections_app.text.markdown.code_blocks import blank_code

# So many sections are looked through: the first, and of the others those with a heading that promises an introduction.
MOST_SECTIONS = 4
FEWEST_WORDS = 4
HEADING = re.compile(r"^#{1,6}[ ]", re.MULTILINE)
INTRODUCING = re.compile(
    r"\s*#{1,6}[ ]+(?:\W*(?:about|description|introduction|overview|summary|what is|what's|what’s|why)\b)",
    re.IGNORECASE,
)
BLANK_LINES = re.compile(r"\n[ \t]*\n")
# Headings, lists, quotations, tables, code, tags, pictures, badges and directives are no paragraphs.
OTHER_BLOCK = re.compile(
    r"\A(?:[ ]*\n)*(?:[ ]{4}|\t)|\A\s*(?:[#>|<=]|`{3}|~{3}|:{3}|\.\.[ ]|!!!|[-*+][ ]|\d+[.)][ ]|!\[|\[!)|\n[=~-]{3,}\s*(?:\n|\Z)"
)
UNDERLINED = re.compile(r"\S[ \t]*\n[=~-]{3,}\s*\Z")
LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
# It may lead to a list: `Acme is a grammar of gates, which has:`. The dot of an abbreviation ends none.
SENTENCE = re.compile(
    r".+?[.!?](?=\s+[^a-z\s]|\Z)(?<!\bvs\.)(?<!\b(?:e\.g|i\.e|Inc|Ltd)\.)(?<!\ba\.k\.a\.)"
    r"|(?=.*\b(?:is|are|provides?|lets|helps)\b)[^.!?]+:\Z"
)
# A README may be for those who write the documentation or the program.
OF_REPOSITORY = re.compile(
    r"(?:(?:welcome to|this is|about) )?(?:this|the) (?:git |github )?(?:repo|repository)\b(?! pattern)"
    r"|(?:this (?:is|has|contains|holds) )?(?:the )?source(?: code| files?)?s? (?:of|for) .{0,60}\b(?:docs|documentation|web ?site)\b"
    r"|.{0,80}\b(?:automatically built\b|(?:docs|documentation|web ?site) (?:repo|repository)\b)"
    r"|(?:this|the) (?:web ?)?site (?:is|was) built\b"
    r"|(?:(?:this|these|the) (?:docs|documentation|guide|page|site)|thank you|thanks|we|please|PRs|pull requests)\b"
    r".{0,200}\b(?:contribut(?:e|ing|ions?)|pull requests?|PRs|main branch)\b",
    re.IGNORECASE,
)


class Introduction(NamedTuple):
    """The number of the section that introduces, and its first sentence; 0 and nothing if none does."""

    section: int = 0
    sentence: str = ""

    @property
    def is_of_product(self) -> bool:
        """Whether it says something, and not what the repository of the documentation is."""
        return bool(self.sentence) and not OF_REPOSITORY.match(self.sentence)


def find_introduction(sections: Sequence[str]) -> Introduction:
    """The introduction in the first sections of a page, which are in Markdown."""
    for number, section in enumerate(sections[:MOST_SECTIONS]):
        is_first = number == 0 or (number == 1 and not HEADING.match(sections[0].lstrip()))
        if (is_first or INTRODUCING.match(section)) and (sentence := find_first_sentence(section)):
            return Introduction(number, sentence)
    return Introduction()


def split_sections(text: str) -> list[str]:
    """A Markdown text in pieces that begin with its headings."""
    starts = [found.start() for found in HEADING.finditer(blank_code(text))]
    return [text[start:end] for start, end in zip([0, *starts], [*starts, len(text)], strict=True) if start < end]


def find_first_sentence(section: str) -> str:
    """The first sentence of a section's paragraphs, as words; empty if there is none before an underlined heading below other text, whose
    subject is another. Greetings (`Welcome!`) are no sentences.
    """
    has_text = False
    for block in BLANK_LINES.split(blank_code(section)):
        if has_text and UNDERLINED.search(block):
            return ""
        text = "" if OTHER_BLOCK.search(block) else EMPHASIS.sub("", LINK.sub(r"\1", block))
        words, start = " ".join(text.split()), 0
        while sentence := SENTENCE.match(words, start):
            if len(sentence[0].split()) >= FEWEST_WORDS:
                return sentence[0]
            start = sentence.end() + 1
        has_text = has_text or len(text.split()) >= FEWEST_WORDS
    return ""
