"""Code → HTML with Pygments' short classes, never inline styles. Code that is too long, or of a language nobody knows, stays plain."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from io import StringIO

from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES
from pygments.util import ClassNotFound

from collections_app.text.code_blocks import ATTRIBUTE

MAX_HIGHLIGHTED_CHARACTERS = 30_000
MAX_LANGUAGE_CHARACTERS = 30
TOKEN_CLASSES = frozenset(name for name in STANDARD_TYPES.values() if name)

# What documents say, where Pygments says it otherwise.
LANGUAGE_ALIASES = {
    "shell-session": "console",
    "jsonc": "json",
    "azurecli": "bash",
    "powershell-interactive": "powershell",
}
FIRST_WORD = re.compile(r"[\w#+.-]+")

formatter = HtmlFormatter(nowrap=True)


def render_code(code: str, info: str) -> str:
    """A block of code. `info` is what stands behind the fence's backticks: its first word is the language."""
    language = find_language(info)
    label = f' data-language="{escape(language)}"' if language else ""
    return f'<div class="code"{label}><pre><code>{highlight_code(code, language)}</code></pre></div>'


def find_language(info: str) -> str:
    """The language in small letters: `Python`, `{.python}` and `python title=x` are python; `title="x"` names none."""
    word = FIRST_WORD.search(ATTRIBUTE.sub("", info).lstrip("{. "))
    return word[0].lower()[:MAX_LANGUAGE_CHARACTERS] if word else ""


def highlight_code(code: str, language: str) -> str:
    """Some lexers leave out what they do not understand: then the code stays plain."""
    lexer = find_lexer(language) if len(code) <= MAX_HIGHLIGHTED_CHARACTERS else None
    tokens = list(lexer.get_tokens(code)) if lexer else []
    if "".join(text for _, text in tokens).rstrip("\n") != code.rstrip("\n"):
        return escape(code, quote=False)
    html = StringIO()
    formatter.format(tokens, html)
    return html.getvalue()


@lru_cache(maxsize=256)
def find_lexer(language: str) -> Lexer | None:
    if not language:
        return None
    try:
        return get_lexer_by_name(LANGUAGE_ALIASES.get(language, language), stripnl=False)
    except ClassNotFound:
        return None
