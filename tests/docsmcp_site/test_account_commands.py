from __future__ import annotations

import io
import os
from unittest import mock

import pytest
from django.core.management import call_command

from collections_app.exceptions import InvalidParameter
from collections_app.models import User

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_account_is_made_without_a_terminal() -> None:
    with mock.patch.dict(os.environ, DJANGO_SUPERUSER_PASSWORD="a-long-password"):
        call_command("createsuperuser", interactive=False, username="ada", email="ada@example.org")
    user = User.objects.get(username="ada")
    assert (user.is_superuser, user.check_password("a-long-password")) == (True, True)


@pytest.mark.parametrize(
    ("password", "reason"), [("12345", "too short"), ("", "too short"), ("ada@example.org", "similar")]
)
def test_a_given_password_is_held_against_the_rules(password: str, reason: str) -> None:
    with (
        mock.patch.dict(os.environ, DJANGO_SUPERUSER_PASSWORD=password),
        pytest.raises(InvalidParameter, match=f"DJANGO_SUPERUSER_PASSWORD .*{reason}"),
    ):
        call_command("createsuperuser", interactive=False, username="ada", email="ada@example.org")
    assert not User.objects.exists()


def test_where_nobody_answers_it_says_how_to_do_without() -> None:
    with pytest.raises(InvalidParameter, match="docsmcp createsuperuser --noinput --username"):
        call_command("createsuperuser", stdin=io.StringIO())
    assert not User.objects.exists()


def test_what_is_missing_or_taken_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="--username"):
        call_command("createsuperuser", interactive=False)
    User.objects.create_user("ada")
    with pytest.raises(InvalidParameter, match="That username is already taken"):
        call_command("createsuperuser", interactive=False, username="ada", email="ada@example.org")


@pytest.mark.parametrize(("command", "name"), [("changepassword", "ada"), ("createsuperuser", "--username=bob")])
def test_the_end_of_the_input_is_no_password(command: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_user("ada")
    monkeypatch.setattr("getpass.getpass", mock.Mock(side_effect=EOFError))
    options = {"stdin": Terminal(), "email": "bob@example.org"} if command == "createsuperuser" else {}
    with pytest.raises(InvalidParameter, match="run this at a terminal"):
        call_command(command, name, **options)


def test_who_is_not_there_gets_no_password() -> None:
    with pytest.raises(InvalidParameter, match=r"no account 'nobody': .*createsuperuser"):
        call_command("changepassword", "nobody")
    with (
        mock.patch("getpass.getuser", return_value="me"),
        pytest.raises(InvalidParameter, match="no account 'me': name one"),
    ):
        call_command("changepassword")
