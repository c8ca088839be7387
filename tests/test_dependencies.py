"""What the code imports is what pyproject.toml asks for: nothing is there only because another package brings it."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docsmcp_site.configuration.config import PROJECT_ROOT

PRODUCT = ("collections_app", "docsmcp_site", "mcp_app")
DEVELOPMENT = ("benchmarks", "deploy", "tests")
OURS = {*PRODUCT, *DEVELOPMENT}
# requirements/fuzz.in asks for it; what mypy alone reads.
BY_ITSELF = {"atheris", "_typeshed"}


@pytest.mark.parametrize(("folders", "extras"), [(PRODUCT, ("onnx", "otel")), (DEVELOPMENT, ("dev", "bench"))])
def test_every_package_that_is_imported_is_declared(folders: tuple[str, ...], extras: tuple[str, ...]) -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    installed = metadata.packages_distributions()
    imported = {
        name for folder in folders for file in (PROJECT_ROOT / folder).rglob("*.py") for name in iter_imports(file)
    }
    others = imported - sys.stdlib_module_names - OURS - BY_ITSELF
    assert {name for name in others if declared.isdisjoint(map(canonicalize_name, installed.get(name, ())))} == set()


def iter_imports(file: Path) -> Iterator[str]:
    """The packages that a file imports, at its beginning or anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
