"""Rows of embeddings in the binary format of COPY, the fastest way into PostgreSQL, made by numpy for a whole batch. PURE.

psycopg would write each number of a vector by itself, which takes longer than computing the vector. The format is described in PostgreSQL's
manual, COPY, "Binary Format"; that of a vector is what pgvector's vector_recv() reads: dimensions, an unused number, the elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections_app.clients.embeddings.interface import Vectors

COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_TRAILER = b"\xff\xff"


class Owner(NamedTuple):
    """The owner of a vector: all columns except the vector itself, in the order of COLUMNS."""

    tenant_id: int
    collection_id: int
    document_id: int
    section_id: int
    model_id: int


COLUMNS = (*Owner._fields, "vector")


def pack_rows(owners: Sequence[Owner], vectors: Vectors) -> bytes:
    """The complete input of COPY … FROM STDIN BINARY; model_id is a smallint, the other ids are bigints."""
    import numpy as np

    dimension = vectors.shape[1]
    ids = [(name, ">i2" if name == "model_id" else ">i8") for name in Owner._fields]
    fields = [field for name, kind in ids for field in ((f"{name}_bytes", ">i4"), (name, kind))]
    vector = [("vector_bytes", ">i4"), ("dimension", ">i2"), ("unused", ">i2"), ("elements", ">f4", (dimension,))]
    rows = np.zeros(len(owners), [("columns", ">i2"), *fields, *vector])
    rows["columns"] = len(COLUMNS)
    for name, kind in ids:
        rows[f"{name}_bytes"] = np.dtype(kind).itemsize
        rows[name] = [getattr(owner, name) for owner in owners]
    rows["vector_bytes"] = 4 + 4 * dimension
    rows["dimension"] = dimension
    rows["elements"] = vectors
    return COPY_HEADER + rows.tobytes() + COPY_TRAILER
