"""Text as the index and the question see it. PURE: the same treatment on both sides, before PostgreSQL makes lexemes.

1. Accents are folded: `café` is `cafe`, `Straße` is `strasse`, `ещё` is `еще`. The Cyrillic `й` is a letter of its own.
2. Runs of Han, Kana, Hangul and Thai characters, which have no blanks between words, become overlapping bigrams. A bigram
   travels as an ASCII word of its code points, since what PostgreSQL takes for a letter depends on the database's locale. A question asks
   for those that do not begin with Hiragana, where it has such.
3. The parts of identifiers (`asyncio.run`, `useEffect`, `max_connections`) are added behind the text, beside the whole
   that PostgreSQL's parser finds, and so is the last character of each run of 2: a single character is asked for by prefix.
4. So are operators that stand by themselves (`->>`, `@@`, `!=`; `?` as code), `$_`, short options (`-it`, `--all`), names that end in
   signs (`C++`, `C#`), and names with underscores (`OUT_DIR`), of which PostgreSQL's parser sees nothing, another name, or the parts
   alone: each as one ASCII word.
5. What stands behind an address (`kubernetes.io/os: linux`) is set apart, or the parser takes it for the address's end.
6. Signs beyond ASCII that touch a word (`“file”`, `«file»`, `¿file`, `a—b`) become blanks, typographic apostrophes and hyphens those of
   ASCII (`l’API` is `l'API`): in some locales, as in that of the embedded database, the parser takes them for letters.
7. The hyphen between a word and a number (`GS-15`, `7-10 days`) becomes a blank: the parser takes it for a minus.
8. What opens a tag (`<style>`, `Map<String>`) becomes a blank: the parser passes over tags, and over all that follows `<script`.
9. Numbers and abbreviations that are written in several ways (`3,000`, `401(k)`, `U.S.`) are one word too (variants.py).
10. What runs on without a blank or another sign that ends an address is cut every MAX_RUN_CHARACTERS: at each character of `a_a_a_…` the
   parser looks ahead for the end of a file's name, a host or an address of mail.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby, islice

from collections_app.text.variants import list_numbered, list_plain, list_series, make_plain

# PostgreSQL holds at most 1 MB of lexemes in a vector, and positions up to 16,383. Half a megabyte of English may stay below the first;
# as much Han text, or text of nothing but different identifiers, does not. So larger bodies are indexed in parts of this size.
PART_CHARACTERS = 64 * 1024
# Of what a document says of itself (its description, its keywords) so much is indexed, with its first section.
TOLD_CHARACTERS = 4 * 1024
UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3041-\u30ff\u31f0-\u31ff"  # Kana
    "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
# Japanese writes particles and the endings of verbs in it.
HIRAGANA = re.compile("[\u3041-\u309f]")
IDENTIFIER = re.compile(r"[A-Za-z0-9_](?:[\w\-.$:/]*[A-Za-z0-9_])?", re.ASCII)
IDENTIFIER_PART = re.compile(r"(?<![A-Za-z0-9-])[a-z]+(?:-[a-z]+)+(?![A-Za-z0-9-])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
COMPONENT = re.compile(r"[A-Za-z0-9]+")
# With a number between letters: `neo4j`, `k8s`, `i18n`.
NUMBERED_NAME = re.compile(r"(?<!\w)[A-Za-z][a-z]{0,11}\d{1,3}[a-z]{1,4}\d{0,2}(?!\w)", re.ASCII)
# Where a name goes on with a capital (`useEffect`), or with a word behind an abbreviation (`HTTPSession`); not `URLs` and `OSes`.
JOINED = re.compile(r"[._$:/]|[a-z][A-Z]|[A-Z]{2}(?!es\b)[a-z]{2}")
# Not the breve of `й`, without which Russian stems are other words: `файл` would be `фа`, and `файлы` not.
COMBINING_MARK = re.compile("(?<![Ии])\u0306|[\u0300-\u0305\u0307-\u036f]")
# Marks that are set on a letter are among these; no language has 30 on one (UAX #15, "Stream-Safe Text Format").
RUN_CHARACTERS = 64
UNSPOKEN_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{RUN_CHARACTERS},}}")
MAX_STACKED_MARKS = 30
# Soft hyphen, zero-width blank, word joiner, variation selectors of emoji, byte order mark: seen by nobody, and in the middle of words.
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufe0e\ufe0f\ufeff]")
# At a word: signs, and the marks that some scripts set on letters.
_NO_LETTER = r"[^\w\s\x00-\x7f]"
# A dash, an arrow or a bullet between words, which the parser may take for a word: rare as it is, it would find what has the same sign.
JOINING_SIGNS = re.compile(r"(?<=\w )[–—―→⇒➜►▸•·…]+(?= \w)")
# Asks for a sign itself.
ABOUT_SIGN = re.compile(r"\W*what\b", re.IGNORECASE)
# The middle dot of Catalan words (`col·lecció`) stays, those of French ones (`agent·e·s`) do not.
TOUCHING = re.compile(rf"(?!(?<=l)·l(?!e(?:·|\b))){_NO_LETTER}(?:(?<=\w.)|(?=\w))", re.IGNORECASE)
ASCII_SIGNS = str.maketrans("‘’‐", "''-")
# With what may stand around it in a sentence or in code. It begins with a sign, like SIGNED_NAME: most of a text is passed over at once.
_SIGN = r"[-+*/<>=~!@#%^&|?:.$\\]"
OPERATOR = re.compile(_SIGN + r"(?<![^\s`\"'(\[{,].)" + _SIGN + r"{1,3}?(?=[.:?!]*(?:[\s`\"')\]},;]|\Z))", re.DOTALL)
# Short options: the words of many are stop words (`-it`, `-as`, `--all`), and one letter is any letter. Their case is kept.
OPTION = re.compile(r"-(?<![\w.-]-)-?[A-Za-z]{1,4}(?![\w-])", re.ASCII)
# Operators that are pauses and ends of sentences elsewhere: as code by themselves (`...`), those of two signs between blanks too; in a
# question also beside two words at most, and before what they are called.
_PAUSE = r"(?<=`)[.?!]{2,3}(?=`)|(?<!\S)(?:\?\?|!!|\?\.|\.\.)(?=[ \t]+\S)"
PAUSE = re.compile(_PAUSE)
ASKED_PAUSE = re.compile(
    rf"{_PAUSE}|(?<!\S)[.?!]{{2,3}}(?=\s+(?:operator|syntax)\b)|\A\s*(?:(?=\S*\w)\S+\s+){{0,2}}[.?!]{{2,3}}\s*\Z",
    re.IGNORECASE,
)
MAY_HAVE_PAUSE = re.compile(r"[.?!]{2}")
# Operators of one sign, which are anything elsewhere: as code by themselves, or before what they are called. In a text no sign that may
# begin a line or a cell is called so; in a question another word may stand between (`& capture operator`), or there is nothing else.
_CODE_OF_ONE_SIGN = r"(?<![\w`])`(?P<code>[-+*/<>=~!@#%^&|?:$])`(?![\w`])"
ONE_SIGN = re.compile(rf"{_CODE_OF_ONE_SIGN}|(?<!\S)(?P<called>[/<=~!@%^&?:$])(?=[ \t]+operators?\b)", re.IGNORECASE)
ASKED_ONE_SIGN = re.compile(
    rf"{_CODE_OF_ONE_SIGN}|(?<!\S)(?P<called>[-+*/<>=~!@#%^&|?:$])"
    r"(?=\s+(?:[a-z]+\s+)?(?:alias|operator|sign|symbol|syntax)(?:es|s)?\b|(?<=\A.)\s*\Z)",
    re.IGNORECASE,
)
MAY_HAVE_ONE_SIGN = re.compile("`[^\\w\\s`]`| operator", re.IGNORECASE)
# What PowerShell and Perl call the item at hand.
ITEM = re.compile(r"(?<![\w$])\$_(?!\w)", re.ASCII)
# Lines, frames of tables, headings, dashes, pauses and ends of sentences.
MARKUP = re.compile(r"[-|:+]*-[-|:+]*|([-=*~#$^])\1{2,}|[.?!]+|##|~~|\$\$")
SIGNED_NAME = re.compile(
    r"[+#](?:(?<=(?<![\w+#])([A-Za-z]).)|(?<=(?<![\w+#])([A-Za-z]{2}).))(?:(?<=#)|(?<=\+)\+)(?![A-Za-z_+#])"
)
NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+", re.ASCII)
# An underscore in them, as encode_characters() writes it.
NAME_MARK = "x5f"
_OF_ADDRESS = r"[^\s\"<>\\^`{|}]"
ADDRESS_END = re.compile(
    rf"(/(?<=\w/){_OF_ADDRESS}{{0,100}}[A-Za-z0-9])((?:(?![\w/]){_OF_ADDRESS})+)(?!{_OF_ADDRESS})", re.ASCII
)
# No host is longer (RFC 1035), no name of a file in any system, and no address of mail (RFC 5321); longer addresses are data for the most
# part. What PostgreSQL takes for a text grows with this number, up to fifty times what it takes for prose.
MAX_RUN_CHARACTERS = 255
LONG_RUN = re.compile(rf"({_OF_ADDRESS}{{{MAX_RUN_CHARACTERS}}})(?={_OF_ADDRESS})", re.ASCII)
# Not where it is one of the signs of an address (`node-1.example.com`).
NUMBER_HYPHEN = re.compile(r"-(?<=[A-Za-z0-9]-)(?=\d+(?:\.\d+)*(?![\w@]|[:./]\w))", re.ASCII)
# Longer ones are data, not names; what they are made of is not kept in memory either.
MAX_IDENTIFIER_CHARACTERS = 200
# Letters that have no decomposition, in the spelling that people without the key use.
LETTERS = {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l",
           "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i"}  # fmt: skip
LETTER = re.compile(f"[{''.join(LETTERS)}]")
# What is left out of texts or spelled otherwise, wherever it stands.
FOLDED_CHARACTER = re.compile(f"{INVISIBLE.pattern}|{LETTER.pattern}|[\u0300-\u036f]")


def fold_accents(text: str) -> str:
    return text if text.isascii() or is_folded(text) else fold_characters(text)


def fold_characters(text: str) -> str:
    thinned = UNSPOKEN_RUN.sub(lambda run: drop_stacked_marks(run[0]), INVISIBLE.sub("", text))
    plain = LETTER.sub(lambda letter: LETTERS[letter[0]], unicodedata.normalize("NFKC", thinned))
    decomposed = unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", COMBINING_MARK.sub("", decomposed))


def is_folded(text: str) -> bool:
    """Whether fold_characters() surely changes nothing, as in most texts whose only other characters are quotes, dashes and arrows."""
    return (
        not FOLDED_CHARACTER.search(text)
        and unicodedata.is_normalized("NFKD", text)
        and unicodedata.is_normalized("NFC", text)
        # Looking for runs takes longest, and fewer characters beyond ASCII than a run has are none.
        and (len(text.encode("utf-8", "surrogatepass")) < len(text) + RUN_CHARACTERS or not UNSPOKEN_RUN.search(text))
    )


def drop_stacked_marks(text: str) -> str:
    """At most MAX_STACKED_MARKS in a row: putting marks into their order takes quadratic time."""
    stacks = groupby(text, key=lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(islice(stack, MAX_STACKED_MARKS if is_mark else None)) for is_mark, stack in stacks)


def replace_signs(text: str) -> str:
    return text if text.isascii() else TOUCHING.sub(lambda found: replace_sign(found[0]), text)


@lru_cache(maxsize=5_000)
def replace_sign(character: str) -> str:
    return " " if unicodedata.category(character)[0] in "PS" else character


def list_pairs(run: str) -> list[str]:
    """日本 and 本語 of `日本語`; a single character alone."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def list_telling_pairs(run: str) -> list[str]:
    """Without those that begin with Hiragana, where there are others: 設定 and 定を of `設定をする`.

    Of a question the others say nothing, and a section has them by chance.
    """
    pairs = list_pairs(run)
    return [pair for pair in pairs if not HIRAGANA.match(pair)] or pairs


def make_index_text(text: str) -> str:
    """What to_tsvector is given for a text of a document."""
    plain = fold_accents(text).translate(ASCII_SIGNS)
    folded = separate_words(plain)
    parts = split_identifiers(folded) + encode_signs(folded) + encode_names(folded)
    parts += list_plain(plain) + encode_names(" ".join(list_numbered(plain)))
    if not folded.isascii():
        parts += [encode_characters(run[-1]) for run in UNSPACED_RUN.findall(folded)]
    folded = bound_words(pair_unspaced(folded))
    return f"{folded}\n{' '.join(parts)}" if parts else folded


def make_heading_text(text: str) -> str:
    """The same for the words that a heading is asked for with at least: without the parts of its names, which are words already, and the
    pairs that a question is not asked for with."""
    plain = separate_words(make_plain(fold_accents(text).translate(ASCII_SIGNS)))
    return bound_words(pair_unspaced(plain, list_telling_pairs))


def fold(text: str) -> str:
    """In lower case and without accents."""
    return fold_accents(text).lower()


def make_query_text(text: str, *, with_parts: bool = True) -> str:
    """What to_tsvector is given for a question. A phrase is asked for without the parts of its identifiers, and with all of its pairs.

    Names come first, where they stand beside no word that they stand beside in a text.
    """
    plain = fold_accents(text).translate(ASCII_SIGNS)
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
    """Without signs that join what is asked for (`routing → redirect`), but where a question is about one (`what does → mean`)."""
    return text if text.isascii() or ABOUT_SIGN.match(text) else JOINING_SIGNS.sub(" ", text)


def separate_words(text: str) -> str:
    """A folded text with blanks where PostgreSQL's parser would take what stands between words for a part of them."""
    return NUMBER_HYPHEN.sub(" ", end_addresses(replace_signs(text)))


def bound_words(text: str) -> str:
    """With blanks for `<` and `</`, when operators that have them are known, and within runs that are too long: nothing that PostgreSQL's
    parser looks ahead for goes beyond the next."""
    opened = text.replace("</", "  ").replace("<", " ") if "<" in text else text
    # Blanks are those of ASCII: what others are to PostgreSQL depends on the database's locale.
    is_long = any(len(word) > MAX_RUN_CHARACTERS for word in opened.encode("utf-8", "surrogatepass").split())
    return LONG_RUN.sub(r"\1 ", opened) if is_long else opened


def end_addresses(text: str) -> str:
    return ADDRESS_END.sub(r"\1 \2", text) if "/" in text else text


def pair_unspaced(text: str, cut: Callable[[str], list[str]] = list_pairs) -> str:
    """With runs of unspaced scripts as their pairs of characters, each one word."""
    if text.isascii():
        return text
    return UNSPACED_RUN.sub(lambda run: f" {' '.join(map(encode_characters, cut(run[0])))} ", text)


def encode_characters(characters: str) -> str:
    return "".join(f"x{ord(character):x}" for character in characters)


def encode_signs(text: str, *, is_question: bool = False) -> list[str]:
    """`C++` as opcx2bx2b, `->>` as opx2dx3ex3e, `-it` as opx2dx69x74, `?` as opx3f; each once, since code is full of some."""
    names = (f"op{(name[1] or name[2]).lower()}{encode_characters(name[0])}" for name in SIGNED_NAME.finditer(text))
    operators = (each for each in dict.fromkeys(OPERATOR.findall(text)) if not MARKUP.fullmatch(each))
    variables = ITEM.findall(text) if "$_" in text else []
    doubtful = [*find_pauses(text, is_question=is_question), *find_single_signs(text, is_question=is_question)]
    signs = dict.fromkeys([*operators, *OPTION.findall(text), *variables, *doubtful])
    return [*dict.fromkeys(names), *(f"op{encode_characters(each)}" for each in signs)]


def find_pauses(text: str, *, is_question: bool) -> list[str]:
    """The operators that are pauses elsewhere."""
    if not MAY_HAVE_PAUSE.search(text):
        return []
    return [found[0].split()[-1] for found in (ASKED_PAUSE if is_question else PAUSE).finditer(text)]


def find_single_signs(text: str, *, is_question: bool) -> list[str]:
    """The operators of one sign."""
    if not is_question and not MAY_HAVE_ONE_SIGN.search(text):
        return []
    found = (ASKED_ONE_SIGN if is_question else ONE_SIGN).finditer(text)
    return [each["code"] or each["called"] for each in found]


def encode_names(text: str) -> list[str]:
    """`OUT_DIR` as OUTx5fDIR: with a digit in it, no language has a stem or a stop word for it."""
    words = (word for word in text.split() if "_" in word)  # which most have not
    names = (name for word in words for name in NAME.findall(word) if len(name) <= MAX_IDENTIFIER_CHARACTERS)
    return [NAME_MARK.join(filter(None, name.split("_"))) for name in names]


# What headings and entries are called, as one word: the names of heading_names.py and entries.py.
LABEL_SEPARATOR = "0"
HEADING_MARK = "hd"
HEADING_NAME = re.compile(f"{HEADING_MARK}(?:{LABEL_SEPARATOR}[a-z]+)+")
# Few words begin with its letter, among which others' spellings are looked for. A zero would be taken for what separates.
ENTRY_MARK = "zentry"
ENTRY_ZERO = "zqz"
ENTRY_NAME = re.compile(f"{ENTRY_MARK}(?:{LABEL_SEPARATOR}[a-z0-9]+)+")
ENCODED_NAME = re.compile(f"[a-z][a-z0-9]*?(?:{NAME_MARK}[a-z0-9]+?)+")
TERM_PART = re.compile(r"[^\W_]+")
ENCODED = re.compile(r"(?:x[0-9a-f]{3,5}){1,2}")
ENCODED_SIGNS = re.compile(r"op([a-z]{0,2})((?:x[0-9a-f]{2}){1,6})")


def decode_term(term: str) -> str:
    """A lexeme as a person would write it."""
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
    return bool(HEADING_NAME.fullmatch(term))


def is_entry_name(term: str) -> bool:
    return bool(ENTRY_NAME.fullmatch(term))


def is_label(term: str) -> bool:
    """Whether a lexeme is what a heading or an entry is called, which no word of a text is."""
    return is_heading_name(term) or is_entry_name(term)


def split_name(term: str) -> list[str]:
    """The parts of a lexeme that is a name with underscores; nothing of another."""
    return term.split(NAME_MARK) if ENCODED_NAME.fullmatch(term) and not ENCODED.fullmatch(term) else []


def split_term(term: str) -> list[str]:
    """The parts of a lexeme that is a name of several, with underscores or other signs (`node.example.com`); nothing of another.

    Nor of a version or another number: what `7.2` says, neither `7` nor `2` does. An option (`-it`) is a sign and a word.
    """
    if option := find_option(term):
        return [option.lstrip("-").lower()]
    parts = split_name(term) or TERM_PART.findall(term)
    return parts if len(parts) > 1 and any(map(str.isalpha, parts)) else []


def find_option(term: str) -> str:
    """The option that a lexeme stands for; nothing for another."""
    return decoded if ENCODED_SIGNS.fullmatch(term) and OPTION.fullmatch(decoded := decode_term(term)) else ""


def is_single_character(term: str) -> bool:
    """Whether a lexeme is one unspaced character, to be matched as the beginning of a bigram too."""
    return len(decode_term(term)) == 1 and term.startswith("x") and len(term) > 3


def split_identifiers(text: str) -> list[str]:
    return [part for word in iter_identifiers(text) for part in split_identifier(word)]


def split_asked_identifiers(text: str) -> list[str]:
    return [part for word in iter_identifiers(text) for part in split_asked_identifier(word)]


def iter_identifiers(text: str) -> Iterator[str]:
    """Those that may have parts. Most words are plain: told apart by the cheapest test there is."""
    for word in IDENTIFIER.findall(text):
        is_plain = word.isalpha() and (word.islower() or word[1:].islower() or word.isupper())
        if not is_plain and len(word) <= MAX_IDENTIFIER_CHARACTERS:
            yield word


@lru_cache(maxsize=50_000)
def split_identifier(word: str) -> tuple[str, ...]:
    """`asyncio.run` → asyncio, run; `useEffect` → use, Effect; `HTTPSession` → HTTP, Session; `max_connections` → max, connections; a plain
    word → nothing.

    `client.createConsumer` → client, create, Consumer, and createConsumer: PostgreSQL's parser finds the whole only. Of `log.max-size` it
    finds the words of `max-size` itself, where it is given that.
    """
    if not JOINED.search(word):
        return ()
    parts = IDENTIFIER_PART.findall(word)
    names = [name for name in COMPONENT.findall(word) if name != word and JOINED.search(name)]
    return (*parts, *names) if len(parts) > 1 else ()


@lru_cache(maxsize=5_000)
def split_asked_identifier(word: str) -> tuple[str, ...]:
    """The same for a question, where a name with a number in it (`neo4j.conf`) is one part: neither 4 nor j tells what is asked for."""
    names = NUMBERED_NAME.findall(word) if JOINED.search(word) else []
    if not names:
        return split_identifier(word)
    others = IDENTIFIER.findall(NUMBERED_NAME.sub(" ", word))
    return (*names, *(part for other in others for part in split_asked_identifier(other) or [other]))
