"""Replaces ERB's tags in Markdown that Middleman fills in (`guide.html.md.erb`). It runs no Ruby. PURE.

The page's own title and the text that a helper gets (`<%= warning_text('…') %>`) stay. Everything else that Ruby computes is left out.

https://docs.ruby-lang.org/en/master/ERB.html, https://middlemanapp.com/basics/frontmatter/
"""

from __future__ import annotations

import re

ENDING = ".erb"

_TAG = re.compile(r"<%(?P<sign>[%=#-]?)(?P<code>(?:[^%<]|%(?!>)|<(?!%))*+)%>")
_TITLE = re.compile(r"\s*current_(?:page|resource)\.data\.title\s*-?")
_HELPER = re.compile(
    r"""\s*\w+[ (]\s*(?P<quote>['"])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*+)(?P=quote)\s*+"""
    r"""(?:,[^'"]*+(?:'[^'"]*+'|"[^'"]*+")?[^'"]*+)?+\)?\s*+-?""",
    re.DOTALL,
)
# What a helper gets that is no text: the name of a file or of a part of the page.
_NAME = re.compile(r"[\w./-]+")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def write_erb(content: str, title: str) -> str:
    """The text with the tags replaced, also in code, where Ruby runs them too. No line moves."""
    return _TAG.sub(lambda tag: _write(tag, title), content) if "<%" in content else content


def _write(tag: re.Match[str], title: str) -> str:
    if tag["sign"] == "%":
        return f"<%{tag['code']}%>"  # the text of a tag
    written = ""
    if tag["sign"] == "=":
        helper = _HELPER.fullmatch(tag["code"])
        text = _ESCAPED.sub(r"\1", helper["text"]) if helper else ""
        written = title if _TITLE.fullmatch(tag["code"]) else "" if _NAME.fullmatch(text) else text
    return written + "\n" * (tag[0].count("\n") - written.count("\n"))
