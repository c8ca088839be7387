from __future__ import annotations

from typing import Any

import pytest

from collections_app.encryption import decrypt, encrypt
from collections_app.exceptions import InvalidParameter


def test_it_reads_what_it_wrote() -> None:
    assert decrypt(encrypt("ghp_träumerei")) == "ghp_träumerei"


def test_the_secret_is_not_in_what_is_stored_nor_the_same_twice() -> None:
    assert "ghp_secret" not in encrypt("ghp_secret")
    assert encrypt("ghp_secret") != encrypt("ghp_secret")


def test_another_secret_key_is_an_error_that_says_what_to_do(settings: Any) -> None:
    stored = encrypt("ghp_secret")
    settings.SECRET_KEY = "another key, which is long enough to be one"
    with pytest.raises(InvalidParameter, match="SECRET_KEY"):
        decrypt(stored)
