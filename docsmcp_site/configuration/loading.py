"""Finds the values of the settings, has them validated (config.py), and reports all mistakes at once, by ConfigError.

Flags win over the configuration file, the file over the environment (and `.env`), the environment over the defaults (setting_layers.py).
Only the value that wins is checked; an empty one stands for the default.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from pydantic import ValidationError

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES, Config, get_kind
from docsmcp_site.configuration.setting_layers import (
    Layer,
    Mistake,
    find_misspelt_names,
    get_home,
    make_flag,
    read_layers,
    resolve_path,
)

FLAGS_VARIABLE = "DOCSMCP_FLAGS"
"""The environment variable that hands a command's flags (JSON, by setting name) to settings.py and to children."""


class ConfigError(ImproperlyConfigured):
    """Everything that is wrong with the settings; its text has one line per mistake."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = tuple(mistakes)


def load_config(flags: Mapping[str, str], environ: Mapping[str, str], working_directory: Path) -> Config:
    """The settings from these layers; `flags` by setting name. Relative paths start at `working_directory`."""
    mistakes: list[Mistake] = []
    layers = read_layers(flags, environ, working_directory, SETTING_NAMES, mistakes)
    winners = {name: layer for layer in reversed(layers) for name in layer.values}
    given = {name: layer for name, layer in winners.items() if layer.values[name] not in ("", None)}
    config = _validate(given, find_default_data_dir(environ), mistakes)
    if mistakes or config is None:
        raise ConfigError(mistakes)
    return config.model_copy(update={"data_dir": resolve_path(config.data_dir, environ, working_directory)})


def load_process_config() -> Config:
    """This process's settings, from the flags of its command (or passed on to it), its environment and its working directory."""
    return load_config(read_handed_down_flags(os.environ), os.environ, Path.cwd())


def describe_misspelt_names() -> list[str]:
    """A sentence for each variable in this process's environment or `.env` whose name is nearly that of a setting."""
    misspelt = find_misspelt_names(os.environ, Path.cwd(), SETTING_NAMES)
    return [f"{name} is no setting; did you mean {setting}?" for name, setting in misspelt.items()]


def read_handed_down_flags(environ: Mapping[str, str]) -> dict[str, str]:
    """Setting → value as typed, from the command that started this process. Raises ConfigError."""
    try:
        flags = dict(json.loads(environ.get(FLAGS_VARIABLE) or "{}"))
    except (ValueError, TypeError):
        problem = "it must be a JSON object of flags; the docsmcp command sets it, so remove it"
        raise ConfigError([Mistake(FLAGS_VARIABLE, "environment", problem)]) from None
    return {str(name): str(value) for name, value in flags.items()}


def find_default_data_dir(environ: Mapping[str, str]) -> Path:
    """Beside the code in a source checkout; else as the Filesystem Hierarchy Standard and the XDG base directories say."""
    if (PROJECT_ROOT / "manage.py").is_file() and (PROJECT_ROOT / "pyproject.toml").is_file():
        return PROJECT_ROOT / ".data"
    if os.geteuid() == 0:
        return Path("/var/lib/docsmcp")
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else get_home(environ) / ".local" / "share") / "docsmcp"


def _validate(given: Mapping[str, Layer], default_data_dir: Path, mistakes: list[Mistake]) -> Config | None:
    values = {name.lower(): layer.values[name] for name, layer in given.items()}
    try:
        return Config.model_validate({"data_dir": str(default_data_dir), **values})
    except ValidationError as error:
        names = [str(problem["loc"][0]).upper() for problem in error.errors(include_input=False)]
        mistakes.extend(_describe_mistake(name, given[name]) for name in names)
        return None


def _describe_mistake(name: str, layer: Layer) -> Mistake:
    kind = get_kind(name)
    origin = f"{layer.origin} {make_flag(name)}" if layer.origin == "flag" else layer.origin
    return Mistake(name, origin, f"{kind.show(layer.values[name])} is not allowed; it takes {kind.allowed}")
