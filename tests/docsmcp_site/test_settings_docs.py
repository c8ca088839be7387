import re
from pathlib import Path

import pytest
from dotenv import dotenv_values

from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES, Config, get_kind
from docsmcp_site.configuration.loading import load_config
from docsmcp_site.configuration.setting_layers import make_flag

ROW = re.compile(r"^\| `[A-Z_]+` \| `--.*$", re.MULTILINE)


def make_row(name: str) -> str:
    description = Config.model_fields[name.lower()].description
    return f"| `{name}` | `{make_flag(name)}` | {make_default(name)} | {get_kind(name).allowed} | {description} |"


def make_default(name: str) -> str:
    default = Config.model_fields[name.lower()].get_default()
    if name == "DATA_DIR":
        return "see below"
    if default in ("", (), None):
        return "empty"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def test_the_page_describes_every_setting_as_the_model_does() -> None:
    page = (PROJECT_ROOT / "docs" / "settings.md").read_text()
    assert [match[0] for match in ROW.finditer(page)] == [make_row(name) for name in SETTING_NAMES]


def test_the_example_describes_every_setting_as_the_model_does_and_no_other() -> None:
    example = (PROJECT_ROOT / ".env.example").read_text()
    described = [(name, Config.model_fields[name.lower()].description) for name in SETTING_NAMES]
    assert [(name, text) for text, name in re.findall(r"^## (.*)\n# ?([A-Z_]+)=", example, re.MULTILINE)] == described


def test_the_example_says_the_defaults(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(re.sub(r"(?m)^# ?(?=[A-Z_]+=)", "", (PROJECT_ROOT / ".env.example").read_text()))
    assert set(dotenv_values(tmp_path / ".env")) == set(SETTING_NAMES)
    assert load_config({}, {}, tmp_path) == load_config({}, {}, tmp_path / "elsewhere")


@pytest.mark.parametrize("name", SETTING_NAMES)
def test_a_default_is_an_allowed_value(name: str) -> None:
    default = Config.model_fields[name.lower()].get_default(call_default_factory=False)
    if name != "DATA_DIR" and default not in ("", None):
        assert get_kind(name).parse(default) == default
