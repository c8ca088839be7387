"""The order in which ranked sections are shown: by score, but a page with many of them leaves room for other pages. PURE."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from collections_app.search.ranking.scoring import RankedSection

# The first UNCROWDED sections of a page keep their score; each further one is multiplied by CROWDED once more.
UNCROWDED = 2
CROWDED = 0.9
IN_A_ROW = 3


def spread_pages(ranked: Sequence[RankedSection]) -> list[RankedSection]:
    """The sections in the order in which they are shown: the third section of a page counts CROWDED times its score, the fourth CROWDED²
    times, and so on. Each gets the score that it is placed by, so that scores never rise down the list. Pinned sections stay in front."""
    pages: Counter[int] = Counter()

    def weigh(section: RankedSection) -> RankedSection:
        pages[section.document_id] += 1
        crowd = pages[section.document_id] - UNCROWDED
        return section.rescored(section.score * CROWDED**crowd) if crowd > 0 and section.score > 0 else section

    return list(lower_scores(order_by_worth(ranked, weigh)))


def put_behind(sections: Sequence[RankedSection], worth: Mapping[int, float]) -> Sequence[RankedSection]:
    """The sections ordered again, after those named in `worth` (by section id) keep only that part of their score."""
    if not worth:
        return sections
    return order_by_worth(
        sections,
        lambda each: each.rescored(each.score * worth.get(each.section_id, 1.0)) if each.score > 0 else each,
    )


def order_by_worth(
    sections: Sequence[RankedSection], weigh: Callable[[RankedSection], RankedSection]
) -> list[RankedSection]:
    """Sorted by the scores that `weigh` gives them, with at most IN_A_ROW sections of a page in a row while there are others. Equal ones
    keep their order. Pinned ones stay in front, and are not weighed."""
    pinned = [section for section in sections if section.is_pinned]
    others = [weigh(section) for section in sections if not section.is_pinned]
    return [*pinned, *limit_rows(sorted(others, key=attrgetter("score"), reverse=True))]


def lower_scores(sections: Iterable[RankedSection]) -> Iterator[RankedSection]:
    """Each with the lowest score so far, since limit_rows() may have put one behind another of a lower score. Pinned ones keep theirs."""
    lowest = math.inf
    for section in sections:
        if section.is_pinned:
            yield section
            continue
        lowest = min(lowest, section.score)
        yield section if section.score == lowest else section.rescored(lowest)


def limit_rows(sections: Sequence[RankedSection]) -> list[RankedSection]:
    """In their order, except that after IN_A_ROW sections of a page the next one waits for a section of another page."""
    ordered: list[RankedSection] = []
    waiting: deque[RankedSection] = deque()  # all of the page that the last ones are of
    row = 0  # how many of the last ones are of one page

    def show(section: RankedSection) -> None:
        nonlocal row
        row = row + 1 if ordered and ordered[-1].document_id == section.document_id else 1
        ordered.append(section)

    for section in sections:
        if row < IN_A_ROW or section.document_id != ordered[-1].document_id:
            show(section)
        else:
            waiting.append(section)
        while waiting and (row < IN_A_ROW or waiting[0].document_id != ordered[-1].document_id):
            show(waiting.popleft())
    return [*ordered, *waiting]
