"""The manifest of requirements and the tests name each other: nothing is claimed without a test, nothing proved unclaimed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp_app.requirements import REQUIREMENTS, SPECIFICATION

TESTS = Path(__file__).parents[1]
MARKER = "pytest.mark.requirement"


def iter_named_ids(path: Path) -> Iterator[str]:
    """The ids in `@pytest.mark.requirement("id", …)` over tests, and classes of them, in a file."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)) if MARKER in source else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and is_test(node.name):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == MARKER:
                    yield from (ast.literal_eval(argument) for argument in decorator.args)


def is_test(name: str) -> bool:
    return name.startswith(("test_", "Test"))


NAMED_IDS = {named for path in TESTS.rglob("test_*.py") for named in iter_named_ids(path)}


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_requirement_has_a_test(requirement: str) -> None:
    assert requirement in NAMED_IDS


def test_no_test_names_an_unknown_requirement() -> None:
    assert REQUIREMENTS.keys() >= NAMED_IDS


def test_every_requirement_says_where_it_stands_and_what_it_means() -> None:
    for requirement in REQUIREMENTS.values():
        assert re.fullmatch(rf"{SPECIFICATION}/\d{{4}}-\d\d-\d\d/[a-z/-]+(#[a-z0-9-]+)?", requirement.link)
        assert requirement.behaviour.endswith(".")


def test_no_two_say_the_same() -> None:
    sentences = [requirement.behaviour for requirement in REQUIREMENTS.values()]
    assert len(sentences) == len(set(sentences))


def test_the_marker_is_found_where_it_stands(tmp_path: Path) -> None:
    """The scan itself: over functions and classes, several ids at once, nothing that is no test."""
    source = (
        "@pytest.mark.requirement('a', 'b')\ndef test_one(): ...\n"
        "@pytest.mark.requirement('c')\nclass TestTwo:\n"
        "    @pytest.mark.requirement('d')\n    def test_three(self): ...\n"
        "@pytest.mark.requirement('e')\ndef helper(): ...\n"
    )
    path = tmp_path / "test_some.py"
    path.write_text(source)
    assert list(iter_named_ids(path)) == ["a", "b", "c", "d"]
