"""How directives are rendered: those of Sphinx that docutils does not know, and those of docutils that would read, run or leak something.

Those with code are in code_directives.py. Unknown directives are kept as text (unknown.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst import directives as options
from docutils.parsers.rst.directives.tables import CSVTable
from docutils.statemachine import StringList

from collections_app.parsing.rst.cards import Button, Card
from collections_app.parsing.rst.changes import Change, Changelog, VersionChange
from collections_app.parsing.rst.code_directives import (
    Code,
    CodePart,
    CodeTab,
    ConsoleCode,
    Grammar,
    Highlight,
    Math,
    PlainCode,
    PythonCode,
)
from collections_app.parsing.rst.raw_html import make_raw_html
from collections_app.parsing.rst.roles import RAW_HTML, make_page_reference
from collections_app.parsing.rst.sphinx_directive import AnyOption, Facts, SphinxDirective
from collections_app.parsing.rst.unknown import parse_unless_code
from collections_app.parsing.sphinx.markup import (
    MODULES,
    UNTOLD,
    VERSION_CHANGES,
    describe_status,
    is_status,
    may_be_in_html,
)
from collections_app.parsing.sphinx.objects import (
    Scope,
    complete_signature,
    get_heading,
    get_name,
    has_signature_options,
    is_object,
    is_place,
    is_told,
    is_type,
    split_signatures,
    tells_by_options,
)
from collections_app.text.pages.absent_text import DOCSTRINGS, FILE, begin_note

_MAX_TABLE_CELLS = 100_000
_STANDARD_FILE = re.compile(r"<([\w-]+)\.txt>", re.ASCII)
_NO_PAGE = re.compile(r"^self$|^[a-z]+:|[*?\[]")  # the page itself, another site's, a pattern
# Not the name of a class in code, but a style for the next block.
_LOOK = re.compile(r"[a-z\d]+(?:-[a-z\d]+)+(?: [a-z\d-]+)*")
_FIRST_FACTS = ("type", "value", "default")
_LINK_WITH_TITLE = re.compile(r"(.*?)(?<!\s)\s*<([^<>]+)>$")


class object_description(nodes.General, nodes.Element):  # noqa: N801  docutils names nodes so
    """`heading`, `anchor` and `signatures` as attributes, the description as children."""


class Dropped(SphinxDirective):
    """A directive that says nothing to readers, or whose content only a build can generate."""

    def run(self) -> Sequence[nodes.Node]:
        return []


class Content(SphinxDirective):
    """Only the content."""

    def run(self) -> Sequence[nodes.Node]:
        return self.parse()


class Only(SphinxDirective):
    """Content for some of Sphinx's output formats: dropped if readers of the HTML do not see it."""

    def run(self) -> Sequence[nodes.Node]:
        return self.parse() if may_be_in_html(self.get_argument()) else []


class Admonition(SphinxDirective):
    """Content under a label; text after the directive's name is content, too."""

    labels: ClassVar[Mapping[str, str]] = {
        "seealso": "See also",
        "impl-detail": "Implementation detail",
        "todo": "To do",
    }

    def run(self) -> Sequence[nodes.Node]:
        label = self.labels.get(self.name, self.name.replace("-", " ").capitalize())
        return [nodes.admonition("", nodes.title("", label), *self.parse_with_argument())]


class Status(SphinxDirective):
    """The status of a document, which PEPs give as the directive's name: a box with it, and with the document that takes its place."""

    def run(self) -> Sequence[nodes.Node]:
        argument = self.get_argument()
        label = describe_status(self.name, has_argument=bool(argument))
        if argument.isdecimal():
            self.arguments = [f":pep:`{argument}`"]
        return [nodes.admonition("", nodes.title("", label), *self.parse_with_argument())]


class TocTree(SphinxDirective):
    """A list of links to other documents, unless it is hidden."""

    def run(self) -> Sequence[nodes.Node]:
        entries = [line.strip() for line in self.content if line.strip()]
        if "hidden" in self.options or not entries:
            return []
        return [
            nodes.bullet_list(
                "", *(nodes.list_item("", nodes.paragraph("", "", _make_link(entry))) for entry in entries)
            )
        ]


def _make_link(entry: str) -> nodes.Node:
    match = _LINK_WITH_TITLE.match(entry)
    title, target = match.groups() if match else ("", entry)
    if _NO_PAGE.search(target):
        return nodes.reference("", title or target, refuri=target)
    return make_page_reference(title, target)


class AutoSummary(SphinxDirective):
    """A list of names of objects that are described on other pages."""

    def run(self) -> Sequence[nodes.Node]:
        lines = [*self.get_argument().split("\n"), *self.content]
        names = [name for line in lines if (name := line.strip().lstrip("~"))]
        items = [nodes.list_item("", nodes.paragraph("", "", nodes.literal("", name))) for name in names]
        return [nodes.bullet_list("", *items)] if items else []


class missing(nodes.paragraph):  # noqa: N801  docutils names nodes so
    """A line whose first words say what kind of text is missing, followed by its name."""

    def take(self, other: nodes.Node) -> bool:
        """Merge the names of the other into this one, if it is of the same kind; returns whether it is."""
        if not isinstance(other, missing) or other["where"] != self["where"]:
            return False
        self.extend([nodes.Text(", "), *other.children[2:]])
        return True


class Missing(SphinxDirective):
    """Names what Sphinx would insert here from elsewhere: another file, or docstrings. Several in a row share a line. What is named by no
    argument may be by an option that is called like the directive: `:command:` of `autocommand`.
    """

    def run(self) -> Sequence[nodes.Node]:
        content = self.parse()
        what = self.get_argument() or self.options.get(self.name.removeprefix("auto"), "")
        return self.name_missing(what, content) if what else content

    def name_missing(self, what: str, content: list[nodes.Node]) -> Sequence[nodes.Node]:
        """A note that it is missing, followed by the content."""
        where = DOCSTRINGS if self.name.startswith("auto") else FILE
        words = nodes.emphasis("", begin_note(where))
        note = missing("", "", words, nodes.Text(" "), nodes.literal("", what), where=where)
        if content and note.take(content[0]):
            del content[0]
        before = self.state.parent.children[-1:]
        if before and isinstance(before[0], missing) and before[0].take(note):
            return content
        return [note, *content]


class Raw(Missing):
    """HTML is read; other formats are dropped, and files of any format are not available."""

    def run(self) -> Sequence[nodes.Node]:
        if "html" not in self.get_argument().lower().split():
            return []
        if named := self.options.get("file") or self.options.get("url"):
            return self.name_missing(named, [])
        return [make_raw_html("\n".join(self.content))]


class Included(Missing):
    """A note about another file. Docutils' own files define characters, such as `|copy|`, which are known."""

    def run(self) -> Sequence[nodes.Node]:
        if match := _STANDARD_FILE.fullmatch(self.get_argument()):
            self.state.document.settings.character_files.add(match[1])
            return []
        return super().run()


class Glossary(SphinxDirective):
    """A definition list in which several terms may stand above one definition."""

    def run(self) -> Sequence[nodes.Node]:
        lines = StringList()
        for index, line in enumerate(self.content):
            source, offset = self.content.info(index)
            is_term = bool(line) and not line[0].isspace() and not line.startswith("..")
            if is_term and lines and lines[-1] and not lines[-1][0].isspace():
                lines[-1] = f"{lines[-1]}, {line}"
            else:
                lines.append(line, source, offset or 0)
        return self.parse(lines)


class Module(SphinxDirective):
    """The module of the following objects; its synopsis is the document's description."""

    def run(self) -> Sequence[nodes.Node]:
        get_scope(self.state.document).module = self.get_argument()
        synopsis = self.options.get("synopsis", "")
        meta = [nodes.meta("", name="description", content=" ".join(synopsis.split()))] if synopsis else []
        return [*meta, *self.parse()]


class ObjectDescription(SphinxDirective):
    """A function, class, option, …: one signature per line, then the description."""

    option_spec: ClassVar[Any] = Facts(name=options.unchanged)

    def run(self) -> Sequence[nodes.Node]:
        lines = [" ".join(line.split()) for line in re.sub(r"\\\n\s*", "", self.get_argument()).splitlines()]
        signatures = split_signatures(self.name, lines)
        signatures = [
            complete_signature(self.name, signature.replace("\\", ""), self.options)
            for signature in signatures
            if signature
        ]
        if not signatures:
            return parse_unless_code(self)
        if self.name == "class" and _LOOK.fullmatch(signatures[0]):
            return self.parse()
        if is_place(self.name) and not (self.content or self.options):
            return []
        scope = get_scope(self.state.document)
        name = scope.get_full_name(self.name, get_name(self.name, signatures[0]))
        description = object_description(
            "", heading=get_heading(self.name, name), anchor=name if " " not in name else "", signatures=signatures
        )
        if is_type(self.name):
            scope.classes.append(name)
        description += [*self.describe_options(), *self.parse()]
        if is_type(self.name):
            scope.classes.pop()
        return [description]

    def describe_options(self) -> list[nodes.Node]:
        """A line with the type, value and default of a setting, unless they are part of the signature, and what else its options say."""
        words: list[nodes.Node] = []
        for name in self._iter_facts():
            label, value = name.replace("-", " ").capitalize(), self._parse_value(name)
            if value or name not in _FIRST_FACTS:
                words += [nodes.Text(", ")] if words else []
                words += [
                    nodes.strong("", f"{label}:" if value else label),
                    *([nodes.Text(" ")] if value else []),
                    *value,
                ]
        return [nodes.paragraph("", "", *words)] if words else []

    def _iter_facts(self) -> Iterator[str]:
        if not has_signature_options(self.name):
            yield from _FIRST_FACTS
        if tells_by_options(self.name):
            yield from (name for name in self.options if name not in _FIRST_FACTS and is_told(name))

    def _parse_value(self, name: str) -> list[nodes.Node]:
        """The value's nodes: code unless it is marked up, or words about the setting."""
        text = " ".join((self.options.get(name) or "").split())
        if "`" in text or (" " in text and name not in _FIRST_FACTS):
            return self.parse_inline(text)
        return [nodes.literal("", text)] if text else []


class BoundedCsvTable(CSVTable):
    """Limits tables, as docutils pads short rows to the longest: a few lines could demand billions of cells."""

    option_spec: ClassVar[Any] = AnyOption(CSVTable.option_spec)

    def extend_short_rows_with_empty_cells(self, columns: int, parts: Any) -> None:
        if columns * sum(map(len, parts)) > _MAX_TABLE_CELLS:
            raise self.error(f"The table has more than {_MAX_TABLE_CELLS:,} cells.")
        super().extend_short_rows_with_empty_cells(columns, parts)


class OwnRole(SphinxDirective):
    """`.. role:: name(base)`, for this document only."""

    def run(self) -> Sequence[nodes.Node]:
        name, _, base = self.get_argument().rstrip(")").partition("(")
        is_html = base.strip().lower() == "raw" and "html" in self.options.get("format", "").lower().split()
        role = RAW_HTML if is_html else base.strip().lower() or "text"
        self.state.document.settings.own_roles[name.strip().lower()] = role
        return []


class DefaultRole(SphinxDirective):
    """Sets the role of text in backticks without one, for this document only."""

    def run(self) -> Sequence[nodes.Node]:
        self.state.document.settings.own_roles[""] = self.get_argument().strip().lower()
        return []


def get_scope(document: nodes.document) -> Scope:
    scope: Scope = document.settings.scope
    return scope


def find_directive(name: str) -> type[Directive] | None:
    """The class for a directive; None to use docutils' own, if it has one."""
    known = _DIRECTIVES.get(name)
    if known is None and is_object(name):
        return ObjectDescription
    if known is None and name.startswith("auto"):
        return Missing
    if known is None and is_status(name):
        return Status
    return known


_DROPPED = frozenset(
    {*UNTOLD, "header", "footer", "target-notes", "date", "testcleanup", "changelog_imports", "facet", "redirect-from"}
)

_DIRECTIVES: Mapping[str, type[Directive]] = {
    **dict.fromkeys(["code", "code-block", "sourcecode", "code-cell", "prompt", "ipython"], Code),
    **dict.fromkeys(["testcode", "doctest", "testsetup", "plot", "jupyter-execute"], PythonCode),
    **dict.fromkeys(["testoutput", "graphviz", "digraph", "mermaid", "uml"], PlainCode),
    **dict.fromkeys(["input", "output"], CodePart),
    "console": ConsoleCode,
    "only": Only,
    "code-tab": CodeTab,
    "productionlist": Grammar,
    "highlight": Highlight,
    **dict.fromkeys(["seealso", "todo", "impl-detail", "availability"], Admonition),
    **dict.fromkeys(VERSION_CHANGES, VersionChange),
    "changelog": Changelog,
    "change": Change,
    "math": Math,
    "toctree": TocTree,
    "autosummary": AutoSummary,
    "include": Included,
    "raw": Raw,
    **dict.fromkeys(["literalinclude", "openapi", "support_matrix", "feature_matrix"], Missing),
    "glossary": Glossary,
    **dict.fromkeys(MODULES, Module),
    "csv-table": BoundedCsvTable,
    "role": OwnRole,
    "default-role": DefaultRole,
    **dict.fromkeys(["card", "grid-item-card"], Card),
    **dict.fromkeys(["button-link", "button-ref"], Button),
    **dict.fromkeys(
        ["hlist", "io-code-block", "ifconfig", "grid", "tab-set", "tabs", "cssclass", "rst-class"], Content
    ),
    **dict.fromkeys(_DROPPED, Dropped),
}
