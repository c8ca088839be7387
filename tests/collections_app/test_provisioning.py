"""A tenant is found by its slug as it is written, then as it would be written today."""

from __future__ import annotations

import pytest

from collections_app.exceptions import InvalidParameter
from collections_app.provisioning import get_tenant
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db


def test_a_slug_that_was_never_checked_names_its_own_tenant() -> None:
    tenants = {slug: make_tenant(slug) for slug in ("gamma", "Gamma", "Delta", "-_x")}
    assert {slug: get_tenant(slug) for slug in tenants} == tenants


def test_capital_letters_find_a_slug_without_them() -> None:
    acme = make_tenant("acme")
    assert get_tenant("ACME") == acme
    with pytest.raises(InvalidParameter, match="There is no tenant 'other'"):
        get_tenant("Other")


def test_the_default_one_is_made() -> None:
    assert get_tenant("Default").slug == get_tenant().slug == "default"
