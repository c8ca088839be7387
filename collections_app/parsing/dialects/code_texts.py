"""Code that MDX gives a component as a text between backticks (``<CodeBlock language="sh">{`row`}</CodeBlock>``), to put values in or to
keep its blank lines: it becomes fenced code. PURE.

Values that it has (`${name}`) stay as they are written.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MdxPlaces
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.safety.places import is_alone
from collections_app.text.spans import replace_spans

_SHOWN = re.compile(
    r"<(?P<name>[A-Z][\w.]{0,60}|pre)(?P<attributes>(?:\s[^<>{}`]{0,500})?)>\s*+\{\s*+`(?P<code>(?:[^`\\]|\\.)*+)`\s*+\}\s*+</(?P=name)>",
    re.DOTALL,
)
_HINT = re.compile(r"\{\s*+`")
_OF_CODE = re.compile(r"Code|Highlight|Snippet|Terminal|pre")
_LANGUAGE = re.compile(r"\b(?:lang|language)=[\"']([\w+#-]+)[\"']|[\"' ]language-([\w+#-]+)")
_TITLE = re.compile(r"\b(?:title|filename|fileName)=\"([^\"\n]+)\"")
_ESCAPED = re.compile(r"\\(?:\n|([\\`$]))")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")


def write_code_texts(content: str) -> str:
    """The text with such code in fences. Lines behind it stay where they are, if there are blank lines beside it for the fences."""
    if not _HINT.search(content):
        return content
    found = [
        match
        for match in _SHOWN.finditer(content)
        if _OF_CODE.search(match["name"]) and is_alone(content, *match.span())
    ]
    places = MdxPlaces(content) if found else None
    changes = [_fence(match) for match in found if places and not places.is_code_at(match.start())]
    return replace_spans(content, changes)


def _fence(found: re.Match[str]) -> tuple[int, int, str]:
    """Where the tag and its code are, with blank lines behind them for the fences, and the fenced code, as far in as the tag."""
    content, end = found.string, found.end()
    start = content.rfind("\n", 0, found.start()) + 1
    indent = content[start : found.start()]
    code = _ESCAPED.sub(r"\1", found["code"]).strip("\n").rstrip()
    if all(line.startswith(indent) for line in code.split("\n")[1:] if line):
        code = code.replace(f"\n{indent}", "\n")
    lines = fence_code(code, _describe(found["attributes"])).split("\n")
    written = "\n".join(f"{indent}{line}" if line else "" for line in lines)
    spare = content.count("\n", start, end) - written.count("\n")
    while spare < 0 and (blank := _BLANK_LINE.match(content, end)):
        end, spare = blank.end(), spare + 1
    return start, end, written + "\n" * spare


def _describe(attributes: str) -> str:
    language, title = _LANGUAGE.search(attributes), _TITLE.search(attributes)
    return (language[1] or language[2] if language else "") + (f' title="{title[1]}"' if title else "")
