"""A cross-encoder of a few numbers, made here, run by onnxruntime."""

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
from tokenizers.processors import TemplateProcessing

from collections_app.clients.reranking import NoReranker
from collections_app.clients.reranking.onnx import MAX_TOKENS, OnnxReranker, find_model, read_score

WORDS = {"[PAD]": 0, "[UNK]": 1, "[SEP]": 2, "good": 3, "best": 4}
WORTH = np.array([0, 0, 0, 1, 10], np.float32)


def make_model(directory: Path, *, outputs: int = 1) -> Path:
    """Sums what the tokens of the second text are worth; with two outputs the first is always 5, with three the model is none of ours."""
    named = ["input_ids", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "tokens"]) for name in named]
    nodes = [
        helper.make_node("Gather", ["worth", "input_ids"], ["looked_up"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["looked_up", "second"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "axis"], ["sum"], keepdims=1),
        helper.make_node("Mul", ["sum", "scale"], ["scaled"]),
        helper.make_node("Add", ["scaled", "base"], ["logits"]),
    ]
    scale, base = np.zeros(outputs, np.float32), np.zeros(outputs, np.float32)
    scale[-1], base[0] = 1, 5 if outputs > 1 else 0
    graph = helper.make_graph(
        nodes,
        "tiny",
        inputs,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", outputs])],
        [
            numpy_helper.from_array(WORTH, "worth"),
            numpy_helper.from_array(np.array([1]), "axis"),
            numpy_helper.from_array(scale, "scale"),
            numpy_helper.from_array(base, "base"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(directory / "model.onnx"))
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing("$A", "$A [SEP] $B:1", special_tokens=[("[SEP]", WORDS["[SEP]"])])
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(directory / "tokenizer.json"))
    return directory


def load(directory: Path) -> OnnxReranker:
    return OnnxReranker(*find_model(directory))


def test_each_text_is_read_together_with_the_question(tmp_path: Path) -> None:
    assert load(make_model(tmp_path)).score("best good", ["good", "nothing", "best good"], seconds=60) == [
        1.0,
        0.0,
        11.0,
    ]


def test_of_two_outputs_the_second_is_for_those_that_belong_together(tmp_path: Path) -> None:
    assert load(make_model(tmp_path, outputs=2)).score("q", ["good", "best"], seconds=60) == [-4.0, 5.0]


def test_a_score_may_stand_without_a_row_of_its_own() -> None:
    assert read_score(np.array([0.5, 0.25], np.float32)[0]) == 0.5


def test_a_long_text_is_cut_where_the_model_ends(tmp_path: Path) -> None:
    assert load(make_model(tmp_path)).score("q", ["other " * MAX_TOKENS + "good"], seconds=60) == [0.0]


def test_what_the_time_does_not_reach_has_no_score(tmp_path: Path) -> None:
    assert load(make_model(tmp_path)).score("q", ["good", "best", "good"], seconds=0) == [1.0]


def test_another_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoReranker, match="no cross-encoder"):
        load(make_model(tmp_path, outputs=3)).score("q", ["good"], seconds=60)


@pytest.mark.parametrize("output", [np.array([np.nan]), np.array([np.inf, np.inf]), np.array(["a"]), {"a": 1.0}])
def test_what_is_no_number_is_no_score(output: object) -> None:
    with pytest.raises(NoReranker):
        read_score(output)


def test_a_directory_without_a_model_is_refused(tmp_path: Path) -> None:
    for directory in (None, tmp_path):
        with pytest.raises(NoReranker, match=r"set RERANK_DIRECTORY .* model\.onnx and tokenizer\.json"):
            find_model(directory)


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_files_that_are_no_model_are_told(tmp_path: Path, file: str) -> None:
    (make_model(tmp_path) / file).write_bytes(b"no model")
    with pytest.raises(NoReranker, match=r"what is in RERANK_DIRECTORY cannot be run on texts\."):
        load(tmp_path)


def test_a_model_that_knows_fewer_tokens_than_its_tokenizer_is_told(tmp_path: Path) -> None:
    make_model(tmp_path)
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"best":4', '"best":400').replace('"best": 4', '"best": 400'))
    with pytest.raises(NoReranker, match="cannot be run on texts"):
        load(tmp_path).score("q", ["best"], seconds=60)


def test_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NoReranker, match=r"extras\.txt locks"):
        load(make_model(tmp_path))
