"""Drops printed tables of contents, lists of figures and the like: lines of titles, dots and page numbers, which match every question.

Lines with dots and numbers count as such a list only if their titles occur elsewhere in the document: prices, forms and indexes have dots
too. A list without dots must be called one, and its titles must be lines on the pages it gives: other tables are called so too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, pairwise

from collections_app.parsing.pdf.breaks import LEADER
from collections_app.parsing.pdf.headings.numbers import strip_number
from collections_app.parsing.pdf.pages import Line, OutlineEntry, fold_text

_MIN_ENTRIES = 3
_MAX_GAP = 3  # lines between two entries, for titles over several lines and parts without dots
_MAX_NAME_GAP = 2  # lines from the list's name to its first entry: “Page” may be between them
_PRINTED_SHARE = 0.5  # of the entries whose titles are elsewhere too
_ORDERED_SHARE = 0.8  # of the entries whose page is not before that of the entry above
_MAX_UNCOUNTED = 2  # pages, such as a cover, before the first one that is counted
_TOLD_SHARE = 0.8  # of the entries without dots whose titles are lines on the pages that their numbers name
_KEY_CHARACTERS = 20  # of a title: the rest may be on its next line
_MAX_ENTRY_CHARACTERS = 80  # of an entry without dots
_MIN_KEY_CHARACTERS = 3
_PAGE_NUMBER = re.compile(r"(?:^|[\s.…])(?:\d{1,2}[-–])?(\d{1,4}|[ivxlc]{1,7})$")
_NAMES = re.compile(
    r"(tableof)?contents|listof(figures|tables|examples)|figures|tables|inhalt(sverzeichnis)?|(abbildungs|tabellen)verzeichnis"
    r"|inhoud(sopgave)?|sommaire|tabledesmatières|índice|contenido|sumário|indice|sommario|spistreści|obsah|innehåll"
    r"|содержание|оглавление|目录|目錄|目次|차례"
)
_ABOVE_NUMBERS = re.compile(
    r"(page|seite|pagina|página|strona|strana|sida|side|страница|стр|页码|页|頁|페이지|쪽)s?(no|nr|number)?|\d+|[ivxlc]+"
)


def drop_contents_lists(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without such lists."""
    lines = [line for page in pages for line in page]
    dotted = frozenset(
        index
        for index, line in enumerate(lines)
        if LEADER.search(line.text) and _PAGE_NUMBER.search(line.text) and not _is_drawn(line)
    )
    entries = sorted(dotted.union(_iter_named_entries(lines)))
    dropped = set(_iter_lines_of_lists(pages, lines, dotted, entries)) if len(entries) >= _MIN_ENTRIES else set()
    indexes = count()
    return [[line for line in page if next(indexes) not in dropped] for page in pages]


def _iter_lines_of_lists(
    pages: Sequence[Sequence[Line]], lines: Sequence[Line], dotted: frozenset[int], entries: Sequence[int]
) -> Iterator[int]:
    """The indexes of the lines that such lists consist of. `entries`: of the lines that may be entries, `dotted` of those with dots."""
    listed = frozenset(entries)
    printed = _list_printed(lines, listed)
    places = _find_places(pages) if len(dotted) < len(listed) else {}
    page_numbers = [number for number, page in enumerate(pages) for _ in page]
    for run in _iter_runs(entries):
        texts = [lines[index].text for index in run]
        if not _is_contents_list(texts, printed, len(pages) + _MAX_UNCOUNTED):
            continue
        if 2 * len(dotted.intersection(run)) > len(run) or _is_where_told(texts, page_numbers[run[0]], places):
            yield from (
                index for index in _widen(lines, run, printed) if index in listed or _may_be_entry(lines[index].text)
            )


def drop_contents_names(
    outline: Sequence[OutlineEntry], pages: Sequence[Sequence[Line]], listless: Sequence[Sequence[Line]]
) -> list[OutlineEntry]:
    """The outline without the names of lists that were dropped: `listless` is what drop_contents_lists() left of `pages`."""
    return [
        entry
        for entry in outline
        if len(listless[entry.page]) == len(pages[entry.page])
        or not _is_name(entry.title)
        or any(_is_name(line.text) for line in listless[entry.page])
    ]


def _iter_named_entries(lines: Sequence[Line]) -> Iterator[int]:
    """The lines that end with a number at a distance and follow the name of a list, or each other, directly."""
    last = -2 - _MAX_GAP
    for index, line in enumerate(lines):
        is_entry = len(line.cells) > 1 and len(line.cells[-1]) == 1 and _PAGE_NUMBER.search(line.text) is not None
        is_near = index - last <= _MAX_GAP + 1
        if is_entry and is_near:
            yield index
        if (is_entry and is_near) or _is_name(line.text):
            last = index


def _is_drawn(line: Line) -> bool:
    """Whether it is in a drawn table, like the answers of a form: `NO . . . . . 2`."""
    return line.mark.cell is not None and bool(line.mark.cell.edges)


def _is_name(text: str) -> bool:
    return _NAMES.fullmatch(fold_text(text[:50])) is not None


def _list_printed(lines: Sequence[Line], entries: frozenset[int]) -> frozenset[str]:
    """The beginnings of the document's other lines."""
    others = (line.text for index, line in enumerate(lines) if index not in entries)
    return frozenset(key for text in others for key in _iter_keys(text))


def _iter_keys(text: str) -> Iterator[str]:
    yield fold_text(text[: 4 * _KEY_CHARACTERS])[:_KEY_CHARACTERS]
    yield fold_text(strip_number(text)[: 4 * _KEY_CHARACTERS])[:_KEY_CHARACTERS]


def _find_places(pages: Sequence[Sequence[Line]]) -> Mapping[str, set[int]]:
    """The lines of the document, with and without their numbers → the pages that have them."""
    places: dict[str, set[int]] = defaultdict(set)
    for page, lines in enumerate(pages):
        for line in lines:
            if len(line.text) <= _MAX_ENTRY_CHARACTERS:
                places[fold_text(line.text)].add(page)
                places[fold_text(strip_number(line.text))].add(page)
    return places


def _is_where_told(texts: Sequence[str], page: int, places: Mapping[str, set[int]]) -> bool:
    """Whether nearly all titles of a list on a page are lines on the later pages that their numbers name, wherever these are
    counted from.
    """
    offsets: Counter[int] = Counter()
    for text in texts:
        title, number = _get_title(text), _find_page_number(text)
        found = {*places.get(fold_text(title), ()), *places.get(fold_text(strip_number(title)), ())}
        offsets.update(each - number for each in found if each > page)
    return max(offsets.values(), default=0) >= _TOLD_SHARE * len(texts)


def _iter_runs(entries: Sequence[int]) -> Iterator[list[int]]:
    run = [entries[0]]
    for index, following in pairwise(entries):
        if following - index > _MAX_GAP + 1:
            yield run
            run = []
        run.append(following)
    yield run


def _is_contents_list(texts: Sequence[str], printed: frozenset[str], last_page: int) -> bool:
    numbers = list(map(_find_page_number, texts))
    if len(texts) < _MIN_ENTRIES or max(numbers) > last_page:
        return False
    ordered = sum(a <= b for a, b in pairwise(numbers))
    found = sum(_is_printed(_get_title(text), printed) for text in texts)
    return found >= _PRINTED_SHARE * len(texts) and ordered >= _ORDERED_SHARE * (len(texts) - 1)


def _get_title(entry: str) -> str:
    title, *number = LEADER.split(entry, maxsplit=1)
    return title if number else _PAGE_NUMBER.sub("", entry)


def _is_printed(title: str, printed: frozenset[str]) -> bool:
    return any(len(key) >= _MIN_KEY_CHARACTERS and key in printed for key in _iter_keys(title))


def _may_be_entry(text: str) -> bool:
    """Whether the line may be part of a title, or an entry without dots; a sentence is not."""
    return len(text) <= _MAX_ENTRY_CHARACTERS and not text.rstrip().endswith((".", "!", "?", ":", ";"))


def _find_page_number(text: str) -> int:
    """The page number at the end of a line; 0 if it is Roman, or if there is none."""
    match = _PAGE_NUMBER.search(text)
    return int(match[1]) if match and match[1].isdigit() else 0


def _widen(lines: Sequence[Line], run: Sequence[int], printed: frozenset[str]) -> list[int]:
    """Extend the list from its first entry without dots to its last, with its name and what stands above the numbers."""
    start, end = run[0], run[-1] + 1
    first, last = (_find_page_number(lines[index].text) for index in (run[0], run[-1]))
    for _ in range(_MAX_GAP):
        start -= start > 0 and 0 < _find_short_entry(lines[start - 1], printed) <= first
        end += end < len(lines) and 0 < last <= _find_short_entry(lines[end], printed)
    name = next(
        (index for index in range(start - 1, max(start - 1 - _MAX_NAME_GAP, -1), -1) if _is_name(lines[index].text)),
        start,
    )
    above = (index for index in range(name, start) if index == name or _is_above_numbers(lines[index].text))
    return [*above, *range(start, end)]


def _is_above_numbers(text: str) -> bool:
    return _ABOVE_NUMBERS.fullmatch(fold_text(text[:50])) is not None


def _find_short_entry(line: Line, printed: frozenset[str]) -> int:
    """The page of an entry without dots whose title is elsewhere too; 0 for other lines."""
    is_entry = _may_be_entry(line.text) and _is_printed(_PAGE_NUMBER.sub("", line.text), printed)
    return _find_page_number(line.text) if is_entry else 0
