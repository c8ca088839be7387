"""Documents and the expected results of reading them. `make golden` writes the expected results again, for review."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from collections_app.parsing import ParsedDocument, RawDocument, parse

FILES = sorted((Path(__file__).parent / "golden").iterdir())
DOCUMENTS = [file for file in FILES if file.suffix != ".json" or file.with_suffix("") not in FILES]


def describe(document: ParsedDocument) -> dict[str, Any]:
    """The document as JSON, without its text: line numbers show which text belongs where."""
    described = {key: value for key, value in asdict(document).items() if key != "content" and value}
    described["sections"] = [
        {key: value for key, value in asdict(section).items() if key != "text" and (key, value) != ("anchor", "")}
        for section in document.sections
    ]
    return json.loads(json.dumps(described))  # type: ignore[no-any-return]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.name)
def test_it_reads_a_golden_document_as_reviewed(file: Path) -> None:
    document = parse(RawDocument(file.name, file.read_bytes()))
    golden = file.with_name(f"{file.name}.json")
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(json.dumps(describe(document), indent=1, ensure_ascii=False) + "\n")
    assert describe(document) == json.loads(golden.read_text())
    assert "".join(section.text for section in document.sections) == document.content
