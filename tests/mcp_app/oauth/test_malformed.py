"""What no correct app sends where tokens are issued and given back: each is refused with an error of the standard."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from tests.mcp_app.oauth.apps import FORM, SECURE, Browser, ask_for, post_form, redeem, register

pytestmark = pytest.mark.django_db

PATHS = ("/oauth/token", "/oauth/revoke")


def refuse(response: Any) -> str:
    """The error with which it was refused."""
    assert response.status_code in {400, 401}
    answer: dict[str, str] = response.json()
    assert set(answer) <= {"error", "error_description"}
    return answer["error"]


def post(path: str, body: bytes | str, content_type: str = FORM) -> Any:
    return Client().post(path, body, content_type, **SECURE)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "header",
    [
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic \xe9",
        f"Basic {b64encode(bytes([255, 58, 255])).decode()}",
        f"Basic {b64encode(b'no colon').decode()}",
        f"Basic {b64encode(b'a%00:b%00').decode()}",
        "Bearer token",
    ],
)
def test_a_header_that_names_no_app(path: str, header: str) -> None:
    response = post_form(path, {"grant_type": "authorization_code", "code": "x", "token": "x"}, Authorization=header)
    assert refuse(response) == "invalid_client"
    assert response.status_code == 401


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ('{"grant_type": "authorization_code"}', "application/json"),
        ("grant_type=authorization_code", "text/plain"),
        ("grant_type=authorization_code", "multipart/form-data"),
        ("grant_type=authorization_code", f"{FORM}; charset=utf-16"),
        ("&".join(f"a{number}=b" for number in range(20_000)), FORM),
        ("a=" + "b" * 3_000_000, FORM),
        ("grant_type=%ff", FORM),
        (b"grant_type=\xff", FORM),
        ("client_id=a&client_id=b", FORM),
        ("token=a&token=b&code=a&code=b", FORM),
    ],
)
def test_a_body_that_is_no_form(path: str, body: bytes | str, content_type: str) -> None:
    assert refuse(post(path, body, content_type)) == "invalid_request"


def test_a_form_may_name_its_characters() -> None:
    assert refuse(post("/oauth/token", "grant_type=password", f"{FORM}; charset=UTF-8")) == "unsupported_grant_type"


def test_parameters_in_the_address_do_not_count(browser: Browser) -> None:
    client_id = register()["client_id"]
    response = Client().post(f"/oauth/token?grant_type=authorization_code&client_id={client_id}", "a=b", FORM, **SECURE)
    assert refuse(response) == "unsupported_grant_type"


def test_parameters_of_the_consent_are_those_of_its_address(browser: Browser) -> None:
    """Which the person was shown; the form has only what the person chose."""
    client_id = register(redirect_uris=["https://chat.example/callback", "https://chat.example/other"])["client_id"]
    asked = ask_for(client_id, redirect_uri="")
    assert browser.answer(asked, redirect_uri="https://chat.example/other").status_code == 400
    code = browser.allow(ask_for(client_id), state="another", code_challenge="x", scope="write", resource="x")
    assert redeem(client_id, code).json()["scope"] == "read ask"


@pytest.mark.parametrize("hint", ["access_token", "refresh_token", "of another kind"])
def test_a_token_is_given_back_whatever_it_is_taken_for(hint: str) -> None:
    given = {"client_id": register()["client_id"], "token": "made up", "token_type_hint": hint}
    assert post_form("/oauth/revoke", given).status_code == 200


def test_giving_back_nothing_is_told() -> None:
    for given in ({}, {"token": ""}):
        assert refuse(post_form("/oauth/revoke", {"client_id": register()["client_id"], **given})) == "invalid_request"
