"""Fenced code in Markdown, and the names of its languages. PURE: ingest indexes the names, search uses them and shows the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A fence may be in a list item or a quotation. Quantifiers are possessive: with a backtick after ten thousand tildes, each shorter fence
# would be tried with everything after it.
FENCE = re.compile(r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}+[.)])[ \t]++)?+(?P<fence>`{3,}+|~{3,}+)(?P<info>[^`\n]*+)$")
# `python`, `{.python .numbered}`, `{code-block} python`, `python title="x.py"`, `c++`, `rust,ignore`
DIRECTIVE = re.compile(r"\{(?:code|code-block|code-cell|sourcecode)\}")
# Attributes of a block, which name no language even if there is nothing else: `hl_lines="3 4"`, `title='a.py'`, `linenums=1`
ATTRIBUTE = re.compile(r"""(?<![\w-])[\w-]+=(?:"[^"]*"|'[^']*'|[^\s,}]*)""")
NAME = re.compile(r"[\w+#][\w+#.-]*")

NAMES = {
    "bash": "shell", "sh": "shell", "zsh": "shell", "fish": "shell", "ksh": "shell", "console": "shell", "shell-session": "shell",
    "shellsession": "shell", "shellscript": "shell", "terminal": "shell",
    "py": "python", "py3": "python", "python3": "python", "pycon": "python", "ipython": "python", "ipython3": "python",
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "node": "javascript", "nodejs": "javascript",
    "ts": "typescript", "tsx": "typescript", "mts": "typescript", "cts": "typescript",
    "yml": "yaml", "jsonc": "json", "json5": "json", "md": "markdown", "mdx": "markdown", "htm": "html", "xhtml": "html",
    "ps1": "powershell", "pwsh": "powershell", "ps": "powershell", "posh": "powershell", "bat": "batch", "cmd": "batch",
    "c++": "cpp", "cxx": "cpp", "cc": "cpp", "hpp": "cpp", "h": "c", "c#": "csharp", "cs": "csharp", "f#": "fsharp",
    "objc": "objective-c", "objectivec": "objective-c", "golang": "go", "rs": "rust", "rb": "ruby", "kt": "kotlin", "kts": "kotlin",
    "dockerfile": "docker", "containerfile": "docker", "make": "makefile", "mk": "makefile", "hcl": "terraform", "tf": "terraform",
    "postgres": "sql", "postgresql": "sql", "psql": "sql", "mysql": "sql", "sqlite": "sql", "plpgsql": "sql", "tsql": "sql",
    "proto": "protobuf", "gql": "graphql", "ex": "elixir", "exs": "elixir", "erl": "erlang", "hs": "haskell", "pl": "perl",
    "jl": "julia", "jldoctest": "julia", "julia-repl": "julia",
}  # fmt: skip
CODE_MARK = "`"
PLAIN = frozenset({"", "text", "txt", "plain", "plaintext", "none", "output"})


def name_language(info: str) -> str:
    """The canonical name of a language, from any of its names or from what follows a fence; empty for plain text."""
    match = NAME.search(ATTRIBUTE.sub("", DIRECTIVE.sub("", info)).lower())
    name = match[0].rstrip(".-") if match else ""
    name = NAMES.get(name, name)
    return "" if name in PLAIN else name


def iter_code_blocks(text: str) -> Iterator[tuple[str, str]]:
    """The language and the code of each fenced block; one that is never closed ends with the text."""
    closing, language, code = "", "", list[str]()
    for line in text.split("\n"):
        if closing:
            if ends_code(line, closing):
                yield language, "\n".join(code)
                closing = ""
            else:
                code.append(line)
        elif ("```" in line or "~~~" in line) and (opening := FENCE.match(line.rstrip("\r"))):
            closing, language, code = opening["fence"], name_language(opening["info"]), []
    if closing:
        yield language, "\n".join(code)


def ends_code(line: str, fence: str) -> bool:
    """Whether the line closes the code that this fence opened."""
    return line.strip(" \t>\r").startswith(fence) and not line.strip(" \t>\r" + fence[0])


def find_open_fence(text: str) -> str:
    """The fence that would close the code in which a text ends; empty where it ends in none."""
    opening = find_opening(text)
    return opening["fence"] if opening else ""


def close_code(text: str) -> str:
    """The text, with any code that is open at its end closed by a fence on a line of its own."""
    return "\n".join(filter(None, [text, find_open_fence(text)]))


def find_opening(text: str) -> re.Match[str] | None:
    """The line that opens the code in which a text ends, matched with FENCE; None where it ends in none."""
    if "```" not in text and "~~~" not in text:
        return None
    opening: re.Match[str] | None = None
    for line in text.split("\n"):
        if opening is None:
            opening = FENCE.match(line.rstrip("\r"))
        elif ends_code(line, opening["fence"]):
            opening = None
    return opening


def find_code_languages(text: str) -> list[str]:
    """The languages of a text's fenced code, each once."""
    if "```" not in text and "~~~" not in text:
        return []
    return sorted({language for language, _ in iter_code_blocks(text) if language})


def make_code_term(language: str) -> str:
    """The term for code in a language in the index. No word of a text is like it, as PostgreSQL's parser makes none with CODE_MARK."""
    return f"{CODE_MARK}{language}"


def blank_code(text: str) -> str:
    """The text with fenced code replaced by blanks, so that all other text keeps its position."""
    if "```" not in text and "~~~" not in text:
        return text
    closing, lines = "", list[str]()
    for line in text.split("\n"):
        if closing:
            closing = "" if ends_code(line, closing) else closing
            lines.append(" " * len(line))
        else:
            opening = FENCE.match(line.rstrip("\r"))
            closing = opening["fence"] if opening else ""
            lines.append(line)
    return "\n".join(lines)
