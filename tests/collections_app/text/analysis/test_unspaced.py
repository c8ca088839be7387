from __future__ import annotations

import pytest

from collections_app.text.analysis.unspaced import list_telling_pairs


@pytest.mark.parametrize(
    ("run", "pairs"),
    [
        ("設定をまとめる", ["設定", "定を"]),
        ("カーソルを合わせて", ["カー", "ーソ", "ソル", "ルを", "合わ"]),
        ("はじめに", ["はじ", "じめ", "めに"]),
        ("설정", ["설정"]),
        ("の", ["の"]),
    ],
)
def test_a_question_is_asked_without_particles_and_endings_where_there_is_more(run: str, pairs: list[str]) -> None:
    assert list_telling_pairs(run) == pairs
