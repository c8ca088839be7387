"""Styles and scripts have the release in their addresses, are kept by browsers for good, and never mixed with another release's."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.templatetags.static import static
from django.test import Client

from docsmcp_site.pages import static_files

STYLE = "docsmcp/admin.css"


def test_a_browser_asks_for_a_file_of_a_release_once(client: Client) -> None:
    for name in (STYLE, "admin/css/base.css", "unfold/css/styles.css"):
        answer = client.get(static(name))
        assert (answer.status_code, answer.headers["Content-Type"].partition(";")[0]) == (200, "text/css")
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.getvalue()


def test_another_release_has_other_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_files, "OWN", tmp_path)
    names = [static_files.name_release()]
    (tmp_path / "admin.css").write_text("a {}")
    names.append(static_files.name_release())
    (tmp_path / "admin.css").write_text("b {}")
    names.append(static_files.name_release())
    monkeypatch.setattr(static_files, "version", lambda name: "another")
    names.append(static_files.name_release())
    assert len(set(names)) == len(names)
    assert static_files.name_release() == names[-1]


def test_an_address_of_another_release_is_answered_and_not_kept(client: Client) -> None:
    answer = client.get(f"/static/0123456789ab/{STYLE}")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.getvalue() == client.get(static(STYLE)).getvalue()
    assert client.post(f"/static/0123456789ab/{STYLE}").status_code == 405


@pytest.mark.parametrize(
    "name", ["docsmcp/nothing.css", "docsmcp", "docsmcp/%00.css", "../settings.py", "%2e%2e/settings.py"]
)
def test_nothing_else_is_given_out(client: Client, name: str) -> None:
    assert client.get(f"/static/0123456789ab/{name}").status_code in {400, 404}
    assert client.get(f"/static/{name}").status_code in {400, 404}
