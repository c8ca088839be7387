"""Puts the values that a place gives an included MDX text into it: `{props.name}` (Docusaurus) and `{name}` (Mintlify). PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code

# Behind `=` it is what the text itself gives another.
_NAME = re.compile(r"(?P<gives>(?<=\w)=)?\{[ \t]{0,9}(?:props\.)?(?P<name>[A-Za-z_]\w{0,99})[ \t]{0,9}\}")
_MAX_PLACES = 1_000


def put_in(text: str, values: Mapping[str, str]) -> str:
    """The text with these values; names without one stay, and so does all in code."""
    places = 0

    def write(found: re.Match[str]) -> str:
        nonlocal places
        value = values.get(found["name"])
        if value is None or places >= _MAX_PLACES:
            return found[0]
        places += 1
        return f'="{value}"' if found["gives"] else value

    return replace_outside_mdx_code(_NAME, write, text) if values and "{" in text else text
