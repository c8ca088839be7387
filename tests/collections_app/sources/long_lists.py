"""Paths that are to be read again, of which there may be very many."""

from __future__ import annotations


class LongList(list[str]):
    """Asking whether something is in it takes as long as it is: nobody may do so for each file of a source."""

    def __contains__(self, path: object) -> bool:
        raise AssertionError("it was looked through for one path")
