from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from docsmcp_site.processes.first_run import Credentials
from docsmcp_site.processes.ready_text import Running

RUNNING = Running(
    base_url="http://127.0.0.1:8001",
    data_dir=Path("/data"),
    credentials=Credentials("admin", "a-password", "a-key"),
    collections=["handbook"],
    is_mcp_enabled=True,
    has_keys=True,
)


def test_programs_get_one_line() -> None:
    assert "\n" not in RUNNING.as_json()
    assert json.loads(RUNNING.as_json()) == {
        "url": "http://127.0.0.1:8001/mcp",
        "admin_url": "http://127.0.0.1:8001/admin/",
        "admin_user": "admin",
        "admin_password": "a-password",
        "api_key": "a-key",
        "collection": "handbook",
    }


def test_programs_get_null_for_what_is_not_known() -> None:
    unknown = json.loads(replace(RUNNING, credentials=Credentials(), collections=[]).as_json())
    assert [name for name, value in unknown.items() if value is None] == [
        "admin_user",
        "admin_password",
        "api_key",
        "collection",
    ]


def test_people_get_all_that_they_need_to_start() -> None:
    text = RUNNING.as_text()
    for part in ("http://127.0.0.1:8001/mcp", "http://127.0.0.1:8001/admin/", "admin", "a-password", "handbook"):
        assert part in text
    for client in ("Claude Code", "Cursor", "VS Code", "Claude Desktop"):
        assert client in text
    assert text.count("a-key") == 5  # by itself and in each configuration


def test_people_are_told_what_to_do_about_what_is_not_known() -> None:
    text = replace(RUNNING, credentials=Credentials("admin"), collections=[], has_keys=False).as_text()
    for command in ("docsmcp issue_api_key", "docsmcp changepassword admin", "docsmcp up DIR"):
        assert command in text
    assert "Bearer YOUR_API_KEY" in text
    assert "docsmcp createsuperuser" in replace(RUNNING, credentials=Credentials()).as_text()


def test_a_key_that_works_is_not_said_to_be_invalid_because_its_secret_is_elsewhere() -> None:
    text = replace(RUNNING, credentials=Credentials("admin")).as_text()
    assert "the one that you have" in text
    assert "docsmcp api_keys rotate" in text
    assert "valid" not in text


def test_people_are_told_when_there_is_no_endpoint() -> None:
    assert "MCP endpoint  off (MCP_ENABLED=false)" in replace(RUNNING, is_mcp_enabled=False).as_text()
