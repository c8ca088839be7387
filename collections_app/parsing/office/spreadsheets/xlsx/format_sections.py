"""The elements of a number format's section. PURE."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class Sign(Enum):
    """What a token stands for. VALUE is the number or text as it is, HALF the half of the day (`AM/PM`)."""

    LITERAL = auto()
    DIGIT = auto()
    POINT = auto()
    COMMA = auto()
    PERCENT = auto()
    EXPONENT = auto()
    VALUE = auto()
    DATE = auto()
    HALF = auto()


@dataclass(frozen=True, slots=True)
class Token:
    sign: Sign
    text: str

    @property
    def shown(self) -> str:
        """The text that the token itself adds to the number."""
        return self.text if self.sign in (Sign.LITERAL, Sign.PERCENT, Sign.DATE) else ""


@dataclass(slots=True)
class Section:
    """`condition` is a comparison and its bound; `elapsed` is `h`, `m` or `s` if hours, minutes or seconds count on past a day."""

    tokens: list[Token] = field(default_factory=list)
    condition: tuple[str, float] | None = None
    elapsed: str = ""

    def holds(self, sign: Sign) -> bool:
        return any(token.sign is sign for token in self.tokens)
