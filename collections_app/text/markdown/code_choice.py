"""Keeps the code in one language where a text shows the same code in several, for readers who work in that language. PURE.

Products show an example in each of their languages, one below the other. Code in anything but a programming language (commands, output,
settings) belongs to the text and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from collections_app.exceptions import InvalidParameter
from collections_app.text.markdown.code_blocks import find_code_languages, iter_fenced_code, name_language

PROGRAMMING = frozenset({
    "c", "clojure", "cpp", "csharp", "dart", "elixir", "erlang", "fsharp", "go", "groovy", "haskell", "java", "javascript", "julia",
    "kotlin", "lua", "objective-c", "ocaml", "perl", "php", "powershell", "python", "r", "ruby", "rust", "scala", "swift", "typescript",
    "vb", "zig",
})  # fmt: skip
# With this many languages in one section, the code is taken to be the same in each, and not parts of one thing.
SEVERAL = 3
# A line above code that only names its language: `**Go**`, `**C#**`, `Python:`, `Java (sync)`. `Go to the console:` is none.
LABEL = re.compile(
    r"""\s*(?P<bold>\*\*|__)?(?P<name>[A-Za-z\d.+#-]{1,20})
        (?:\ (?:\([\w./\ -]{1,20}\)|\d[\d.]{0,9}\+?|sdk|api|client|library|driver|example|code|syntax|core|c|js))?
        :?(?:\*\*|__)?:?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
# What must be above a label, unless the label is in bold: otherwise it is the last line of a paragraph.
ABOVE_LABEL = re.compile(r"[ \t>]*+(?:$|`{3}|~{3}|\#)")
CALLED = {".net": "csharp", "dotnet": "csharp", "node.js": "javascript", "objective": "objective-c"}


def read_language(code: str | None) -> str:
    """The canonical name of a language; empty for None. Raises InvalidParameter if it is no language of code."""
    language = name_language(code or "")
    if code and not language:
        raise InvalidParameter(f"code={code[:50]!r} is no language. Give one such as python, javascript or shell.")
    return language


def list_alternatives(text: str) -> list[str]:
    """The languages of a section's code, if it may be the same code in each; else empty."""
    if text.count("```") < 2 * SEVERAL and "~~~" not in text:
        return []
    # What follows any fence: most sections are in one language, which need not be read line by line.
    infos = {after.partition("\n")[0].lstrip("`~") for fence in ("```", "~~~") for after in text.split(fence)[1:]}
    if len(PROGRAMMING.intersection(map(name_language, infos))) < SEVERAL:
        return []
    languages = PROGRAMMING.intersection(find_code_languages(text))
    return sorted(languages) if len(languages) >= SEVERAL else []


def keep_language(text: str, language: str) -> str:
    """The text without fenced code in other programming languages and the lines that name these; unchanged if it has no code in `language`.

    `text`: that of one section, without its subsections.
    """
    languages = set(find_code_languages(text))
    others = PROGRAMMING.intersection(languages) - {language}
    if language not in languages or not others:
        return text
    kept: list[str] = []
    lines, behind = text.split("\n"), 0
    for block in iter_fenced_code(lines):
        append_text(kept, lines[behind : block.start])
        if block.language in others:
            drop_label(kept, others)
        else:
            kept += lines[block.start : block.end]
        behind = block.end
    append_text(kept, lines[behind:])
    ending = text[len(text.rstrip("\n")) :]
    return "\n".join(kept).rstrip("\n") + ending


def drop_label(lines: list[str], others: frozenset[str]) -> None:
    """Without the label at the end of these lines, with the blank ones around it; in place. A heading of the section stays."""
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    label = LABEL.fullmatch(lines[last - 1]) if last else None
    if label and (label["bold"] or begins_paragraph(lines, last - 1)):
        name = label["name"].lower()
        if CALLED.get(name, name_language(name)) in others:
            del lines[last - 1 :]


def begins_paragraph(lines: list[str], number: int) -> bool:
    return not number or bool(ABOVE_LABEL.match(lines[number - 1].rstrip()))


def append_text(kept: list[str], lines: Iterable[str]) -> None:
    """In place; of blank lines in a row, such as those around removed code, one is enough."""
    for line in lines:
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
