"""What a reasoning model thinks is no part of its answer."""

from __future__ import annotations

import pytest

from collections_app.answering.reasoning import drop_reasoning


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>\nWhere?\n</think>\n\nUnpack it [1].", "Unpack it [1]."),
        (" <Thinking>a</Thinking>b", "b"),
        ("Where is it?\n</think>\nUnpack it [1].", "Unpack it [1]."),
        ("<think>It never ends [1].", ""),
        ("<think></think>", ""),
        ("<think>a</think>\n\n<think>b</think>\nUnpack it [1].", "Unpack it [1]."),
        ("<think>a</think><thinking>b", ""),
        ("Where is it?\n</Thinking>\nUnpack it [1].", "Unpack it [1]."),
        ("\ufeff<think>a</think>Unpack it [1].", "Unpack it [1]."),
        ("\u200e\u200b<th\u2060ink>a</think>\u200bUnpack it [1].", "Unpack it [1]."),
        ("Unpack it [1]: `<think>` begins a thought.", "Unpack it [1]: `<think>` begins a thought."),
        ("A thought ends with `</think>` [1].", "A thought ends with `</think>` [1]."),
        ("Models write `<think>a</think>` [1].", "Models write `<think>a</think>` [1]."),
        ("Unpack\u202e it\u200b [1].\ufeff", "Unpack it\u200b [1]."),
        ("\u200b\u061c\n", ""),
    ],
)
def test_the_answer_is_what_stands_behind_it(text: str, answer: str) -> None:
    assert drop_reasoning(text) == answer
