"""What a slide shows from other parts: SmartArt as a list, a chart's title and its numbers as a table. Their appearance is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element as Source

from collections_app.parsing.html.tree import Element
from collections_app.parsing.office.html import add
from collections_app.parsing.office.pptx.names import CHART, DIAGRAM, read_number
from collections_app.parsing.office.pptx.text import get_text

MAX_CATEGORIES = 100
"""A chart with more is a curve, and its numbers make no table."""

MAX_SERIES = 50

_MAX_DEPTH = 9  # of a list; deeper points are written at this depth
_SHOWN_POINTS = frozenset({"node", "asst"})


def write_diagram(parent: Element, data: Source) -> None:
    """Write the points of a diagram as nested lists (ECMA-376 part 1, section 21.4)."""
    texts = {
        point.get("modelId", ""): get_text(point)
        for point in data.iterfind(f"{DIAGRAM}ptLst/{DIAGRAM}pt")
        if point.get("type", "node") in _SHOWN_POINTS
    }
    below: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for connection in data.iterfind(f"{DIAGRAM}cxnLst/{DIAGRAM}cxn"):
        if connection.get("type", "parOf") == "parOf" and connection.get("destId", "") in texts:
            place = read_number(connection.get("srcOrd"), 0)
            below[connection.get("srcId", "")].append((place, connection.get("destId", "")))
    inner = {identifier for children in below.values() for _, identifier in children}
    roots = [identifier for identifier in below if identifier not in texts]
    top = [identifier for root in roots for _, identifier in sorted(below[root])]
    top += [identifier for identifier in texts if identifier not in inner]
    _write_points(parent, top, texts, below)


def _write_points(
    parent: Element, top: Sequence[str], texts: Mapping[str, str], below: Mapping[str, list[tuple[int, str]]]
) -> None:
    """Each point once, whatever the connections say. A point without text is left out, and those below it take its place."""
    lists: dict[Element, Element] = {}
    waiting = [(identifier, parent, 0) for identifier in reversed(top)]
    seen: set[str] = set()
    while waiting:
        identifier, place, depth = waiting.pop()
        if identifier in seen:
            continue
        seen.add(identifier)
        if texts[identifier]:
            if place not in lists:
                lists[place] = add(place, "ul")
            item = add(lists[place], "li", texts[identifier])
            place, depth = (item, depth + 1) if depth < _MAX_DEPTH else (place, depth)
        waiting += [(each, place, depth) for _, each in sorted(below.get(identifier, ()), reverse=True)]


def write_chart(parent: Element, chart: Source) -> None:
    """Write a chart's titles, and its series by category (ECMA-376 part 1, section 21.2). Of newer kinds of charts only the titles are
    known.
    """
    for title in (*chart.iterfind("{*}chart/{*}title"), *chart.iterfind("{*}chart/{*}plotArea/*/{*}title")):
        if text := get_text(title):
            add(parent, "p", text)
    series = [
        (_read_name(each), _read_points(each, "cat", "xVal"), _read_points(each, "val", "yVal"))
        for each in chart.iterfind(f"{CHART}chart/{CHART}plotArea/*/{CHART}ser")
    ]
    categories: dict[int, str] = {}
    for _, own, values in series:
        for index in sorted({*own, *values}):
            categories.setdefault(index, own.get(index, ""))
    if 0 < len(categories) <= MAX_CATEGORIES and len(series) <= MAX_SERIES:
        _write_row(parent := add(parent, "table"), "th", ["", *(name for name, _, _ in series)])
        for index in sorted(categories):
            _write_row(parent, "td", [categories[index], *(values.get(index, "") for _, _, values in series)])
    else:
        _write_names(parent, [name for name, _, _ in series if name])


def _write_row(table: Element, tag: str, cells: Sequence[str]) -> None:
    row = add(table, "tr")
    for text in cells:
        add(row, tag, text)


def _write_names(parent: Element, names: Sequence[str]) -> None:
    if names:
        written = add(parent, "ul")
        for name in names:
            add(written, "li", name)


def _read_name(series: Source) -> str:
    name = series.find(f"{CHART}tx")
    return "" if name is None else " ".join("".join(each.text or "" for each in name.iter(f"{CHART}v")).split())


def _read_points(series: Source, *names: str) -> dict[int, str]:
    """The values of a series by index. Of categories on several levels only the innermost counts."""
    holder = next((found for name in names if (found := series.find(f"{CHART}{name}")) is not None), None)
    if holder is None:
        return {}
    level = next(holder.iter(f"{CHART}lvl"), holder)
    return dict(_iter_points(level))


def _iter_points(holder: Source) -> Iterator[tuple[int, str]]:
    for point in holder.iter(f"{CHART}pt"):
        text = " ".join((point.findtext(f"{CHART}v") or "").split())
        yield read_number(point.get("idx"), 0), _shorten_number(text)


def _shorten_number(text: str) -> str:
    """The number as it was meant: programs calculate `0.30000000000000004`."""
    try:
        return f"{float(text):.10g}" if "." in text and len(text) > 12 else text
    except ValueError:
        return text
