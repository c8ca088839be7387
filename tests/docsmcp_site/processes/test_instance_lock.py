from __future__ import annotations

from pathlib import Path

import pytest

from docsmcp_site.exceptions import StartError
from docsmcp_site.processes.instance_lock import holding_data_dir

URL = "http://127.0.0.1:8001"


def test_it_refuses_a_second_holder_and_says_where_the_first_one_is(tmp_path: Path) -> None:
    with (
        holding_data_dir(tmp_path, URL),
        pytest.raises(StartError, match=f"already, at {URL}: .* --data-dir"),
        holding_data_dir(tmp_path, "http://127.0.0.1:9"),
    ):
        pass


def test_the_next_one_may_hold_it(tmp_path: Path) -> None:
    for _ in range(2):
        with holding_data_dir(tmp_path, URL):
            pass


def test_a_file_that_a_killed_holder_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "up.lock").write_text("http://127.0.0.1:8001/a/longer/address")
    with holding_data_dir(tmp_path, URL):
        assert (tmp_path / "up.lock").read_text() == URL


def test_it_makes_a_data_directory_that_others_may_not_list(tmp_path: Path) -> None:
    with holding_data_dir(tmp_path / "a" / "b", URL):
        assert (tmp_path / "a" / "b").stat().st_mode & 0o066 == 0


def test_it_refuses_a_data_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(StartError, match=r"file/data cannot be written .*--data-dir"),
        holding_data_dir(tmp_path / "file" / "data", URL),
    ):
        pass
