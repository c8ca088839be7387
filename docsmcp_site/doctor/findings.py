"""What a check found: one line for people, one object for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class State(StrEnum):
    OK = "ok"
    WARN = "warn"  # it works, and something is to be done or known
    FAIL = "fail"  # something does not work


@dataclass(frozen=True, slots=True)
class Verdict:
    """`what` is the case, and `mend` is what to do about it; empty if nothing is to be done."""

    state: State
    what: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on the part called `name`."""

    name: str
    verdict: Verdict

    def __str__(self) -> str:
        verdict = self.verdict
        return f"{verdict.state:<4}  {self.name:<14}  {verdict.what}{f' → {verdict.mend}' if verdict.mend else ''}"

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, **asdict(self.verdict)}


Check = Callable[[], Verdict]

# How many names are listed if several things have the same problem.
NAMED = 3


def ok(what: str) -> Verdict:
    return Verdict(State.OK, what)


def warn(what: str, mend: str) -> Verdict:
    return Verdict(State.WARN, what, mend)


def fail(what: str, mend: str) -> Verdict:
    return Verdict(State.FAIL, what, mend)


def name_some(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    every = list(names)
    more = len(every) - NAMED
    return ", ".join(every[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def describe_seconds(seconds: float) -> str:
    """The time in the largest unit of which there are at least two."""
    for unit, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def describe_bytes(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1000:.0f} kB"
