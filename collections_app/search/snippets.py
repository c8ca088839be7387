"""Makes snippets: the passage of a section that shows best why it was found. PURE."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from collections_app.text.markdown.boxes import put_in_words
from collections_app.text.markdown.code_blocks import iter_code_blocks
from collections_app.text.markdown.link_targets import TARGET
from collections_app.text.names.entries import find_entry
from collections_app.text.passages.question_words import ALIKE, QuestionWords, find_densest, fold_in_place

HEADING_LINE = re.compile(r"\A(?:[ \t]*+\n)*+ {0,3}#{1,6}[ \t][^\n]*\n?")
HEADING_ALONE = re.compile(r"\s*+#{1,6}[ \t][^\n]*+\s*+")
FENCES = ("```", "~~~")
# A fence may be in a list item, a quotation or a tab.
FENCE_LINE = re.compile(r"\n[ \t>]*+(?:(?:[-*+]|\d{1,9}+[.)])[ \t]++)?+(?:`{3,}+[^`\n]*+|~{3,}+[^\n]*+)(?=\n|\Z)")
# A line of signs alone: below a table's head or a title, or a drawn line. If the head is empty, with the head. The pattern begins with a
# line end, so that the rest of a text is skipped quickly.
RULE = re.compile(r"\n(?:[ \t>]*+\|[ \t|]*+\n)?(?=[ \t>|:+=-]*?(?:---|===))[ \t>|:+=-]++(?=\n|\Z)")
# The definition of a link's target (`[guide]: guide.md`), but not a footnote (`[^1]: …`).
DEFINITION = re.compile(
    r"\n {0,3}\[(?!\^)[^\[\]\n]++\]:[ \t]*+<?(?:[a-z]+://|mailto:|\.{0,2}/|#|[^\s()]+\.(?:md|mdx|rst|adoc|html)\b)[^\n]*+(?=\n|\Z)"
)
# A quotation's first line, and the lines after it.
QUOTED_LINES = re.compile(r"(?<=\n)([ \t]*>[^\n]*)((?:\n[ \t]*>[^\n]*)+)")
QUOTE_SIGNS = re.compile(r"\n[ \t]*>[ \t>]*")
IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*\)")
LINK = re.compile(rf"\[([^\[\]]+){TARGET}")
# A link by a label that is defined elsewhere (`[text][label]`), but not an index in code (`rows[0][name]`).
REFERENCE = re.compile(
    r"(?<![\w)\]`\\])\[((?=[^\[\]A-Za-z]*+[A-Za-z])[^\[\]]++)\]\[(?:(?=[^\[\]A-Za-z]*+[A-Za-z])[^\[\]`=(]++)?\]"
)
# The rest of a link that began before the text.
REST_OF_LINK = re.compile(rf"([^\[\]]*){TARGET}")
# Everything before the last entry (an item, a row, a setting): a line that begins with a sign, a number or the word that was found.
ENTRY = re.compile(r"(?s:.*)\n[ \t]*(?:> )*(?!> )(?=[^\w\s(:]|\d+[.)] |[\w.-]*\Z)")
SENTENCE = re.compile(r"(?s:.*)[.!?]\s+(?=[^a-z\s])")
REST_OF_WORD = re.compile(r"\S{0,40}\s+")
# The beginning of an unfinished word or address. ASCII only: scripts without blanks would match for ever.
BEGUN_WORD = re.compile(r"[!-~]*\Z")
# How far back a snippet's start may be moved, to begin with an address (MOST_BEGUN), or with a link or a tag (MOST_BEGUN_LINK): only the
# text of a link is shown.
MOST_BEGUN, MOST_BEGUN_LINK = 100, 400
TAG = re.compile(r"</?[A-Za-z][^<>\n]*+>")
# How many times a snippet's length of text is read for it: links may be much longer than what is shown of them.
LINK_SHARE = 8
MAX_SCANNED_CHARACTERS = 20_000


class Passage(NamedTuple):
    """A piece of a section that begins `start` characters into it. `label` says what it is if it is not from the section's text."""

    text: str
    start: int = 0
    label: str = ""


def is_heading(text: str) -> bool:
    """Whether a section has no text of its own: nothing but its heading."""
    return HEADING_ALONE.fullmatch(text) is not None


def choose_passage(passages: Sequence[Passage], words: QuestionWords) -> Passage:
    """The passage whose words of the question are worth most; the first of equals."""
    return passages[0] if len(passages) == 1 else max(passages, key=lambda passage: words.weigh(passage.text))


def make_snippet(text: str, words: QuestionWords, length: int, start: int = 0) -> str:
    """At most about `length` characters of `text` around the densest match, cut at words, with … for what is left out.

    It begins with the start of the list or table entry, or of the sentence, if that is near. The section's own heading line is dropped, as
    is markup that says nothing; white space becomes one blank. `text` begins `start` characters into the section.
    """
    text, start = narrow(text, start, words, length)
    body = text if start else HEADING_LINE.sub("", text, count=1)
    entry = find_entry(body, words.possible_entries)
    text, described = drop_lines(body), None if entry is None else len(drop_lines(body[:entry]))
    if not start and len(text) <= length * LINK_SHARE and len(body := " ".join(text.split())) <= length:
        return drop_targets(body)
    begun = leave_tag(text, choose_start(text, words, length, described), words)
    return cut_at_words(text, begun, length, is_middle=start > 0)


def drop_lines(text: str) -> str:
    """Without fence lines, the rules of tables, quotation signs after a quotation's first line, and definitions of link targets.

    The signs of boxes become words. For speed, each is looked for only if a cheap test says that the text may have it.
    """
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
    """Without the targets of links and images."""
    if "][" in text:
        text = REFERENCE.sub(r"\1", text)
    if "](" not in text:
        return text
    text = LINK.sub(r"\1", IMAGE.sub(r"\1", text) if "![" in text else text)
    rest = REST_OF_LINK.match(text)
    return f"{rest[1]}{text[rest.end() :]}" if rest else text


def narrow(text: str, start: int, words: QuestionWords, length: int) -> tuple[str, int]:
    """The part of a long text to look at closely, from a little before its densest match on, and that part's start in the section."""
    at = 0
    if len(text) > MAX_SCANNED_CHARACTERS:
        at = max(0, choose_start(text, words, length, find_entry(text, words.possible_entries)) - length)
    if at or start:
        at = leave_tag(text, find_word_start(text, at), words)
    return text[at : at + MAX_SCANNED_CHARACTERS], start + at


def make_code_snippet(text: str, language: str, words: QuestionWords, length: int, start: int = 0) -> str:
    """The fenced code in this language that has most of the question's words, as whole lines from where those words are densest.

    A plain snippet if there is no code in this language.
    """
    blocks = [code for found, code in iter_code_blocks(text) if found == language]
    if not blocks:
        return make_snippet(text, words, length, start)
    best = max(blocks, key=words.weigh)
    return f"```{language}\n{cut_at_lines(best, find_first_line(best, words, length), length)}\n```"


def find_first_line(code: str, words: QuestionWords, length: int) -> int:
    """The position to show code from: the first line from which the lines that have room have most of the words."""
    if len(code) <= length:
        return 0
    matches = words.find(fold_in_place(code))

    def weigh(first: int) -> float:
        return round(weigh_window(matches, first, find_cut(code, first, length) - first, words), 6)

    return max(dict.fromkeys([0, *(code.rfind("\n", 0, at) + 1 for at, _ in matches)]), key=weigh)


def find_cut(code: str, first: int, length: int) -> int:
    """Where to cut what begins at the line at `first`: after the last whole line, or in the line if not even one has room."""
    if len(code) - first <= length:
        return len(code)
    end = code.rfind("\n", first, first + length)
    return end if end > first else first + length


def cut_at_lines(code: str, first: int, length: int) -> str:
    """At most `length` characters of lines from the position `first` on, with … for lines that are left out."""
    end = find_cut(code, first, length)
    return "\n".join([*(["…"] if first else []), code[first:end], *(["…"] if end < len(code) else [])])


def choose_start(text: str, words: QuestionWords, length: int, described: int | None) -> int:
    """Where to begin a snippet: at the window whose different words of the question are worth most, with some context before it.

    Of equal windows the earliest is chosen. `described` is where an entry begins that is called by a name of the question; it wins if
    it is worth as much. To begin with an entry, more context is taken, but never so much that the window loses one of those words.
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
    """What the different words within `reach` characters from `start` are worth together."""
    within = matches[bisect_left(matches, (start, "")) : bisect_left(matches, (start + reach, ""))]
    return sum(words.weights.get(word, 1.0) for word in {word for _, word in within})


def cut_at_words(text: str, start: int, length: int, *, is_middle: bool = False) -> str:
    """At most `length` characters from the word at `start` on, cut at a blank. `is_middle`: the section has more before the text."""
    before = "… " if start or is_middle else ""
    last = start + length * LINK_SHARE
    shown = drop_targets(" ".join(text[start:last].split()))
    if len(shown) <= length and last >= len(text):
        return f"{before}{shown}"
    blank = shown.rfind(" ", max(length - 40, 1), length)
    return f"{before}{shown[: blank if blank > 0 else length].strip()} …"


def leave_tag(text: str, at: int, words: QuestionWords) -> int:
    """`at`, unless it is within a tag: then the tag's end, or its beginning if the rest of it has words of the question."""
    begun = text.rfind("<", max(0, at - MOST_BEGUN_LINK), at)
    tag = TAG.match(text, begun) if begun >= 0 else None
    if tag is None or tag.end() <= at:
        return at
    return begun if words.find(fold_in_place(text[at : tag.end()])) else tag.end()


def find_word_start(text: str, at: int) -> int:
    """The position after the next blank, if one is near; else the beginning of the link or address that `at` is in; else `at`."""
    if rest := REST_OF_WORD.match(text, at):
        return rest.end()
    begun = BEGUN_WORD.search(text, max(0, at - MOST_BEGUN_LINK), at)
    word = begun[0] if begun else ""
    return at - len(word) if len(word) < (MOST_BEGUN_LINK if "](" in word else MOST_BEGUN) else at
