"""What only a page's metadata say of it stands beside its beginning, whichever tool reads it."""

from __future__ import annotations

import json

import pytest

from collections_app.access.principal import Scope
from collections_app.models import Collection
from collections_app.text.tokens import estimate_tokens
from tests.factories import make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, text_of

pytestmark = pytest.mark.django_db

SAID = "Returns a copy of the input with every match exchanged."
PAGE = f"---\ndescription: {SAID}\n---\n# swap\n\n```go\nswap a b\n```\n\n## Limits\n\nAt most nine.\n"
TOLD = f"[description: {SAID}]"


@pytest.fixture(autouse=True)
def page(collection: Collection) -> None:
    put(collection, {"swap.md": PAGE})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_sections", {"section_ids": ["swap"]}),
        ("read_sections", {"section_ids": ["swap/limits", "swap"]}),
        ("get_doc_page", {}),
        ("get_doc_page", {"sections": ["swap"]}),
    ],
)
def test_who_reads_the_beginning_gets_it(call: CallTool, tool: str, arguments: dict[str, object]) -> None:
    text = text_of(call(tool, path="swap.md", **arguments))
    assert text.count(SAID) == 1
    assert text.index(TOLD) < text.index("# swap")
    assert data_of(call(tool, path="swap.md", format="json", **arguments))["description"] == SAID


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_sections", {"section_ids": ["swap/limits"]}),
        ("get_doc_page", {"near": "at most nine"}),
        ("get_doc_page", {"sections": ["swap/limits"]}),
    ],
)
def test_who_reads_another_part_does_not(call: CallTool, tool: str, arguments: dict[str, object]) -> None:
    assert SAID not in text_of(call(tool, path="swap.md", **arguments))


@pytest.mark.parametrize(("tool", "arguments"), [("read_sections", {"section_ids": ["same"]}), ("get_doc_page", {})])
def test_what_the_text_says_too_is_not_repeated(
    call: CallTool, collection: Collection, tool: str, arguments: dict[str, object]
) -> None:
    put(collection, {"same.md": f"---\ndescription: {SAID}\n---\n# same\n\n{SAID}\n"})
    assert text_of(call(tool, path="same.md", **arguments)).count(SAID) == 1


@pytest.mark.parametrize(("tool", "arguments"), [("read_sections", {"section_ids": ["long"]}), ("get_doc_page", {})])
@pytest.mark.parametrize("max_tokens", [100, 300, 2_000])
def test_a_long_one_is_cut_and_leaves_room_for_the_text(
    call: CallTool, collection: Collection, tool: str, arguments: dict[str, object], max_tokens: int
) -> None:
    words = " ".join(f"word{number}" for number in range(900))
    put(collection, {"long.md": f"---\ndescription: {words}\n---\n# long\n\n" + "Text of it. " * 900})
    text = text_of(call(tool, path="long.md", max_tokens=max_tokens, **arguments))
    assert estimate_tokens(text) <= max_tokens
    assert "Text of it." in text
    assert "word899" not in text


def test_a_page_that_is_fetched_has_it_beside_its_text(call: CallTool, collection: Collection) -> None:
    put(collection, {"long.md": f"---\ndescription: {'word ' * 5_000}\n---\n# long\n\n" + "Text of it. " * 900})
    for path, said in (("swap.md", SAID), ("long.md", "word word")):
        text = text_of(call("fetch", profile="openai", id=f"manual:{path}"))
        page = json.loads(text)
        assert page["metadata"]["description"].startswith(said)
        assert len(page["metadata"]["description"]) < 1_000
        assert "Text of it." in page["text"] or path == "swap.md"


def test_passages_have_it_too(call: CallTool, collection: Collection) -> None:
    asker = make_principal(collection, scopes=[Scope.READ, Scope.ASK])
    text = text_of(call("ask_docs", principal=asker, question="does swap exchange every match"))
    assert text.index(SAID) < text.index("# swap")
    assert "At most nine" in text
