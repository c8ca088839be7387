"""What an API description defines once and refers to in many places. Nothing is fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import TypeVar

from collections_app.parsing.openapi.references import make_links
from collections_app.parsing.openapi.values import Object, get_text, resolve

_T = TypeVar("_T")


class Components:
    """Looks up the targets of references in the description. What is made from one is made once, however many references it has."""

    def __init__(self, description: Object) -> None:
        self.links = make_links(description)
        self.repeated_characters: Counter[Hashable] = Counter()
        self._description = description
        self._made: dict[tuple[Hashable, str], object] = {}

    def make(self, value: Object, make: Callable[[Object, Components], _T]) -> _T:
        reference = get_text(value, "$ref")
        if not reference:
            return make(value, self)
        key = (make, reference)
        if key not in self._made:
            self._made[key] = make(resolve(self._description, value), self)
        return self._made[key]  # type: ignore[return-value]

    def resolve(self, value: Object) -> Object:
        return resolve(self._description, value)
