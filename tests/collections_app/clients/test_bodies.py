"""Bodies are unpacked up to the limit and no further, and what is broken is said to be."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.clients.bodies import read_body, unpack_gzip
from collections_app.exceptions import FetchError, FileTooLarge
from tests.growth import assert_linear

MEGABYTE = 2**20


def deflate_raw(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": deflate_raw,
    "": bytes,
}


def cut(content: bytes, size: int) -> list[bytes]:
    return [content[start : start + size] for start in range(0, len(content), size)]


@given(st.binary(max_size=2000), st.integers(1, 50), st.sampled_from(sorted(PACKERS)))
def test_it_gives_back_what_was_packed_however_it_arrives(body: bytes, size: int, encoding: str) -> None:
    assert read_body(cut(PACKERS[encoding](body), size), encoding, 2000) == body


def test_it_reads_all_members_of_a_gzip_file() -> None:
    assert unpack_gzip(gzip.compress(b"one ") + gzip.compress(b"two"), 100) == b"one two"


def test_empty_members_without_number_cost_no_more_than_they_are() -> None:
    packed = gzip.compress(b"") * 200_000
    assert unpack_gzip(packed, 100) == b""
    assert_linear(lambda packed: unpack_gzip(packed, 100), packed)


@pytest.mark.parametrize("encoding", ["gzip", ""])
def test_it_takes_as_much_as_the_limit_and_not_a_byte_more(encoding: str) -> None:
    packed = PACKERS[encoding](b"x" * 1000)
    assert len(read_body([packed], encoding, 1000)) == 1000
    with pytest.raises(FileTooLarge):
        read_body([packed], encoding, 999)


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(bytes(200 * MEGABYTE))
    tracemalloc.start()
    try:
        with pytest.raises(FileTooLarge, match="1,048,576 bytes"):
            unpack_gzip(bomb, MEGABYTE)
        assert tracemalloc.get_traced_memory()[1] < 5 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_a_body_without_an_end_is_cut_off() -> None:
    def iter_forever() -> Iterator[bytes]:
        while True:
            yield bytes(1000)

    with pytest.raises(FileTooLarge):
        read_body(iter_forever(), "", MEGABYTE)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"not packed", "gzip"),
        (gzip.compress(b"x" * 100)[:-9], "gzip"),
        (gzip.compress(b"x" * 100)[:20], "gzip"),
        (b"x", "br"),
        (gzip.compress(gzip.compress(b"x")), "gzip, gzip"),
    ],
    ids=["not packed", "without its end", "cut off", "packed otherwise", "packed twice"],
)
def test_it_refuses_what_is_broken_or_packed_otherwise(body: bytes, encoding: str) -> None:
    with pytest.raises(FetchError):
        read_body([body], encoding, 1000)
