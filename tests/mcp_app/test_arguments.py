from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.exceptions import InvalidParameter
from mcp_app.arguments import coerce_arguments, find_closest
from mcp_app.entries import Tool, ToolParams
from mcp_app.tools.read_sections import READ_SECTIONS
from tests.mcp_app.fake_tools import ECHO, NothingParams, break_down


def coerce(arguments: dict[str, Any]) -> dict[str, Any]:
    """What was given, as the tool gets it; a query is filled in."""
    given = arguments if {"query", "q", "userQuery"} & set(arguments) else {"query": "x"} | arguments
    return coerce_arguments(ECHO, given).model_dump()


def refuse(arguments: dict[str, Any]) -> InvalidParameter:
    with pytest.raises(InvalidParameter) as caught:
        coerce_arguments(ECHO, arguments)
    return caught.value


@pytest.mark.parametrize(
    ("given", "field", "expected"),
    [
        # other names
        ({"q": "words"}, "query", "words"),
        ({"userQuery": "words"}, "query", "words"),
        ({"max_results": 3}, "limit", 3),
        ({"limit": 3, "max_results": 3}, "limit", 3),
        ({"limit": 3, "max_results": "3"}, "limit", 3),
        ({"limit": None, "max_results": 3}, "limit", 3),
        # absent
        ({"limit": None}, "limit", 10),
        ({"sections": None}, "sections", []),
        ({"mode": None}, "mode", None),
        ({"limit": ""}, "limit", 10),
        ({"limit": " ", "max_results": 3}, "limit", 3),
        ({"mode": ""}, "mode", None),
        ({"format": " "}, "format", "markdown"),
        ({"exact": ""}, "exact", False),
        ({"filters": ""}, "filters", None),
        ({"sections": ""}, "sections", []),
        ({"sections": ["", " "]}, "sections", []),
        ({"sections": ["", "a"]}, "sections", ["", "a"]),
        ({"nonsense": None}, "limit", 10),
        # whole numbers
        ({"limit": "5"}, "limit", 5),
        ({"limit": " +5 "}, "limit", 5),
        ({"limit": 5.0}, "limit", 5),
        ({"limit": "5.0"}, "limit", 5),
        # numbers
        ({"temperature": 1}, "temperature", 1.0),
        ({"temperature": "0.7"}, "temperature", 0.7),
        ({"temperature": "1e-1"}, "temperature", 0.1),
        # booleans
        ({"exact": "true"}, "exact", True),
        ({"exact": "FALSE"}, "exact", False),
        ({"exact": "Yes"}, "exact", True),
        ({"exact": "no"}, "exact", False),
        ({"exact": 1}, "exact", True),
        ({"exact": "0"}, "exact", False),
        # texts
        ({"query": 404}, "query", "404"),
        ({"query": 3.11}, "query", "3.11"),
        ({"query": 10**80}, "query", "1" + "0" * 80),
        ({"query": " as it is "}, "query", " as it is "),
        # lists
        ({"sections": "a"}, "sections", ["a"]),
        ({"sections": 5}, "sections", ["5"]),
        ({"sections": '["a", "b"]'}, "sections", ["a", "b"]),
        ({"sections": ' [ "a" ]'}, "sections", ["a"]),
        ({"sections": "[a"}, "sections", ["[a"]),
        ({"sections": "[draft] notes"}, "sections", ["[draft] notes"]),
        ({"sections": "[" * 5000}, "sections", ["[" * 5000]),
        ({"sections": '["\\ud800"]'}, "sections", ['["\\ud800"]']),
        ({"include": "History"}, "include", ["history"]),
        # objects
        ({"filters": {"a": 1}}, "filters", {"a": 1}),
        ({"filters": '{"a": {"$in": [1]}}'}, "filters", {"a": {"$in": [1]}}),
        # choices
        ({"mode": " Hybrid "}, "mode", "hybrid"),
        ({"format": "JSON"}, "format", "json"),
    ],
)
def test_it_takes_what_models_send(given: dict[str, Any], field: str, expected: Any) -> None:
    value = coerce(given)[field]
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        ({}, "query", "is required"),
        ({"query": None}, "query", "is required"),
        ({"query": ""}, "query", "needs 1 or more characters"),
        ({"query": "x" * 101}, "query", "must have at most 100 characters"),
        ({"query": ["a"]}, "query", "must be a text, not a list"),
        ({"query": True}, "query", "must be a text"),
        ({"query": "a\0b"}, "query", "NUL"),
        ({"sections": ["a", "b\0"]}, "sections", "NUL"),
        ({"sections": '["b\\u0000"]'}, "sections", "NUL"),
        ({"filters": {"a": ["\0"]}}, "filters", "NUL"),
        ({"filters": {"a\0": 1}}, "filters", "NUL"),
        ({"limit": 0}, "limit", "must be at least 1, not 0"),
        ({"limit": 51}, "limit", "must be at most 50, not 51"),
        ({"limit": 10**400}, "limit", "must be at most 50, not 1"),
        ({"limit": "five"}, "limit", "must be a whole number, not 'five'"),
        ({"limit": 5.5}, "limit", "must be a whole number, not '5.5'"),
        ({"limit": True}, "limit", "must be a whole number, not 'true'"),
        ({"limit": [5]}, "limit", "must be a whole number"),
        ({"limit": "9" * 5000}, "limit", "must be a whole number"),
        ({"max_results": "many"}, "max_results", "must be a whole number"),
        ({"temperature": 3}, "temperature", "must be at most 2, not 3"),
        ({"temperature": "nan"}, "temperature", "must be a number"),
        ({"temperature": "1e999"}, "temperature", "must be a number"),
        ({"temperature": 10**400}, "temperature", "must be a number"),
        ({"exact": "maybe"}, "exact", "must be true or false, not 'maybe'"),
        ({"exact": 2}, "exact", "must be true or false"),
        (
            {"mode": "semantc"},
            "mode",
            "must be one of keyword, semantic, hybrid (did you mean 'semantic'?), not 'semantc'",
        ),
        ({"mode": 5}, "mode", "must be one of keyword, semantic, hybrid, not '5'"),
        ({"sections": ["a"] * 4}, "sections", "must have at most 3 items"),
        ({"sections": [None]}, "sections", "must be a list; each item must be a text"),
        ({"sections": {"a": 1}}, "sections", "must be a text"),
        ({"include": ["contxt"]}, "include", "did you mean 'context'"),
        ({"filters": "status=ok"}, "filters", "must be an object"),
        ({"filters": ["a"]}, "filters", "must be an object"),
        ({"querry": "x"}, "querry", "is not an argument (did you mean 'query'?)"),
        ({"maxresults": 5}, "maxresults", "is not an argument (did you mean 'limit'?)"),
        ({"zzz": 5}, "zzz", "is not an argument"),
        ({"limit": 3, "max_results": 4}, "max_results", "means the same as 'limit', which has another value"),
        ({"max_results": 3, "limit": 4}, "limit", "means the same as 'max_results', which has another value"),
        ({"q": "a", "userQuery": "b"}, "userQuery", "means the same as 'q', which has another value"),
        ({"max_results": 51}, "max_results", "must be at most 50, not 51"),
        ({"q": ""}, "q", "needs 1 or more characters"),
    ],
)
def test_it_says_what_is_wrong_with_each(given: dict[str, Any], name: str, told: str) -> None:
    error = refuse(given)
    assert told in error.details["arguments"][name]
    assert f"'{name}' {error.details['arguments'][name]}" in error.message


def test_it_says_what_is_missing_and_where_that_comes_from() -> None:
    with pytest.raises(InvalidParameter) as caught:
        coerce_arguments(READ_SECTIONS, {"path": "a.md"})
    assert "'section_ids' is required (Ids from search_docs or table_of_contents)." in caught.value.message
    with pytest.raises(InvalidParameter, match=r"needs 1 or more items \(Ids from search_docs"):
        coerce_arguments(READ_SECTIONS, {"path": "a.md", "section_ids": []})


def test_all_mistakes_are_told_at_once_with_the_valid_names() -> None:
    error = refuse({"querry": "x", "limit": "many", "temperature": 9, "mode": "fast"})
    assert set(error.details["arguments"]) == {"query", "querry", "limit", "temperature", "mode"}
    assert error.details["valid_arguments"][0] == "query"
    assert "echo_query" in error.message
    assert "query (required), limit, mode" in error.message


def test_a_bad_value_is_not_also_called_missing() -> None:
    assert list(refuse({"q": []}).details["arguments"]) == ["q"]


def test_many_and_long_mistakes_do_not_make_a_long_message() -> None:
    error = refuse({f"{i}" * 1000: "x" for i in range(500)})
    assert len(error.message) < 2000
    assert "more" in error.message


def test_a_tool_may_check_more_by_itself() -> None:
    class Params(ToolParams):
        wait: Literal["yes", "no"] = "no"

        def model_post_init(self, context: Any) -> None:
            if self.wait == "yes":
                raise ValueError("nobody waits")

    tool = Tool("wait_here", "Wait", "Waits.", Params, break_down)
    with pytest.raises(InvalidParameter, match="nobody waits"):
        coerce_arguments(tool, {"wait": "yes"})


def test_a_tool_without_arguments_says_so() -> None:
    with pytest.raises(InvalidParameter, match="Its arguments are format"):
        coerce_arguments(Tool("nothing", "N", "N.", NothingParams, break_down), {"a": 1})


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([*ECHO.input_schema["properties"], *ECHO.params.aliases, "nonsense"]) | st.text()


@pytest.mark.requirement("tools.validated")
@given(st.dictionaries(NAMES, JSON_VALUES, max_size=5))
def test_whatever_is_sent_the_tool_gets_its_own_types_or_is_not_run(arguments: dict[str, Any]) -> None:
    try:
        params = coerce_arguments(ECHO, arguments)
    except InvalidParameter:
        return
    assert coerce_arguments(ECHO, params.model_dump()) == params


@pytest.mark.parametrize(("word", "closest"), [("Serch_Docs", "search_docs"), ("zzzz", None), ("", None)])
def test_it_finds_the_closest_word_or_none(word: str, closest: str | None) -> None:
    assert find_closest(word, ["search_docs", "read_sections"]) == closest


def test_an_argument_that_is_not_listed_is_not_proposed() -> None:
    with pytest.raises(InvalidParameter) as caught:
        coerce_arguments(READ_SECTIONS, {"path": "a.md", "section_ids": "a", "zzz": 1})
    listed = READ_SECTIONS.describe()["inputSchema"]["properties"]
    assert caught.value.details["valid_arguments"] == list(listed)
    assert "version" not in caught.value.message
