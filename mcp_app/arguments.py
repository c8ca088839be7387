"""Turns the arguments that models send into those that a tool takes. PURE.

Accepted, because models send it: other names for an argument (the tool's alias table), null or an empty text for an absent one,
"5" for 5, 5.0 for 5, 404 for "404", "true" or "yes" for true, one value for a list of one, a list or object as JSON text,
choices in any case, several choices in one text separated by commas, and a list of collections for such a text.
Refused, all mistakes at once and in words that stand alone: unknown names, wrong types, values out of bounds, NUL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from rapidfuzz import fuzz, process, utils

from collections_app.exceptions import InvalidParameter
from mcp_app.entries import VALUE, Tool, ToolParams
from mcp_app.protocol.jsonrpc import dump_json, find_flaw, load_json

Schema = dict[str, Any]

SHOWN_MISTAKES = 10
SHOWN_CHARACTERS = 60
# The suggested call repeats a value that was sent only if it is no longer than this; it is never cut.
SHOWN_VALUE = 200
ELLIPSIS = '"…"'
# Below this similarity (of 100), two names are not one misspelled: at 70 "querry" still finds "query", and "text" finds nothing.
CLOSE_ENOUGH = 70
# Up to here a float represents every whole number exactly.
EXACT = 2**53

_WHOLE_NUMBER = re.compile(r"([+-]?\d{1,18})(?:\.0+)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

# What pydantic can find after coercion: bounds and missing arguments, never types.
_BOUNDS = {
    "missing": "is required",
    "string_too_short": "needs {min_length} or more characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "too_short": "needs {min_length} or more items",
    "too_long": "must have at most {max_length} items",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "value_error": "is not valid: {error}",
}


class Mistake(ValueError):
    """What is wrong with one value, worded as the rest of a sentence that begins with the argument's name."""


def coerce_arguments(tool: Tool, given: Mapping[str, Any]) -> ToolParams:
    """The arguments as the tool's own parameters. Raises InvalidParameter with every mistake."""
    values, mistakes, sent = _coerce_values(tool, given)
    try:
        params = tool.params.model_validate(values)
    except ValidationError as invalid:
        for error in invalid.errors(include_url=False):
            field = str(error["loc"][0]) if error["loc"] else "call"
            told = _describe_bound(error) + _describe_missing(tool, field, error)
            mistakes.setdefault(sent.get(field, field), told)
    if mistakes:
        raise _build_refusal(tool, mistakes)
    return params


def find_closest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that a misspelt word most likely means."""
    best = process.extractOne(
        word[:SHOWN_CHARACTERS],
        list(choices),
        scorer=fuzz.ratio,
        processor=utils.default_process,
        score_cutoff=CLOSE_ENOUGH,
    )
    return best[0] if best else None


def shorten(value: object) -> str:
    """A value that a client sent, short enough to be shown back to it."""
    text = value if isinstance(value, str) else dump_json(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def _coerce_values(tool: Tool, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Values by field; mistakes by the name that was sent; and for each field the first name under which it was sent."""
    values: dict[str, Any] = {}
    mistakes: dict[str, str] = {}
    sent: dict[str, str] = {}
    properties, required = tool.input_schema["properties"], tool.input_schema.get("required", ())
    for name, value in given.items():
        if value is None:
            continue
        field = name if name in properties else tool.params.aliases.get(name)
        if field is not None and field not in required and _is_blank(value, properties[field]):
            continue
        if field is None:
            mistakes[name] = "is not an argument" + _suggest_argument(tool, name, value)
            continue
        first = sent.setdefault(field, name)
        try:
            coerced = _coerce(_join(value) if field in tool.params.joined else value, properties[field])
        except Mistake as mistake:
            mistakes[name] = str(mistake)
            continue
        if values.setdefault(field, coerced) != coerced:
            mistakes[name] = f"means the same as {first!r}, which has another value: send one of them"
    return values, mistakes, sent


def _is_blank(value: Any, schema: Schema) -> bool:
    """Whether a text or a list of texts is empty. In a field that takes any text it is the tool that decides what an empty one means."""
    if schema["type"] == "string" and "enum" not in schema:
        return False
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(text, str) and not text.strip() for text in texts)


def _join(value: Any) -> Any:
    """A list of texts or numbers as one text with commas; any other value unchanged."""
    listed = _decode_list(value)
    if not isinstance(listed, list) or not all(type(each) in (str, int, float) for each in listed):
        return value
    return ",".join(text for each in listed if (text := str(each)).strip())


def _suggest_argument(tool: Tool, name: str, value: Any) -> str:
    if name in tool.params.instead:
        told = dump_json(value if isinstance(value, str) else dump_json(value))
        return f" ({tool.params.instead[name].replace(VALUE, told if len(told) <= SHOWN_VALUE else ELLIPSIS)})"
    closest = find_closest(name, [*tool.input_schema["properties"], *tool.params.aliases])
    return f" (did you mean {tool.params.aliases.get(closest, closest)!r}?)" if closest else ""


def _build_refusal(tool: Tool, mistakes: dict[str, str]) -> InvalidParameter:
    required = tool.input_schema.get("required", ())
    names = [name for name in tool.input_schema["properties"] if name not in tool.params.unlisted]
    shown = {shorten(name): mistake for name, mistake in list(mistakes.items())[:SHOWN_MISTAKES]}
    said = "; ".join(f"'{name}' {mistake}" for name, mistake in shown.items())
    more = f"; and {len(mistakes) - SHOWN_MISTAKES} more" if len(mistakes) > SHOWN_MISTAKES else ""
    valid = ", ".join(f"{name} (required)" if name in required else name for name in names)
    return InvalidParameter(
        f"{tool.name} was not run: {said}{more}. Its arguments are {valid}.", arguments=shown, valid_arguments=names
    )


def _describe_bound(error: ErrorDetails) -> str:
    context = {name: _simplify(value) for name, value in error.get("ctx", {}).items()}
    told = _BOUNDS.get(error["type"], "is not valid").format_map(context)
    if isinstance(error["input"], int | float):
        told += f", not {shorten(_simplify(error['input']))}"
    position = error["loc"][1] if len(error["loc"]) > 1 else None
    return f"(item {position + 1}) {told}" if isinstance(position, int) else told


def _simplify(value: Any) -> Any:
    """25 for 25.0: the number as a model wrote it."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < EXACT else value


def _describe_missing(tool: Tool, name: str, error: ErrorDetails) -> str:
    """Describes the argument that was left out: where its value comes from suggests the next call."""
    told = tool.input_schema["properties"].get(name, {}).get("description", "")
    return f" ({told})" if told and error["type"] in ("missing", "too_short") else ""


def _coerce(value: Any, schema: Schema) -> Any:
    coerced = _COERCIONS[schema["type"]](value, schema)
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else None)
    return coerced if choices is None else _choose(coerced, choices)


def _choose(value: Any, choices: list[Any]) -> Any:
    if value in choices:
        return value
    by_name = {str(choice).lower(): choice for choice in choices}
    if (name := str(value).strip().lower()) in by_name:
        return by_name[name]
    closest = find_closest(name, by_name)
    hint = f" (did you mean {by_name[closest]!r}?)" if closest else ""
    raise Mistake(f"must be one of {', '.join(map(str, choices))}{hint}, not {shorten(value)!r}")


def _coerce_text(value: Any, schema: Schema) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = dump_json(value)
    if not isinstance(value, str):
        raise Mistake("must be a text, not a list" if isinstance(value, list) else "must be a text")
    _refuse_nul(value)
    return value


def _coerce_whole_number(value: Any, schema: Schema) -> int:
    number = read_whole_number(value)
    if number is None:
        raise Mistake(f"must be a whole number, not {shorten(value)!r}")
    return number


def read_whole_number(value: Any) -> int | None:
    """A whole number, also if given as text; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and (match := _WHOLE_NUMBER.fullmatch(value.strip())):
        return int(match[1])
    return None


def _coerce_number(value: Any, schema: Schema) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number or (isinstance(value, str) and _NUMBER.fullmatch(value.strip())):
        try:
            number = float(value)
        except OverflowError:
            number = float("inf")
        if abs(number) != float("inf"):
            return number
    raise Mistake(f"must be a number, not {shorten(value)!r}")


def _coerce_boolean(value: Any, schema: Schema) -> bool:
    word = value.strip().lower() if isinstance(value, str) else shorten(value)
    if word not in _BOOLEANS:
        raise Mistake(f"must be true or false, not {shorten(value)!r}")
    return _BOOLEANS[word]


def _coerce_list(value: Any, schema: Schema) -> list[Any]:
    value = _decode_list(value)
    items = value if isinstance(value, list) else _split_choices(value, schema["items"])
    try:
        return [_coerce(item, schema["items"]) for item in items]
    except Mistake as mistake:
        raise Mistake(f"must be a list; each item {mistake}") from None


def _split_choices(value: Any, schema: Schema) -> list[Any]:
    """One value as a list; `a, b` is two choices, since no choice contains a comma."""
    if isinstance(value, str) and "enum" in schema:
        return [part for part in value.split(",") if part.strip()]
    return [value]


def _coerce_object(value: Any, schema: Schema) -> dict[str, Any]:
    if isinstance(value, str):
        value = _decode_text(value, dict)
    if not isinstance(value, dict):
        raise Mistake("must be an object")
    _refuse_nul(value)
    return value


def _decode_list(value: Any) -> Any:
    return _decode_text(value, list) if isinstance(value, str) and value.lstrip().startswith("[") else value


def _decode_text(text: str, kind: type) -> Any:
    """The value of a JSON text if it is of this kind, else the text itself."""
    try:
        value = load_json(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, kind) and not find_flaw(value) else text


def _refuse_nul(value: Any) -> None:
    """NUL is the only character that PostgreSQL cannot store in text."""
    if isinstance(value, str) and "\0" in value:
        raise Mistake("must not contain NUL characters")
    if isinstance(value, dict):
        _refuse_nul([*value.keys(), *value.values()])
    elif isinstance(value, list):
        for item in value:
            _refuse_nul(item)


_COERCIONS: dict[str, Callable[[Any, Schema], Any]] = {
    "string": _coerce_text,
    "integer": _coerce_whole_number,
    "number": _coerce_number,
    "boolean": _coerce_boolean,
    "array": _coerce_list,
    "object": _coerce_object,
}
