"""Both sides of a comparison among the first sections. PURE.

Of `Get-Content vs Import-Csv` the rarer name has all the best sections, and who asks reads of one side alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from collections_app.search.ranking.scoring import RankedSection

# A side is shown where one of its best, which score so much of the very best, is among the first of all.
FIRST = 4
BEST_OF_SIDE = 3
NEARLY = 0.85
# Where the best of another stands: behind so many.
BEHIND = 2


def show_sides(ranked: Sequence[RankedSection], sides: Sequence[Sequence[RankedSection]]) -> list[RankedSection]:
    """`ranked`, the best section of each side among the first, scored as what it stands before. `sides`: those of each, best first."""
    shown = list(ranked)
    for side in [*sides, *sides]:  # what is put in may take the last of the first places from another side
        best = {section.section_id for section in side[:BEST_OF_SIDE] if section.score >= NEARLY * side[0].score}
        if best and best.isdisjoint(section.section_id for section in shown[:FIRST]):
            shown = put_in(shown, side[0])
    return shown


def put_in(ranked: Sequence[RankedSection], section: RankedSection) -> list[RankedSection]:
    others = [each for each in ranked if each.section_id != section.section_id]
    place = min(BEHIND, len(others))
    score = others[min(place, len(others) - 1)].score if others else section.score
    return [*others[:place], section.rescored(score), *others[place:]]
