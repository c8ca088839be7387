"""`python -m tests.fuzz.lexers [NAME…]`: code made to keep a lexer busy, given to those whose colours documents may ask for.

Between two tokens nobody looks at the clock, so that much time for one is a finding: such a lexer is not to be in LANGUAGES.
"""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Iterator
from time import thread_time
from types import FrameType

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

from collections_app.reading.highlighting import (
    LANGUAGES,
    MAX_BLANK_CHARACTERS,
    MAX_HIGHLIGHTED_CHARACTERS,
    MAX_LINE_CHARACTERS,
)

# A page has a second more than its colours.
MAX_TOKEN_SECONDS = 0.5
# A pattern looks furthest at the beginning.
SECONDS = 0.005
# For a pattern that does not end.
INTERRUPTED_SECONDS = 1.5
SEED = 1

SIGNS = [
    *'a()[]{}<>"\'\\/*-=#0_.:,;\n\t@%&`~|!+^$? ',
    "é", "\r\n", "\n\n", "  ", " \n", "\n ", "\n  ", "\\\n", "a ", "a\n", "a\t", "a.", "a,", "a:", "a;", "a=", "a(", "a[", "a{",
    "a<", "a?", "a-", "a/", "(a", "[a", "{a", " a", "*a", "!a", "@a", "&a", "$a", "\\a", "'a", '"a', "#a\n", "a b ", "a : ",
    "a a=", "a b(", "a.b.", "a::b", "a[]", "a<a,", "[a]", "[a](", "::a", "\n\na", "=~ /", "/a", "m/", "s/", "%w(", "0.", "0x",
    "1_", "1e", "1.1.", "-1", "1\n", "1,", "::", "->", "=>", "@@", "&&", "**", "__", "$$", "%%", "$(", "$[", "${", "#{", "@{",
    "{#", "{{", "{%", "`${", 'f"{', 'r"', "b'", '"\\', '\\"', '"""', "'''", '"\n', '"a" ', "/*", "/**", "//", "--", "<!--", "(*",
    "{-", "#|", "/+", "=begin\n", "<<", "<<a\n", "<<~A\n", ">>> ", "... ", "$ ", "> ", "- a\n", "key: ", "=\n", ":\n", "(\n",
    "{\n", "[\n", ",\n", ";\n", "def a", "class a ", "fn a", "var a", "function ", "select ", "begin ", "end ", "if ",
    "import a", "using ", "namespace ", "public ", "new ", "return ", "a b c(d) ", "<a ", '<a b="', "</a>", "<script>",
    "<style>", "<?php ", "#include <", "```", "```a\n",
]  # fmt: skip


def main(names: list[str]) -> int:
    """How many lexers had a finding."""
    signal.signal(signal.SIGALRM, interrupt)
    return sum(try_lexer(name) for name in names or sorted(LANGUAGES))


def try_lexer(name: str) -> bool:
    lexer = get_lexer_by_name(name, stripnl=False)
    slowest, code = max((get_slowest_token_seconds(lexer, code), code) for code in iter_codes())
    is_finding = slowest > MAX_TOKEN_SECONDS
    sys.stdout.write(
        f"{name}: {slowest:.3f} s for a token{f' of {code[:12]!r}…{code[-12:]!r}' if is_finding else ''}\n"
    )
    sys.stdout.flush()
    return is_finding


def iter_codes() -> Iterator[str]:
    chance = random.Random(SEED)
    yield from map(repeat, SIGNS)
    for number in range(50):
        yield repeat("".join(chance.sample(SIGNS, 2 + number % 2)))
        first, second = chance.sample(SIGNS, 2)
        yield repeat(first, MAX_HIGHLIGHTED_CHARACTERS // 2) + repeat(second, MAX_HIGHLIGHTED_CHARACTERS // 2)
        yield first + repeat(second, MAX_HIGHLIGHTED_CHARACTERS - len(first))


def repeat(signs: str, size: int = MAX_HIGHLIGHTED_CHARACTERS) -> str:
    """In lines, and with gaps, as long as they may be; somewhat longer than `size` by what ends them."""
    code = (signs * size)[:size]
    if not signs.strip():
        return "x".join(code[at : at + MAX_BLANK_CHARACTERS] for at in range(0, size, MAX_BLANK_CHARACTERS))
    if "\n" in signs:
        return code
    return "\n".join(code[at : at + MAX_LINE_CHARACTERS] for at in range(0, size, MAX_LINE_CHARACTERS))


def get_slowest_token_seconds(lexer: Lexer, code: str) -> float:
    slowest, began = 0.0, thread_time()
    before = began
    signal.setitimer(signal.ITIMER_REAL, INTERRUPTED_SECONDS)
    try:
        for _ in lexer.get_tokens(code):
            now = thread_time()
            slowest, before = max(slowest, now - before), now
            if now - began > SECONDS:
                break
    except TimeoutError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return max(slowest, thread_time() - before)


def interrupt(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
