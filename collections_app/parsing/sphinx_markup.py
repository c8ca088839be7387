"""What Sphinx's roles and directives are for, and the words that they show: in reStructuredText and in MyST. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping

DROPPED_ROLES = frozenset(["raw"])
LITERAL_ROLES = frozenset(["code", "file", "kbd", "literal", "program", "samp"])
NAME_ROLES = frozenset(["command", "envvar", "keyword", "makevar", "option", "setting"])
OBJECT_ROLES = frozenset(["attr", "class", "const", "data", "exc", "mod", "obj", "paramref", "token", "type"])
CALL_ROLES = frozenset(["func", "meth", "function", "method"])
TITLE_ROLES = frozenset(["ref", "numref", "doc", "term", "any", "download", "index"])
WIDGET_ROLES = frozenset(["menuselection", "guilabel"])
DOCUMENT_PREFIXES: Mapping[str, str] = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-"}

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
"""What directives that tell of a change say, of as many words as each takes."""

_EXPLICIT_TITLE = re.compile(r"(.+?)(?<!\s)\s*(?<!\\)<([^<>]*)>$", re.DOTALL)
# What SQLAlchemy's configuration (zzzeeksphinx_module_prefixes) says for its modules. Others' names begin so, too: `_thread.get_ident`.
_ABBREVIATIONS = (
    "asyncio associationproxy automap baked compilerext ddl declarative dml engine event events exc expression functions "
    "future futureorm horizontal hybrid mssql mutable mysql oracle orm ormevent ormevents ormexc pool postgresql query "
    "reflection result roles row sa schema scoping sql sqlite sqltypes types url util"
)
# `~` asks for the last part alone, a dot for a search, `!` for no link.
_SIGNS = re.compile(rf"!?([~.]*)(?:_(?:{_ABBREVIATIONS.replace(' ', '|')})\.)?(?=[^\W\d])")
_ACCELERATOR = re.compile(r"&(?=\S)")
_LABEL_OF_WORDS = re.compile(r"[a-z0-9_]+")


def split_title(text: str) -> tuple[str, str]:
    """The title that is given, or an empty text, and the target: of `title <target>`, `target`, `~target`."""
    match = _EXPLICIT_TITLE.match(text)
    return (match[1], match[2]) if match else ("", text.lstrip("!~"))


def get_title(text: str) -> str:
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else text


def shorten_name(text: str) -> str:
    """`open` of `~os.open`, `Session.get` of `.Session.get` and `_orm.Session.get`, `text` of `text <os.open>`: as Sphinx prints it."""
    signs = None if _EXPLICIT_TITLE.match(text) else _SIGNS.match(text)
    if signs is None:
        return get_title(text)
    name = text[signs.end() :]
    return name.rpartition(".")[2] if "~" in signs[1] else name


def add_parentheses(name: str) -> str:
    return name if name.endswith(")") else f"{name}()"


def name_document(prefix: str, text: str) -> str:
    """`PEP 8`, also from `8#naming`; a title that is given stands as it is."""
    match = _EXPLICIT_TITLE.match(text)
    return match[1] if match else prefix + text.lstrip("!").partition("#")[0]


def write_widgets(text: str) -> str:
    """Of a menu or a button: `File → Open` of `&File --> &Open`."""
    return _ACCELERATOR.sub("", text).replace("-->", "→")


def describe_change(name: str, argument: str) -> tuple[str, str]:
    """What a directive of VERSION_CHANGES says, and the text behind it in its line."""
    label = VERSION_CHANGES[name]
    count = label.count("{}")
    words = [*argument.split(None, count), "", ""]
    return label.format(*words[:count]), " ".join(words[count:]).strip()


def make_words(label: str) -> str:
    """Of a label that nothing is known of: `how_we_merge`. Those in capitals, with dots or with hyphens are names, or can be read."""
    return label.replace("_", " ").strip() if _LABEL_OF_WORDS.fullmatch(label) else label
