"""Opens templates in a page's `<script>` elements: text in a template language (Handlebars, Mustache), which a script would insert into the
page. It runs none.

https://html.spec.whatwg.org/multipage/scripting.html#data-block: a script whose type is not a script type is data.
"""

from __future__ import annotations

import re

_SCRIPT = re.compile(rb"<(?P<end>/)?script\b[^<>]*+>", re.IGNORECASE)
_TYPE = re.compile(rb"\stype\s*+=\s*+[\"']?text/([\w.+-]++)", re.IGNORECASE)
_WORDS = (b"handlebars", b"mustache", b"template", b"tmpl")


def open_templates(content: bytes) -> bytes:
    """The page with each template in a `<div>`; the same page if it has none."""
    is_open = False

    def write(tag: re.Match[bytes]) -> bytes:
        nonlocal is_open
        if tag["end"]:
            was_open, is_open = is_open, False
            return b"</div>" if was_open else tag[0]
        if not is_open and _is_template(tag[0]):
            is_open = True
            return b"<div>"
        return tag[0]

    return _SCRIPT.sub(write, content)


def _is_template(tag: bytes) -> bool:
    kind = _TYPE.search(tag)
    return kind is not None and (kind[1].lower() == b"html" or any(word in kind[1].lower() for word in _WORDS))
