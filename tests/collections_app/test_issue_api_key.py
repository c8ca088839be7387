from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from collections_app.access.authentication import authenticate
from collections_app.models import ApiKey, Collection
from collections_app.provisioning import get_tenant
from tests.factories import make_collection, make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def issue(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command; gives the secret that it prints."""

    def issue(*arguments: str) -> str:
        with pytest.raises(SystemExit, match="0"):
            call_command("issue_api_key", *arguments)
        return capsys.readouterr().out.strip()

    return issue


@pytest.fixture
def refuse(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command, which makes no key; gives what it says on standard error."""

    def refuse(*arguments: str) -> str:
        with pytest.raises(SystemExit, match="2"):
            call_command("issue_api_key", *arguments)
        assert not ApiKey.objects.exists()
        out, err = capsys.readouterr()
        assert out == ""
        return err

    return refuse


def test_the_secret_it_prints_is_good(issue: Any) -> None:
    principal = authenticate(issue("agent"))
    assert principal.all_collections
    assert sorted(principal.scopes) == ["ask", "read"]
    assert principal.tenant_id == get_tenant().pk


def test_it_may_have_a_rate_limit_of_its_own(issue: Any) -> None:
    assert authenticate(issue("agent", "--rate-limit", "30")).rate_limit == 30
    for given in ("0", "many", "1000001"):
        with pytest.raises(CommandError, match="is no number of requests: give a whole number from 1 to 1000000"):
            call_command("issue_api_key", "agent", "--rate-limit", given)


def test_it_grants_the_named_collections(issue: Any) -> None:
    for slug in ("one", "two", "three"):
        make_collection(slug, tenant=get_tenant())
    principal = authenticate(issue("agent", "--collections", "one,two", "--scopes", "read", "write"))
    assert {c.slug for c in Collection.objects.visible_to(principal)} == {"one", "two"}
    assert sorted(principal.scopes) == ["read", "write"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["agent", "--collections", "one", "two"],
        ["agent", "--collections", "one, two"],
        ["agent", "--collections", "one", "--collections", "two"],
        ["--collections", "one,two", "agent"],
        ["--collections", "one", "two", "agent"],
        ["--collections", "one,two", "--scopes", "read", "agent"],
    ],
)
def test_the_name_may_stand_on_either_side_of_a_list(issue: Any, arguments: list[str]) -> None:
    for slug in ("one", "two", "three"):
        make_collection(slug, tenant=get_tenant())
    principal = authenticate(issue(*arguments))
    assert ApiKey.objects.get().name == "agent"
    assert {c.slug for c in Collection.objects.visible_to(principal)} == {"one", "two"}


@pytest.mark.parametrize("arguments", [[], ["--collections", "one"], ["--scopes", "read"]])
def test_it_wants_a_name(refuse: Any, arguments: list[str]) -> None:
    assert "A key needs a name" in refuse(*arguments)


def test_a_collection_named_twice_is_granted_once(issue: Any) -> None:
    make_collection("one", tenant=get_tenant())
    assert authenticate(issue("agent", "--collections", "one", "one")).api_key_id


def test_an_empty_list_of_collections_grants_nothing(issue: Any) -> None:
    make_collection("one", tenant=get_tenant())
    assert not Collection.objects.visible_to(authenticate(issue("agent", "--collections"))).exists()


def test_it_belongs_to_the_named_tenant(issue: Any) -> None:
    tenant = make_tenant("acme")
    assert authenticate(issue("agent", "--tenant", "acme")).tenant_id == tenant.pk


@pytest.mark.parametrize(("when", "seconds"), [("12h", 12 * 3600), ("30d", 30 * 86400), ("8w", 56 * 86400)])
def test_it_expires_after_a_span(issue: Any, when: str, seconds: int) -> None:
    issue("agent", "--expires", when)
    expires = ApiKey.objects.get().expires
    assert expires is not None
    assert abs(expires - timezone.now() - timedelta(seconds=seconds)) < timedelta(minutes=1)


def test_it_expires_at_a_date(issue: Any) -> None:
    issue("agent", "--expires", "2999-01-31")
    expires = ApiKey.objects.get().expires
    assert expires is not None
    assert expires.isoformat() == "2999-01-31T00:00:00+00:00"


@pytest.mark.parametrize(
    "arguments",
    [["--expires", "yesterday"], ["--expires", "2001-01-01"], ["--expires", "99999w9"], ["--expires", "2999-13-45"]],
)
def test_it_refuses_a_date_that_is_none(arguments: list[str]) -> None:
    with pytest.raises((CommandError, SystemExit)):  # argparse's, which Django raises where it is called from code
        call_command("issue_api_key", "agent", *arguments)
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize(
    "arguments", [["--scopes", "admin"], ["--collections", "nope"], ["--tenant", "nobody"], ["--scopes", ","]]
)
def test_it_refuses_what_does_not_exist(refuse: Any, arguments: list[str]) -> None:
    assert refuse("agent", *arguments)


@pytest.mark.parametrize("name", ["", " ", "x" * 201])
def test_it_refuses_a_name_that_is_none(refuse: Any, name: str) -> None:
    assert "1 to 200 characters" in refuse(name)


@pytest.mark.parametrize("name", ["a\nb", "bell\a", "\x1b[31mred", "half \udcff", "a\u2028b"])
def test_it_refuses_a_name_that_a_terminal_would_obey(refuse: Any, name: str) -> None:
    assert "has control characters" in refuse(name)


def test_programs_get_the_secret_with_what_it_is_good_for(issue: Any) -> None:
    issued = json.loads(issue("agent", "--scopes", "read", "--json"))
    assert authenticate(issued["secret"]).label == issued["prefix"]
    assert (issued["name"], issued["scopes"], issued["collections"]) == ("agent", ["read"], None)
