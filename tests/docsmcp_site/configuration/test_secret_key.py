import multiprocessing
from pathlib import Path

import pytest

from docsmcp_site.configuration.loading import ConfigError
from docsmcp_site.configuration.secret_key import get_kept_secret_key


def test_it_makes_a_key_once_and_keeps_it_for_its_owner(tmp_path: Path) -> None:
    key = get_kept_secret_key(tmp_path / "new" / "data")
    assert len(key) >= 50
    assert get_kept_secret_key(tmp_path / "new" / "data") == key
    assert [path.name for path in (tmp_path / "new" / "data").iterdir()] == ["secret_key"]
    assert (tmp_path / "new" / "data" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_others_may_not_list_the_directory_that_it_makes(tmp_path: Path) -> None:
    get_kept_secret_key(tmp_path / "data")
    assert (tmp_path / "data").stat().st_mode & 0o066 == 0


def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert len(set(pool.map(get_kept_secret_key, [tmp_path / "data"] * 6))) == 1


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 50])
def test_it_refuses_a_damaged_file_and_leaves_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(content)
    with pytest.raises(ConfigError, match=r"SECRET_KEY.*damaged"):
        get_kept_secret_key(tmp_path)
    assert (tmp_path / "secret_key").read_bytes() == content


def test_it_refuses_a_data_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(ConfigError, match=r"^[^\n]*DATA_DIR .*it is no directory"):
        get_kept_secret_key(tmp_path / "data")
    with pytest.raises(ConfigError, match=r"^[^\n]*DATA_DIR .*it is no directory"):
        get_kept_secret_key(tmp_path / "data" / "below")
