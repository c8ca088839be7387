"""The lock files: the same versions in each, and nothing that pip would look up beyond them."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docsmcp_site.configuration.config import PROJECT_ROOT


def read_lock(name: str) -> dict[str, Requirement]:
    """By package."""
    text = (PROJECT_ROOT / f"requirements/{name}.txt").read_text()
    lines = re.findall(r"^([a-z0-9][^\\]*)\\$", text, re.MULTILINE)
    return {requirement.name: requirement for requirement in map(Requirement, lines)}


def list_versions(name: str) -> dict[str, str]:
    return {package: str(requirement.specifier) for package, requirement in read_lock(name).items()}


def test_the_extras_are_locked_to_what_is_run_and_to_what_is_tested() -> None:
    runtime, extras, tested = list_versions("runtime"), list_versions("extras"), list_versions("dev")
    assert runtime.items() <= extras.items() <= tested.items()
    optional = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = {Requirement(line).name for name in ("onnx", "otel") for line in optional[name]}
    assert wanted <= extras.keys()


@pytest.mark.parametrize("name", ["dev", "extras"])
def test_a_lock_names_the_extras_that_its_packages_ask_for(name: str) -> None:
    """pip before 23.3, which Python 3.11 brings, takes `coverage[toml]` of a package at its newest where the lock has
    `coverage` alone, and ends there on the day that a newer one appears."""
    lock = read_lock(name)
    asked = {
        (canonicalize_name(requirement.name), extra)
        for package, locked in lock.items()
        if locked.marker is None or locked.marker.evaluate()
        for requirement in map(Requirement, metadata.requires(package) or [])
        if is_wanted(requirement, locked.extras)
        for extra in requirement.extras
    }
    assert asked
    assert {(package, extra) for package, extra in asked if extra not in lock[package].extras} == set()


def is_wanted(requirement: Requirement, extras: set[str]) -> bool:
    """By a package that is installed with these extras."""
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ["", *extras])
