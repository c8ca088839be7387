"""What is known about the pages that a page refers to, and what its site says about the page itself: its title in the navigation, the
language of its code, whether it hides the page. It goes to the page's parser at the end of the page's text, below a directive of our own
that nobody else reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

MAX_TARGETS = 2_000
"""For one page: further references stay as they are written."""

_BEGINNING = "\n\n.. docsmcp-targets::\n\n"


class Kind(StrEnum):
    LABEL = "label"
    PAGE = "page"
    NAVIGATION = "navigation"
    """A page itself."""
    CODE = "code"
    """Code of a page that names no language."""
    HIDDEN = "hidden"
    """A page that its site hides."""


@dataclass(frozen=True, slots=True)
class Target:
    """`name` is what the page writes, a label as normalise() has it. `address` leads from the page to the target. `title` may be empty."""

    kind: Kind
    name: str
    address: str
    title: str


Targets = Mapping[tuple[Kind, str], Target]


def add_targets(text: str, targets: Iterable[Target]) -> str:
    """The text with the targets after it, and after those added before; the text itself if there are none."""
    lines = [
        json.dumps([target.kind, target.name, target.address, target.title], ensure_ascii=False)
        for target in islice(targets, MAX_TARGETS)
    ]
    beginning = "" if split_targets(text)[1] else _BEGINNING
    return "".join([text, beginning, *(f"   {line}\n" for line in lines)]) if lines else text


def add_navigation_title(text: str, title: str) -> str:
    return add_targets(text, [Target(Kind.NAVIGATION, "", "", title)])


def add_code_language(text: str, language: str) -> str:
    return add_targets(text, [Target(Kind.CODE, "", "", language)])


def add_hidden_sign(text: str) -> str:
    return add_targets(text, [Target(Kind.HIDDEN, "", "", "")])


def is_hidden(targets: Targets) -> bool:
    """Whether the site hides the page."""
    return (Kind.HIDDEN, "") in targets


def find_code_language(targets: Targets) -> str:
    """The language of code that names none, as the site's configuration says; empty if none was added."""
    found = targets.get((Kind.CODE, ""))
    return found.title if found else ""


def find_navigation_title(targets: Targets) -> str:
    """The page's title in the navigation; empty if none was added."""
    found = targets.get((Kind.NAVIGATION, ""))
    return found.title if found else ""


def split_targets(text: str) -> tuple[str, Targets]:
    """The page's own text, and what add_targets() added."""
    own, beginning, written = text.rpartition(_BEGINNING)
    if not beginning:
        return text, {}
    try:
        targets = [_read_target(line) for line in written.removesuffix("\n").split("\n")]
    except (ValueError, TypeError):
        return text, {}
    return own, {(target.kind, target.name): target for target in targets}


def _read_target(line: str) -> Target:
    kind, *words = json.loads(line)
    name, address, title = map(str, words)
    return Target(Kind(kind), name, address, title)
