"""The passage of a section that shows best why it was found. PURE."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from collections_app.text.boxes import put_in_words
from collections_app.text.code_blocks import iter_code_blocks
from collections_app.text.entries import find_entry
from collections_app.text.link_targets import TARGET
from collections_app.text.question_words import ALIKE, QuestionWords, find_densest, fold_in_place

HEADING_LINE = re.compile(r"\A(?:[ \t]*+\n)*+ {0,3}#{1,6}[ \t][^\n]*\n?")
HEADING_ALONE = re.compile(r"\s*+#{1,6}[ \t][^\n]*+\s*+")
FENCES = ("```", "~~~")
# A fence may stand in a list item, a quotation or a tab.
FENCE_LINE = re.compile(r"\n[ \t>]*+(?:(?:[-*+]|\d{1,9}+[.)])[ \t]++)?+(?:`{3,}+[^`\n]*+|~{3,}+[^\n]*+)(?=\n|\Z)")
# The line below a table's head or a title, or one that is drawn: nothing but signs.
RULE = re.compile(r"\n(?=[^\n]*(?:---|===))[ \t>|:+=-]+(?=\n|\Z)")
# Where a link leads that is named elsewhere (`[guide]: guide.md`), not a note (`[^1]: …`).
DEFINITION = re.compile(
    r"\n {0,3}\[(?!\^)[^\[\]\n]++\]:[ \t]*+<?(?:[a-z]+://|mailto:|\.{0,2}/|#|[^\s()]+\.(?:md|mdx|rst|adoc|html)\b)[^\n]*+(?=\n|\Z)"
)
# A quotation's lines behind its first.
QUOTED_LINES = re.compile(r"(?<=\n)([ \t]*>[^\n]*)((?:\n[ \t]*>[^\n]*)+)")
QUOTE_SIGNS = re.compile(r"\n[ \t]*>[ \t>]*")
IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
LINK = re.compile(rf"\[([^\[\]]+){TARGET}")
# By a label that is defined elsewhere; code has an index there (`rows[0][name]`).
REFERENCE = re.compile(
    r"(?<![\w)\]`\\])\[((?=[^\[\]A-Za-z]*+[A-Za-z])[^\[\]]++)\]\[(?:(?=[^\[\]A-Za-z]*+[A-Za-z])[^\[\]`=(]++)?\]"
)
# One that began before the text.
REST_OF_LINK = re.compile(rf"([^\[\]]*){TARGET}")
# Up to where the last entry begins: an item, a row or a setting, that is a line that begins with a sign, a number or what was found.
ENTRY = re.compile(r"(?s:.*)\n[ \t]*(?:> )*(?!> )(?=[^\w\s(:]|\d+[.)] |[\w.-]*\Z)")
SENTENCE = re.compile(r"(?s:.*)[.!?]\s+(?=[^a-z\s])")
REST_OF_WORD = re.compile(r"\S{0,40}\s+")
# Characters of an address. Scripts without blanks are none of them.
BEGUN_WORD = re.compile(r"[!-~]*\Z")
# As far back a snippet may begin with an address, and with a link, of which nothing is shown but its text, or a tag.
MOST_BEGUN, MOST_BEGUN_LINK = 100, 400
TAG = re.compile(r"</?[A-Za-z][^<>\n]*+>")
# How much is looked at for a snippet: links may be longer than what is shown of them.
LINK_SHARE = 8
MAX_SCANNED_CHARACTERS = 20_000


class Passage(NamedTuple):
    """A piece of a section, of which `start` characters stand before it. `label` says what it is, where that is not its text."""

    text: str
    start: int = 0
    label: str = ""


def is_heading(text: str) -> bool:
    """Whether a section says nothing by itself."""
    return HEADING_ALONE.fullmatch(text) is not None


def choose_passage(passages: Sequence[Passage], words: QuestionWords) -> Passage:
    """The one whose words of the question are worth most; the first of equals."""
    return passages[0] if len(passages) == 1 else max(passages, key=lambda passage: words.weigh(passage.text))


def make_snippet(text: str, words: QuestionWords, length: int, start: int = 0) -> str:
    """At most about `length` characters of `text` around the densest match, cut at words, with … where something is left out.

    It begins with the entry of a list or table, or with the sentence, where that is near. The section's own heading line is not
    repeated, white space is one blank, and markup that says nothing is dropped. Of the section `start` characters stand before the text.
    """
    text, start = narrow(text, start, words, length)
    body = text if start else HEADING_LINE.sub("", text, count=1)
    entry = find_entry(body, words.entries)
    text, described = drop_lines(body), None if entry is None else len(drop_lines(body[:entry]))
    if not start and len(text) <= length * LINK_SHARE and len(body := " ".join(text.split())) <= length:
        return drop_targets(body)
    begun = leave_tag(text, choose_start(text, words, length, described), words)
    return cut_at_words(text, begun, length, is_middle=start > 0)


def drop_lines(text: str) -> str:
    """Without fence lines, the rules of tables, the signs at a quotation's lines behind its first, and lines that define where links lead;
    with words for the signs of boxes. Each is looked for only where it can be."""
    text = f"\n{put_in_words(text)}"
    if any(fence in text for fence in FENCES):
        text = FENCE_LINE.sub("", text)
    if "---" in text or "===" in text:
        text = RULE.sub("", text)
    if "]: " in text:
        text = DEFINITION.sub("", text)
    if "\n>" in text or " >" in text:
        text = QUOTED_LINES.sub(lambda found: found[1] + QUOTE_SIGNS.sub("\n", found[2]), text)
    return text


def drop_targets(text: str) -> str:
    """Without where links and images lead."""
    if "][" in text:
        text = REFERENCE.sub(r"\1", text)
    if "](" not in text:
        return text
    text = LINK.sub(r"\1", IMAGE.sub(r"\1", text) if "![" in text else text)
    rest = REST_OF_LINK.match(text)
    return f"{rest[1]}{text[rest.end() :]}" if rest else text


def narrow(text: str, start: int, words: QuestionWords, length: int) -> tuple[str, int]:
    """What is looked at closely of a long one: from a little before its densest match on."""
    at = 0
    if len(text) > MAX_SCANNED_CHARACTERS:
        at = max(0, choose_start(text, words, length, find_entry(text, words.entries)) - length)
    if at or start:
        at = leave_tag(text, find_word_start(text, at), words)
    return text[at : at + MAX_SCANNED_CHARACTERS], start + at


def make_code_snippet(text: str, language: str, words: QuestionWords, length: int, start: int = 0) -> str:
    """The fenced code in this language that has most of the question's words: whole lines, from the first one where they stand closest
    together; a plain snippet where there is no such code."""
    blocks = [code for found, code in iter_code_blocks(text) if found == language]
    if not blocks:
        return make_snippet(text, words, length, start)
    best = max(blocks, key=words.weigh)
    return f"```{language}\n{cut_at_lines(best, find_first_line(best, words, length), length)}\n```"


def find_first_line(code: str, words: QuestionWords, length: int) -> int:
    """Where the line begins that the densest match of code that is longer than that is in; the code where its beginning has that too."""
    densest = find_densest(words.find(fold_in_place(code)), length, words.weights) if len(code) > length else 0
    first = code.rfind("\n", 0, densest) + 1
    end = code.find("\n", densest)
    return 0 if (end if end >= 0 else len(code)) <= length else first


def cut_at_lines(code: str, first: int, length: int) -> str:
    """Lines from `first` on, with … for those that are left out."""
    before = "…\n" if first else ""
    if len(code) - first <= length:
        return f"{before}{code[first:]}"
    end = code.rfind("\n", first, first + length)
    return f"{before}{code[first:end] if end > first else code[first : first + length]}\n…"


def choose_start(text: str, words: QuestionWords, length: int, described: int | None) -> int:
    """Where the window begins whose different words of the question are worth most; the earliest of equals, with some context before.

    Of equals rather what is `described`: the entry that is called by a name of the question. From an entry's beginning on it may have
    more before, but none of those words less.
    """
    matches = words.find(fold_in_place(text))
    reach = length * 3 // 4
    densest = find_densest(matches, reach, words.weights)
    if described is not None:
        lost = weigh_window(matches, densest, reach, words) - weigh_window(matches, described, reach, words)
        if lost < ALIKE:
            return described
    first = densest - length // 4
    if first <= 0:
        return 0
    last, _ = matches[bisect_left(matches, (densest + reach, "")) - 1]
    earliest = min(first, max(densest - length // 2, last - reach, 0))
    begun = ENTRY.match(text, earliest, densest + 1) or SENTENCE.match(text, first, densest + 1)
    return begun.end() if begun else find_word_start(text, first)


def weigh_window(matches: Sequence[tuple[int, str]], start: int, reach: int, words: QuestionWords) -> float:
    """What the different words are worth together that stand there."""
    return sum(words.weights.get(word, 1.0) for word in {word for at, word in matches if start <= at < start + reach})


def cut_at_words(text: str, start: int, length: int, *, is_middle: bool = False) -> str:
    """From the word at `start` on. `is_middle`: something stands before the text."""
    before = "… " if start or is_middle else ""
    last = start + length * LINK_SHARE
    shown = drop_targets(" ".join(text[start:last].split()))
    if len(shown) <= length and last >= len(text):
        return f"{before}{shown}"
    blank = shown.rfind(" ", max(length - 40, 1), length)
    return f"{before}{shown[: blank if blank > 0 else length].strip()} …"


def leave_tag(text: str, at: int, words: QuestionWords) -> int:
    """Behind the tag that `at` is in, if that is; where it begins, if words of the question are in the rest of it."""
    begun = text.rfind("<", max(0, at - MOST_BEGUN_LINK), at)
    tag = TAG.match(text, begun) if begun >= 0 else None
    if tag is None or tag.end() <= at:
        return at
    return begun if words.find(fold_in_place(text[at : tag.end()])) else tag.end()


def find_word_start(text: str, at: int) -> int:
    """Behind the next blank, if one is near; else where the link or the address begins that `at` is in, if that is."""
    if rest := REST_OF_WORD.match(text, at):
        return rest.end()
    begun = BEGUN_WORD.search(text, max(0, at - MOST_BEGUN_LINK), at)
    word = begun[0] if begun else ""
    return at - len(word) if len(word) < (MOST_BEGUN_LINK if "](" in word else MOST_BEGUN) else at
