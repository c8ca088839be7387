"""Prepares text for the index and for questions, in the same way, before PostgreSQL makes lexemes of it. PURE.

1. Accents are folded (folding.py).
2. Runs of Han, Kana, Hangul and Thai characters, which have no blanks between words, become overlapping pairs (unspaced.py). In a question,
   pairs that begin with Hiragana are dropped if there are others.
3. The parts of identifiers (identifiers.py) are appended to the text, besides the whole identifier that PostgreSQL's parser finds. So is
   the last character of each run of item 2, since a single character is searched by prefix.
4. Operators, options and names that end in signs (signs.py), names with a sigil (sigils.py), and names with underscores (identifiers.py),
   are appended too, each as one ASCII word.
5. What follows an address (`kubernetes.io/os: linux`) is separated from it, as the parser would take it for the address's end.
6. Signs beyond ASCII that touch a word (`“file”`, `«file»`, `¿file`, `a—b`) become blanks; typographic apostrophes and hyphens become those
   of ASCII (`l’API` is `l'API`). In some locales, such as that of the embedded database, the parser takes them for letters.
7. The hyphen between a word and a number (`GS-15`, `7-10 days`) becomes a blank: the parser takes it for a minus.
8. The beginning of a tag (`<style>`, `Map<String>`) becomes a blank: the parser skips tags, and everything after `<script`.
9. Numbers and abbreviations that are written in several ways (`3,000`, `401(k)`, `U.S.`) are also one word (variants.py).
10. Runs without a blank or another sign that ends an address are cut every MAX_RUN_CHARACTERS: at each character of `a_a_a_…` the parser
   looks ahead for the end of a file name, a host or a mail address.

lexemes.py says what a lexeme of such a word stands for.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from collections_app.text.analysis.folding import fold_typography
from collections_app.text.analysis.identifiers import (
    drop_plain_words,
    encode_names,
    split_asked_identifiers,
    split_identifiers,
)
from collections_app.text.analysis.sigils import encode_sigils
from collections_app.text.analysis.signs import encode_signs
from collections_app.text.analysis.unspaced import UNSPACED_RUN, encode_characters, list_telling_pairs, pair_unspaced
from collections_app.text.analysis.variants import (
    VARIED,
    list_numbered,
    list_plain,
    list_series,
    make_plain,
    take_varied_lines,
)

# PostgreSQL holds at most 1 MB of lexemes in a vector, and positions up to 16,383. Half a megabyte of English may stay below the first
# limit, but as much Han text, or text of nothing but different identifiers, does not. So larger bodies are indexed in parts of this size.
PART_CHARACTERS = 64 * 1024
# How much of a document's description and keywords is indexed, with its first section.
TOLD_CHARACTERS = 4 * 1024
# Signs beyond ASCII, and the marks that some scripts put on letters.
_NO_LETTER = r"[^\w\s\x00-\x7f]"
# A dash, an arrow or a bullet between words. The parser may take it for a word, which is rare, so that sections with the same sign would
# win.
JOINING_SIGNS = re.compile(r"(?<=\w )[–—―→⇒➜►▸•·…]+(?= \w)")
# A question about a sign itself.
ABOUT_SIGN = re.compile(r"\W*what\b", re.IGNORECASE)
# The middle dot of Catalan words (`col·lecció`) stays, those of French ones (`agent·e·s`) do not.
TOUCHING = re.compile(rf"(?!(?<=l)·l(?!e(?:·|\b))){_NO_LETTER}(?:(?<=\w.)|(?=\w))", re.IGNORECASE)
_OF_ADDRESS = r"[^\s\"<>\\^`{|}]"
ADDRESS_END = re.compile(
    rf"(/(?<=\w/){_OF_ADDRESS}{{0,100}}[A-Za-z0-9])((?:(?![\w/]){_OF_ADDRESS})+)(?!{_OF_ADDRESS})", re.ASCII
)
# No host is longer (RFC 1035), nor a file name in any system, nor a mail address (RFC 5321); longer addresses are mostly data. The time
# that PostgreSQL needs for a text grows with this number, up to fifty times that for prose.
MAX_RUN_CHARACTERS = 255
LONG_RUN = re.compile(rf"({_OF_ADDRESS}{{{MAX_RUN_CHARACTERS}}})(?={_OF_ADDRESS})", re.ASCII)
# The hyphen before a number, unless it is part of an address (`node-1.example.com`).
NUMBER_HYPHEN = re.compile(r"-(?<=[A-Za-z0-9]-)(?=\d+(?:\.\d+)*(?![\w@]|[:./]\w))", re.ASCII)
# Within a name (`asyncio.run`), but not within a version.
DOT = re.compile(r"\.(?<=[^\W\d]\.)(?=[A-Za-z])")


def make_index_text(text: str) -> str:
    """The input of to_tsvector for a text of a document."""
    plain = fold_typography(text)
    folded = separate_words(plain)
    words = drop_plain_words(folded)
    lines = take_varied_lines(plain) if VARIED.search(words) else ""
    parts = split_identifiers(words) + encode_signs(folded, words) + encode_sigils(words) + encode_names(words)
    if lines:
        parts += list_plain(lines) + encode_names(" ".join(list_numbered(lines)))
    if not folded.isascii():
        parts += [encode_characters(run[-1]) for run in UNSPACED_RUN.findall(folded)]
    folded = bound_words(pair_unspaced(folded))
    return f"{folded}\n{' '.join(parts)}" if parts else folded


def make_heading_text(text: str) -> str:
    """The same for the words that a question for this heading has at least: without the parts of names, which are added to whole names, and
    without the pairs that questions drop. A dotted name has several words: who asks for `boat` does not ask for `boat.row`."""
    plain = DOT.sub(" ", separate_words(make_plain(fold_typography(text))))
    return bound_words(pair_unspaced(plain, list_telling_pairs))


def make_query_text(text: str) -> str:
    """The input of to_tsvector for a question.

    Names come first, so that they are not next to words that they are next to in a text.
    """
    plain = drop_joining_signs(fold_typography(text))
    folded = separate_words(make_plain(plain))
    names = encode_names(" ".join([folded, *list_numbered(plain, is_question=True)]))
    words = bound_words(pair_unspaced(folded, list_telling_pairs))
    parts = split_asked_identifiers(folded) + list_series(folded) + encode_signs(folded, is_question=True)
    parts += encode_sigils(folded, is_question=True)
    return "\n".join(" ".join(each) for each in (names, [words], parts) if each)


def make_phrase_text(text: str) -> str:
    """The same for a phrase: without parts of identifiers, and with all of its pairs."""
    return bound_words(pair_unspaced(separate_words(fold_typography(text))))


def make_excluded_text(text: str) -> str:
    """The same for what is excluded: an option alone (`--force`, `-it`) is one word, so that the word `force` by itself stays."""
    option = fold_typography(text).strip()
    encoded = [*encode_sigils(option), *encode_signs(option)] if option.startswith("-") and " " not in option else []
    return encoded[0] if len(encoded) == 1 else make_phrase_text(text)


def drop_joining_signs(text: str) -> str:
    """The text without signs that join words (`routing → redirect`), unless the question is about a sign (`what does → mean`)."""
    return text if text.isascii() or ABOUT_SIGN.match(text) else JOINING_SIGNS.sub(" ", text)


def separate_words(text: str) -> str:
    """A folded text with blanks where PostgreSQL's parser would take signs between words for a part of them."""
    return NUMBER_HYPHEN.sub(" ", end_addresses(replace_signs(text)))


def replace_signs(text: str) -> str:
    return text if text.isascii() else TOUCHING.sub(lambda found: replace_sign(found[0]), text)


@lru_cache(maxsize=5_000)
def replace_sign(character: str) -> str:
    return " " if unicodedata.category(character)[0] in "PS" else character


def end_addresses(text: str) -> str:
    return ADDRESS_END.sub(r"\1 \2", text) if "/" in text else text


def bound_words(text: str) -> str:
    """The text with blanks instead of `<` and `</`, and within runs that are too long, to bound how far PostgreSQL's parser looks ahead.

    Call it after operators with `<` have been encoded.
    """
    opened = text.replace("</", "  ").replace("<", " ") if "<" in text else text
    # A run that is too long covers a whole piece of half its length. Only ASCII blanks count: whether PostgreSQL takes others for blanks
    # depends on the database's locale.
    size = MAX_RUN_CHARACTERS // 2
    if len(opened) <= MAX_RUN_CHARACTERS:
        return opened
    pieces = (opened[start : start + size] for start in range(0, len(opened) - size + 1, size))
    may_be_long = any(" " not in piece and "\n" not in piece for piece in pieces)
    return LONG_RUN.sub(r"\1 ", opened) if may_be_long else opened
