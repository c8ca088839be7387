"""What is slow is told from what is not."""

import re

import pytest

from tests.growth import assert_linear, shorten


def test_work_that_grows_with_its_text_passes() -> None:
    assert_linear(lambda text: [re.search("a+b", text) for _ in range(200)], "b" * 200_000)


def test_work_that_grows_with_the_square_of_its_text_fails() -> None:
    with pytest.raises(AssertionError, match="times as long"):
        assert_linear(lambda text: re.search("a+b", text), "a" * 16_000)


def test_what_is_read_at_once_is_read_once() -> None:
    read: list[str] = []
    assert_linear(read.append, "b" * 200_000)
    assert read == ["b" * 200_000]


def test_a_shorter_text_goes_on_behind_its_cut_as_before_it() -> None:
    shorter = shorten("<a>" + "<b>word</b>" * 200 + "</a>")
    assert re.fullmatch("<a>(<b>word</b>){44,50}</a>", shorter)


def test_a_shorter_text_has_both_ends_of_one_that_does_not_repeat() -> None:
    assert shorten("".join(map(chr, range(64, 144)))) == "@ABCDEFGHI\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"
