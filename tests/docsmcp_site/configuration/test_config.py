import json
import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docsmcp_site.command_line import main
from docsmcp_site.configuration import loading
from docsmcp_site.configuration.config import PROJECT_ROOT, SETTING_NAMES, Config, get_kind
from docsmcp_site.configuration.loading import ConfigError, find_default_data_dir, load_config
from docsmcp_site.configuration.setting_kinds import (
    AbsolutePaths,
    Amount,
    Boolean,
    Choice,
    FetchTargets,
    FilePath,
    Host,
    Hosts,
    HttpUrl,
    Kind,
    Networks,
    Origins,
    PostgresUrl,
    Prefix,
    RedisUrl,
    Secret,
    StoreUrl,
    Text,
    Texts,
    WholeNumber,
)
from docsmcp_site.configuration.setting_layers import find_misspelt_names, make_flag

LAYERS = ("flag", "file", "environment", ".env")
LAYERED_NAMES = [name for name in SETTING_NAMES if name != "DOCSMCP_CONFIG"]
ONE_LINE = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="'\"#\\$`,@"), min_size=1
)


# The values that each kind of setting takes, and values that it does not.
EXAMPLES: dict[type[Kind], tuple[list[str], list[str]]] = {
    Boolean: (["true", "NO", "1", "off"], ["maybe", "2", "truee", "-1"]),
    Host: (["localhost", "docs.example.com", "10.1.2.3", "::1"], ["http://x", "a/b", "1.2.3.256", "-x", "x:80", "*"]),
    FetchTargets: (
        ["localhost", "10.0.0.0/8,example.com:8080", "[::1]:80"],
        ["http://x", "10.0.0.1/8", "a:0", "a:b", "x y"],
    ),
    Hosts: (["localhost", ".example.com,::1", "*"], ["http://x", "a/b", "1.2.3.256", "x,-x", "x:80", "a..b", "*.x"]),
    Networks: (
        ["10.0.0.0/8", "127.0.0.1,2001:db8::/32"],
        ["localhost", "10.0.0.1/8", "10.0.0.0/33", "1.2.3.4:80", "*"],
    ),
    Origins: (
        ["https://a.example", "http://localhost:3000,https://b.example:8443"],
        ["a.example", "null", "*", "https://a.example/x", "ftp://a", "http://a:0", "http://a:99999"],
    ),
    HttpUrl: (
        ["http://127.0.0.1:11434/v1", "https://models.example.com"],
        ["models.example.com", "ftp://h", "http://", "http://u:hunter2@h", "http://h:x", "http://h/a b"],
    ),
    Amount: (["0", "0.15", "1000000"], ["-1", "1e3", "1,5", "0.1234567", "1000001", "free"]),
    Text: (["small", "llama3:8b"], ["a\x01b"]),
    Prefix: (["query: ", "Instruct: answer\\nQuery:"], ["a\x01b"]),
    Texts: (["small", "small, large"], ["a\x01b"]),
    FilePath: (["data", "/srv/docs", "~/docs"], ["a\x01b"]),
    AbsolutePaths: (["/srv", "/srv,/a b"], ["docs", "/srv,docs", "./x"]),
    PostgresUrl: (
        ["postgres://u:p%40w@h/db", "postgresql:///db?host=/run/pg", "postgres://[::1]:1/d?sslmode=require"],
        ["mysql://u:hunter2@h/d", "postgres://h/", "postgres://h:0/d", "postgres://h/d?ssl=1", "postgres://u:%zz@h/d"],
    ),
    RedisUrl: (
        ["redis://h", "redis://h/", "rediss://:pw@h:6380/1", "redis://h/9999"],
        [
            "redis://h/docs",
            "redis://h/-1",
            "redis://h/10000",
            "redis://h/0/docs",
            "http://h",
            "redis://",
            "redis://u:hunter2@h:x",
            "h:6379",
            "redis://[::1",
        ],
    ),
    StoreUrl: (
        ["s3://b", "s3://b/p/q", "gs://b", "az://a/c/p", "file:///srv/docs"],
        ["http://h/b", "s3://", "s3://u:hunter2@b", "s3://b?x=1", "file://h/p", "file:///", "/srv/docs", "s3://[b"],
    ),
}


def make_values(kind: Kind, *, allowed: bool) -> st.SearchStrategy[str]:
    match kind:
        case WholeNumber(minimum=low, maximum=high):
            below, above = st.integers(-(10**40), low - 1), st.integers(high + 1, 10**40)
            no_numbers = st.sampled_from(["ten", "1.5", "1e3", "0x10", "1_000", "٣", "nan"])
            return st.integers(low, high).map(str) if allowed else below.map(str) | above.map(str) | no_numbers
        case Choice(words=words):
            others = ONE_LINE.filter(lambda text: text.lower() not in words and text.upper() not in words)
            return st.sampled_from(words).map(str.upper) if allowed else others
        case Secret(minimum_characters=length):
            bad = st.sampled_from(["x" * (length - 1) or " ", "é" * length, "with a blank " * length])
            return st.text("abcXYZ019-_.", min_size=length, max_size=80) if allowed else bad
        case _:
            return st.sampled_from(EXAMPLES[type(kind)][0 if allowed else 1])


@st.composite
def make_settings(draw: st.DrawFn, *, allowed: bool) -> dict[str, dict[str, str]]:
    """Values by layer and name, each name in one or more layers."""
    layers: dict[str, dict[str, str]] = {layer: {} for layer in LAYERS}
    for name in draw(st.lists(st.sampled_from(LAYERED_NAMES), min_size=1, unique=True)):
        values = make_values(get_kind(name), allowed=allowed)
        for layer in draw(st.sets(st.sampled_from(LAYERS), min_size=1)):
            layers[layer][name] = draw(values)
    return layers


@contextmanager
def installed(layers: dict[str, dict[str, str]]) -> Iterator[tuple[dict[str, str], Path]]:
    """The environment and the directory that hold these layers, except for the flags."""
    with TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "docsmcp.yaml").write_text(yaml.safe_dump(layers["file"], allow_unicode=True))
        (directory / ".env").write_text("".join(f"{key}='{value}'\n" for key, value in layers[".env"].items()))
        yield {**layers["environment"], "DOCSMCP_CONFIG": "docsmcp.yaml", "HOME": "/home/somebody"}, directory


def load(layers: dict[str, dict[str, str]]) -> Config:
    with installed(layers) as (environ, directory):
        return load_config(layers["flag"], environ, directory)


def get_mistakes(flags: dict[str, str] | None = None, file: str = "", suffix: str = ".yaml", env_file: str = "") -> str:
    with TemporaryDirectory() as name:
        path = Path(name, f"settings{suffix}")
        path.write_text(file)
        Path(name, ".env").write_text(env_file)
        with pytest.raises(ConfigError) as caught:
            load_config(flags or {}, {"DOCSMCP_CONFIG": str(path)}, Path(name))
    return str(caught.value)


@given(make_settings(allowed=False))
def test_it_names_every_bad_value_once_and_leaves_with_an_error(layers: dict[str, dict[str, str]]) -> None:
    flags = [f"{make_flag(name)}={value}" for name, value in layers["flag"].items()]
    with (
        installed(layers) as (environ, directory),
        mock.patch.dict(os.environ, environ, clear=True),
        chdir(directory),
        mock.patch("sys.stderr") as stderr,
        pytest.raises(SystemExit) as left,
    ):
        main(["docsmcp", *flags, "check"])
    lines = "".join(call.args[0] for call in stderr.write.call_args_list).splitlines()
    bad = {name for layer in layers.values() for name in layer}
    assert left.value.code == 2
    assert sorted(line.split(" ")[0] for line in lines) == sorted(bad)
    assert "hunter2" not in "".join(lines)


@given(make_settings(allowed=True))
def test_the_strongest_layer_that_has_a_setting_wins(layers: dict[str, dict[str, str]]) -> None:
    winners = {name: value for layer in reversed(LAYERS) for name, value in layers[layer].items()}
    mixed, plain = load(layers), load({"flag": winners, "file": {}, "environment": {}, ".env": {}})
    if winners.get("DATA_DIR") == "data":  # relative to the directory, which is another
        mixed, plain = (config.model_copy(update={"data_dir": None}) for config in (mixed, plain))
    assert mixed == plain


def test_a_bad_value_that_a_stronger_layer_replaces_is_no_mistake(tmp_path: Path) -> None:
    config = load_config({"MCP_SERVER_PORT": "9000"}, {"MCP_SERVER_PORT": "none"}, tmp_path)
    assert config.mcp_server_port == 9000


def test_an_empty_value_stands_for_the_default_and_hides_weaker_layers(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DATABASE_URL=postgres://h/d\nWEB_WORKERS=5\n")
    config = load_config({}, {"DATABASE_URL": ""}, tmp_path)
    assert (config.database_url, config.web_workers) == ("", 5)


@pytest.mark.parametrize("suffix", [".toml", ".yaml", ".yml", ".YAML"])
def test_the_file_may_use_types_of_its_own_and_names_in_any_case(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"settings{suffix}"
    separator = " =" if suffix == ".toml" else ":"
    lines = ("mcp_server_port{} 9000", "MCP_ENABLED{} false", 'mcp_allowed_origins{} ["https://a.example:443"]')
    path.write_text("\n".join(line.format(separator) for line in lines))
    config = load_config({"DOCSMCP_CONFIG": path.name}, {}, tmp_path)
    assert (config.mcp_server_port, config.mcp_enabled) == (9000, False)
    assert config.mcp_allowed_origins == ("https://a.example",)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("MCP_PORT: 1", "MCP_PORT (file "),
        ("MCP_SERVR_PORT: 1", "there is no such setting; did you mean MCP_SERVER_PORT?"),
        ("nope: 1", "there is no such setting; docs/settings.md lists them"),
        ("zzz: 1", "there is no such setting; docs/settings.md lists them"),
        ("1: 1", "there is no such setting"),
        ("docsmcp_config: other.yaml", "cannot name another"),
        ("LOG_LEVEL: INFO\nlog_level: INFO", "stands there twice"),
        ("- a list", "it must hold names and values"),
        ("a: [", "the file cannot be used"),
        ("a: b: c", "line 1"),
        ("MCP_SERVER_PORT: true", "'True' is not allowed"),
        ("MCP_SERVER_PORT: 90.5", "'90.5' is not allowed"),
        ("MCP_SERVER_PORT: {a: 1}", "is not allowed"),
        ("ALLOWED_ROOTS: [1]", "is not allowed"),
        ("DATA_DIR: 7", "'7' is not allowed"),
        ("LOG_LEVEL: 2026-01-01", "is not allowed"),
        ("[" * 5000, "the file cannot be used"),
    ],
)
def test_it_refuses_what_the_file_should_not_say(file: str, said: str) -> None:
    assert said in get_mistakes(file=file)


def test_a_value_of_null_in_the_file_is_not_set(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("MCP_API_KEY:\n")
    assert load_config({"DOCSMCP_CONFIG": "x.yaml"}, {}, tmp_path).mcp_api_key == ""


def test_it_refuses_broken_toml_and_says_where() -> None:
    assert "line 2" in get_mistakes(file="a = 1\nb = x", suffix=".toml")


def test_it_refuses_a_file_of_another_kind() -> None:
    assert "must end in .toml, .yaml or .yml" in get_mistakes(file="{}", suffix=".json")


def test_a_broken_file_does_not_show_what_is_in_it() -> None:
    for suffix in (".yaml", ".toml"):
        assert "hunter2" not in get_mistakes(file='MCP_API_KEY: "hunter2', suffix=suffix)


@pytest.mark.parametrize("path", ["missing.toml", ".", "a\0b.yaml", "x.yaml/y.yaml"])
def test_it_refuses_a_file_that_cannot_be_read(tmp_path: Path, path: str) -> None:
    with pytest.raises(ConfigError, match=r"DOCSMCP_CONFIG.*cannot be read"):
        load_config({"DOCSMCP_CONFIG": path}, {}, tmp_path)


def test_it_refuses_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / ".env").write_bytes(b"\xff")
    with pytest.raises(ConfigError) as caught:
        load_config({"DOCSMCP_CONFIG": "x.toml"}, {}, tmp_path)
    assert [mistake.name for mistake in caught.value.mistakes] == [".env", "DOCSMCP_CONFIG"]


def test_it_refuses_a_broken_line_of_the_env_file_and_says_which() -> None:
    assert ".env (line 2): this line is not NAME=value" in get_mistakes(env_file="LOG_LEVEL=INFO\nwhat is this\nA=1\n")


def test_blanks_at_the_end_of_a_prefix_count_and_it_may_have_lines_however_they_are_quoted(tmp_path: Path) -> None:
    for quoted in (r"'Answer\nQuery: '", r'"Answer\nQuery: "'):
        (tmp_path / ".env").write_text(f"EMBEDDINGS_QUERY_PREFIX={quoted}\n")
        config = load_config({"EMBEDDINGS_DOCUMENT_PREFIX": "passage: "}, {}, tmp_path)
        assert (config.embeddings_query_prefix, config.embeddings_document_prefix) == ("Answer\nQuery: ", "passage: ")


def test_the_env_file_may_hold_what_others_read_and_nothing_is_interpolated(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OTHER=1\nexport MCP_API_KEY='pa$HOME${x}ssword12345'\nALONE\n")
    assert load_config({}, {}, tmp_path).mcp_api_key == "pa$HOME${x}ssword12345"


@pytest.mark.parametrize(
    "name", ["MCP_SEVER_PORT", "MCP_SERVERPORT", "mcp_server_port", "EMBEDDING_KIND", "DATABASE_URI"]
)
def test_a_name_that_is_nearly_a_settings_is_found(tmp_path: Path, name: str) -> None:
    meant = {"EMBEDDING_KIND": "EMBEDDINGS_KIND", "DATABASE_URI": "DATABASE_URL"}.get(name, "MCP_SERVER_PORT")
    assert find_misspelt_names({name: "1"}, tmp_path, SETTING_NAMES) == {name: meant}
    (tmp_path / ".env").write_text(f"{name}=1\n")
    assert find_misspelt_names({}, tmp_path, SETTING_NAMES) == {name: meant}


def test_names_of_settings_and_of_others_are_left_alone(tmp_path: Path) -> None:
    others = (
        "PATH",
        "HOME",
        "PORT",
        "POSTGRES_PASSWORD",
        "PGDATABASE",
        "LLM_KEY",
        "DJANGO_SETTINGS_MODULE",
        loading.FLAGS_VARIABLE,
    )
    assert find_misspelt_names(dict.fromkeys([*SETTING_NAMES, *others], ""), tmp_path, SETTING_NAMES) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MCP_API_KEY", "hunter2"),
        ("SECRET_KEY", "hunter2"),
        ("DATABASE_URL", "mysql://user:hunter2@host/name"),
        ("DATABASE_URL", "postgres://user:hunt@er/hunter2@host:0/name"),
        ("DATABASE_URL", "host=x password=hunter2"),
        ("REDIS_URL", "redis//:hunter2@host"),
    ],
)
def test_it_masks_secrets(name: str, value: str) -> None:
    message = get_mistakes({name: value})
    assert name in message
    assert "********" in message
    assert "hunter2" not in message


def test_the_configuration_shows_no_secrets(tmp_path: Path) -> None:
    secrets = {"MCP_API_KEY": "hunter2" * 5, "SECRET_KEY": "hunter2" * 5}
    urls = {"DATABASE_URL": "postgres://u:hunter2@h/d", "REDIS_URL": "redis://:hunter2@h"}
    assert "hunter2" not in repr(load_config({**secrets, **urls}, {}, tmp_path))


def test_a_long_value_is_cut_and_stays_on_one_line() -> None:
    message = get_mistakes({"LOG_LEVEL": "a\nb\u2028" + "x" * 500})
    assert len(message) < 250
    assert len(message.splitlines()) == 1


def test_bytes_of_the_environment_that_are_no_text_are_refused_except_in_paths(tmp_path: Path) -> None:
    directory = os.fsdecode(b"/srv/\xff")
    assert load_config({}, {"DATA_DIR": directory}, tmp_path).data_dir == Path(directory)
    with pytest.raises(ConfigError, match="MCP_API_KEY"):
        load_config({}, {"MCP_API_KEY": os.fsdecode(b"\xff" * 20)}, tmp_path)


@pytest.mark.parametrize(
    ("given_path", "expected"),
    [
        ("data", "/srv/here/data"),
        ("../data", "/srv/data"),
        ("/data", "/data"),
        ("~/data", "/home/me/data"),
        ("~", "/home/me"),
    ],
)
def test_relative_paths_are_taken_from_the_working_directory(given_path: str, expected: str) -> None:
    config = load_config({"DATA_DIR": given_path}, {"HOME": "/home/me"}, Path("/srv/here"))
    assert config.data_dir == Path(expected)


def test_the_data_directory_is_beside_the_code_in_a_source_checkout() -> None:
    assert find_default_data_dir({}) == PROJECT_ROOT / ".data"


@pytest.mark.parametrize(
    ("user_id", "environ", "expected"),
    [
        (0, {"HOME": "/root"}, "/var/lib/docsmcp"),
        (1000, {"HOME": "/home/me"}, "/home/me/.local/share/docsmcp"),
        (1000, {"HOME": "/home/me", "XDG_DATA_HOME": "/data"}, "/data/docsmcp"),
        (1000, {"HOME": "/home/me", "XDG_DATA_HOME": "relative"}, "/home/me/.local/share/docsmcp"),
    ],
)
def test_the_data_directory_of_an_installed_package(
    monkeypatch: pytest.MonkeyPatch, user_id: int, environ: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(loading, "PROJECT_ROOT", Path("/usr/lib/python3/site-packages"))
    monkeypatch.setattr(os, "geteuid", lambda: user_id)
    assert find_default_data_dir(environ) == Path(expected)


def test_origins_are_kept_as_browsers_write_them(tmp_path: Path) -> None:
    origins = "HTTPS://A.Example:443/, http://b.example:80 ,http://[::1]:8001,"
    config = load_config({"MCP_ALLOWED_ORIGINS": origins}, {}, tmp_path)
    assert config.mcp_allowed_origins == ("https://a.example", "http://b.example", "http://[::1]:8001")


def test_hosts_are_kept_as_django_compares_them(tmp_path: Path) -> None:
    config = load_config({"ALLOWED_HOSTS": "Docs.Example, .example.com,::1,*"}, {}, tmp_path)
    assert config.allowed_hosts == ("docs.example", ".example.com", "[::1]", "*")


def test_handed_down_flags_that_are_no_json_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("{", "[1]", "3"):
        monkeypatch.setenv(loading.FLAGS_VARIABLE, value)
        with pytest.raises(ConfigError, match="DOCSMCP_FLAGS"):
            loading.load_process_config()
    monkeypatch.setenv(loading.FLAGS_VARIABLE, json.dumps({"WEB_WORKERS": "3"}))
    assert loading.load_process_config().web_workers == 3
