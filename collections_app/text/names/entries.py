"""Names of entries in lists and tables: settings, options, arguments, variables (`- **core.editor**: …`). PURE.

An entry is a list item, a table row or a term that begins with its name, in code or bold, followed by its description. If the name has
several parts or is an option, the index has an extra ASCII word for it, the same for all of its spellings; also for a heading or a page's
title that is such a name. So a question for `max_ack_pending` or `MaxAckPending` finds its description before mere mentions. An entry's
name that is a single word in code (`port`), or in a table whose head says that its rows have names (*Option*, *Field*), is indexed
likewise, and looked up for each word of a question, unless that has other names or says which word is one (`the port option of the
gateway`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from collections_app.text.analysis.folding import fold_accents
from collections_app.text.analysis.lexemes import ENTRY_MARK, ENTRY_ZERO, LABEL_SEPARATOR
from collections_app.text.markdown.code_blocks import blank_code

# Longer questions are pasted messages, which are not about the names in them.
MOST_WORDS = 12
MOST_CHARACTERS = 80
# A longer heading is about more than the name.
MOST_IN_HEADING = 2
# In a question of so few words any of them may be a name.
MOST_IN_SHORT = 4
# Around a name: code, emphasis, a link.
_OPEN, _CLOSE = r"\[?[*_`\"]{0,4}+", r"[*_`\"]{0,4}(?:\]\([^()\s]{0,300}\))?"
_NAME = r"-{0,2}(?:\[no-\])?[@$]?[A-Za-z_]\w*+(?:[.:/-]{1,2}\w++){0,10}+"
# Arguments of the name, within the same marks (`--output=FILE`, `each(callback)`, `name: str`) or after them (`**--output** *FILE*`).
_WITHIN = r"(?:(?:[ =:(\[]|\\?<)[^\n|*`\"]{0,60}?(?=[*`\"]))?"
_BEHIND = r"(?:[ =][*_`<\[]{1,2}[\w .-]{1,30}[*_`>\]]{1,2})?"
# Atomic, as otherwise sequences of labels would be tried in every way.
_LABEL = rf"(?>\[?(?:[*_`\"]{{1,4}}+{_NAME}{_WITHIN}|{_NAME}){_CLOSE}{_BEHIND})"
_NEXT = r"[ \t]?(?:,|/|\|\||or\b)[ \t]?"
_MARK = r"(?:[-*+]|\d{1,9}[.)])[ \t]"
_ITEM = rf"{_MARK}++(?:\[[ xX]\][ \t]+)?|\|[ \t]*"
# A line of nothing but links, below "See also" perhaps, describes none of them.
_LINK = r"\[[^\]\n]{1,100}\]\([^()\n]{0,300}\)[ \t]*+"
_LINKS_ALONE = rf"(?:{_LINK}[|,·•;][ \t]*+)++{_LINK}$"
_BEGINNING = rf"^(?P<indent>[ \t>]*+)(?:{_ITEM}|(?=[*_`\"\[]))(?!{_LINKS_ALONE})"
# The description begins after a sign, in the next cell, or on a line of its own, which is not the next item of a list of bare names.
_OWN_LINE = rf"\n(?:(?P=indent)[ \t]+\S|[ \t]+(?!{_MARK})\S|:[ \t])"
_DESCRIBED = rf"[ \t]++=|[ \t]*+(?:[:|(,]|[-–—]{{1,2}}[ \t]|{_OWN_LINE})"
# It begins with the end of the line before, so that the rest of a line is skipped quickly; see _iter_every().
ENTRY = re.compile(
    rf"\n{_BEGINNING}(?P<label>{_LABEL}(?:{_NEXT}{_LABEL}){{0,4}})(?=[ \t]++[A-Z]|{_DESCRIBED})", re.MULTILINE
)
# A term of a manual in plain text, or of Markdown's lists of definitions: a line at the margin, or a few below each other, with the
# description indented below (`set timeout cli <delay>`), or behind a colon.
_TERM_LINE = r"\S[^\n]{0,200}\n"
_TERM_BEGINS = rf"(?<=\n\n)(?:{_TERM_LINE}){{0,3}}?"
_TERM_ENDS = rf"[^\n]{{0,200}}\n(?:{_TERM_LINE}){{0,3}}?(?=[ \t]+[^\s>*+|-]|:[ \t])"
TARGET = re.compile(r"\]\([^()\s]*\)")
NAME = re.compile(rf"(?:^|(?<=[\s,/|*_`\"\[(]))(?P<name>{_NAME})", re.ASCII)
# A name of several parts, or an option; a single word could be any word.
STRUCTURED = re.compile(r"-|.*(?:[._:/-]\w|[a-z][A-Z])")
# A word that is a name even beside other words; `PowerShell` is then rather a product.
WRITTEN_AS_NAME = re.compile(r"[-a-z_$@]|.*[._:/]")
# A name that is a single word, in one case (`port`, `ipv4`, `URL`, `Type`).
_SINGLE = r"[A-Za-z][a-z0-9]{1,39}|[A-Z][A-Z0-9]{1,39}"
SINGLE = re.compile(_SINGLE, re.ASCII)
SINGLE_IN_CODE = re.compile(rf"`({_SINGLE})`", re.ASCII)
# The whole first cell of a row, as far as it is marked at all.
SINGLE_IN_CELL = re.compile(rf"\[?[*_]{{0,3}}({_SINGLE})[*_]{{0,3}}\]?", re.ASCII)
_KINDS = (
    r"(?:(?:option|setting|param(?:eter)?|argument|field|attribute|key|directive|column|variable)s?|propert(?:y|ies))\b"
)
_HEAD = r"\n[ \t>]*+\|(?P<head>[^|\n]{1,60}+)\|[^\n]{0,4000}\n[ \t>]*+\|[-:| \t]{2,}+(?=\n)"
TABLE = re.compile(rf"{_HEAD}(?P<rows>(?:\n[ \t>]*+\|[^\n]*+)++)")
RULES_BEGIN = ("|-", "| -", "|:", "| :")
# What heads a column of names, in the languages that many documentations are written in.
OF_NAMES = re.compile(
    rf"\b{_KINDS}|\b(?:arg|flag|prop)s?\b|^\W*(?:name|nom|nombre|nome)\W*$"
    r"|\b(?:eigenschaft|einstellung|feld|schlüssel|champ|clé|paramètre|propriété|campo|clave|opción|opção|parámetro|parâmetro|propiedad|propriedade)\b"
    r"|\b(?:имя|ключ|опция|параметр|поле|свойство)\b"
    "|参数|參數|字段|欄位|属性|屬性|选项|選項|名称|名稱|引数|オプション|パラメータ|フィールド|プロパティ|매개변수|속성|옵션|이름|필드",
    re.IGNORECASE,
)
_ABOUT = r"\b(?:value|default|meaning|purpose) (?:of|for)(?: the)?"
_WORD = r"[A-Za-z0-9]{2,40}"
TOLD = re.compile(
    rf"`({_WORD})`|(?:\b{_KINDS}|{_ABOUT}|\bdefault) (?!{_KINDS}|value\b)({_WORD})\b"
    rf"|\b({_WORD})(?= {_KINDS})",
    re.IGNORECASE,
)
# Of those that stand beside such words, what hardly ever is a name.
LITTLE_WORDS = frozenset((
    "am", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "go", "has", "have", "how", "if", "in", "is",
    "it", "its", "me", "my", "no", "of", "on", "or", "so", "than", "that", "the", "this", "to", "up", "us", "vs", "we", "what", "when",
    "which", "with",
))  # fmt: skip
SIGNS_AROUND = "`\"'.,:;?!()"
# In an option that has a negated form: `--[no-]verify`.
MAY_BE_NO = "[no-]"
# What the word of an option begins with, as `--rows` is another name than `rows`.
OPTION = "option"
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def list_entry_names(text: str) -> list[str]:
    """The names of the entries in a Markdown text, as words of the index, each once. Fenced code is ignored."""
    return encode(name for _, names in _iter_every(text) for name in names)


def list_names_of_heading(heading: str) -> list[str]:
    """The same for a heading that is hardly more than a name, so that its section is the description."""
    return encode(iter_names(fold_accents(heading))) if len(heading.split()) <= MOST_IN_HEADING else []


def find_entry(text: str, names: frozenset[str]) -> int | None:
    """The position of the first entry that has one of these names (words of the index); None if there is none."""
    return next(iter_entries(text, names), None)


def iter_entries(text: str, names: frozenset[str]) -> Iterator[int]:
    """The positions of the entries that have one of these names. The text is only read if it has the parts of one, for speed."""
    lowered = text.lower() if names else ""
    entries = _iter_every(text) if any(_may_have(lowered, name) for name in names) else ()
    return (position for position, found in entries if not names.isdisjoint(encode(found)))


def _may_have(lowered: str, name: str) -> bool:
    """Whether a text in lower case may have an entry with this name (a word of the index)."""
    first, *others = (part.replace(ENTRY_ZERO, LABEL_SEPARATOR) for part in name.split(LABEL_SEPARATOR)[1:])
    if not others:
        return f"`{first}`" in lowered or (first in lowered and any(rule in lowered for rule in RULES_BEGIN))
    return (first == OPTION or first in lowered) and all(part in lowered for part in others)


def list_asked_entries(question: str) -> list[str]:
    """The names in a question, as words of the index, each once. Single words are among them if the question says that they are names (in
    code, beside a word such as *option*, behind *default*), or is short; then it has another word besides."""
    folded = fold_accents(question)
    words = folded.split()
    if len(words) > MOST_WORDS:
        return []
    names = [name for name in iter_names(folded) if len(words) == 1 or WRITTEN_AS_NAME.match(name)]
    return encode(names or list_told_words(folded, words))


def list_possible_entries(question: str) -> list[str]:
    """The same, or if there are none, all words of the question: any of them may be the whole name of an entry."""
    words = fold_accents(question).split()
    return list_asked_entries(question) or (encode(keep_singles(words)) if 1 < len(words) <= MOST_WORDS else [])


def list_told_words(question: str, words: Sequence[str]) -> list[str]:
    if len(words) <= MOST_IN_SHORT:
        return keep_singles(words) if len(words) > 1 else []
    return keep_singles(next(filter(None, found.groups())) for found in TOLD.finditer(question))


def keep_singles(words: Iterable[str]) -> list[str]:
    """Those that may be names by themselves."""
    bare = (word.strip(SIGNS_AROUND) for word in words)
    return [word for word in bare if SINGLE.fullmatch(word) and word.lower() not in LITTLE_WORDS]


def make_entry_pattern(*labels: str) -> re.Pattern[str]:
    """A pattern for the beginning of an entry with one of these labels, which may be any words, or of a term that begins with one,
    ignoring case."""
    words = rf"(?:{'|'.join(map(_match_words, labels))})"
    item = rf"{_BEGINNING}(?:{_LABEL}{_NEXT}){{0,4}}{_OPEN}{words}{_CLOSE}{_BEHIND}(?={_DESCRIBED})"
    term = rf"{_TERM_BEGINS}{words}(?![\w-]){_TERM_ENDS}"
    return re.compile(f"{item}|{term}", re.MULTILINE | re.IGNORECASE)


def _match_words(label: str) -> str:
    return r"\s+".join(map(re.escape, label.split()))


def _iter_every(text: str) -> Iterator[tuple[int, Iterator[str]]]:
    """The entries in a Markdown text: where each begins, and its names."""
    # A line end before the text shifts all positions by one: what begins behind one is at the position of the line end itself.
    lines = f"\n{blank_code(text)}"
    tables = (
        [found.span("rows") for found in TABLE.finditer(lines) if OF_NAMES.search(found["head"])]
        if "|" in lines
        else []
    )
    for entry in ENTRY.finditer(lines):
        table = bisect_right(tables, (entry.start(), len(lines))) - 1
        yield entry.start(), iter_names_of(entry, is_in_named_row=table >= 0 and entry.start() < tables[table][1])


def iter_names_of(entry: re.Match[str], *, is_in_named_row: bool = False) -> Iterator[str]:
    """The names in the entry's label, without the targets of links; of single words those in code, and the whole cell of a row in a
    table of names."""
    label = TARGET.sub("]", entry["label"]) if "](" in entry["label"] else entry["label"]
    yield from iter_names(label)
    if is_in_named_row and (single := SINGLE_IN_CELL.fullmatch(label)):
        yield single[1]
    elif "`" in label:
        yield from SINGLE_IN_CODE.findall(label)


def iter_names(text: str) -> Iterator[str]:
    for found in NAME.finditer(text):
        name = found["name"].rstrip("_")
        if len(name) <= MOST_CHARACTERS and STRUCTURED.match(name) and PART.search(name):
            yield from dict.fromkeys([name.replace(MAY_BE_NO, ""), name.replace(MAY_BE_NO, "no-")])


def encode(names: Iterable[str]) -> list[str]:
    """`core.pager` as zentry0core0pager, `--no-cache` as zentry0option0no0cache: words with digits are not stemmed in any language."""
    words = dict[str, None]()
    for name in names:
        written = name if SINGLE.fullmatch(name) else " ".join(PART.findall(name))
        parts = written.lower().replace(LABEL_SEPARATOR, ENTRY_ZERO).split()
        words[LABEL_SEPARATOR.join([ENTRY_MARK, *([OPTION] if name.startswith("-") else []), *parts])] = None
    return list(words)
