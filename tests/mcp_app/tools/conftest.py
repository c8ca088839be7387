from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from collections_app.access.principal import Principal
from collections_app.models import Collection
from mcp_app.dispatching.dispatcher import get_dispatcher
from tests.factories import make_collection, make_principal, put

GUIDE = """---
title: Guide
description: How to begin
keywords: [start, basics]
---
# Guide

Welcome to the guide.

## Install

Unpack the archive.

### Linux

Use the package manager.

## Configure

Write the file.
"""

Result = dict[str, Any]
CallTool = Callable[..., Result]


@pytest.fixture
def collection(db: None) -> Collection:
    collection = make_collection("manual")
    put(collection, {"start/guide.md": GUIDE, "faq.md": "# FAQ\n\nAsk about the archive.\n", "empty.md": ""})
    return collection


@pytest.fixture
def call(collection: Collection) -> CallTool:
    """Call a tool as a key of the collection's tenant does; gives the result of tools/call."""

    reader = make_principal(collection)

    def call(
        tool: str,
        /,
        principal: Principal | None = None,
        narrowed_to: tuple[str, str] | None = None,
        profile: str = "",
        **arguments: Any,
    ) -> Result:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        body, caller = json.dumps(message).encode(), principal or reader
        reply = get_dispatcher().handle(body, caller, narrowed_to=narrowed_to, profile=profile)
        assert reply.body
        answer: dict[str, Any] = json.loads(reply.body)
        assert "result" in answer, answer
        result: Result = answer["result"]
        return result

    return call


def text_of(result: Result) -> str:
    assert not result.get("isError"), result
    assert "structuredContent" not in result
    return str(result["content"][0]["text"])


def data_of(result: Result) -> dict[str, Any]:
    """The data of a `format: json` answer, of which the text must be the same."""
    assert not result.get("isError"), result
    data: dict[str, Any] = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == data
    return data


def iter_data(call: CallTool, tool: str, **arguments: Any) -> Iterator[dict[str, Any]]:
    """The data of each answer, by its cursors to the last one."""
    cursor = None
    while True:
        data = data_of(call(tool, cursor=cursor, format="json", **arguments))
        yield data
        cursor = data["next_cursor"]
        if cursor is None:
            return


def error_of(result: Result) -> dict[str, Any]:
    assert result["isError"]
    error: dict[str, Any] = result["structuredContent"]["error"]
    assert error["message"] == result["content"][0]["text"]
    return error
