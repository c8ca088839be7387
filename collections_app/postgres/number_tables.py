"""Tables of numbers, each sent as one value: for hundreds of rows, most of the work would be the overhead of each row.

The format is PostgreSQL's binary form of an array (array_send() in its src/backend/utils/adt/arrayfuncs.c), all integers big-endian: the
number of dimensions, whether there are nulls, the type; for each dimension its size and first index; for each element its size in bytes
and its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER_BYTES = 28
ELEMENT = [("size", ">i4"), ("number", ">f8")]


def send_numbers(*columns: str, more: str) -> str:
    """An SQL aggregate of these columns of all rows, followed by the array `more` of each row. No value may be null, or a whole number
    beyond 2⁵³."""
    return f"array_send(array_agg(ARRAY[{', '.join(columns)}]::float8[] || {more}::float8[]))"


def read_numbers(sent: bytes | None, columns: int) -> NDArray[np.float64]:
    """Decodes the result of send_numbers() into shape (rows, columns). For no rows that result is None."""
    import numpy as np

    if sent is None:
        return np.empty((0, columns))
    return np.frombuffer(sent, ELEMENT, offset=HEADER_BYTES)["number"].astype(np.float64).reshape(-1, columns)
