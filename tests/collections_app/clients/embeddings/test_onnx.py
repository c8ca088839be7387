"""A sentence transformer of a few numbers, made here, run by onnxruntime."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from collections_app.clients.embeddings import NoEmbedder
from collections_app.clients.embeddings.onnx import OnnxEmbedder, find_model

WORDS = {"[PAD]": 0, "[UNK]": 1, "left": 2, "up": 3}
STATES = np.array([[9, 9], [0, 0], [3, 0], [0, 4]], np.float32)


def make_model(
    directory: Path, *, is_pooled: bool = False, with_types: bool = False, is_quantised: bool = False
) -> Path:
    """Looks each token up in STATES; pooled, it gives the sum of a text's. A quantised one adds the largest number of the whole batch."""
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "tokens"])
    types = helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["n", "tokens"])
    shape: list[str | int] = ["n", 2] if is_pooled else ["n", "tokens", 2]
    nodes = [helper.make_node("Gather", ["states", "input_ids"], ["looked_up"])]
    if with_types:
        nodes.append(helper.make_node("ReduceSum", ["token_type_ids"], ["unused"]))
    if is_pooled:
        nodes.append(helper.make_node("ReduceSum", ["looked_up", "axis"], ["out"], keepdims=0))
    elif is_quantised:
        nodes.append(helper.make_node("ReduceMax", ["looked_up"], ["largest"]))
        nodes.append(helper.make_node("Add", ["looked_up", "largest"], ["out"]))
    else:
        nodes.append(helper.make_node("Identity", ["looked_up"], ["out"]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [ids, types] if with_types else [ids],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(STATES, "states"), numpy_helper.from_array(np.array([1]), "axis")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(directory / "model.onnx"))
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_truncation(1)  # as many models have it, for another purpose than ours
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(directory / "tokenizer.json"))
    return directory


def load(directory: Path) -> OnnxEmbedder:
    return OnnxEmbedder(*find_model(directory))


def count_threads() -> int:
    return sum(1 for _ in Path("/proc/self/task").iterdir())


def test_a_text_is_the_mean_of_its_tokens_whatever_the_tokenizer_cuts_or_adds(tmp_path: Path) -> None:
    vectors = load(make_model(tmp_path)).embed(["left", "left up left up"])
    assert vectors[0] == pytest.approx([1, 0])
    assert vectors[1] == pytest.approx([0.6, 0.8])


def test_a_long_text_is_cut_where_the_model_ends(tmp_path: Path) -> None:
    vectors = load(make_model(tmp_path)).embed(["left " * 256, "left " * 256 + "up " * 256])
    assert vectors[1] == pytest.approx([1, 0])


def test_a_text_has_the_same_vector_beside_others(tmp_path: Path) -> None:
    embedder = load(make_model(tmp_path, is_quantised=True))
    assert embedder.embed(["left", "up up up"])[0] == pytest.approx(embedder.embed(["left"])[0])


def test_a_text_of_no_tokens_has_no_direction(tmp_path: Path) -> None:
    assert load(make_model(tmp_path)).embed(["", "up"]).tolist() == [[0, 0], [0, 1]]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads as Linux tells them")
def test_it_computes_in_the_thread_that_asks(tmp_path: Path) -> None:
    load(make_model(tmp_path))  # so that the library has what it starts once
    before = count_threads()
    embedder = load(tmp_path)
    embedder.embed(["left up"] * 8)
    assert count_threads() == before


def test_a_model_that_pools_by_itself_is_taken_at_its_word(tmp_path: Path) -> None:
    assert load(make_model(tmp_path, is_pooled=True)).embed(["left up"])[0] == pytest.approx([0.6, 0.8])


def test_token_types_are_given_where_the_model_wants_them(tmp_path: Path) -> None:
    assert load(make_model(tmp_path, with_types=True)).embed(["up"])[0] == pytest.approx([0, 1])


def test_many_texts_keep_their_order(tmp_path: Path) -> None:
    vectors = load(make_model(tmp_path)).embed(["left", "up"] * 40)
    assert vectors[:, 0].tolist() == [1.0, 0.0] * 40


def test_a_model_with_other_weights_beside_it_is_another_one(tmp_path: Path) -> None:
    before = load(make_model(tmp_path)).name
    (tmp_path / "model.onnx_data").write_bytes(b"weights")
    one = load(tmp_path).name
    (tmp_path / "model.onnx_data").write_bytes(b"other weights")
    assert len({before, one, load(tmp_path).name}) == 3


def test_a_directory_without_a_model_is_refused(tmp_path: Path) -> None:
    for directory in (None, tmp_path):
        with pytest.raises(NoEmbedder, match=r"model\.onnx and tokenizer\.json"):
            find_model(directory)


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_files_that_are_no_model_are_told(tmp_path: Path, file: str) -> None:
    (make_model(tmp_path) / file).write_bytes(b"no model")
    with pytest.raises(NoEmbedder, match=r"what is in EMBEDDINGS_DIRECTORY cannot be run on texts\."):
        load(tmp_path)


def test_a_model_that_knows_fewer_tokens_than_its_tokenizer_is_told(tmp_path: Path) -> None:
    make_model(tmp_path)
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"up":3', '"up":300').replace('"up": 3', '"up": 300'))
    with pytest.raises(NoEmbedder, match="cannot be run on texts"):
        load(tmp_path).embed(["up"])


def test_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NoEmbedder, match=r"extras\.txt locks"):
        load(make_model(tmp_path))
