"""The only user of docutils' parser: text → document tree, with nothing read, fetched, run or configured from outside.

Docutils keeps directives and roles in global tables. Nothing is added to them here: documents of this reader have a lookup of their own,
so that threads parsing in parallel, and other users of docutils, do not interfere with each other.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Directive, Parser, directives, states
from docutils.transforms import Transform, references

from collections_app.exceptions import ParseError
from collections_app.parsing.includes.restructured_text import MAX_CHARACTERS
from collections_app.parsing.rst.directives import find_directive
from collections_app.parsing.rst.grid_tables import mend_tables
from collections_app.parsing.rst.markdown_fences import write_code_blocks
from collections_app.parsing.rst.raw_html import set_hidden_aside
from collections_app.parsing.rst.roles import find_role_nodes
from collections_app.parsing.rst.sphinx_directive import AnyOption
from collections_app.parsing.rst.states import STATE_CLASSES
from collections_app.parsing.rst.substitutions import (
    break_lines,
    check_substitutions,
    define_characters,
    describe_undefined,
    forget_names_of_pictures,
    keep_undefined,
    name_emoji,
)
from collections_app.parsing.rst.unknown import Unknown
from collections_app.parsing.sphinx.objects import Scope

MAX_LINE_CHARACTERS = 100_000
MAX_TABLE_COLUMNS = 200
MAX_SECONDS = 30
"""Seconds of processor time: other load on the machine is not the file's fault."""

MAX_MARKED_UP_CHARACTERS = 20_000
"""Characters of a paragraph: in a longer one, inline markup is text. Docutils takes quadratic time for it, up to a second for this many."""

MAX_SUBSTITUTION_CHARACTERS = 5_000
"""Substitutions may contain substitutions: a few lines could make billions of words."""

_MAX_WARNINGS = 10
_TABLE_BORDER = re.compile(r"[= ]+$")
_MAY_SUBSTITUTE = re.compile(r"\|\S")
_UNDEFINED = re.compile('Undefined substitution referenced: "(.+)"[.]')
_BUILD_VALUES = frozenset(["version", "release", "today"])

# In the order of their priorities, without those that move titles and fields, or write messages into the text.
_TRANSFORMS: Sequence[type[Transform]] = (
    references.Substitutions,
    references.PropagateTargets,
    references.AnonymousHyperlinks,
    references.IndirectHyperlinks,
    references.Footnotes,
    references.ExternalTargets,
    references.InternalTargets,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The tree, and what docutils found wrong in the text."""

    document: nodes.document
    warnings: tuple[str, ...]


def read_document(text: str) -> Reading:
    """Raises ParseError: too large, a line too long, nested too deeply, took too long."""
    _check_size(text)
    document = utils.new_document("text", _make_settings())
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    try:
        inliner = _Inliner()
        parser = Parser(inliner=inliner)
        parser.state_classes = STATE_CLASSES
        parser.parse(write_code_blocks(text), document)
        mended = mend_tables(document, inliner) if messages else frozenset()
        if _MAY_SUBSTITUTE.search(text):
            _prepare_substitutions(document)
        document.settings.line_length_limit = MAX_SUBSTITUTION_CHARACTERS
        for transform in _TRANSFORMS:
            transform(document).apply()
        set_hidden_aside(document)
    except RecursionError:
        raise ParseError("The text is nested too deeply; take a few levels of lists or quotes out.") from None
    return Reading(document, _make_warnings([message for message in messages if message not in mended]))


def _check_size(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise ParseError(f"The file has more than {MAX_CHARACTERS:,} characters; cut it into several files.")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_LINE_CHARACTERS:
            raise ParseError(f"Line {number} has more than {MAX_LINE_CHARACTERS:,} characters; break it.", line=number)
        if line.count("= ") > MAX_TABLE_COLUMNS and _TABLE_BORDER.match(line):
            raise ParseError(f"Line {number} begins a table of more than {MAX_TABLE_COLUMNS} columns.", line=number)


# Made once, because docutils turns off warnings for all threads meanwhile.
_DEFAULT_SETTINGS = frontend.get_default_settings(Parser)


def _make_settings() -> Any:
    settings = _DEFAULT_SETTINGS.copy()
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.halt_level = utils.Reporter.SEVERE_LEVEL + 1
    settings.report_level = utils.Reporter.SEVERE_LEVEL + 1
    settings.line_length_limit = MAX_LINE_CHARACTERS
    settings.syntax_highlight = "none"
    settings.is_sphinx_text = True
    settings.own_roles = {}
    settings.character_files = set()
    settings.scope = Scope()
    settings.unknown_directives = []
    return settings


def _prepare_substitutions(document: nodes.document) -> None:
    _keep_build_values(document)
    define_characters(document)
    forget_names_of_pictures(document)
    break_lines(document)
    name_emoji(document)
    keep_undefined(document)
    check_substitutions(document)


def _keep_build_values(document: nodes.document) -> None:
    """Keep what Sphinx fills in from its configuration as it is written."""
    for reference in list(document.findall(nodes.substitution_reference)):
        if reference["refname"] in _BUILD_VALUES and reference["refname"] not in document.substitution_defs:
            reference.replace_self(nodes.Text(f"|{reference.astext()}|"))


def _make_warnings(messages: Sequence[nodes.system_message]) -> tuple[str, ...]:
    """The errors among the messages; docutils' warnings concern style. Undefined substitutions are named together, without their lines:
    many pages of a site use the same ones.
    """
    errors = [message for message in messages if message["level"] >= utils.Reporter.ERROR_LEVEL and message.children]
    undefined, listed = set[str](), list[str]()
    for error in errors:
        text = " ".join(error.children[0].astext().split())
        if found := _UNDEFINED.fullmatch(text):
            undefined.add(found[1])
        else:
            listed.append(f"Line {error.get('line', '?')}: {text}")
    more = [f"{len(listed) - _MAX_WARNINGS} more errors like these."] if len(listed) > _MAX_WARNINGS else []
    return (*listed[:_MAX_WARNINGS], *more, *describe_undefined(undefined))


class _Inliner(states.Inliner):
    """Handles roles by the rules of this package. All text passes through here, so the time limit is checked here."""

    def __init__(self) -> None:
        super().__init__()
        self._ends_at = time.thread_time() + MAX_SECONDS

    def parse(self, text: str, lineno: int, memo: Any, parent: Any) -> Any:
        if time.thread_time() > self._ends_at:
            raise ParseError(f"Reading the text took more than {MAX_SECONDS} seconds; cut it into several files.")
        if len(text) > MAX_MARKED_UP_CHARACTERS:
            return [nodes.Text(nodes.unescape(text))], []
        return super().parse(text, lineno, memo, parent)

    def interpreted(self, rawsource: str, text: str, role: str, lineno: int) -> Any:
        own_roles = self.document.settings.own_roles
        name = own_roles.get(role.lower(), role)
        found = find_role_nodes(own_roles.get(name, name), nodes.unescape(text))
        if found is None:
            return super().interpreted(rawsource, text, name, lineno)
        return found, []


# The inliner's patterns are filled in from the class itself, not from its bases.
for _name, _value in vars(states.Inliner).items():
    if isinstance(_value, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _value)


_find_docutils_directive = directives.directive


def _find_directive(name: str, language: Any, document: nodes.document) -> Any:
    """Finds a directive. Docutils has no lookup per parser; Sphinx replaces this function too. Documents of other users get
    docutils' own.
    """
    if not getattr(document.settings, "is_sphinx_text", False):
        return _find_docutils_directive(name, language, document)
    found = find_directive(name.lower())
    if found is not None:
        return found, []
    found, _ = _find_docutils_directive(name, language, document)
    return (_take_any_option(name, found) if found else Unknown), []


_TAKING_ANY_OPTION: dict[str, type[Directive]] = {}


def _take_any_option(name: str, directive: type[Directive]) -> type[Directive]:
    """A directive that accepts options unknown to docutils, as sites' extensions add them. Refused, the directive would become code."""
    if not directive.option_spec:
        return directive
    if name not in _TAKING_ANY_OPTION:
        _TAKING_ANY_OPTION[name] = type(name, (directive,), {"option_spec": AnyOption(directive.option_spec)})
    return _TAKING_ANY_OPTION[name]


directives.directive = _find_directive  # type: ignore[assignment]
