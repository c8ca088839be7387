"""Where settings come from: flags, a configuration file, the environment and `.env`. Each is read into a layer.

Checks no value. What cannot be read at all, and names that are no setting's, become a `Mistake` in the caller's list.
"""

from __future__ import annotations

import io
import os
import pwd
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from dotenv.parser import Binding, parse_stream

CONFIG_FILE_SETTING = "DOCSMCP_CONFIG"
# Similarity of 100: about one letter in nine may differ.
MISSPELT_SCORE = 88
# Above this similarity, an unknown name is answered with the question whether the setting was meant.
SUGGESTED_SCORE = 65


@dataclass(frozen=True)
class Mistake:
    """One mistake: the setting, the layer that it came from, and what to do."""

    name: str
    origin: str
    problem: str

    def __str__(self) -> str:
        return f"{self.name} ({self.origin}): {self.problem}"


@dataclass(frozen=True)
class Layer:
    """`values` by the setting's name; `origin` says where to mend them."""

    origin: str
    values: Mapping[str, object]


def make_flag(name: str) -> str:
    """MCP_SERVER_PORT -> --mcp-server-port"""
    return "--" + name.lower().replace("_", "-")


def read_layers(
    flags: Mapping[str, str],
    environ: Mapping[str, str],
    working_directory: Path,
    names: Collection[str],
    mistakes: list[Mistake],
) -> list[Layer]:
    """The layers, the strongest first. Flags and variables that are no setting are left out."""
    outer = [
        Layer("flag", {name: flags[name] for name in names if name in flags}),
        Layer("environment", {name: environ[name] for name in names if name in environ}),
        _read_env_file(working_directory / ".env", names, mistakes),
    ]
    path = next((str(layer.values[CONFIG_FILE_SETTING]) for layer in outer if CONFIG_FILE_SETTING in layer.values), "")
    if path:
        outer.insert(1, _read_config_file(resolve_path(path, environ, working_directory), names, mistakes))
    return outer


def find_misspelt_names(environ: Mapping[str, str], working_directory: Path, names: Collection[str]) -> dict[str, str]:
    """Names in the environment and `.env` that are nearly a setting's: the name → the setting's name.

    These are no mistakes: the environment belongs to everybody, and another program's name may look like one of ours.
    """
    from rapidfuzz import fuzz, process

    bindings = _parse_env_file(working_directory / ".env", [])
    given = {*environ, *(binding.key for binding in bindings if binding.key)} - set(names)
    nearest = {
        name: process.extractOne(name.upper(), names, scorer=fuzz.ratio, score_cutoff=MISSPELT_SCORE)
        for name in sorted(given)
    }
    return {name: found[0] for name, found in nearest.items() if found}


def resolve_path(path: str | Path, environ: Mapping[str, str], working_directory: Path) -> Path:
    """An absolute path; `~/` is the home directory, for settings that no shell has expanded."""
    text = str(path)
    expanded = get_home(environ) / text[2:] if text == "~" or text.startswith("~/") else Path(text)
    return Path(os.path.normpath(working_directory / expanded))


def get_home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir)


def _read_env_file(path: Path, names: Collection[str], mistakes: list[Mistake]) -> Layer:
    """Reads `.env` without interpolation: a password with a dollar sign stays what it is."""
    values: dict[str, object] = {}
    for binding in _parse_env_file(path, mistakes):
        if binding.error:
            mistakes.append(Mistake(".env", f"line {binding.original.line}", "this line is not NAME=value"))
        elif binding.key is not None and binding.key in names:
            values[binding.key] = binding.value or ""
    return Layer(".env", values)


def _parse_env_file(path: Path, mistakes: list[Mistake]) -> Iterator[Binding]:
    text = _read_text(path, ".env", mistakes) if path.exists() else ""
    return parse_stream(io.StringIO(text))


def _read_config_file(path: Path, names: Collection[str], mistakes: list[Mistake]) -> Layer:
    values: dict[str, object] = {}
    origin = f"file {path}"
    for key, value in _parse_config_file(path, mistakes).items():
        name = str(key).upper()
        if name == CONFIG_FILE_SETTING:
            mistakes.append(Mistake(name, origin, "a configuration file cannot name another; remove this line"))
        elif name not in names:
            mistakes.append(Mistake(str(key), origin, f"there is no such setting{_suggest(name, names)}"))
        elif name in values:
            mistakes.append(Mistake(name, origin, "stands there twice, in different cases; keep one"))
        else:
            values[name] = value
    return Layer(origin, values)


def _parse_config_file(path: Path, mistakes: list[Mistake]) -> Mapping[Any, object]:
    text = _read_text(path, CONFIG_FILE_SETTING, mistakes)
    try:
        match path.suffix.lower():
            case ".toml":
                content: object = tomllib.loads(text)
            case ".yaml" | ".yml":
                content = yaml.safe_load(text)
            case _:
                raise ValueError("its name must end in .toml, .yaml or .yml")
        if not isinstance(content, dict | None):
            raise ValueError("it must hold names and values, such as MCP_SERVER_PORT: 8001")
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        problem = " ".join(_describe_parse_error(error).split())
        mistakes.append(Mistake(CONFIG_FILE_SETTING, f"file {path}", f"the file cannot be used: {problem}"))
        return {}
    return content or {}


def _describe_parse_error(error: Exception) -> str:
    """What is wrong and where, without the file's text: it may contain passwords."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return f"{error.problem}, line {error.problem_mark.line + 1}"
    if isinstance(error, yaml.YAMLError | RecursionError):
        return "it is not YAML"
    return str(error)


def _read_text(path: Path, name: str, mistakes: list[Mistake]) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        problem = "it is not UTF-8 text"
    except (OSError, ValueError) as error:
        problem = (getattr(error, "strerror", None) or "this is no path").lower()
    mistakes.append(Mistake(name, f"file {path}", f"the file cannot be read: {problem}"))
    return ""


def _suggest(name: str, names: Collection[str]) -> str:
    from rapidfuzz import fuzz, process  # only needed once somebody has made a mistake

    closest = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=SUGGESTED_SCORE)
    return f"; did you mean {closest[0]}?" if closest else "; docs/settings.md lists them"
