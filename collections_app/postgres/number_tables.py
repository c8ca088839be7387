"""Tables of numbers, each sent as one value: where rows come by the hundred, most of the work at a row is that it is one.

PostgreSQL's binary form of an array, by array_send() in its src/backend/utils/adt/arrayfuncs.c, all integers big-endian: how many
dimensions, whether there are nulls, the type; of each dimension its size and first index; of each element its size in bytes and itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER_BYTES = 28
ELEMENT = [("size", ">i4"), ("number", ">f8")]


def send_numbers(*columns: str, more: str) -> str:
    """An SQL aggregate of the rows of these columns, and of those in the array `more`; none may be null, nor a whole number beyond 2⁵³."""
    return f"array_send(array_agg(ARRAY[{', '.join(columns)}]::float8[] || {more}::float8[]))"


def read_numbers(sent: bytes | None, columns: int) -> NDArray[np.float64]:
    """What send_numbers() gave, of shape (rows, columns); of no rows it gave None."""
    import numpy as np

    if sent is None:
        return np.empty((0, columns))
    return np.frombuffer(sent, ELEMENT, offset=HEADER_BYTES)["number"].astype(np.float64).reshape(-1, columns)
