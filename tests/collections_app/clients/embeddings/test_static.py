"""The static model: the one that is installed, and one of a directory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from collections_app.clients.embeddings import NoEmbedder
from collections_app.clients.embeddings import static as module
from collections_app.clients.embeddings.static import StaticEmbedder, find_model


@pytest.fixture(scope="module")
def installed() -> StaticEmbedder:
    return StaticEmbedder(*find_model(None))


def make_model(directory: Path, table: list[list[float]], words: dict[str, int]) -> Path:
    save_file({"embeddings": np.array(table, np.float16)}, directory / "model.safetensors")
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(directory / "tokenizer.json"))
    return directory


@pytest.fixture
def small(tmp_path: Path) -> StaticEmbedder:
    table = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]
    return StaticEmbedder(*find_model(make_model(tmp_path, table, {"[UNK]": 0, "left": 1, "up": 2})))


def test_the_installed_model_puts_like_meanings_together(installed: StaticEmbedder) -> None:
    question, answer, other = installed.embed(
        ["how do I delete a folder", "Remove a directory and all of its files", "Certificates are renewed every year"]
    )
    assert question @ answer > question @ other


def test_vectors_have_length_one_and_do_not_depend_on_the_texts_beside_them(installed: StaticEmbedder) -> None:
    together = installed.embed(["one text", "another, longer text about servers"])
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1], abs=1e-6)
    assert installed.embed(["one text"])[0] == pytest.approx(together[0], abs=1e-6)


@pytest.mark.parametrize("text", ["", " \n", "*** ---"])
def test_a_text_without_words_is_near_nothing(installed: StaticEmbedder, text: str) -> None:
    assert not installed.embed([text]).any()


def test_a_text_is_the_sum_of_its_words(small: StaticEmbedder) -> None:
    assert small.embed(["left, up!"])[0] == pytest.approx([0.6, 0.8], abs=1e-3)


@pytest.mark.parametrize(
    ("text", "knows"),
    [
        ("how do I delete a folder", True),
        ("Wie lösche ich einen Ordner?", True),
        ("как удалить папку", True),
        ("フォルダを削除する", False),
        ("如何删除文件夹", False),
        ("폴더를 삭제하는 방법", False),
        ("useEffect の依存配列", True),  # most of it is not Japanese
        ("?", True),
    ],
)
def test_the_installed_model_knows_no_words_where_nothing_stands_between_them(
    installed: StaticEmbedder, text: str, *, knows: bool
) -> None:
    assert installed.knows_words(text) is knows


def test_words_of_earlier_texts_are_remembered_only_so_far(
    small: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KNOWN_WORDS", 3)
    vectors = [small.embed([f"left up w{number}"])[0] for number in range(10)]
    assert all(vector == pytest.approx([0.6, 0.8], abs=1e-3) for vector in vectors)
    assert len(small._known) <= 5


def test_tokens_beyond_the_table_are_left_out(tmp_path: Path) -> None:
    model = StaticEmbedder(*find_model(make_model(tmp_path, [[0], [1]], {"[UNK]": 0, "left": 1, "late": 2})))
    assert model.embed(["late"]).tolist() == [[0.0]]


def test_the_name_tells_models_apart(small: StaticEmbedder, installed: StaticEmbedder, tmp_path: Path) -> None:
    assert small.name != installed.name
    assert StaticEmbedder(*find_model(tmp_path)).name == small.name


def test_a_directory_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoEmbedder, match=r"model\.safetensors and tokenizer\.json"):
        find_model(tmp_path)


def test_it_says_what_to_install_where_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    monkeypatch.setattr(module, "find_package", module.find_package.__wrapped__)  # which remembers nothing
    with pytest.raises(NoEmbedder, match="package wordllama is not installed"):
        find_model(None)
