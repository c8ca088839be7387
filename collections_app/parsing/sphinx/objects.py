"""Names of functions, classes, options and other objects, from the signatures that describe them in Sphinx's domains."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# fmt: off
_CALLABLE = frozenset([
    "function", "method", "classmethod", "staticmethod", "coroutinefunction", "coroutinemethod", "abstractmethod",
    "awaitablefunction", "awaitablemethod", "macro", "decorator", "decoratormethod",
])
_TYPES = frozenset([
    "class", "exception", "interface", "protocol", "struct", "union", "enum", "type", "concept",
])
_VARIABLES = frozenset([
    "data", "attribute", "property", "member", "var", "variable", "enumerator",
])
_NAMES = frozenset([
    "envvar", "opcode", "setting", "confval", "event", "signal",
])
_WORDS = frozenset([
    "option", "cmdoption", "describe", "object", "pdbcommand", "2to3fixer", "templatetag", "templatefilter",
    "fieldlookup", "django-admin", "django-admin-option", "directive", "role", "command", "genex", "signature",
])
_KINDS = _CALLABLE | _TYPES | _VARIABLES | _NAMES | _WORDS
_MEMBERS = frozenset([
    "method", "classmethod", "staticmethod", "coroutinemethod", "abstractmethod", "awaitablemethod", "attribute",
    "property",
])
# Names that projects (Django, Scrapy, pytest, Celery) define with Sphinx's add_crossref_type().
_PLACES = frozenset([
    "setting", "signal", "templatetag", "templatefilter", "fieldlookup", "command", "reqmeta", "stat", "hook", "fixture",
    "control", "state",
])
# fmt: on
_OF_CMAKE = frozenset(["signature", "genex"])
_OF_CODE = frozenset(["py", "c", "cpp", "js"])
_FOR_PROGRAMS = frozenset(["canonical", "class", "label", "module", "name", "platform", "sync", "synopsis"])
_INDEXING = re.compile(r"no-?(?:index|contents-?entry|index-?entry|typesetting)")
_NOT_OBJECTS = frozenset(["module", "currentmodule", "namespace", "namespace-push", "namespace-pop"])
_OF_BOOKS = "prf"
"""The domain of sphinx-proof: theorems and properties are text."""

_BEFORE_PARENTHESIS = re.compile(r"(?<![^\s(*&])([^\s(*&]++)\s*+\(")
_TRAILER = re.compile(r"(?<!\s)\s*+[:=].*|\[.*", re.DOTALL)  # a type, a value, type parameters, the size of an array
# In CMake, `install(TARGETS <target>... [...])` is named `install(TARGETS)`.
_SIGNATURE = re.compile(r"(?P<command>\w++)\((?P<words>[A-Z_\d]*+(?: [A-Z_\d]++(?![^\s)]))*+)(?![^\s)])")
_MAX_HEADING_CHARACTERS = 150


def is_object(directive: str) -> bool:
    """Whether a directive describes objects: all those of a domain (`c:function`) do, except those that set its scope."""
    domain, _, kind = directive.rpartition(":")
    return kind in _KINDS or (bool(domain) and kind not in _NOT_OBJECTS)


def is_known_object(directive: str) -> bool:
    """Whether it does so by a kind that is known, whatever its domain."""
    domain, _, kind = directive.rpartition(":")
    return kind in _KINDS and domain != _OF_BOOKS


def is_place(directive: str) -> bool:
    """Whether, without content, it only marks a target for references."""
    return directive in _PLACES


@dataclass
class Scope:
    """The module and the classes that surround a description in its document."""

    module: str = ""
    classes: list[str] = field(default_factory=list)

    def get_full_name(self, directive: str, name: str) -> str:
        """The full name, as in Sphinx for Python: members belong to their class, everything else to the module, unless the name has it
        already.
        """
        domain, _, kind = directive.rpartition(":")
        if domain not in {"", "py"} or kind not in _CALLABLE | _TYPES | _VARIABLES:
            return name
        if self.classes:
            return name if name.startswith(f"{self.classes[-1]}.") else f"{self.classes[-1]}.{name}"
        if self.module and kind not in _MEMBERS and not name.startswith(f"{self.module}."):
            return f"{self.module}.{name}"
        return name


def split_signatures(directive: str, lines: Sequence[str]) -> list[str]:
    """One signature per line; a signature of a CMake command ends at its closing bracket."""
    if directive.rpartition(":")[2] != "signature":
        return list(lines)
    signatures: list[str] = []
    open_brackets = 0
    for line in lines:
        if open_brackets > 0:
            signatures[-1] += f" {line}"
        else:
            signatures.append(line)
            open_brackets = 0
        open_brackets += line.count("(") - line.count(")")
    return signatures


def complete_signature(directive: str, signature: str, options: Mapping[str, str]) -> str:
    """The signature with what Sphinx takes from elsewhere: the type and value of a variable from its options, an HTTP method from the
    directive.
    """
    domain, _, kind = directive.rpartition(":")
    if domain == "http":
        return f"{kind.upper()} {signature}"
    if not has_signature_options(directive):
        return signature
    signs = (("type", ": "), ("value", " = "), ("annotation", " "))
    return signature + "".join(f"{sign}{' '.join(options[key].split())}" for key, sign in signs if options.get(key))


def has_signature_options(directive: str) -> bool:
    """Whether the options `type` and `value` are part of its signature."""
    domain, _, kind = directive.rpartition(":")
    return kind in _VARIABLES and domain in {"", "py"}


def get_name(directive: str, signature: str) -> str:
    """`open` for `open(path, flags)`, `PyList_New` for `PyObject *PyList_New(Py_ssize_t len)`, everything for `-m, --module <name>`."""
    domain, _, kind = directive.rpartition(":")
    if kind in _CALLABLE and (match := _BEFORE_PARENTHESIS.search(signature)):
        return match[1]
    if kind in _CALLABLE | _TYPES | _VARIABLES | _NAMES:
        before = signature.partition("(")[0]
        words = (before if domain == "cpp" else _TRAILER.sub("", before)).split()
        return words[-1].lstrip("*&") if words else signature
    if kind == "signature" and (match := _SIGNATURE.match(signature)):
        return f"{match['command']}({match['words']})"
    return signature[:_MAX_HEADING_CHARACTERS]


def get_heading(directive: str, name: str) -> str:
    """The title of the section about the object."""
    return f"{name}()" if directive.rpartition(":")[2] in _CALLABLE else name


def tells_by_options(directive: str) -> bool:
    """Whether options are facts about the object, as they are of settings. Those of code are for Sphinx."""
    domain, _, kind = directive.rpartition(":")
    return kind not in _CALLABLE | _TYPES | _VARIABLES | _OF_CMAKE and domain not in _OF_CODE


def is_told(option: str) -> bool:
    """Whether an option is for readers, and not for references, the index or styles."""
    return option not in _FOR_PROGRAMS and not _INDEXING.fullmatch(option)


def is_type(directive: str) -> bool:
    return directive.rpartition(":")[2] in _TYPES
