"""Prepares text for the index and for questions, in the same way, before PostgreSQL makes lexemes of it. PURE.

1. Accents are folded: `café` is `cafe`, `Straße` is `strasse`, `ещё` is `еще`. The Cyrillic `й` is a letter of its own.
2. Runs of Han, Kana, Hangul and Thai characters, which have no blanks between words, become overlapping bigrams. A bigram is written as an
   ASCII word of its code points, since what PostgreSQL takes for a letter depends on the database's locale. In a question, bigrams that
   begin with Hiragana are dropped if there are others.
3. The parts of identifiers (`asyncio.run`, `useEffect`, `max_connections`) are appended to the text, besides the whole identifier that
   PostgreSQL's parser finds. So is the last character of each run of item 2, since a single character is searched by prefix.
4. Operators by themselves (`->>`, `@@`, `!=`; `?` as code), `$_`, short options (`-it`, `--all`), names that end in signs (`C++`, `C#`) and
   names with underscores (`OUT_DIR`) are appended too, each as one ASCII word. PostgreSQL's parser sees nothing of them, another name, or
   only their parts.
5. What follows an address (`kubernetes.io/os: linux`) is separated from it, as the parser would take it for the address's end.
6. Signs beyond ASCII that touch a word (`“file”`, `«file»`, `¿file`, `a—b`) become blanks; typographic apostrophes and hyphens become those
   of ASCII (`l’API` is `l'API`). In some locales, such as that of the embedded database, the parser takes them for letters.
7. The hyphen between a word and a number (`GS-15`, `7-10 days`) becomes a blank: the parser takes it for a minus.
8. The beginning of a tag (`<style>`, `Map<String>`) becomes a blank: the parser skips tags, and everything after `<script`.
9. Numbers and abbreviations that are written in several ways (`3,000`, `401(k)`, `U.S.`) are also one word (variants.py).
10. Runs without a blank or another sign that ends an address are cut every MAX_RUN_CHARACTERS: at each character of `a_a_a_…` the parser
   looks ahead for the end of a file name, a host or a mail address.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby, islice

from collections_app.text.variants import list_numbered, list_plain, list_series, make_plain, take_varied_lines

# PostgreSQL holds at most 1 MB of lexemes in a vector, and positions up to 16,383. Half a megabyte of English may stay below the first
# limit, but as much Han text, or text of nothing but different identifiers, does not. So larger bodies are indexed in parts of this size.
PART_CHARACTERS = 64 * 1024
# How much of a document's description and keywords is indexed, with its first section.
TOLD_CHARACTERS = 4 * 1024
UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3041-\u30ff\u31f0-\u31ff"  # Kana
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
# Japanese writes particles and verb endings in Hiragana.
HIRAGANA = re.compile("[\u3041-\u309f]")
IDENTIFIER = re.compile(r"[A-Za-z0-9_](?:[\w\-.$:/]*[A-Za-z0-9_])?", re.ASCII)
IDENTIFIER_PART = re.compile(r"(?<![A-Za-z0-9-])[a-z]+(?:-[a-z]+)+(?![A-Za-z0-9-])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
COMPONENT = re.compile(r"[A-Za-z0-9]+")
# Names with a number between letters: `neo4j`, `k8s`, `i18n`.
NUMBERED_NAME = re.compile(r"(?<!\w)[A-Za-z][a-z]{0,11}\d{1,3}[a-z]{1,4}\d{0,2}(?!\w)", re.ASCII)
# Where two parts of a name meet: at a sign, at a capital (`useEffect`), or after an abbreviation (`HTTPSession`); not `URLs` and `OSes`.
JOINED = re.compile(r"[._$:/]|[a-z][A-Z]|[A-Z]{2}(?!es\b)[a-z]{2}")
# Not the breve of `й`, without which Russian stems are other words: `файл` would be `фа`, and `файлы` not.
COMBINING_MARK = re.compile("(?<![Ии])\u0306|[\u0300-\u0305\u0307-\u036f]")
# Only runs this long are searched for combining marks in a row. No language has 30 of them on one letter (UAX #15, "Stream-Safe Text
# Format").
RUN_CHARACTERS = 64
UNSPOKEN_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{RUN_CHARACTERS},}}")
MAX_STACKED_MARKS = 30
# Soft hyphen, zero-width blank, word joiner, variation selectors of emoji, byte order mark: invisible, and possibly within words.
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufe0e\ufe0f\ufeff]")
# Signs beyond ASCII, and the marks that some scripts put on letters.
_NO_LETTER = r"[^\w\s\x00-\x7f]"
# A dash, an arrow or a bullet between words. The parser may take it for a word, which is rare, so that sections with the same sign would
# win.
JOINING_SIGNS = re.compile(r"(?<=\w )[–—―→⇒➜►▸•·…]+(?= \w)")
# A question about a sign itself.
ABOUT_SIGN = re.compile(r"\W*what\b", re.IGNORECASE)
# The middle dot of Catalan words (`col·lecció`) stays, those of French ones (`agent·e·s`) do not.
TOUCHING = re.compile(rf"(?!(?<=l)·l(?!e(?:·|\b))){_NO_LETTER}(?:(?<=\w.)|(?=\w))", re.IGNORECASE)
ASCII_SIGNS = str.maketrans("‘’‐", "''-")
# Operators, with what may be around them in a sentence or in code. Like SIGNED_NAME, the pattern begins with a sign, so that most of a text
# is skipped quickly.
_SIGN = r"[-+*/<>=~!@#%^&|?:.$\\]"
OPERATOR = re.compile(_SIGN + r"(?<![^\s`\"'(\[{,].)" + _SIGN + r"{1,3}?(?=[.:?!]*(?:[\s`\"')\]},;]|\Z))", re.DOTALL)
# Short options. Without the sign many would be stop words (`-it`, `-as`, `--all`), or just a letter. Their case is kept.
OPTION = re.compile(r"-(?<![\w.-]-)-?[A-Za-z]{1,4}(?![\w-])", re.ASCII)
# Operators that are otherwise pauses or ends of sentences. In texts they count alone in code (`...`) and, with two signs, between blanks;
# in questions also after at most two words, and before the word "operator" or "syntax".
_PAUSE = r"(?<=`)[.?!]{2,3}(?=`)|(?<!\S)(?:\?\?|!!|\?\.|\.\.)(?=[ \t]+\S)"
PAUSE = re.compile(_PAUSE)
ASKED_PAUSE = re.compile(
    rf"{_PAUSE}|(?<!\S)[.?!]{{2,3}}(?=\s+(?:operator|syntax)\b)|\A\s*(?:(?=\S*\w)\S+\s+){{0,2}}[.?!]{{2,3}}\s*\Z",
    re.IGNORECASE,
)
MAY_HAVE_PAUSE = re.compile(r"[.?!](?<![^\s`].)[.?!]")
# Operators of one sign, which may be anything elsewhere. They count alone in code, or before a word like "operator". In texts, signs that
# may begin a line or a cell do not count before such a word; in questions another word may come between (`& capture operator`), or the sign
# may be the whole question. The pattern for texts begins with a sign, like OPERATOR.
_IN_CODE = r"(?<![\w`]`)(?P<code>[-+*/<>=~!@#%^&|?:$])`(?![\w`])"
ONE_SIGN = re.compile(rf"[`/<=~!@%^&?:$](?:(?<=`){_IN_CODE}|(?<!`)(?<!\S.)(?=[ \t]+operators?\b))", re.IGNORECASE)
ASKED_ONE_SIGN = re.compile(
    rf"`{_IN_CODE}|(?<!\S)[-+*/<>=~!@#%^&|?:$]"
    r"(?=\s+(?:[a-z]+\s+)?(?:alias|operator|sign|symbol|syntax)(?:es|s)?\b|(?<=\A.)\s*\Z)",
    re.IGNORECASE,
)
CODE_OF_ANY_SIGN = re.compile(r"`[^\w\s`]`")
# The current item in PowerShell and Perl.
ITEM = re.compile(r"(?<![\w$])\$_(?!\w)", re.ASCII)
# Not operators: lines, frames of tables, headings, dashes, pauses and ends of sentences.
MARKUP = re.compile(r"[-|:+]*-[-|:+]*|([-=*~#$^])\1{2,}|[.?!]+|##|~~|\$\$")
# A sharp after a letter; it is looked for before SIGNED_NAME, which takes longer.
SHARP = re.compile("#(?<=[A-Za-z]#)")
SIGNED_NAME = re.compile(
    r"[+#](?:(?<=(?<![\w+#])([A-Za-z]).)|(?<=(?<![\w+#])([A-Za-z]{2}).))(?:(?<=#)|(?<=\+)\+)(?![A-Za-z_+#])"
)
NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+", re.ASCII)
# An underscore in a name, as encode_characters() writes it.
NAME_MARK = "x5f"
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
# Longer identifiers are data, not names; they are not split, so that their parts do not fill the cache.
MAX_IDENTIFIER_CHARACTERS = 200
# Letters without a decomposition, and how people write them who lack the key.
LETTERS = {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l",
           "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i"}  # fmt: skip
LETTER = re.compile(f"[{''.join(LETTERS)}]")
# Characters that are dropped or replaced wherever they are.
FOLDED_CHARACTER = re.compile(f"{INVISIBLE.pattern}|{LETTER.pattern}|[\u0300-\u036f]")


def fold_accents(text: str) -> str:
    return text if text.isascii() or is_folded(text) else fold_characters(text)


def fold_characters(text: str) -> str:
    thinned = UNSPOKEN_RUN.sub(lambda run: drop_stacked_marks(run[0]), INVISIBLE.sub("", text))
    plain = LETTER.sub(lambda letter: LETTERS[letter[0]], unicodedata.normalize("NFKC", thinned))
    decomposed = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", COMBINING_MARK.sub("", decomposed))


def is_folded(text: str) -> bool:
    """Whether fold_characters() certainly changes nothing. True for most texts that have only quotes, dashes and arrows beyond ASCII."""
    return (
        not FOLDED_CHARACTER.search(text)
        and unicodedata.is_normalized("NFKD", text)
        and unicodedata.is_normalized("NFC", text)
        # Looking for runs takes longest, and with fewer characters beyond ASCII than a run has, there is none.
        and (len(text.encode("utf-8", "surrogatepass")) < len(text) + RUN_CHARACTERS or not UNSPOKEN_RUN.search(text))
    )


def drop_stacked_marks(text: str) -> str:
    """At most MAX_STACKED_MARKS in a row: putting marks into their order takes quadratic time."""
    stacks = groupby(text, key=lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(islice(stack, MAX_STACKED_MARKS if is_mark else None)) for is_mark, stack in stacks)


def fold_typography(text: str) -> str:
    """The text without accents, and with the apostrophes and hyphens of ASCII."""
    return text if text.isascii() else fold_accents(text).translate(ASCII_SIGNS)


def replace_signs(text: str) -> str:
    return text if text.isascii() else TOUCHING.sub(lambda found: replace_sign(found[0]), text)


@lru_cache(maxsize=5_000)
def replace_sign(character: str) -> str:
    return " " if unicodedata.category(character)[0] in "PS" else character


def list_pairs(run: str) -> list[str]:
    """日本 and 本語 of `日本語`; a single character alone."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def list_telling_pairs(run: str) -> list[str]:
    """The pairs without those that begin with Hiragana, if there are others: 設定 and 定を for `設定をする`.

    Pairs that begin with Hiragana say nothing about a question, and sections have them by chance.
    """
    pairs = list_pairs(run)
    return [pair for pair in pairs if not HIRAGANA.match(pair)] or pairs


def make_index_text(text: str) -> str:
    """The input of to_tsvector for a text of a document."""
    plain = fold_typography(text)
    folded = separate_words(plain)
    words, lines = drop_plain_words(folded), take_varied_lines(plain)
    parts = split_identifiers(words) + encode_signs(folded, words) + encode_names(words)
    if lines:
        parts += list_plain(lines) + encode_names(" ".join(list_numbered(lines)))
    if not folded.isascii():
        parts += [encode_characters(run[-1]) for run in UNSPACED_RUN.findall(folded)]
    folded = bound_words(pair_unspaced(folded))
    return f"{folded}\n{' '.join(parts)}" if parts else folded


def drop_plain_words(text: str) -> str:
    """The text without its words of nothing but letters that are no identifiers; what is looked for within a word is in the others."""
    # Which words are plain is written out here and in list_identifiers(): a call for each would take a twentieth of the time of all this.
    return " ".join(
        [
            word
            for word in text.split()
            if not word.isalpha() or not (word.islower() or word.istitle() or word.isupper())
        ]
    )


def make_heading_text(text: str) -> str:
    """The same for the words that a question for this heading has at least: without the parts of names, which are added to whole names, and
    without the pairs that questions drop."""
    plain = separate_words(make_plain(fold_typography(text)))
    return bound_words(pair_unspaced(plain, list_telling_pairs))


def fold(text: str) -> str:
    """The text in lower case and without accents."""
    return fold_accents(text).lower()


def make_query_text(text: str, *, with_parts: bool = True) -> str:
    """The input of to_tsvector for a question; for a phrase, `with_parts` is false: no parts of identifiers, but all of its pairs.

    Names come first, so that they are not next to words that they are next to in a text.
    """
    plain = fold_typography(text)
    if with_parts:
        plain = drop_joining_signs(plain)
    folded = separate_words(make_plain(plain) if with_parts else plain)
    parts = (
        split_asked_identifiers(folded) + list_series(folded) + encode_signs(folded, is_question=True)
        if with_parts
        else []
    )
    numbered = list_numbered(plain, is_question=True) if with_parts else []
    names = encode_names(" ".join([folded, *numbered])) if with_parts else []
    paired = pair_unspaced(folded, list_telling_pairs if with_parts else list_pairs)
    return "\n".join(" ".join(each) for each in (names, [bound_words(paired)], parts) if each)


def drop_joining_signs(text: str) -> str:
    """The text without signs that join words (`routing → redirect`), unless the question is about a sign (`what does → mean`)."""
    return text if text.isascii() or ABOUT_SIGN.match(text) else JOINING_SIGNS.sub(" ", text)


def separate_words(text: str) -> str:
    """A folded text with blanks where PostgreSQL's parser would take signs between words for a part of them."""
    return NUMBER_HYPHEN.sub(" ", end_addresses(replace_signs(text)))


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


def end_addresses(text: str) -> str:
    return ADDRESS_END.sub(r"\1 \2", text) if "/" in text else text


def pair_unspaced(text: str, cut: Callable[[str], list[str]] = list_pairs) -> str:
    """The text with runs of unspaced scripts replaced by their encoded pairs of characters."""
    if text.isascii():
        return text
    return UNSPACED_RUN.sub(lambda run: f" {' '.join(map(encode_characters, cut(run[0])))} ", text)


def encode_characters(characters: str) -> str:
    return "".join(f"x{ord(character):x}" for character in characters)


def encode_signs(text: str, words: str | None = None, *, is_question: bool = False) -> list[str]:
    """Names and operators as words: `C++` as opcx2bx2b, `->>` as opx2dx3ex3e, `-it` as opx2dx69x74, `?` as opx3f; each once.

    `words`: what drop_plain_words() leaves of the text.
    """
    words = text if words is None else words
    named = SIGNED_NAME.finditer(words) if "++" in words or SHARP.search(words) else ()
    names = (f"op{(name[1] or name[2]).lower()}{encode_characters(name[0])}" for name in named)
    operators = (each for each in dict.fromkeys(OPERATOR.findall(words)) if not MARKUP.fullmatch(each))
    variables = ITEM.findall(words) if "$_" in words else []
    doubtful = [*find_pauses(text, words, is_question=is_question), *find_single_signs(text, is_question=is_question)]
    signs = dict.fromkeys([*operators, *OPTION.findall(words), *variables, *doubtful])
    return [*dict.fromkeys(names), *(f"op{encode_characters(each)}" for each in signs)]


def find_pauses(text: str, words: str, *, is_question: bool) -> list[str]:
    """The operators that would otherwise be pauses (PAUSE, ASKED_PAUSE)."""
    if not MAY_HAVE_PAUSE.search(words):
        return []
    return [found[0].split()[-1] for found in (ASKED_PAUSE if is_question else PAUSE).finditer(text)]


def find_single_signs(text: str, *, is_question: bool) -> list[str]:
    """The operators of one sign (ONE_SIGN, ASKED_ONE_SIGN)."""
    if not is_question and not CODE_OF_ANY_SIGN.search(text) and " operator" not in text.lower():
        return []
    found = (ASKED_ONE_SIGN if is_question else ONE_SIGN).finditer(text)
    return [each["code"] or each[0] for each in found]


def encode_names(text: str) -> list[str]:
    """`OUT_DIR` as OUTx5fDIR: with a digit in it, no language has a stem or a stop word for it."""
    words = (word for word in text.split() if "_" in word) if "_" in text else ()  # which most have not
    names = (name for word in words for name in NAME.findall(word) if len(name) <= MAX_IDENTIFIER_CHARACTERS)
    return [NAME_MARK.join(filter(None, name.split("_"))) for name in names]


# Encoding of names of headings and entries as one word; see heading_names.py and entries.py.
LABEL_SEPARATOR = "0"
HEADING_MARK = "hd"
HEADING_NAME = re.compile(f"{HEADING_MARK}(?:{LABEL_SEPARATOR}[a-z]+)+")
# Begins with a rare letter, since close spellings are looked for among words with the same first letter. A zero in a name is encoded, as it
# would be taken for the separator.
ENTRY_MARK = "zentry"
ENTRY_ZERO = "zqz"
ENTRY_NAME = re.compile(f"{ENTRY_MARK}(?:{LABEL_SEPARATOR}[a-z0-9]+)+")
ENCODED_NAME = re.compile(f"[a-z][a-z0-9]*?(?:{NAME_MARK}[a-z0-9]+?)+")
TERM_PART = re.compile(r"[^\W_]+")
ENCODED = re.compile(r"(?:x[0-9a-f]{3,5}){1,2}")
ENCODED_SIGNS = re.compile(r"op([a-z]{0,2})((?:x[0-9a-f]{2}){1,6})")


def decode_term(term: str) -> str:
    """The lexeme as a person would write it."""
    if parts := split_name(term):
        return "_".join(parts)
    if is_label(term):
        return " ".join(term.split(LABEL_SEPARATOR)[1:]).replace(ENTRY_ZERO, "0")
    if signs := ENCODED_SIGNS.fullmatch(term):
        return signs[1] + "".join(chr(int(code, 16)) for code in signs[2].split("x")[1:])
    if not ENCODED.fullmatch(term):
        return term
    characters = "".join(chr(int(code, 16)) for code in term.split("x")[1:])
    return characters if UNSPACED_RUN.fullmatch(characters) else term


def is_heading_name(term: str) -> bool:
    return term.startswith(HEADING_MARK) and HEADING_NAME.fullmatch(term) is not None


def is_entry_name(term: str) -> bool:
    return term.startswith(ENTRY_MARK) and ENTRY_NAME.fullmatch(term) is not None


def is_label(term: str) -> bool:
    """Whether the lexeme is the name of a heading or an entry, and not a word of a text."""
    return is_heading_name(term) or is_entry_name(term)


def split_name(term: str) -> list[str]:
    """The parts of a lexeme that is a name with underscores; empty for others."""
    if NAME_MARK not in term or ENCODED.fullmatch(term):
        return []
    return term.split(NAME_MARK) if ENCODED_NAME.fullmatch(term) else []


def split_term(term: str) -> list[str]:
    """The parts of a lexeme that is a name with underscores or other signs (`node.example.com`); empty for others.

    Versions and other numbers have no parts: neither `7` nor `2` means what `7.2` means. The part of an option (`-it`) is its word.
    """
    if option := find_option(term):
        return [option.lstrip("-").lower()]
    parts = split_name(term) or TERM_PART.findall(term)
    return parts if len(parts) > 1 and any(map(str.isalpha, parts)) else []


def find_option(term: str) -> str:
    """The option that the lexeme encodes; empty for others."""
    if not term.startswith("op") or not ENCODED_SIGNS.fullmatch(term):
        return ""
    return decoded if OPTION.fullmatch(decoded := decode_term(term)) else ""


def is_single_character(term: str) -> bool:
    """Whether the lexeme is a single unspaced character, which also matches as the beginning of a bigram."""
    return len(decode_term(term)) == 1 and term.startswith("x") and len(term) > 3


def split_identifiers(text: str) -> list[str]:
    return [part for word in list_identifiers(text) for part in split_identifier(word)]


def split_asked_identifiers(text: str) -> list[str]:
    return [part for word in list_identifiers(text) for part in split_asked_identifier(word)]


def list_identifiers(text: str) -> list[str]:
    """The identifiers that may have parts. Most words are plain, so the test for that is a cheap one."""
    return [
        word
        for word in IDENTIFIER.findall(text)
        if not word.isalpha() or not (word.islower() or word.istitle() or word.isupper())
        if len(word) <= MAX_IDENTIFIER_CHARACTERS
    ]


@lru_cache(maxsize=50_000)
def split_identifier(word: str) -> tuple[str, ...]:
    """The parts of an identifier: `asyncio.run` → asyncio, run; `useEffect` → use, Effect; `HTTPSession` → HTTP, Session;
    `max_connections` → max, connections. A plain word has none.

    `client.createConsumer` → client, create, Consumer, and also createConsumer, because PostgreSQL's parser only finds the whole. For
    `log.max-size` it finds the words of `max-size` itself, once it is given that.
    """
    if not JOINED.search(word):
        return ()
    parts = IDENTIFIER_PART.findall(word)
    names = [name for name in COMPONENT.findall(word) if name != word and JOINED.search(name)]
    return (*parts, *names) if len(parts) > 1 else ()


@lru_cache(maxsize=5_000)
def split_asked_identifier(word: str) -> tuple[str, ...]:
    """The same for a question, where a name with a number in it (`neo4j.conf`) is one part: 4 and j say nothing about the subject."""
    names = NUMBERED_NAME.findall(word) if JOINED.search(word) else []
    if not names:
        return split_identifier(word)
    others = IDENTIFIER.findall(NUMBERED_NAME.sub(" ", word))
    return (*names, *(part for other in others for part in split_asked_identifier(other) or [other]))
