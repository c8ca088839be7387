"""What a directory of a sentence transformer says of its model, in files that the library of this name writes."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Any

from collections_app.clients.embeddings.interface import NoEmbedder, Prefixes

POOLING_FILE, PROMPTS_FILE = "1_Pooling/config.json", "config_sentence_transformers.json"
_BROKEN = "EMBEDDINGS_KIND is onnx: {} in EMBEDDINGS_DIRECTORY is no JSON object. Copy it anew from where the model is from, or delete it."
_OTHER_POOLING = (
    "EMBEDDINGS_KIND is onnx: the model pools in a way that is not known here ({}). "
    "Choose one that takes the mean, the first or the last token."
)


class Pooling(StrEnum):
    """Which states of its last layer stand for a text; the mean for all-MiniLM-L6-v2 and its relatives (Reimers and Gurevych,
    "Sentence-BERT", 2019, section 3)."""

    MEAN = "mean"
    FIRST = "first"
    LAST = "last"


_POOLINGS = {
    "pooling_mode_mean_tokens": Pooling.MEAN,
    "pooling_mode_cls_token": Pooling.FIRST,
    "pooling_mode_lasttoken": Pooling.LAST,
}
_QUERY, _DOCUMENT = ("query", "s2p_query", "search_query"), ("document", "passage", "search_document")


def read_pooling(directory: Path) -> Pooling:
    """Raises NoEmbedder. If nothing is said, it is the mean."""
    told = [
        name
        for name, value in _read(directory, POOLING_FILE).items()
        if name.startswith("pooling_mode_") and value is True
    ]
    if not told:
        return Pooling.MEAN
    if len(told) > 1 or told[0] not in _POOLINGS:
        raise NoEmbedder(_OTHER_POOLING.format(", ".join(told)))
    return _POOLINGS[told[0]]


def read_prefixes(directory: Path) -> Prefixes:
    """Raises NoEmbedder."""
    prompts = _read(directory, PROMPTS_FILE).get("prompts")
    told = prompts if isinstance(prompts, dict) else {}

    def find(names: tuple[str, ...]) -> str:
        return next((told[name] for name in names if isinstance(told.get(name), str)), "")

    return Prefixes(find(_QUERY), find(_DOCUMENT))


def _read(directory: Path, name: str) -> dict[str, Any]:
    """Empty if there is no such file."""
    file = directory / name
    if not file.is_file():
        return {}
    try:
        content = json.loads(file.read_bytes())
    except (ValueError, OSError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise NoEmbedder(_BROKEN.format(name))
    return content
