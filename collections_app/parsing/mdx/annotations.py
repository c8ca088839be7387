"""Annotations behind headings, links, pictures and code of MDX (`## Title {{ id: 'x' }}`, `[words](/a){{ target: '_blank' }}`), as the
plugin mdx-annotations reads them: properties of what they stand behind, which no reader sees.
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.mdx_code import MdxCode

_OBJECT = r"\{\{[ \t]*\w+[ \t]*:[^{}\n]*\}\}"
_BEHIND = re.compile(
    rf"^(?P<heading>#{{1,6}}[ \t][^\n]*?)[ \t]*(?P<own>{_OBJECT})[ \t]*$|(?<=[)\]`]){_OBJECT}", re.MULTILINE
)
_ID = re.compile(r"\bid[ \t]*:[ \t]*([\"'])(?P<id>[\w-]+)\1")


def drop_annotations(content: str) -> str:
    """The text without them, its lines on their places; the id of a heading stays, as `{#id}`."""
    if "{{" not in content:
        return content
    code = MdxCode(content)

    def write(found: re.Match[str]) -> str:
        if code.holds(found.start()):
            return found[0]
        if not found["own"]:
            return ""
        own = _ID.search(found["own"])
        return found["heading"] + (f" {{#{own['id']}}}" if own else "")

    return _BEHIND.sub(write, content)
