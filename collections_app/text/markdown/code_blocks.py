"""Fenced code in Markdown, and the names of its languages. PURE: ingest indexes the names, search uses them and shows the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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


class FencedCode(NamedTuple):
    """Fenced code: its first line, matched with FENCE, the number of that line, and of the one behind its last; both count from 0.
    `is_closed`: its last line is a fence.
    """

    opening: re.Match[str]
    start: int
    end: int
    is_closed: bool

    @property
    def language(self) -> str:
        return name_language(self.opening["info"])


def iter_fenced_code(lines: Sequence[str]) -> Iterator[FencedCode]:
    """All fenced code, also in list items and quotes; if never closed, it ends with the text.

    This is a reader's view of any text, even a piece of one: for what CommonMark makes of a whole document, see parsing/headings/.
    """
    opening: re.Match[str] | None = None
    start, fence = 0, ""
    for number, line in enumerate(lines):
        if opening is not None:
            if fence in line and ends_code(line, fence):
                yield FencedCode(opening, start, number + 1, True)
                opening = None
        elif "```" in line or "~~~" in line:
            opening, start = FENCE.match(line.rstrip("\r")), number
            fence = opening["fence"] if opening else ""
    if opening is not None:
        yield FencedCode(opening, start, len(lines), False)


def iter_code_blocks(text: str) -> Iterator[tuple[str, str]]:
    """The language and the code of each fenced block; one that is never closed ends with the text."""
    lines = text.split("\n")
    for block in iter_fenced_code(lines):
        yield block.language, "\n".join(lines[block.start + 1 : block.end - block.is_closed])


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
    return next((block.opening for block in iter_fenced_code(text.split("\n")) if not block.is_closed), None)


def find_code_languages(text: str) -> list[str]:
    """The languages of a text's fenced code, each once."""
    if "```" not in text and "~~~" not in text:
        return []
    infos = {block.opening["info"] for block in iter_fenced_code(text.split("\n"))}
    return sorted({*map(name_language, infos)} - {""})


def make_code_term(language: str) -> str:
    """The term for code in a language in the index. No word of a text is like it, as PostgreSQL's parser makes none with CODE_MARK."""
    return f"{CODE_MARK}{language}"


def blank_code(text: str) -> str:
    """The text with fenced code, but for its first line, replaced by blanks, so that all other text keeps its position."""
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    for block in iter_fenced_code(lines):
        for number in range(block.start + 1, block.end):
            lines[number] = " " * len(lines[number])
    return "\n".join(lines)
