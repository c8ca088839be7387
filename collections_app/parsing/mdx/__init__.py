"""MDX: Markdown with JavaScript in it. What readers see stays, on its line; what only the compiler needs is removed. It runs nothing.

Outside of code, these are removed: comments (`{/* … */}`), annotations, demonstrations, `import` and `export` statements, and component
tags. The children of a component stay, and so does the prose of its attributes. An expression that is a text (`{" "}`, `{'<'}`) becomes
that text; HTML tags and other expressions (`{name}`) stay as in Markdown.
"""

from __future__ import annotations

import re
from dataclasses import replace

from collections_app.parsing.dialects.components.writer import drop_components
from collections_app.parsing.dialects.mdx_code import MdxPlaces, find_fenced_lines, replace_outside_mdx_code
from collections_app.parsing.documents import Finding, FindingKind, NormalisedText, RawDocument
from collections_app.parsing.markdown.parser import read_markdown
from collections_app.parsing.mdx.addresses import write_addresses
from collections_app.parsing.mdx.annotations import drop_annotations
from collections_app.parsing.mdx.demonstrations import drop_demonstrations
from collections_app.parsing.mdx.exported_facts import read_exported_facts, write_exported_values
from collections_app.parsing.mdx.file_trees import write_file_trees
from collections_app.parsing.mdx.heading_boxes import write_heading_boxes
from collections_app.parsing.mdx.html_attributes import write_html_attributes
from collections_app.parsing.mdx.link_elements import write_link_elements
from collections_app.parsing.mdx.markdown_in_html import separate_markdown
from collections_app.parsing.mdx.statements import drop_statements
from collections_app.parsing.mdx.tab_values import write_tab_labels
from collections_app.parsing.safety.prose import make_excerpt

__all__ = ["parse_mdx"]

_REDIRECT = re.compile(r"""<Redirect\s(?:[^<>]*\s)?to=\{?["'`](?!\w+:|//)(?P<target>[^"'`<>{}\s]{1,1000})["'`]""")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_LINE_END = re.compile(r"[ \t]*$", re.MULTILINE)
# `[//]: <> (words)` is a comment in Markdown, and `<>` no fragment in it.
_EMPTY_TARGET = re.compile(r"^( {0,3}\[[^\[\]\n]{1,100}\]:[ \t]*)<>")
# Not the value of an attribute.
_TEXT = re.compile(r"(?<!=)\{[ \t]*+(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote))[^\\\n$])*+)(?P=quote)[ \t]*+\}")
_SIGN = re.compile(r"[\\`*_{}\[\]<|]")
_HEADING_ID = re.compile(r"\{/\*[ \t]*#?([\w.:-]+)[ \t]*\*/\}")


def parse_mdx(raw: RawDocument) -> NormalisedText:
    """Raises the same errors as read_markdown()."""
    text = read_markdown(raw)
    content, comments = _drop_comments(text.content)
    findings = tuple(Finding(FindingKind.COMMENT, -1, make_excerpt(comment), removed=True) for comment in comments)
    leading = _REDIRECT.search(content)
    redirect = text.redirect or (leading["target"] if leading else "")
    facts = read_exported_facts(content)
    content = drop_demonstrations(drop_statements(_fill_empty_targets(write_exported_values(content))))
    content = write_addresses(write_file_trees(write_heading_boxes(content)))
    content = write_link_elements(write_html_attributes(content))
    content = drop_components(drop_annotations(_write_texts(write_tab_labels(content))))
    return replace(
        text,
        format="mdx",
        content=separate_markdown(content),
        title=text.title or facts.get("title", ""),
        description=text.description or facts.get("description", ""),
        redirect=redirect,
        findings=findings,
    )


def _fill_empty_targets(content: str) -> str:
    if "]:" not in content or "<>" not in content:
        return content
    lines = content.split("\n")
    fenced = find_fenced_lines(lines)
    return "\n".join(line if number in fenced else _EMPTY_TARGET.sub(r"\1#", line) for number, line in enumerate(lines))


def _write_texts(content: str) -> str:
    """The text with the texts of such expressions in their place, outside of code."""
    return replace_outside_mdx_code(_TEXT, _write_text, content)


def _write_text(found: re.Match[str]) -> str:
    """The text of an expression, with Markdown's signs escaped. A blank at the end of a line is left out, as it could make a line break."""
    if not found["text"].strip():
        return "" if _LINE_END.match(found.string, found.end()) else " "
    return _SIGN.sub(r"\\\g<0>", found["text"])


def _drop_comments(content: str) -> tuple[str, list[str]]:
    """The text without `{/* … */}`, with no line moved, and the words of the comments. An unclosed comment is text.

    A comment at the end of a heading is its id, and becomes `{#id}`.
    """
    places = MdxPlaces(content)
    pieces: list[str] = []
    comments: list[str] = []
    position, kept_from = 0, 0
    while (start := content.find("{/*", position)) >= 0:
        closing = content.find("*/}", start + 3)
        if closing < 0:
            break
        position = start + 3
        if not places.is_code_at(start):
            position = closing + 3
            pieces.append(content[kept_from:start])
            kept_from = position
            if heading_id := _find_heading_id(content, start, position):
                pieces.append(f"{{#{heading_id}}}")
            else:
                comments.append(content[start + 3 : closing])
                pieces.append("\n" * content.count("\n", start, position))
    return "".join([*pieces, content[kept_from:]]), comments


def _find_heading_id(content: str, start: int, end: int) -> str:
    """The id in a comment that ends a heading; empty if it does not."""
    comment = _HEADING_ID.fullmatch(content, start, end) if _LINE_END.match(content, end) else None
    return comment[1] if comment and _HEADING.match(content, content.rfind("\n", 0, start) + 1, start) else ""
