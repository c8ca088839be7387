"""Shows all sides of a comparison among the first sections. PURE.

Without this, all the best sections for `Get-Content vs Import-Csv` would be about the rarer name only.
"""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.search.ranking.scoring import RankedSection

# A side counts as shown if one of its BEST_OF_SIDE sections, scoring at least NEARLY of its best one, is among the first of all: FIRST, or
# as many as have room for all sides behind those that stay.
FIRST = 4
BEST_OF_SIDE = 3
NEARLY = 0.85
# The best section of a side that is not shown is put in after this many sections.
BEHIND = 2


def show_sides(ranked: Sequence[RankedSection], sides: Sequence[Sequence[RankedSection]]) -> list[RankedSection]:
    """`ranked`, with the best section of each side moved among the first. `sides`: the sections of each side, best first.

    A moved section gets the score of the one that it comes before.
    """
    shown = list(ranked)
    first = max(FIRST, BEHIND + len(sides))
    for side in [*sides, *sides]:  # twice: a section that is put in may push another side out of the first places
        best = {section.section_id for section in side[:BEST_OF_SIDE] if section.score >= NEARLY * side[0].score}
        if best and best.isdisjoint(section.section_id for section in shown[:first]):
            shown = put_in(shown, side[0])
    return shown


def put_in(ranked: Sequence[RankedSection], section: RankedSection) -> list[RankedSection]:
    others = [each for each in ranked if each.section_id != section.section_id]
    place = min(BEHIND, len(others))
    score = others[min(place, len(others) - 1)].score if others else section.score
    return [*others[:place], section.rescored(score), *others[place:]]
