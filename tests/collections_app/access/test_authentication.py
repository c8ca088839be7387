"""Keys: one that is good, and all the ways not to be."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from collections_app.access.authentication import InvalidCredential, authenticate
from collections_app.access.principal import Scope
from collections_app.models import ApiKey
from tests.factories import make_collection, make_tenant

pytestmark = pytest.mark.django_db


def test_a_key_becomes_a_principal() -> None:
    tenant = make_tenant()
    key, secret = ApiKey.objects.issue(tenant=tenant, name="agent", scopes=[Scope.READ, Scope.ASK])
    principal = authenticate(secret)
    assert (principal.api_key_id, principal.tenant_id, principal.all_collections) == (key.pk, tenant.pk, True)
    assert principal.scopes == {Scope.READ, Scope.ASK}


def test_only_a_digest_is_stored() -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="agent")
    stored = ApiKey.objects.filter(pk=key.pk).values().get()
    assert secret not in str(stored)
    assert secret.removeprefix(f"{key.prefix}_") not in str(stored)


def test_a_granted_key_is_told_apart_from_one_for_all() -> None:
    collection = make_collection()
    _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="agent", collections=[collection])
    assert not authenticate(secret).all_collections


def test_nothing_shown_is_the_anonymous_reader() -> None:
    principal = authenticate(None, "127.0.0.1")
    assert principal.is_anonymous
    assert principal.scopes == {Scope.READ}


def test_a_revoked_key_is_refused() -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="agent")
    key.revoke()
    with pytest.raises(InvalidCredential):
        authenticate(secret)


def test_an_expired_key_is_refused() -> None:
    _, secret = ApiKey.objects.issue(tenant=make_tenant(), name="agent", expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InvalidCredential):
        authenticate(secret)


@pytest.mark.parametrize("credential", ["", "x", "dmcp_", "dmcp_00000000_wrong", "\0", "ключ", "x" * 10_000, "a b"])
def test_what_is_no_key_is_refused(credential: str) -> None:
    ApiKey.objects.issue(tenant=make_tenant(), name="agent")
    with pytest.raises(InvalidCredential):
        authenticate(credential)


def test_a_key_with_the_right_prefix_and_another_secret_is_refused() -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="agent")
    wrong = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    assert ApiKey.prefix_of(wrong) == key.prefix
    with pytest.raises(InvalidCredential):
        authenticate(wrong)


def test_a_secret_of_the_operators_own_works_too() -> None:
    ApiKey.objects.issue(tenant=make_tenant(), name="setting", secret="an-operators-own-secret")
    assert authenticate("an-operators-own-secret").api_key_id is not None


def test_last_use_is_written_at_most_once_a_minute() -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="agent")
    authenticate(secret)
    first = ApiKey.objects.get(pk=key.pk).last_used
    authenticate(secret)
    assert ApiKey.objects.get(pk=key.pk).last_used == first is not None
    ApiKey.objects.filter(pk=key.pk).update(last_used=timezone.now() - timedelta(minutes=2))
    authenticate(secret)
    assert ApiKey.objects.filter(pk=key.pk, last_used__gt=timezone.now() - timedelta(minutes=1)).exists()
