"""A person at a browser without a screen, who signs in and connects an app: for real clients that send people to the consent page."""

from __future__ import annotations

import re

import httpx

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def allow(address: str, user: str, password: str, **form: str | list[str]) -> str:
    """Where the person is sent back to from the consent page at this address, where they are not signed in yet."""
    with httpx.Client(follow_redirects=True, trust_env=False) as browser:
        sign_in = browser.get(address)
        page = browser.post(
            sign_in.url,
            data={"username": user, "password": password, "csrfmiddlewaretoken": find_token(sign_in)},
            headers={"Referer": str(sign_in.url)},
        )
        filled = {"may": ["read", "ask"], "reach": "all", "allow": "1", **form}
        answer = browser.post(
            page.url,
            data={**filled, "csrfmiddlewaretoken": find_token(page)},
            headers={"Referer": str(page.url)},
            follow_redirects=False,
        )
    assert answer.status_code == httpx.codes.FOUND, answer.text
    return answer.headers["Location"]


def find_token(page: httpx.Response) -> str:
    found = TOKEN.search(page.text)
    assert found is not None, page.text
    return found[1]
