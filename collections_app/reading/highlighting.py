"""Turns code into HTML with Pygments' short classes, never inline styles. Code that is too long, or not in one of LANGUAGES, stays plain.

The document chooses the lexer, and most lexers take quadratic time on code made for it. Those of LANGUAGES take long for no single token
(`make fuzz-lexers` tests it), and between two tokens the page's allowance is checked.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from io import StringIO
from threading import Lock

from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import STANDARD_TYPES

from collections_app.parsing.html.vocabulary import make_set
from collections_app.reading.allowance import Allowance, AllowanceSpent
from collections_app.text.markdown.code_blocks import ATTRIBUTE, DIRECTIVE

MAX_HIGHLIGHTED_CHARACTERS = 20_000
# From each character of a line, or of a run of blanks and blank lines, a single pattern may scan the rest of it.
MAX_LINE_CHARACTERS = 5_000
MAX_BLANK_CHARACTERS = 500
MAX_LANGUAGE_CHARACTERS = 30
TOKEN_CLASSES = frozenset(name for name in STANDARD_TYPES.values() if name)

# By the first of their names in Pygments.
LANGUAGES = make_set(
    "abnf ada apacheconf awk bash batch c caddyfile clojure cmake coffeescript common-lisp console cpp cr csharp css cuda "
    "cypher d dart delphi diff django docker elixir elm emacs-lisp erb erl erlang fish fortran fsharp gas gdscript glsl go "
    "graphql graphviz groovy handlebars haskell hlsl html http iex ini java javascript json json5 jsonnet jsx julia kotlin "
    "less llvm lua make markdown mysql nasm nginx nimrod nixos objective-c ocaml output perl php plpgsql postgresql "
    "powershell prolog promql properties protobuf pug puppet pwsh-session pycon pytb python racket rbcon registry rego "
    "restructuredtext ruby rust sass scala scheme scss sed solidity sparql splus sql swift systemd tcl tcsh terraform tex "
    "text thrift toml tsql tsx turtle twig typescript vb.net verilog vhdl vim vue wgsl xml xslt yaml zig"
)
# Names in documents that Pygments does not know.
LANGUAGE_ALIASES = {
    "shell-session": "console",
    "jsonc": "json",
    "azurecli": "bash",
    "powershell-interactive": "powershell",
}
BLANKS = re.compile(r"\s+")
# After the language: VitePress's `[npm]`, the name of a tab in a code group, or `title="rig.toml"`.
TITLE = re.compile(r"""[ \t]\[([^\[\]]{1,200})\]|(?<![\w-])(?:title|filename)=(?:"([^"]{1,200})"|'([^']{1,200})')""")
FIRST_WORD = re.compile(r"[\w#+.-]+")

# Pygments builds a lexer's table at its first use; two threads that build the same one corrupt its states for good.
lexing = Lock()
formatter = HtmlFormatter(nowrap=True)


def render_code(code: str, info: str, allowance: Allowance) -> str:
    """A block of code, below its title. `info` is the text after the fence's backticks: its first word is the language."""
    language = find_language(info)
    label = f' data-language="{escape(language)}"' if language else ""
    found = TITLE.search(info)
    title = f'<p class="code-title">{escape(found[1] or found[2] or found[3], quote=False)}</p>' if found else ""
    return f'{title}<div class="code"{label}><pre><code>{highlight_code(code, language, allowance)}</code></pre></div>'


def find_language(info: str) -> str:
    """The language in lower case: `Python`, `{.python}`, `{code-block} python` and `python title=x` are python; `title="x"` names
    none."""
    word = FIRST_WORD.search(ATTRIBUTE.sub("", DIRECTIVE.sub("", info)).lstrip("{. "))
    return word[0].lower()[:MAX_LANGUAGE_CHARACTERS] if word else ""


def highlight_code(code: str, language: str, allowance: Allowance) -> str:
    """Some lexers drop what they do not understand; the code then stays plain, as it does when the allowance is spent."""
    tokens = []
    try:
        with lexing:
            allowance.check()
            lexer = None if is_too_long(code) else find_lexer(language)
            for kind, text in lexer.get_tokens(code) if lexer else ():
                allowance.check()
                tokens.append((kind, text))
    except AllowanceSpent:
        return escape(code, quote=False)
    if "".join(text for _, text in tokens).rstrip("\n") != code.rstrip("\n"):
        return escape(code, quote=False)
    html = StringIO()
    formatter.format(tokens, html)
    return html.getvalue()


def is_too_long(code: str) -> bool:
    """Whether a lexer may take long for a single token of it."""
    if len(code) > MAX_HIGHLIGHTED_CHARACTERS or max(map(len, code.split("\n"))) > MAX_LINE_CHARACTERS:
        return True
    return any(len(blanks) > MAX_BLANK_CHARACTERS for blanks in BLANKS.findall(code))


@lru_cache(maxsize=256)
def find_lexer(language: str) -> Lexer | None:
    name = LANGUAGE_ALIASES.get(language, language)
    return get_lexer_by_name(name, stripnl=False) if name in get_lexer_names() else None


@lru_cache(maxsize=1)
def get_lexer_names() -> frozenset[str]:
    """All names of LANGUAGES, without importing a lexer."""
    names = (names for _, names, _, _ in get_all_lexers(plugins=False))
    return frozenset(name for each in names if LANGUAGES.intersection(each) for name in each)
