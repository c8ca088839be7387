"""Rotation gives an agent time to change its key, and no more; revoking ends all of it at once."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from collections_app.access.api_keys import MAX_OVERLAP, end_old_secret, get_api_key, revoke_api_key, rotate_api_key
from collections_app.access.authentication import InvalidCredential, authenticate
from collections_app.exceptions import InvalidParameter
from collections_app.models import ApiKey, AuditEvent
from tests.factories import make_collection, make_tenant

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def issue(**options: Any) -> tuple[ApiKey, str]:
    return ApiKey.objects.issue(**{"tenant": make_tenant(), "name": "agent", **options})


def move_back(key: ApiKey, span: timedelta) -> None:
    """As if the rotation had been so much earlier."""
    assert key.old_expires is not None
    ApiKey.objects.filter(pk=key.pk).update(old_expires=key.old_expires - span)


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and what is on standard output."""
    output = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("api_keys", *arguments, stdout=output, stderr=StringIO())
    assert isinstance(end.value.code, int)
    return end.value.code, output.getvalue()


def test_both_secrets_are_the_same_key_while_they_overlap() -> None:
    key, old = issue()
    new = rotate_api_key(key, DAY)
    assert authenticate(old) == authenticate(new)
    assert authenticate(new).api_key_id == key.pk


def test_the_old_secret_ends_with_the_overlap() -> None:
    key, old = issue()
    new = rotate_api_key(key, DAY)
    move_back(key, DAY)
    with pytest.raises(InvalidCredential):
        authenticate(old)
    assert authenticate(new)


def test_without_overlap_the_old_secret_ends_at_once() -> None:
    key, old = issue()
    rotate_api_key(key, timedelta(0))
    with pytest.raises(InvalidCredential):
        authenticate(old)


def test_the_old_secret_lives_no_longer_than_the_key() -> None:
    key, old = issue(expires=timezone.now() + DAY)
    rotate_api_key(key, 7 * DAY)
    ApiKey.objects.filter(pk=key.pk).update(expires=timezone.now())
    with pytest.raises(InvalidCredential):
        authenticate(old)


def test_only_one_old_secret_works() -> None:
    key, first = issue()
    second = rotate_api_key(key, DAY)
    third = rotate_api_key(key, DAY)
    assert authenticate(second) == authenticate(third)
    with pytest.raises(InvalidCredential):
        authenticate(first)


def test_each_secret_tells_when_it_was_used_last() -> None:
    key, old = issue()
    rotate_api_key(key, DAY)
    authenticate(old)
    key.refresh_from_db()
    assert key.old_last_used is not None
    assert key.last_used is None


def test_revoking_ends_both_secrets() -> None:
    key, old = issue()
    new = rotate_api_key(key, DAY)
    revoke_api_key(key)
    for secret in (old, new):
        with pytest.raises(InvalidCredential):
            authenticate(secret)


def test_the_old_secret_can_be_ended_alone() -> None:
    key, old = issue()
    new = rotate_api_key(key, DAY)
    end_old_secret(key)
    with pytest.raises(InvalidCredential):
        authenticate(old)
    assert authenticate(new)
    with pytest.raises(InvalidParameter, match="no old secret"):
        end_old_secret(key)


def test_a_key_that_works_no_more_is_not_rotated() -> None:
    key, _ = issue()
    revoke_api_key(key)
    with pytest.raises(InvalidParameter, match="revoked or has expired"):
        rotate_api_key(key)
    with pytest.raises(InvalidParameter, match="revoked since"):
        revoke_api_key(key)


@pytest.mark.parametrize("overlap", [-DAY, MAX_OVERLAP + DAY])
def test_an_overlap_out_of_bounds_is_refused(overlap: timedelta) -> None:
    key, _ = issue()
    with pytest.raises(InvalidParameter, match="at most 90 days"):
        rotate_api_key(key, overlap)


def test_the_key_of_the_setting_is_changed_in_the_setting(settings: Any) -> None:
    secret = "s" * 20
    key, _ = issue(secret=secret)
    with override_settings(DOCSMCP=settings.DOCSMCP.model_copy(update={"mcp_api_key": secret})):
        with pytest.raises(InvalidParameter, match="MCP_API_KEY"):
            rotate_api_key(key)
        assert authenticate(secret)


def test_a_key_is_found_by_prefix_or_by_name_in_its_tenant_only() -> None:
    key, _ = issue(name="agent")
    assert get_api_key(key.tenant, key.prefix) == get_api_key(key.tenant, "agent") == key
    with pytest.raises(InvalidParameter, match="has no key"):
        get_api_key(make_tenant(), key.prefix)


def test_of_several_of_a_name_the_one_that_works_is_meant() -> None:
    key, _ = issue(name="agent")
    other, _ = issue(tenant=key.tenant, name="agent")
    with pytest.raises(InvalidParameter, match=key.prefix):
        get_api_key(key.tenant, "agent")
    revoke_api_key(other)
    assert get_api_key(key.tenant, "agent") == key


class TestCommand:
    def test_it_lists_keys_without_their_secrets(self) -> None:
        collection = make_collection("guide")
        key, secret = issue(tenant=collection.tenant, collections=[collection])
        code, output = run("list", "--tenant", collection.tenant.slug)
        assert code == 0
        assert key.prefix in output
        assert "guide" in output
        assert secret.removeprefix(f"{key.prefix}_") not in output

    def test_it_rotates_and_prints_the_secret_alone(self) -> None:
        key, old = issue()
        code, output = run("rotate", "agent", "--overlap", "7d", "--tenant", key.tenant.slug)
        assert code == 0
        assert authenticate(output.strip()) == authenticate(old)
        key.refresh_from_db()
        assert key.old_expires is not None
        assert key.old_expires > timezone.now() + 6 * DAY
        assert "rotated" in run("list", "--tenant", key.tenant.slug)[1]

    def test_it_revokes(self) -> None:
        key, secret = issue()
        assert run("revoke", key.prefix, "--tenant", key.tenant.slug) == (0, f"Revoked: {key}\n")
        with pytest.raises(InvalidCredential):
            authenticate(secret)

    def test_it_ends_the_old_secret_alone(self) -> None:
        key, old = issue()
        new = rotate_api_key(key)
        assert run("revoke", "agent", "--old-only", "--tenant", key.tenant.slug)[0] == 0
        assert authenticate(new)
        with pytest.raises(InvalidCredential):
            authenticate(old)

    def test_it_refuses_a_key_that_there_is_not(self) -> None:
        tenant = make_tenant()
        code, output = run("revoke", "nobody", "--tenant", tenant.slug, "--json")
        assert code == 2
        assert json.loads(output)["error"]["code"] == "INVALID_PARAMETER"

    def test_json_tells_both_secrets_and_shows_the_new_one_once(self) -> None:
        key, _ = issue()
        report = json.loads(run("rotate", "agent", "--tenant", key.tenant.slug, "--json")[1])
        assert authenticate(report["secret"]).api_key_id == key.pk
        assert report["old_secret"]["prefix"] == key.prefix
        listed = json.loads(run("list", "--tenant", key.tenant.slug, "--json")[1])
        assert "secret" not in listed["keys"][0]

    def test_what_it_did_is_in_the_audit_log(self) -> None:
        key, _ = issue()
        run("rotate", "agent", "--tenant", key.tenant.slug)
        run("revoke", "agent", "--old-only", "--tenant", key.tenant.slug)
        run("revoke", "agent", "--tenant", key.tenant.slug)
        done = AuditEvent.objects.order_by("pk").values_list("action", "object_id", "actor_name")
        assert list(done) == [
            (action, str(key.pk), "command line") for action in ("rotate", "end the old secret of", "revoke")
        ]


def test_keys_of_every_tenant_are_listed_with_it() -> None:
    key, _ = issue()
    issue(tenant=make_tenant("acme"))
    code, out = run("list", "--all-tenants")
    told = sorted(line.split()[0] for line in out.splitlines())
    assert (code, told) == (0, sorted(["TENANT", "acme", key.tenant.slug]))
