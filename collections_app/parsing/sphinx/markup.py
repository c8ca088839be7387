"""What Sphinx's roles and directives mean, and the words that they show, in reStructuredText and in MyST. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

DROPPED_ROLES = frozenset(["raw"])
TITLE_ROLES = frozenset(["ref", "numref", "doc", "term", "any", "download", "index"])
"""Roles whose text may have a title and a target."""

_LITERAL_ROLES = frozenset(["code", "file", "kbd", "literal", "program", "samp"])
_NAME_ROLES = frozenset(["command", "envvar", "keyword", "makevar", "option", "setting"])
_OBJECT_ROLES = frozenset(["attr", "class", "const", "data", "exc", "mod", "obj", "paramref", "token", "type"])
_CALL_ROLES = frozenset(["func", "meth", "function", "method"])
_WIDGET_ROLES = frozenset(["menuselection", "guilabel"])
_DOCUMENT_PREFIXES: Mapping[str, str] = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-"}
CONFIG_OPTION = "config:option"
"""Of Canonical's extension for configuration options (LXD, Incus, MicroCloud): as a directive it has the option's name and group, as a
role the group and the name (`group:name`).
"""
KNOWN_ROLES = frozenset(
    {
        *DROPPED_ROLES, *TITLE_ROLES, *_LITERAL_ROLES, *_NAME_ROLES, *_OBJECT_ROLES, *_CALL_ROLES, *_WIDGET_ROLES, *_DOCUMENT_PREFIXES,
    }
)  # fmt: skip
"""Without what is before a colon."""

VERSION_CHANGES: Mapping[str, str] = {
    "versionadded": "Added in version {}",
    "versionchanged": "Changed in version {}",
    "deprecated": "Deprecated since version {}",
    "versionremoved": "Removed in version {}",
    "deprecated-removed": "Deprecated since version {}, will be removed in version {}",
    "version-added": "Added in version {}",
    "version-changed": "Changed in version {}",
    "version-deprecated": "Deprecated since version {}",
    "version-removed": "Removed in version {}",
}
"""The words for directives about a change, and how many words of the argument belong to them."""

MODULES = frozenset(["module", "py:module", "currentmodule", "py:currentmodule"])
"""Directives that name the module of the objects after them."""

# fmt: off
UNTOLD = frozenset([
    "audit-event", "audit-event-table", "codeauthor", "contents", "default-domain", "index", "moduleauthor", "program", "sectionauthor",
    "sectnum", "spelling", "spelling:word-list", "tabularcolumns",
])
# fmt: on
"""Directives whose content is for a build, an index or a spell checker, and not for readers."""

# Sphinx's output formats other than HTML, and those of projects with `rinohtype` and `rst2pdf`.
_OTHER_FORMATS = frozenset(["epub", "gettext", "latex", "latexpdf", "man", "pdf", "rinoh", "texinfo", "text", "xml"])
_FORMAT_PREFIX = re.compile(r"(?:builder|format)_")

# The status that a PEP may have, without those of a PEP still to be decided.
_STATUSES = frozenset(["accepted", "deferred", "provisional", "rejected", "superseded", "withdrawn"])
_CANONICAL = re.compile(r"canonical-[a-z]+(?:-[a-z]+)*")
_WHOLE_WORDS: Mapping[str, str] = {"doc": "document", "pypa": "PyPA", "spec": "specification"}

_EXPLICIT_TITLE = re.compile(r"(.+?)(?<!\s)\s*(?<!\\)<([^<>]*)>$", re.DOTALL)
# SQLAlchemy's names for its modules, from its configuration (zzzeeksphinx_module_prefixes). Other names may begin in the same way:
# `_thread.get_ident`.
_ABBREVIATIONS = (
    "asyncio associationproxy automap baked compilerext ddl declarative dml engine event events exc expression functions "
    "future futureorm horizontal hybrid mssql mutable mysql oracle orm ormevent ormevents ormexc pool postgresql query "
    "reflection result roles row sa schema scoping sql sqlite sqltypes types url util"
)
# `~` asks for the last part alone, a dot for a search, `!` for no link.
_SIGNS = re.compile(rf"!?([~.]*)(?:_(?:{_ABBREVIATIONS.replace(' ', '|')})\.)?(?=[^\W\d])")
# Which other project's inventory has the name, for intersphinx: `python:int`. C++ has names with two colons.
_INVENTORY = re.compile(r"([!~]*)[A-Za-z][\w-]*:(?=[A-Za-z_])")
_ACCELERATOR = re.compile(r"&(?=\S)")
_PEP_DIGITS = 4
_LABEL_OF_WORDS = re.compile(r"[a-z0-9_]+")


class Style(Enum):
    CODE = auto()
    BOLD = auto()
    PLAIN = auto()


def show_role(role: str, text: str) -> tuple[Style, str]:
    """How a role shows its text, and which words. An empty role is the default role. The targets of roles with titles are not
    known here.
    """
    if role == CONFIG_OPTION:
        return Style.CODE, text.rpartition(":")[2]
    kind = role.rpartition(":")[2]
    if kind in _DOCUMENT_PREFIXES:
        return Style.PLAIN, _name_document(_DOCUMENT_PREFIXES[kind], text)
    if kind in _CALL_ROLES:
        return Style.CODE, _add_parentheses(_shorten(drop_inventory(text)))
    if kind in _LITERAL_ROLES:
        return Style.CODE, text
    if kind in _NAME_ROLES:
        return Style.CODE, _get_title(text).removeprefix("!")
    if not role or ":" in role or kind in _OBJECT_ROLES:
        return Style.CODE, _shorten(drop_inventory(text) if kind in _OBJECT_ROLES else text)
    if kind in _WIDGET_ROLES:
        return Style.BOLD, _ACCELERATOR.sub("", text).replace("-->", "→")
    return Style.PLAIN, _get_title(text)


def split_title(text: str) -> tuple[str, str]:
    """The title, or an empty text, and the target: of `title <target>`, `target`, `~target`."""
    match = _EXPLICIT_TITLE.match(text)
    return (match[1], match[2]) if match else ("", text.lstrip("!~"))


def drop_inventory(text: str) -> str:
    """The text of a role without the inventory that it names, unless it has a title."""
    found = _INVENTORY.match(text) if ":" in text and "<" not in text else None
    return f"{found[1]}{text[found.end() :]}" if found else text


def _get_title(text: str) -> str:
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else text


def _shorten(text: str) -> str:
    """The name as Sphinx prints it: `open` for `~os.open`, `Session.get` for `.Session.get` and `_orm.Session.get`, `text` for
    `text <os.open>`.
    """
    signs = None if _EXPLICIT_TITLE.match(text) else _SIGNS.match(text)
    if signs is None:
        return _get_title(text)
    name = text[signs.end() :]
    return name.rpartition(".")[2] if "~" in signs[1] else name


def _add_parentheses(name: str) -> str:
    return name if name.endswith(")") else f"{name}()"


def _name_document(prefix: str, text: str) -> str:
    """`PEP 8`, also for `8#naming`. With a title, the name stands behind it in parentheses, unless the title contains it."""
    title, target = split_title(text)
    name = prefix + target.partition("#")[0]
    return f"{title} ({name})" if title and name not in title else title or name


def find_pep_page(target: str) -> str:
    """The name of a PEP's page in a source, with the fragment; empty if the target is no number."""
    number, sign, place = target.partition("#")
    return f"pep-{number.zfill(_PEP_DIGITS)}{sign}{place}" if number.isdecimal() and number.isascii() else ""


def describe_change(name: str, argument: str) -> tuple[str, str]:
    """The words for a directive of VERSION_CHANGES, and the rest of its argument."""
    label = VERSION_CHANGES[name]
    count = label.count("{}")
    words = [*argument.split(None, count), "", ""]
    return label.format(*words[:count]), " ".join(words[count:]).strip()


def may_be_in_html(condition: str) -> bool:
    """Whether content under a condition of `only` (`html or text`, `not man`) may be on a page. Tags other than formats may be set
    or not.
    """
    return "(" in condition or any(all(map(_may_hold, terms.split(" and "))) for terms in condition.split(" or "))


def _may_hold(term: str) -> bool:
    *negations, tag = term.split() or [""]
    name = _FORMAT_PREFIX.sub("", tag)
    return name != "html" if len(negations) % 2 else name not in _OTHER_FORMATS


def is_status(directive: str) -> bool:
    """Whether an otherwise unknown directive says by its name what became of the document: `rejected`, `canonical-doc`."""
    return directive in _STATUSES or _CANONICAL.fullmatch(directive) is not None


def describe_status(directive: str, *, has_argument: bool) -> str:
    """`Rejected`, `Superseded by` with the documents named, `Canonical document`."""
    words = " ".join(_WHOLE_WORDS.get(word, word) for word in directive.split("-"))
    return f"{words[:1].upper()}{words[1:]}{' by' * (has_argument and directive == 'superseded')}"


def make_words(label: str) -> str:
    """Words for a label of which nothing is known: `how_we_merge`. Labels with capitals, dots or hyphens are names, or readable as they
    are.
    """
    return label.replace("_", " ").strip() if _LABEL_OF_WORDS.fullmatch(label) else label
