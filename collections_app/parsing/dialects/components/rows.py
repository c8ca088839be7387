"""What is passed to a component as an array or object, and is not among its children although readers see it. PURE. It runs nothing: only
what is written out counts (literals.py).

    rows of texts                               a table      `<Table rows={[["p-4", "padding: 1rem;"], …]} />`
    entries that lead somewhere                 a list       `<Steps of={[{ title: "Start", link: "/start" }]} />`
    entries of a title and its text             a list       `<FAQ items={[{ question: "Why?", answer: "So that …" }]} />`
    other entries with sentences, or by names   a table      `<PropsTable data={[{ name: "open", description: "Whether …" }]} />`
    sentences                                   a list       `<Highlights features={["Has no styles.", …]} />`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent

from collections_app.parsing.dialects.components.literals import Literal, Markup, read_literal
from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.text.spans import replace_spans

# Of a component in Vue's Markdown: `:data="[…]"`.
_BEGINS = re.compile(r"(?<![\w-])(?P<name>[a-z]\w*+)\s*+=\s*+(?:\{\s*+(?=[\[{])|\"\s*+(?=\[))")
_CLOSES = re.compile(r"\s*+[}\"]")
_HEADERS = frozenset({"columns", "head", "header", "headers", "headings"})
_TITLES = ("title", "label", "name", "heading", "text")
_TARGETS = ("href", "link", "url", "to")
_QUESTIONS = frozenset({*_TITLES, "question", "q", "term"})
# What a site shows by a table, whatever is in it.
_IS_TABLE = re.compile(r"Table|Props|Params")
# Which tab or option it is, and not a text.
_CHOICE = frozenset({"default", "disabled", "icon", "id", "key", "label", "value"})
# Which entry is the page itself: `current="rust"`.
_CURRENT = re.compile(r"(?<![\w-])(?:active|current|selected)=(?:\"([^\"]*)\"|'([^']*)')")
_IS_CODE = re.compile(r"[<>{}()\[\];=*_]")
_IS_NAME = re.compile(r"--?[A-Za-z]\S*|[a-z]\w*(?:[-.][\w.-]*\w|[A-Z]\w*)")
_HEADING = re.compile(r"^#{1,6} (.*)")
_IS_TYPE = re.compile(r"=>|[|{}<>;]|^[\"'(\[]")
_PUNCTUATION = ".,:;!?()\"'"
_SENTENCE_WORDS = 3
_MOST_COLUMNS = 10

_Entry = Mapping[str, Literal]


def write_arrays(name: str, attributes: str) -> tuple[str, str]:
    """What readers see of such arrays and objects in the attributes of a component, as Markdown, and the attributes without them; empty and
    all attributes if there are none.
    """
    if "[" not in attributes and "{{" not in attributes:
        return "", attributes
    found = list(_iter_values(attributes))
    given = {key: value for key, value, _, _ in found}
    current = {double or single for double, single in _CURRENT.findall(attributes)} - {""}
    written = _write_rows(given) or "\n\n".join(filter(None, (_write(each, name, current) for each in given.values())))
    return written, replace_spans(
        attributes, ((start, end, "") for _, _, start, end in found)
    ) if written else attributes


def _iter_values(attributes: str) -> Iterator[tuple[str, Literal, int, int]]:
    """The name of each, its value, and where it begins and ends."""
    position = 0
    while begins := _BEGINS.search(attributes, position):
        value, position = read_literal(attributes, begins.end())
        if _CLOSES.match(attributes, position):
            yield begins["name"], value, begins.end(), position


def _write_rows(given: Mapping[str, Literal]) -> str:
    """The first array of arrays of texts as a table. Without given labels the header is empty."""
    rows = next((rows for key in given if (rows := _read_rows(given[key]))), [])
    header = next((_write_cells(row) for key in _HEADERS & given.keys() if (row := _read_row(given[key]))), [])
    return _write_table(header, [_write_cells(row) for row in rows]) if rows else ""


def _read_rows(value: Literal) -> list[list[str]]:
    """The texts of rows that are equally long; none if there is anything else."""
    rows = [_read_row(row) for row in value] if isinstance(value, list) else []
    return rows if rows and 1 < len(rows[0]) <= _MOST_COLUMNS and len({*map(len, rows)}) == 1 else []


def _read_row(value: Literal) -> list[str]:
    texts = [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
    return texts if isinstance(value, list) and len(texts) == len(value) else []


def _write(value: Literal, name: str, current: set[str]) -> str:
    if isinstance(value, dict):  # entries by their names
        value = [{"name": key, **fields} for key, fields in value.items() if isinstance(fields, dict)]
    if not isinstance(value, list):
        return ""
    if (texts := _read_row(value)) and all(map(_is_sentence, texts)) and (len(texts) > 1 or texts[0].endswith(".")):
        return "\n".join(f"- {_write_cell(text)}" for text in texts)
    entries = [entry for entry in value if isinstance(entry, dict)]
    if any(not current.isdisjoint(each for each in entry.values() if isinstance(each, str)) for entry in entries):
        return ""  # they only lead from page to page
    links = "\n".join(filter(None, map(_write_link, entries)))
    is_told = _IS_TABLE.search(name) or any(_is_sentence(told) for entry in entries for told in _tell(entry).values())
    return links or (_write_entries([*map(_tell, entries)]) if is_told else "")


def _write_link(entry: _Entry) -> str:
    fields = {key: value for key, value in entry.items() if isinstance(value, str) and "\n" not in value}
    title = next((fields[name] for name in _TITLES if fields.get(name)), "")
    target = next((fields[name] for name in _TARGETS if is_address(fields.get(name, ""))), "")
    described = f": {fields['description']}" if fields.get("description") else ""
    return f"- [{title}]({target}){described}" if title and target and not set("[]") & {*title} else ""


def _tell(entry: _Entry) -> dict[str, str]:
    """The texts of an entry by their names; none of one that can be chosen."""
    if entry.keys() <= _CHOICE:
        return {}
    told = ((key, ", ".join(_read_row(value)) if isinstance(value, list) else value) for key, value in entry.items())
    return {key: value for key, value in told if value and isinstance(value, str)}


def _write_entries(entries: Sequence[Mapping[str, str]]) -> str:
    names = list(dict.fromkeys(key for entry in entries for key in entry))
    if len(names) == 2 and names[0] in _QUESTIONS:
        return "\n".join(_write_pair(*(entry.get(key, "") for key in names)) for entry in entries if entry)
    rows = [_write_cells([entry.get(key, "") for key in names]) for entry in entries if entry]
    return _write_table(names, rows) if 0 < len(names) <= _MOST_COLUMNS else ""


def _write_pair(title: str, text: str) -> str:
    """A question and its answer, which may have several lines."""
    title = " ".join(title.split())
    first, *others = (_HEADING.sub(r"**\1**", line) for line in dedent(text).strip().split("\n"))
    written = (
        f"- **{title}**{':' if title[-1:].isalnum() else ''} {first}" if not others else f"- **{title}**\n\n  {first}"
    )
    return "\n".join([written.rstrip(), *(f"  {line}".rstrip() for line in others)])


def _write_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    columns = len(rows[0])
    header = header if len(header) == columns else [""] * columns
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * columns, *rows))


def _write_cells(row: Sequence[str]) -> list[str]:
    return [_write_cell(text) for text in row]


def _write_cell(text: str) -> str:
    """The text on a line. One with symbols that Markdown could interpret is written as code, unless it is a sentence."""
    cell = " ".join(text.split()).replace("|", r"\|")
    is_code = not isinstance(text, Markup) and "`" not in cell and (_IS_CODE.search(cell) or _IS_NAME.fullmatch(cell))
    return f"`{cell}`" if is_code and not _is_sentence(text) else cell


def _is_sentence(text: str) -> bool:
    """Whether most of its parts are words; of a text with signs of code nearly all."""
    words = text.split()
    share = sum(word.strip(_PUNCTUATION).isalpha() for word in words) / max(len(words), _SENTENCE_WORDS)
    return isinstance(text, Markup) or (
        len(words) >= _SENTENCE_WORDS and share > (0.8 if _IS_TYPE.search(text) else 0.5)
    )
