from __future__ import annotations

import pytest

from collections_app.answering.prompt import NO_ANSWER, says_no_answer
from tests.growth import assert_linear


@pytest.mark.parametrize(
    "text",
    [
        NO_ANSWER,
        "**Not in the passages.**",
        "The documentation does not say.",
        "The provided passages don't mention how to do that.",
        "I'm sorry, but the documentation doesn't contain information about zebras.",
        "Unfortunately, this is not documented. The passages do not cover it.",
        "I could not find an answer in the passages.",
        "I don't know.",
        "None of the passages answers this question.",
        "There is no information about zebras in the documentation.",
        "Based on the passages, I cannot answer this question.",
        "The answer is not mentioned.",
    ],
)
def test_what_models_say_for_no_answer_is_understood(text: str) -> None:
    assert says_no_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "Unpack the archive [1].",
        "The documentation does not say which port it is, but the default is 80.",
        "The documentation does not say. The default is 80.",
        "The passages do not mention a limit [1].",
        "It does not need a key.",
        "The server does not answer. Start it again.",
        "There is no need to restart it.",
        "It does not contain a folder.",
    ],
)
def test_an_answer_is_one(text: str) -> None:
    assert not says_no_answer(text)


@pytest.mark.parametrize("part", ["the ", "sorry, ", ". ", "the provided "])
def test_a_long_text_is_looked_at_in_linear_time(part: str) -> None:
    assert_linear(says_no_answer, part * 10_000)
