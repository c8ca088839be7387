"""Allowances that no machine's speed decides about."""

from __future__ import annotations

from dataclasses import dataclass

from collections_app.reading.allowance import Allowance


def make_endless(seconds: float = 1) -> Allowance:
    return Allowance(seconds, clock=lambda: 0)


@dataclass
class Looks:
    """A clock that goes on by a second each time that it is looked at."""

    count: int = 0

    def __call__(self) -> float:
        self.count += 1
        return self.count

    def make_allowance(self, seconds: float) -> Allowance:
        return Allowance(seconds, clock=self)
