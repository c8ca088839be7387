"""What each process connects to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from docsmcp_site.configuration.config import Config
from docsmcp_site.configuration.loading import load_config
from docsmcp_site.database.databases import make_databases, prepare_serving

DATABASE = "postgresql://u:p@primary/docs"
POOLER = "postgresql://u:p@pooler:6432/docs"
REPLICA = "postgresql://u:p@replica/docs?connect_timeout=7"


def make_config(tmp_path: Path, **values: str) -> Config:
    return load_config({}, {"DATA_DIR": str(tmp_path), **values}, tmp_path)


def serve(monkeypatch: pytest.MonkeyPatch, config: Config) -> dict[str, Any]:
    """The databases of a web server's process."""
    databases = make_databases(config)
    monkeypatch.setattr(connections, "settings", databases)
    prepare_serving(config)
    return databases


def test_without_an_address_it_is_the_embedded_one_and_nothing_else(tmp_path: Path, monkeypatch: Any) -> None:
    config = make_config(tmp_path, DATABASE_REPLICA_URL=REPLICA, DATABASE_DIRECT_URL=DATABASE, DATABASE_POOL_SIZE="4")
    [own] = serve(monkeypatch, config).values()
    assert own["ENGINE"] == "docsmcp_site.database.embedded_backend"
    assert "pool" not in own["OPTIONS"]


def test_no_host_is_waited_for_for_ever(tmp_path: Path) -> None:
    databases = make_databases(make_config(tmp_path, DATABASE_URL=DATABASE, DATABASE_REPLICA_URL=REPLICA))
    assert databases["default"]["OPTIONS"]["connect_timeout"] == "5"
    assert databases["replica"]["OPTIONS"]["connect_timeout"] == "7"


def test_statements_are_prepared_but_behind_a_pooler(tmp_path: Path, monkeypatch: Any) -> None:
    direct = serve(monkeypatch, make_config(tmp_path, DATABASE_URL=DATABASE))
    pooled = serve(monkeypatch, make_config(tmp_path, DATABASE_URL=POOLER, DATABASE_DIRECT_URL=DATABASE))
    assert direct["default"]["OPTIONS"]["prepare_threshold"] > 0
    assert pooled["direct"]["OPTIONS"]["prepare_threshold"] > 0
    assert "prepare_threshold" not in pooled["default"]["OPTIONS"]  # which Django takes for never


def test_the_web_server_goes_by_the_pooler_and_holds_locks_directly(tmp_path: Path, monkeypatch: Any) -> None:
    config = make_config(tmp_path, DATABASE_URL=POOLER, DATABASE_DIRECT_URL=DATABASE)
    assert make_databases(config)["default"]["HOST"] == "primary"  # every other process
    databases = serve(monkeypatch, config)
    assert (databases["default"]["HOST"], databases["direct"]["HOST"]) == ("pooler", "primary")
    assert databases["default"]["DISABLE_SERVER_SIDE_CURSORS"]
    assert databases["direct"]["CONN_MAX_AGE"] == 0


def test_a_pool_is_the_web_servers_alone(tmp_path: Path, monkeypatch: Any) -> None:
    config = make_config(tmp_path, DATABASE_URL=DATABASE, DATABASE_REPLICA_URL=REPLICA, DATABASE_POOL_SIZE="4")
    assert "pool" not in make_databases(config)["default"]["OPTIONS"]
    for each in serve(monkeypatch, config).values():
        assert each["OPTIONS"]["pool"]["max_size"] == 4
        assert each["CONN_MAX_AGE"] == 0  # Django refuses both at once


def test_only_the_web_server_gives_up_long_statements(tmp_path: Path, monkeypatch: Any) -> None:
    for values in ({}, {"DATABASE_URL": POOLER, "DATABASE_DIRECT_URL": DATABASE, "DATABASE_REPLICA_URL": REPLICA}):
        config = make_config(tmp_path, **values)
        assert all("patience" not in each["OPTIONS"] for each in make_databases(config).values())
        assert all(each["OPTIONS"]["patience"] > 0 for each in serve(monkeypatch, config).values())


def test_a_host_that_went_silent_is_given_up(tmp_path: Path) -> None:
    url = f"{DATABASE}?keepalives_idle=60"
    options = make_databases(make_config(tmp_path, DATABASE_URL=url, DATABASE_REPLICA_URL=REPLICA))
    assert options["default"]["OPTIONS"]["keepalives_idle"] == "60"
    assert int(options["replica"]["OPTIONS"]["tcp_user_timeout"]) <= 30_000
