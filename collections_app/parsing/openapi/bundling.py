"""Merges an API description spread over several files into one, with the targets of references such as `$ref: "resources/pets.yaml#/get"`.
It reads no files itself, and fetches nothing.

Schemas, responses, parameters and the like become components, each once, so that references can name them. Operations, texts and anything
else without a component type are inserted where they are referred to. What cannot be read stays a reference, and a description that would
become too large stays as it is.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.json_values import make_json_key, make_json_value
from collections_app.parsing.openapi.loading import load_description
from collections_app.parsing.openapi.values import escape_key, find_by_pointer, get_object, unescape_key

MAX_BYTES = 16 * 1024 * 1024
"""The limit for all files that a description refers to."""
MAX_FILES = 5_000
MAX_DEPTH = 30
"""The number of files in a chain of references: an archive is read once for each."""
MAX_CHARACTERS = 10_000_000
"""The limit for everything written, keys and texts, each as often as it is written; each value counts _COST in addition. It is a third of
the limit for the Markdown.
"""
_COST = 10

HINT = re.compile(rb"\$ref[\"']?\s*+:\s*+[\"']?(?![\"'#\s]|[a-z]+://)")
"""Matches in every description that refers to a file."""

_OBJECTS, _TEXTS = frozenset({".json", ".yaml", ".yml"}), frozenset({".md"})
_MAPS = frozenset(
    {"definitions", "headers", "mapping", "parameters", "patternProperties", "properties", "responses", "schemas"}
)
_SCHEMAS = frozenset({"additionalProperties", "allOf", "anyOf", "items", "not", "oneOf", "schema"})
# The keys under which a reference may be, and the kind of component that its target may become; `of *` is a value in such a mapping.
_KINDS = {
    **dict.fromkeys(_SCHEMAS, "schemas"),
    **{f"of {name}": "schemas" for name in ("definitions", "patternProperties", "properties", "schemas")},
    "of headers": "headers",
    "parameters": "parameters",
    "of parameters": "parameters",
    "of responses": "responses",
    "requestBody": "requestBodies",
}
_SWAGGER = {"schemas": "definitions", "parameters": "parameters", "responses": "responses"}
# Characters that OpenAPI does not allow in names of components.
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


class _TooLargeError(Exception):
    """The result would have more than MAX_CHARACTERS."""


class _Target(NamedTuple):
    file: str
    pointer: str

    @property
    def name(self) -> str:
        last = self.pointer.rpartition("/")[2] or posixpath.splitext(posixpath.basename(self.file))[0]
        return _NOT_IN_NAMES.sub("-", unescape_key(last)).strip("-") or "unnamed"


def bundle(content: bytes, path: str, read: Callable[[str], bytes | None]) -> bytes | None:
    """The description at `path` with what it refers to, as JSON; None if it refers to nothing, or to too much. `read` returns a file by
    path.

    Raises as load_description() does, and RecursionError for what is nested too deeply.
    """
    description, _ = load_description(content)
    try:
        made = _Bundle(description, path, read)
        written = made.write()
    except _TooLargeError:
        return None
    return json.dumps(written, ensure_ascii=False).encode() if made.has_followed else None


def list_files_referred_to(value: Any) -> Iterator[str]:
    """The remaining references to other files, as written."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            reference = each.get("$ref")
            if isinstance(reference, str) and reference and not reference.startswith("#"):
                yield reference
            waiting += reversed(each.values())
        elif isinstance(each, list):
            waiting += reversed(each)


class _Bundle:
    """`has_followed` is whether any reference led to a file. `_waiting` are components that have names and are still to be written, each
    with its kind, its name and its depth; `_depth` is the depth of what is being written, in addition to what is `_open` there.
    """

    def __init__(self, description: dict[str, Any], path: str, read: Callable[[str], bytes | None]) -> None:
        self.has_followed = False
        self._description, self._path, self._read = description, path, read
        self._is_swagger = "swagger" in description
        self._files: dict[str, Any] = {path: description}
        self._bytes_left, self._characters_left = MAX_BYTES, MAX_CHARACTERS
        self._names: dict[tuple[str, _Target], str] = {}
        self._taken: defaultdict[str, set[str]] = defaultdict(set)
        self._numbers: Counter[tuple[str, str]] = Counter()
        self._waiting: deque[tuple[str, str, _Target, int]] = deque()
        self._open: list[_Target] = []
        self._depth = 0
        self._name_own()

    def _name_own(self) -> None:
        """Name the targets of own components that only refer to another file: they are called so everywhere, and written there."""
        components = self._description if self._is_swagger else get_object(self._description, "components")
        for kind in dict.fromkeys(_SWAGGER.values() if self._is_swagger else _KINDS.values()):
            for key, value in get_object(components, kind).items():
                name = make_json_key(key)
                self._taken[kind].add(name)
                reference = value.get("$ref") if isinstance(value, dict) else None
                target = self._read_reference(reference, self._path) if isinstance(reference, str) else None
                if target and target.file != self._path and (kind, target) not in self._names:
                    self._names[kind, target] = name
                    self._waiting.append((kind, name, target, 1))

    def write(self) -> dict[str, Any]:
        written: dict[str, Any] = self._write(self._description, self._path, "")
        while self._waiting:
            kind, name, target, self._depth = self._waiting.popleft()
            value = self._find(target)
            if isinstance(value, dict):
                components = written if self._is_swagger else _take_object(written, "components")
                _take_object(components, kind)[name] = self._write(value, target.file, f"of {kind}")
        return written

    def _write(self, value: Any, file: str, place: str) -> Any:
        """`place` is the key under which the value is."""
        if isinstance(value, list):
            self._count()
            return [self._write(each, file, place) for each in value]
        if isinstance(value, dict):
            self._count()
            reference = value.get("$ref")
            if isinstance(reference, str) and (target := self._read_reference(reference, file)):
                beside = self._write_object({key: each for key, each in value.items() if key != "$ref"}, file, place)
                return self._follow(target, reference, beside, place)
            return self._write_object(value, file, place)
        written = make_json_value(value)
        self._count(written if isinstance(written, str) else "")
        if place == "of mapping" and isinstance(written, str) and (target := self._read_reference(written, file)):
            schema = self._follow(target, written, {}, "schema")
            return schema["$ref"] if isinstance(schema, dict) else written
        return written

    def _write_object(self, value: dict[Any, Any], file: str, place: str) -> dict[str, Any]:
        written = {}
        for key, each in value.items():
            name = make_json_key(key)
            self._count(name)
            inner = f"of {place}" if place in _MAPS else name
            written[name] = self._write(each, file, inner)
        return written

    def _count(self, text: str = "") -> None:
        self._characters_left -= _COST + len(text)
        if self._characters_left < 0:
            raise _TooLargeError

    def _read_reference(self, reference: str, file: str) -> _Target | None:
        """The target of a reference; None if the description refers to itself, or if the target is not in a file of the source."""
        path, _, pointer = reference.partition("#")
        pointer = unquote(pointer.strip("/"))
        if not path:
            return _Target(file, pointer) if file != self._path else None
        if "://" in path or get_extension(path) not in _OBJECTS | _TEXTS:
            return None
        found = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(path)))
        is_hidden = any(part.startswith(".") for part in found.split("/"))  # also what is outside of the source
        return None if is_hidden or found.startswith("/") else _Target(found, pointer)

    def _follow(self, target: _Target, reference: str, beside: dict[str, Any], place: str) -> Any:
        """What replaces a reference: one within the description, or its target with the keys beside the reference."""
        if target.file == self._path:
            return {"$ref": f"#/{target.pointer}", **beside}
        kind, depth = self._find_kind(place), self._depth + len(self._open) + 1
        is_deep = depth > MAX_DEPTH and (kind, target) not in self._names
        value = None if is_deep else self._find(target)
        if kind and isinstance(value, dict):
            self.has_followed = True
            return {"$ref": self._name(kind, target, depth), **beside}
        if value is None or target in self._open:
            return {"$ref": reference, **beside}
        self.has_followed = True
        self._open.append(target)
        written = self._write(value, target.file, place)
        self._open.pop()
        return {**written, **beside} if isinstance(written, dict) else written

    def _find_kind(self, place: str) -> str:
        kind = _KINDS.get(place, "")
        return _SWAGGER.get(kind, "") if self._is_swagger else kind

    def _name(self, kind: str, target: _Target, depth: int) -> str:
        """A reference to the target as a component, which it becomes with its first reference."""
        name = self._names.get((kind, target), "")
        if not name:
            name = target.name
            while name in self._taken[kind]:
                self._numbers[kind, target.name] += 1
                name = f"{target.name}-{self._numbers[kind, target.name] + 1}"
            self._names[kind, target] = name
            self._taken[kind].add(name)
            self._waiting.append((kind, name, target, depth))
        place = f"{kind}/{escape_key(name)}"
        return f"#/{place}" if self._is_swagger else f"#/components/{place}"

    def _find(self, target: _Target) -> Any:
        """The value; None if there is none."""
        if target.file not in self._files:
            self._files[target.file] = self._load(target.file)
        return find_by_pointer(self._files[target.file], target.pointer)

    def _load(self, path: str) -> Any:
        content = self._read(path) if len(self._files) <= MAX_FILES and self._bytes_left > 0 else None
        if content is None or len(content) > self._bytes_left:
            return None
        self._bytes_left -= len(content)
        try:
            return decode_text(content)[0] if get_extension(path) in _TEXTS else load_description(content)[0]
        except IngestError:
            return None


def _take_object(holder: dict[str, Any], key: str) -> dict[str, Any]:
    """The object under this key, which replaces any other value there."""
    if not isinstance(holder.get(key), dict):
        holder[key] = {}
    return holder[key]  # type: ignore[no-any-return]
