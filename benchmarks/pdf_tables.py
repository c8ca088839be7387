"""How well tables of PDFs are read, beside known ones: python -m benchmarks.pdf_tables DIR

DIR holds PDFs, each with its tables in `NAME-str.xml` beside it, as the data of the ICDAR 2013 table competition has them. What counts is
which cell's text stands next to which, to the right and below (Göbel, Hassan, Oro, Orsi, "A Methodology for Evaluating Algorithms for Table
Understanding in PDF Documents", 2012). Texts are compared by their letters and digits; empty cells are passed over. Lines with `|` count
as rows, so that what is no table in Markdown counts too.
"""

from __future__ import annotations

import argparse
import re
import statistics
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.pdf import parse_pdf
from collections_app.parsing.pdf.pages import fold_text

ENDING = "-str.xml"
RULE = re.compile(r"[|\s-]*---[|\s-]*")
BAR = re.compile(r"(?<!\\)\|")

Grid = Mapping[tuple[int, int], str]
"""Row and column → the text of a cell, in all the places of one that is merged."""

Pairs = Counter[tuple[str, str, str]]
"""The direction, a cell's text and that of the next cell."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    known_tables = sorted(parser.parse_args().directory.rglob(f"*{ENDING}"))
    files = [file for file in known_tables if find_pdf(file).is_file()]
    if not files:
        raise SystemExit(f"No files *{ENDING} with their PDFs below the directory")
    wanted, found, right = Counter[Path](), Counter[Path](), Counter[Path]()
    for file in files:
        known, read = sum(map(count_pairs, iter_known(file)), Pairs()), read_pdf(file)
        wanted[file], found[file], right[file] = known.total(), read.total(), (known & read).total()
    recall, precision = right.total() / wanted.total(), right.total() / max(found.total(), 1)
    scores = [2 * right[file] / max(wanted[file] + found[file], 1) for file in files]
    print(f"{len(files)} PDFs: recall {recall:.3f}, precision {precision:.3f}, F1 {compute_f1(recall, precision):.3f}")
    print(f"F1 of a PDF: mean {statistics.mean(scores):.3f}, median {statistics.median(scores):.3f}")
    for score, file in sorted(zip(scores, files, strict=True))[:10]:
        print(f"  {score:.2f} {file.name.removesuffix(ENDING)}")


def compute_f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / max(recall + precision, 1e-9)


def iter_known(file: Path) -> Iterator[Grid]:
    for region in ElementTree.parse(file).getroot().iter("region"):  # noqa: S314 (a dataset that was chosen)
        grid: dict[tuple[int, int], str] = {}
        for cell in region.iter("cell"):
            rows, columns = (range(*find_places(cell, name)) for name in ("row", "col"))
            grid |= {(row, column): cell.findtext("content") or "" for row in rows for column in columns}
        yield grid


def find_places(cell: ElementTree.Element, name: str) -> tuple[int, int]:
    start = int(cell.get(f"start-{name}", 0))
    return start, int(cell.get(f"end-{name}", start)) + 1


def find_pdf(known: Path) -> Path:
    return known.with_name(f"{known.name.removesuffix(ENDING)}.pdf")


def read_pdf(known: Path) -> Pairs:
    """Nothing of a PDF that is refused."""
    pdf = find_pdf(known)
    try:
        content = parse_pdf(RawDocument(pdf.name, pdf.read_bytes())).content
    except IngestError:
        return Pairs()
    return sum(map(count_pairs, iter_read(content)), Pairs())


def iter_read(content: str) -> Iterator[Grid]:
    rows: list[list[str]] = []
    for line in [*content.splitlines(), ""]:
        if RULE.fullmatch(line):
            continue
        if " | " in line:
            rows.append(BAR.split(line.strip().removeprefix("|").removesuffix("|").replace("<br>", " ")))
        else:
            yield {(number, column): text for number, row in enumerate(rows) for column, text in enumerate(row)}
            rows = []


def count_pairs(grid: Grid) -> Pairs:
    rows: defaultdict[int, list[str]] = defaultdict(list)
    columns: defaultdict[int, list[str]] = defaultdict(list)
    for (row, column), text in sorted(grid.items()):
        if folded := fold_text(text):
            rows[row].append(folded)
            columns[column].append(folded)
    sides = (("right", rows), ("below", columns))
    return Pairs(
        (side, text, following)
        for side, lines in sides
        for line in lines.values()
        for text, following in pairwise(line)
        if text != following
    )


if __name__ == "__main__":
    main()
