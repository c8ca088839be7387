"""A document → the texts that its rows of the index are made from: what of it counts as title, heading or body. PURE."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from collections_app.parsing.documents import MAX_TITLE_CHARACTERS
from collections_app.text.analysis import PART_CHARACTERS, TOLD_CHARACTERS, make_heading_text, make_index_text
from collections_app.text.markdown.code_blocks import find_code_languages, make_code_term
from collections_app.text.markdown.link_targets import leave_out_targets
from collections_app.text.names.entries import list_entry_names, list_names_of_heading
from collections_app.text.names.headings import list_heading_names, list_names_in_text
from collections_app.text.names.operations import find_summary
from collections_app.text.names.pages import find_manual_name, list_page_marks, list_part_marks
from collections_app.text.pages.absent_text import has_notes_alone
from collections_app.text.pages.hidden import is_hidden_page
from collections_app.text.pages.moved import is_moved_page

# The length of the longest question (search/asking.py): no question can have all words of a longer heading.
MAX_ASKED_CHARACTERS = 1000
# Of a page of R's help that call it: pages about whole classes have a name for each of their methods.
MAX_NAMES = 100
PATH_SEPARATORS = re.compile(r"[/_.\-]+")


class SectionText(Protocol):
    """What the index needs of a section, whether it was just parsed or is stored."""

    @property
    def position(self) -> int: ...

    @property
    def heading_path(self) -> Sequence[str]: ...

    @property
    def text(self) -> str: ...


class DocumentText(Protocol):
    @property
    def title(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def keywords(self) -> Sequence[str]: ...

    @property
    def metadata(self) -> Mapping[str, Any]: ...

    @property
    def sections(self) -> Sequence[SectionText]: ...


class VectorText(NamedTuple):
    """The texts that one row of the index is made from.

    - `position`: that of the section in its document.
    - `title`: also has the words of the path.
    - `headings`: the headings above, the section's own heading, and the summary of an operation (text/names/operations.py).
    - `heading`: the latter two, each word once. `asked_heading`: the words that a question for it has at least, if these may be fewer.
    - `title_names`, `heading_names`, `text_names`: see text/names/headings.py. `entry_names`: what the body describes
      (text/names/entries.py).
    - `marks`: of the languages of the whole section's code, in each of its parts, and of a document's first row those of its names
      (text/names/pages.py).
    - `body`: the first one of a document also has the document's description and keywords.
    """

    position: int
    part: int
    title: str
    title_names: Sequence[str]
    headings: str
    heading: str
    heading_names: Sequence[str]
    asked_heading: str
    body: str
    entry_names: Sequence[str] = ()
    text_names: Sequence[str] = ()
    marks: Sequence[str] = ()


class HeadingText(NamedTuple):
    """What the rows of a section take from its own heading."""

    indexed: str
    asked: str
    names: Sequence[str]
    entry_names: Sequence[str]


@lru_cache(maxsize=5_000)
def index_heading(heading: str) -> HeadingText:
    """Many sections have the same heading ("Parameters", "Examples"): half of them in a reference."""
    indexed = make_index_text(heading)
    asked = make_heading_text(heading) if indexed != heading else ""
    return HeadingText(indexed, asked, list_heading_names(heading), list_names_of_heading(heading))


def make_vector_texts(document: DocumentText, path: str) -> list[VectorText]:
    """The texts of a document's index rows: one row per section, several for a very large section. No database is used.

    A document that only says where its text has moved has no rows, nor has one that its site hides.
    """
    if is_hidden_page(document.metadata):
        return []
    if len(document.sections) <= 2 and is_moved_page("".join(section.text for section in document.sections)):
        return []
    stem = path.rpartition(".")[0] or path
    called = document.title[:MAX_TITLE_CHARACTERS]
    title = make_index_text(f"{called} {PATH_SEPARATORS.sub(' ', stem)}")
    names = list(dict.fromkeys([*list_heading_names(called), *list_heading_names(stem.rpartition("/")[2])]))
    texts = [text for section in document.sections for text in iter_vector_texts(section, title, names)]
    if manual := find_manual_name(called, stem):
        own = {section.position: section.heading_path[-1] for section in document.sections}
        texts = [
            text if text.part else text._replace(marks=[*text.marks, *list_part_marks(manual, own[text.position])])
            for text in texts
        ]
    if texts:
        told = tell_itself(document)
        body = f"{texts[0].body}\n{make_index_text(told)}" if told else texts[0].body
        entries = dict.fromkeys([*texts[0].entry_names, *list_names_of_heading(called)])
        marks = [*texts[0].marks, *list_page_marks(called, stem, _list_documented(document, path))]
        texts[0] = texts[0]._replace(body=body, entry_names=list(entries), marks=marks)
    return texts


def _list_documented(document: DocumentText, path: str) -> list[str]:
    """The names that a page of R's help documents: they stand as code below its title, and are among its keywords."""
    if not path.lower().endswith(".rd"):
        return []
    _, _, text = document.sections[0].text.partition("\n\n")
    told = text.partition("\n\n")[0]
    return [name for name in document.keywords if f"`{name}`" in told][:MAX_NAMES]


def tell_itself(document: DocumentText) -> str:
    """The document's description and keywords. Its text often begins with the same, so what it is about counts twice."""
    return "\n".join(filter(None, [document.description, ", ".join(document.keywords)]))[:TOLD_CHARACTERS]


def iter_vector_texts(section: SectionText, title: str, title_names: Sequence[str]) -> Iterator[VectorText]:
    own = section.heading_path[-1] if len(section.heading_path[-1]) <= MAX_ASKED_CHARACTERS else ""
    summary = find_summary(own, section.text)
    headings = make_index_text(" ".join([*section.heading_path, summary]))
    indexed, asked_heading, names, entry_names = index_heading(own)
    heading = indexed
    if (
        summary
    ):  # a question for either the summary or the heading is for the operation; the parts of its path count too
        heading = f"{indexed} {make_index_text(summary)}"
        asked_heading = min(make_heading_text(summary), indexed, key=lambda text: len(text.split()))
    heading = " ".join(dict.fromkeys(heading.split()))
    marks = [make_code_term(language) for language in find_code_languages(section.text)]
    is_absent = has_notes_alone(section.text)
    for part, body in enumerate(iter_parts(section.text)):
        text = VectorText(
            section.position,
            part,
            title,
            title_names,
            headings,
            heading,
            names,
            asked_heading,
            make_index_text(leave_out_targets(body)),
            list(dict.fromkeys([*entry_names, *list_entry_names(body)])),
            list_names_in_text(body),
            marks,
        )
        yield drop_subject(text) if is_absent else text


def drop_subject(text: VectorText) -> VectorText:
    """The index texts of a section that only says what is missing here.

    It is found by its whole heading. For other questions the heading is just a line of its text, in which each word counts once.
    """
    words = {word.lower(): word for word in text.body.split()}
    return text._replace(title="", title_names=(), headings="", asked_heading="", body=" ".join(words.values()))


def iter_parts(body: str) -> Iterator[str]:
    """A body whole, or cut at white space near every PART_CHARACTERS when it is larger."""
    if len(body) <= PART_CHARACTERS:
        yield body
        return
    start = 0
    while start < len(body):
        end = min(start + PART_CHARACTERS, len(body))
        blank = max(body.rfind(" ", start, end), body.rfind("\n", start, end))
        if end < len(body) and blank > start:
            end = blank
        yield body[start:end]
        start = end
