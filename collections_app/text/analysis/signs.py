"""Operators by themselves (`->>`, `@@`, `!=`; `?` as code), `$_`, short options (`-it`, `--all`) and names that end in signs (`C++`, `C#`).

Each is also searched as one ASCII word: PostgreSQL's parser sees nothing of them, or another name. PURE.
"""

from __future__ import annotations

import re

from collections_app.text.analysis.unspaced import encode_characters

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
ENCODED_SIGNS = re.compile(r"op([a-z]{0,2})((?:x[0-9a-f]{2}){1,6})")


def encode_signs(text: str, words: str | None = None, *, is_question: bool = False) -> list[str]:
    """Names and operators as words: `C++` as opcx2bx2b, `->>` as opx2dx3ex3e, `-it` as opx2dx69x74, `?` as opx3f; each once.

    `words`: what drop_plain_words() leaves of the text.
    """
    words = text if words is None else words
    doubtful = find_pauses(text, words, is_question=is_question) + find_single_signs(
        text, words, is_question=is_question
    )
    operators = [each for each in dict.fromkeys(OPERATOR.findall(words)) if not MARKUP.fullmatch(each)]
    items = ITEM.findall(words) if "$_" in words else []
    signs = dict.fromkeys([*operators, *OPTION.findall(words), *items, *doubtful])
    encoded = [f"op{encode_characters(each)}" for each in signs]
    return [*encode_signed_names(words), *encoded] if "++" in words or SHARP.search(words) else encoded


def encode_signed_names(text: str) -> list[str]:
    found = (f"op{(name[1] or name[2]).lower()}{encode_characters(name[0])}" for name in SIGNED_NAME.finditer(text))
    return list(dict.fromkeys(found))


def find_pauses(text: str, words: str, *, is_question: bool) -> list[str]:
    """The operators that would otherwise be pauses (PAUSE, ASKED_PAUSE)."""
    if not MAY_HAVE_PAUSE.search(words):
        return []
    return [found[0].split()[-1] for found in (ASKED_PAUSE if is_question else PAUSE).finditer(text)]


def find_single_signs(text: str, words: str, *, is_question: bool) -> list[str]:
    """The operators of one sign (ONE_SIGN, ASKED_ONE_SIGN)."""
    if not is_question and not CODE_OF_ANY_SIGN.search(words) and " operator" not in text and " Operator" not in text:
        return []
    found = (ASKED_ONE_SIGN if is_question else ONE_SIGN).finditer(text)
    return [each["code"] or each[0] for each in found]
