"""What counts as a fault of what a client saw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.clients.observation import ERRAND, LEGACY, MODERN, SENTENCE, TOOLS, Observation, Refusal, iter_faults

GOOD = Observation(
    revision=MODERN,
    tools=sorted(TOOLS),
    resources=["docs://context", "docs://handbook"],
    templates=["docs://{collection}/{+path}"],
    prompts=["answer"],
    called="1. boiler/start.md",
    read=f"# Starting\n\n{SENTENCE}",
    unknown_tool=Refusal(-32602, f"Unknown tool: {ERRAND.unknown_tool}"),
    missing_resource=Refusal(-32602, "Resource not found"),
)


def test_a_client_that_saw_everything_has_none() -> None:
    assert list(iter_faults(GOOD, MODERN)) == []


def test_a_client_may_keep_revision_and_codes_to_itself() -> None:
    silent = replace(GOOD, revision=None, unknown_tool=Refusal(None, "no_such_tool is not there"))
    assert list(iter_faults(silent, LEGACY)) == []


@pytest.mark.parametrize("code", [-32002, -32602])
def test_either_code_of_a_missing_resource_is_good_for_an_older_client(code: int) -> None:
    seen = replace(GOOD, revision=LEGACY, missing_resource=Refusal(code, "MCP error: Resource not found"))
    assert list(iter_faults(seen, LEGACY)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"revision": LEGACY},
        {"tools": ["search_docs"]},
        {"resources": []},
        {"templates": []},
        {"prompts": []},
        {"called": "Nothing found"},
        {"read": "# Starting"},
        {"unknown_tool": Refusal(-32603, "Unknown tool: no_such_tool")},
        {"unknown_tool": Refusal(None, "no error but {}")},
        {"missing_resource": Refusal(-32002, "Resource not found")},
        {"missing_resource": Refusal(-32602, "Bad request")},
    ],
)
def test_each_thing_that_is_wrong_is_one(changes: dict[str, Any]) -> None:
    assert len(list(iter_faults(replace(GOOD, **changes), MODERN))) == 1
