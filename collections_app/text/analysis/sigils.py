"""Names with a sigil: `@Cacheable`, `$state`, `--force`, `::before`, `#define`, `.npmrc`, `*.log`, `<Suspense>`, `println!`. PURE.

PostgreSQL's parser sees only their names, which may be any words (`force`) or stop words (`#each`). So each is also one ASCII word.
Options of up to four letters and operators are those of signs.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from collections_app.text.analysis.unspaced import encode_characters

# Begins with a rare letter, since close spellings are looked for among words with the same first letter.
SIGIL_MARK = "zs"
_NAME = r"[A-Za-z][A-Za-z0-9]{1,39}"
# A sigil is where a word may begin; the dot of a hidden file also behind its folder (`~/.npmrc`). Like the patterns of signs.py, this one
# begins with a sign, so that most of a text is skipped quickly.
# `${NAME}` is `$NAME`, `#[name]` is `#name`, and a closing tag has the sigil of the opening one. The `.` of `node.name`, the `:` of
# `key:value`, the `<` of `Map<String>`, and the `@` of a mail address or of a package (`@types/node`) are none.
BEFORE = re.compile(
    r"(?P<sigil>[$#<:.@%*-](?:(?<![\w@$#%<:.)\]-].)(?<!/[^.])"
    r"(?:(?<=[$#<:.])|(?<=@)(?![\w-]{1,40}/\w)|(?<=%)(?=\w{1,40}%)|(?<=-)(?=-?[A-Za-z]{5}))|(?<=\*)(?=\.)(?<!\w.))"
    rf"(?:(?<=:):|(?<=\*)\.|(?<=-)-|(?<=<)/|(?<=\$)\{{|(?<=#)!?\[)?)(?P<name>{_NAME})(?![\w@]|-\w|:/)",
    re.ASCII | re.DOTALL,
)
# In a sentence, a word with an exclamation mark is just called out.
AFTER = re.compile(rf"(?<![\w.])({_NAME})(?=![`(\[{{])", re.ASCII)
ASKED_AFTER = re.compile(rf"(?<![\w.])({_NAME})(?=!(?![\w=]))", re.ASCII)
OF_ONE_KIND = str.maketrans("", "", "/{[!")
ENCODED_SIGIL = re.compile(f"{SIGIL_MARK}((?:x[0-9a-f]{{2}}){{1,2}})n([a-z0-9]+)")
EXCLAMATION = "!"
AFTER_NAME = (EXCLAMATION, "%")
# Looked for before AFTER, which takes longer.
EXCLAIMED = re.compile(r"!(?<=\w!)")


def encode_sigils(text: str, *, is_question: bool = False) -> list[str]:
    """`@Cacheable` as zsx40nCacheable, `--force` as zsx2dx2dnforce, `println!` as zsx21nprintln; each once."""
    found = dict.fromkeys(iter_sigils(text, is_question=is_question))
    return [f"{SIGIL_MARK}{encode_characters(sigil)}n{name}" for sigil, name in found]


def list_asked_sigils(question: str) -> list[str]:
    """The names with a sigil in a question, as texts mostly write them, each once."""
    return list(dict.fromkeys(join(*found) for found in iter_sigils(question, is_question=True)))


def iter_sigils(text: str, *, is_question: bool) -> Iterator[tuple[str, str]]:
    """Pairs of sigil and name; a name may occur again."""
    for sigil, name in BEFORE.findall(text):
        yield (sigil if len(sigil) == 1 else sigil.translate(OF_ONE_KIND)), name
    if EXCLAIMED.search(text):
        yield from ((EXCLAMATION, name) for name in (ASKED_AFTER if is_question else AFTER).findall(text))


def decode_sigil(term: str) -> str:
    """The name with its sigil that the lexeme encodes; empty for others."""
    return join(*split_sigil(term)) if term.startswith(SIGIL_MARK) else ""


def split_sigil(term: str) -> tuple[str, str]:
    """The sigil and the name; empty for other lexemes."""
    found = ENCODED_SIGIL.fullmatch(term)
    return ("".join(chr(int(code, 16)) for code in found[1].split("x")[1:]), found[2]) if found else ("", "")


def join(sigil: str, name: str) -> str:
    return f"{'' if sigil == EXCLAMATION else sigil}{name}{sigil if sigil in AFTER_NAME else ''}"
