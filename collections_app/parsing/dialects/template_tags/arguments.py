"""The arguments of a site generator's tag, by name and in order. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_ARGUMENT = re.compile(r"(?:([\w-]++)\s*+=\s*+)?(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([^\s\"'`=]++))")

_SWITCHES = ("true", "false")
TITLES = ("title", "header", "heading", "label", "summary", "caption", "name")
# Arguments that concern the look.
_LOOKS = frozenset(
    {"align", "background", "class", "color", "colour", "cols", "columns", "expand", "expanded", "head", "height", "icon", "id"}
    | {"image_anchor", "lines", "open", "size", "tail", "theme", "variant", "width"}
)  # fmt: skip
_LOOK_SWITCH = re.compile(r"(?:has|is|show)[A-Z]\w*")  # `showAsCards=true`


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a tag, by name and in order."""

    named: Mapping[str, str]
    others: Sequence[str]

    def get(self, *names: str) -> str:
        return next((self.named[name] for name in names if self.named.get(name)), "")

    def get_words(self, *names: str) -> str:
        """Like get(), but ignores `true` and `false`: `text=true` is a switch, not a text."""
        return next((value for name in names if (value := self.named.get(name)) and value not in _SWITCHES), "")

    @property
    def are_look(self) -> bool:
        """Whether all that have a name concern the look, besides titles."""
        return all(
            name in _LOOKS or name in TITLES or (value in _SWITCHES and _LOOK_SWITCH.fullmatch(name))
            for name, value in self.named.items()
        )

    @property
    def first(self) -> str:
        return self.others[0] if self.others else ""


def read_arguments(text: str, *, is_quoted: bool = False) -> Arguments:
    """Reads arguments. With `is_quoted`, named arguments count only with a value in quotation marks, as other values are variables."""
    found = [
        (name, " ".join("".join(values).split()))
        for name, *values in _ARGUMENT.findall(text)
        if not (is_quoted and name and values[-1])
    ]
    return Arguments(
        {name: value for name, value in found if name}, [value for name, value in found if not name and value]
    )
