"""Demonstrations in an MDX text: markup between lines of braces, which a component shows as readers would see it on a page

    <Example>
      {
        <div className="max-w-96">…</div>
      }
    </Example>

They show how something looks; their code is mostly given below as well. Such markup that says nothing of its looks is text, which its
braces keep from formatters: only the braces go.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from collections_app.parsing.dialects.mdx_code import find_fenced_lines

_BEGINS = re.compile(r"(?P<indent>[ \t]*)\{[ \t]*$")
_ENDS = re.compile(r"(?P<indent>[ \t]*)\}[ \t]*$")
_MARKUP = re.compile(r"[ \t]*<(?:[A-Za-z]|>)")
# Attributes that concern the look.
_LOOKS = re.compile(r"\s(?:className|style)=[\"'{]")


def drop_demonstrations(content: str) -> str:
    """The text without demonstrations and such braces; no line moves."""
    if "{\n" not in content:
        return content
    lines = content.split("\n")
    fenced = find_fenced_lines(lines)
    endings: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if ends := _ENDS.match(line):
            endings[ends["indent"]].append(number)
    looks = [number for number, line in enumerate(lines) if _LOOKS.search(line)]
    position = 0
    for number in range(len(lines) - 1):
        begins = _BEGINS.match(lines[number]) if number >= position and number not in fenced else None
        if begins and _MARKUP.match(next(filter(str.strip, lines[number + 1 : number + 3]), "")):
            last = _find_next(endings[begins["indent"]], number)
            if last and number < _find_next(looks, number) < last:
                lines[number : last + 1] = [""] * (last + 1 - number)
                position = last + 1
            elif last and (number == 0 or not lines[number - 1].strip()):
                lines[number] = lines[last] = ""
    return "\n".join(lines)


def _find_next(numbers: Sequence[int], after: int) -> int:
    """The first of these line numbers after `number`; 0 if there is none."""
    place = bisect_right(numbers, after)
    return numbers[place] if place < len(numbers) else 0
