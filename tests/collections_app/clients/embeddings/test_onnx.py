"""A sentence transformer of a few numbers, made here, run by onnxruntime."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from collections_app.clients.embeddings import NoEmbedder, get_onnx
from collections_app.clients.embeddings.onnx import OnnxEmbedder, find_model
from collections_app.clients.embeddings.sentence_transformer import (
    POOLING_FILE,
    PROMPTS_FILE,
    read_pooling,
    read_prefixes,
)

WORDS = {"[PAD]": 0, "[UNK]": 1, "left": 2, "up": 3}
STATES = np.array([[9, 9], [0, 0], [3, 0], [0, 4]], np.float32)


def make_model(
    directory: Path,
    *,
    is_pooled: bool = False,
    with_types: bool = False,
    is_quantised: bool = False,
    with_pooled: bool = False,
) -> Path:
    """Looks each token up in STATES; pooled, it gives the sum of a text's. A quantised one adds the largest number of the whole batch. One
    `with_pooled` gives the largest numbers of a text's as well."""
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
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)]
    if with_pooled:
        nodes.append(helper.make_node("ReduceMax", ["looked_up"], ["sentence_embedding"], axes=[1], keepdims=0))
        outputs.append(helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["n", 2]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [ids, types] if with_types else [ids],
        outputs,
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


def say(directory: Path, file: str, **content: object) -> Path:
    (directory / file).parent.mkdir(exist_ok=True)
    (directory / file).write_text(json.dumps(content))
    return directory


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


def test_the_vector_that_a_model_makes_beside_its_states_is_used(tmp_path: Path) -> None:
    embedder = load(make_model(tmp_path, with_pooled=True))
    assert embedder.embed(["left up up"])[0] == pytest.approx([0.6, 0.8])
    assert embedder.name.endswith(":sentence_embedding:1")  # earlier versions made other vectors with this file


def test_the_directory_says_which_states_stand_for_a_text(tmp_path: Path) -> None:
    model = make_model(tmp_path)
    names = {load(model).name}
    for pooling, text in (("cls_token", "left up up"), ("lasttoken", "up up left")):
        say(
            model,
            POOLING_FILE,
            word_embedding_dimension=2,
            **{"pooling_mode_mean_tokens": False, f"pooling_mode_{pooling}": True},
        )
        assert load(model).embed([text, ""]).tolist() == [[1, 0], [0, 0]]
        names.add(load(model).name)
    assert len(names) == 3  # the vectors of one cannot be compared with those of another


@pytest.mark.parametrize(
    "others", [{"pooling_mode_max_tokens": True}, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}]
)
def test_a_pooling_that_is_not_known_is_told(tmp_path: Path, others: dict[str, bool]) -> None:
    with pytest.raises(NoEmbedder, match="pools in a way that is not known here"):
        read_pooling(say(tmp_path, POOLING_FILE, **others))


def test_the_directory_says_what_comes_before_questions_and_sections(tmp_path: Path, settings: Any) -> None:
    say(
        make_model(tmp_path),
        PROMPTS_FILE,
        prompts={"query": "left ", "passage": "up ", "clustering": 3},
        default_prompt_name=None,
    )
    use(settings, directory=tmp_path)
    embedder = get_onnx()
    assert embedder.embed_questions([""], seconds=1).tolist() == [[1, 0]]
    assert embedder.embed_sections([""], seconds=1).tolist() == [[0, 1]]
    use(settings, directory=tmp_path, query_prefix="up ")
    assert get_onnx().embed_questions([""], seconds=1).tolist() == [[0, 1]]


@pytest.mark.parametrize("content", ["[]", "{", "\xff", "[" * 100_000])
def test_a_file_beside_the_model_that_is_no_object_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / PROMPTS_FILE).write_text(content, encoding="latin-1")
    with pytest.raises(
        NoEmbedder, match=r"config_sentence_transformers\.json in EMBEDDINGS_DIRECTORY is no JSON object"
    ):
        read_prefixes(tmp_path)


def use(settings: Any, **values: object) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={f"embeddings_{name}": each for name, each in values.items()})


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
