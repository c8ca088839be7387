"""Values that a page gives names itself with Liquid: `{% assign yes = '**✓**' %}`, `{% assign pub = site.pub %}`. A name that it gives more
than one value, by whatever tag, is left to the build. It runs no template. PURE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from collections_app.parsing.safety.places import Places

_TAG = re.compile(
    r"\{%-?\s*+(?:assign|capture|increment|decrement|for|tablerow)\s++(?P<name>[\w-]++)"
    r"(?:\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<number>[\d.]++)|(?P<other>[A-Za-z][\w.-]*+))\s*+-?%\})?"
)


def read_assigned(content: str, places: Places) -> Mapping[str, str]:
    """Name → value: a text, a number, or another name as a tag. Tags in code do not count."""
    if "assign" not in content:
        return {}
    tags = [tag for tag in _TAG.finditer(content) if not places.is_code(tag.start(), tag.end())]
    times = Counter(tag["name"] for tag in tags)
    return {
        tag["name"]: f"{{{{ {tag['other']} }}}}" if tag["other"] else tag[tag.lastgroup or "name"]
        for tag in tags
        if times[tag["name"]] == 1 and tag.lastgroup != "name"
    }
