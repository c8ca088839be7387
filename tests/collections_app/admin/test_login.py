"""Who may sign in, and how often it may be tried."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from collections_app.limits import sign_ins
from collections_app.models import Membership, User
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"


@pytest.fixture(autouse=True)
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    caches[settings.RATELIMIT_USE_CACHE].clear()
    monkeypatch.setattr(sign_ins, "TRIES_OF_ADDRESS", 3)
    monkeypatch.setattr(sign_ins, "TRIES_FOR_NAME", 5)


@pytest.fixture
def member() -> User:
    user = User.objects.create_user("member", password="right")
    Membership.objects.create(tenant=make_tenant(), user=user, role="viewer")
    return user


def sign_in(client: Client, password: str, address: str = "192.0.2.1", name: str = "member") -> tuple[int, str]:
    response = client.post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR=address)
    return response.status_code, response.content.decode()


def test_a_member_signs_in(client: Client, member: User) -> None:
    assert sign_in(client, "right")[0] == 302
    assert client.get(reverse("admin:index")).status_code == 200


def test_an_account_without_a_tenant_is_told_what_to_do(client: Client) -> None:
    User.objects.create_user("alone", password="right", is_staff=True)
    status, page = sign_in(client, "right", name="alone")
    assert status == 200
    assert "belongs to no tenant" in page
    assert client.get(reverse("admin:index")).status_code == 302


def test_an_address_has_so_many_tries(client: Client, member: User) -> None:
    assert [sign_in(client, "wrong", name=f"user-{n}")[0] for n in range(4)] == [200, 200, 200, 429]
    status, page = sign_in(client, "right")
    assert status == 429
    assert "Too many tries to sign in. Try again in" in page
    assert sign_in(client, "right", address="192.0.2.2")[0] == 302, "Another address is not meant"


def test_a_name_has_so_many_tries_from_wherever(client: Client, member: User) -> None:
    tries = [sign_in(client, "wrong", address=f"192.0.2.{n}", name="MEMBER")[0] for n in range(6)]
    assert tries == [200] * 5 + [429]
    assert sign_in(client, "right", address="192.0.2.77")[0] == 429


def test_spellings_of_a_name_are_one(client: Client, member: User) -> None:
    spellings = ["member", "ｍember", "mｅmber", " MEMBER ", "\u2003memb\u24d4r"]
    tries = [sign_in(client, "wrong", f"192.0.2.{n}", name)[0] for n, name in enumerate([*spellings, "ＭＥＭＢＥＲ"])]
    assert tries == [200] * 5 + [429]
    assert sign_in(client, "right", "192.0.2.77", "ｍember")[0] == 429


def test_a_spelling_in_full_width_signs_in(client: Client, member: User) -> None:
    assert sign_in(client, "right", name="ｍember")[0] == 302, "so it has to count as that name"


def test_it_is_the_same_for_a_name_that_does_not_exist(client: Client, member: User) -> None:
    token = "csrfmiddlewaretoken"
    pages = [sign_in(client, "wrong", name=name)[1] for name in ("member", "absent")]
    shown = [
        "".join(line for line in page.splitlines() if token not in line and "value=" not in line) for page in pages
    ]
    assert shown[0] == shown[1]


def test_a_process_counts_for_itself_while_the_counters_are_away(
    client: Client, member: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise ConnectionError

    sign_ins.own_counts.clear()
    monkeypatch.setattr(sign_ins, "get_usage", fail)
    assert [sign_in(client, "wrong", name=f"user-{n}")[0] for n in range(4)] == [200, 200, 200, 429]
    assert "Try again in" in sign_in(client, "right")[1]
    assert sign_in(client, "right", address="192.0.2.2")[0] == 302, "Another address is not meant"


def test_a_person_changes_the_own_password(client: Client, member: User) -> None:
    client.force_login(member)
    given = {"old_password": "right", "new_password1": "a-long-phrase-42", "new_password2": "a-long-phrase-42"}
    assert client.post(reverse("admin:password_change"), given).status_code == 302
    member.refresh_from_db()
    assert member.check_password("a-long-phrase-42")


class TestASessionThatEnded:
    """What a form is sent to may be no page to come back to."""

    def test_who_signs_in_again_comes_to_the_page_of_the_form(self, client: Client) -> None:
        page = reverse("admin:collections_app_ingestjob_change", args=[1]) + "?outcome=failed"
        sent = client.post(reverse("admin:cancel_job", args=[1]), HTTP_REFERER=f"http://testserver{page}")
        assert (sent.status_code, parse_qs(urlsplit(sent["Location"]).query)) == (302, {"next": [page]})

    @pytest.mark.parametrize("came_from", ["", "https://elsewhere.example/admin/", "http://[bad"])
    def test_no_other_page_leads_anywhere(self, client: Client, came_from: str) -> None:
        address = reverse("admin:new_collection")
        sent = client.post(address, HTTP_REFERER=came_from)
        assert parse_qs(urlsplit(sent["Location"]).query) == {"next": [address]}
