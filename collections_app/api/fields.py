"""The parts of requests: serializers that refuse unknown fields, and JSON that PostgreSQL can store."""

from __future__ import annotations

import json
from typing import Any, ClassVar, NoReturn

from rapidfuzz import process
from rest_framework import serializers


class Input(serializers.Serializer[Any]):
    """The fields of a request. Another one is refused with the names there are: a misspelt option would not be noticed."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := [str(name) for name in data if name not in self.fields]):
            raise serializers.ValidationError(
                {name[:60]: explain_unknown(name, list(self.fields)) for name in unknown[:10]}
            )
        return super().to_internal_value(data)


def explain_unknown(name: str, names: list[str]) -> str:
    close = process.extractOne(name[:60], names, score_cutoff=70)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f"is not known here.{hint} There are: {', '.join(names)}."


class ChoiceField(serializers.ChoiceField):
    """Refuses with the values there are."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid_choice": "{input!r} is not allowed. There are: {choices}."
    }

    def fail(self, key: str, **words: Any) -> NoReturn:
        if key == "invalid_choice":
            words = {"input": str(words["input"])[:60], "choices": ", ".join(map(str, self.choices))}
        super().fail(key, **words)


class MetadataField(serializers.DictField):
    """A JSON object of values that PostgreSQL can keep: no NUL, no half of a surrogate pair, no infinity."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        value: dict[str, Any] = super().to_internal_value(data)
        try:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False)
            text.encode()
        except (ValueError, RecursionError):
            raise serializers.ValidationError("holds what is not plain JSON text and numbers.") from None
        if "\\u0000" in text.replace("\\\\", ""):
            raise serializers.ValidationError("must not contain NUL characters.")
        return value
