from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from collections_app.access.principal import Scope
from collections_app.models import ApiKey, Tenant, User
from collections_app.provisioning import get_tenant
from docsmcp_site.processes.first_run import Credentials, ensure_credentials, find_credentials, has_usable_key
from tests.factories import make_tenant

pytestmark = pytest.mark.django_db

CONFIGURED = "a-key-of-the-operator"


@pytest.fixture
def tenant() -> Tenant:
    return get_tenant()


def run(tenant: Tenant, data_dir: Path, configured_key: str = "") -> Credentials:
    ensure_credentials(tenant, data_dir, configured_key)
    return find_credentials(data_dir, configured_key)


def test_it_makes_an_administrator_and_a_key_that_work(tenant: Tenant, tmp_path: Path) -> None:
    made = run(tenant, tmp_path)
    user = User.objects.get()
    assert (made.admin_user, user.is_superuser, user.is_staff) == (user.username, True, True)
    assert user.check_password(made.admin_password or "")
    key = ApiKey.objects.find_by_secret(made.api_key or "")
    assert key is not None
    assert (key.tenant, key.scopes, key.all_collections) == (tenant, [Scope.ASK, Scope.READ], True)


def test_it_keeps_them_for_nobody_else_to_read(tenant: Tenant, tmp_path: Path) -> None:
    made = run(tenant, tmp_path)
    path = tmp_path / "first-run.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert Credentials(**json.loads(path.read_text())) == made


def test_later_runs_make_nothing_and_say_the_same(tenant: Tenant, tmp_path: Path) -> None:
    assert run(tenant, tmp_path) == run(tenant, tmp_path)
    assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)


def test_it_does_not_repeat_a_password_that_was_changed(tenant: Tenant, tmp_path: Path) -> None:
    made = run(tenant, tmp_path)
    user = User.objects.get()
    user.set_password("another")
    user.save()
    assert run(tenant, tmp_path) == Credentials(made.admin_user, None, made.api_key)


def test_it_does_not_repeat_an_administrator_that_is_gone(tenant: Tenant, tmp_path: Path) -> None:
    made = run(tenant, tmp_path)
    User.objects.all().delete()
    assert run(tenant, tmp_path) == Credentials(None, None, made.api_key)


@pytest.mark.parametrize(
    "change", [{"revoked": timezone.now()}, {"expires": timezone.now() - timedelta(days=1)}, {"digest": "0" * 64}]
)
def test_it_does_not_repeat_a_key_that_is_no_longer_valid(
    tenant: Tenant, tmp_path: Path, change: dict[str, object]
) -> None:
    made = run(tenant, tmp_path)
    ApiKey.objects.update(**change)
    assert run(tenant, tmp_path) == Credentials(made.admin_user, made.admin_password, None)


def test_a_key_that_was_deleted_is_not_made_again(tenant: Tenant, tmp_path: Path) -> None:
    run(tenant, tmp_path)
    ApiKey.objects.all().delete()
    assert run(tenant, tmp_path).api_key is None
    assert not ApiKey.objects.exists()


def test_it_leaves_a_database_alone_that_others_set_up(tenant: Tenant, tmp_path: Path) -> None:
    User.objects.create_superuser("root", password="secret")
    ApiKey.objects.issue(tenant=tenant, name="theirs")
    assert run(tenant, tmp_path) == Credentials()
    assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)


def test_it_never_takes_over_a_user_that_is_called_admin(tenant: Tenant, tmp_path: Path) -> None:
    User.objects.create_user("admin", password="secret")
    assert run(tenant, tmp_path).admin_password is None
    assert not User.objects.filter(is_superuser=True).exists()


def test_a_new_database_has_a_first_run_of_its_own(tenant: Tenant, tmp_path: Path) -> None:
    old = run(tenant, tmp_path)
    User.objects.all().delete()
    ApiKey.objects.all().delete()
    new = run(tenant, tmp_path)
    assert new.api_key not in {None, old.api_key}
    assert new.admin_password not in {None, old.admin_password}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"admin_user": 1}', '{"something": "else"}'])
def test_a_damaged_file_tells_no_secret_and_stays(tenant: Tenant, tmp_path: Path, text: str) -> None:
    run(tenant, tmp_path)
    (tmp_path / "first-run.json").write_text(text)
    told = run(tenant, tmp_path)
    assert (told.admin_password, told.api_key) == (None, None)
    assert (tmp_path / "first-run.json").read_text() == text


def test_a_database_that_came_without_the_file_has_an_administrator_and_a_key_of_unknown_secrets(
    tenant: Tenant, tmp_path: Path
) -> None:
    run(tenant, tmp_path)
    (tmp_path / "new").mkdir()
    assert run(tenant, tmp_path / "new") == Credentials("admin")
    assert has_usable_key(tenant)
    ApiKey.objects.get().revoke()
    assert not has_usable_key(tenant)


def test_a_configured_key_is_made_once_and_shown(tenant: Tenant, tmp_path: Path) -> None:
    assert run(tenant, tmp_path, CONFIGURED) == run(tenant, tmp_path, CONFIGURED)
    key = ApiKey.objects.get()
    assert (key.tenant, key.scopes, key.all_collections) == (tenant, [Scope.ASK, Scope.READ], True)
    assert find_credentials(tmp_path, CONFIGURED).api_key == CONFIGURED
    assert CONFIGURED not in (tmp_path / "first-run.json").read_text()


def test_a_configured_key_may_come_later(tenant: Tenant, tmp_path: Path) -> None:
    made = run(tenant, tmp_path)
    assert run(tenant, tmp_path, CONFIGURED).api_key == CONFIGURED
    assert run(tenant, tmp_path).api_key == made.api_key


def test_a_configured_key_that_was_revoked_stays_so(tenant: Tenant, tmp_path: Path) -> None:
    run(tenant, tmp_path, CONFIGURED)
    ApiKey.objects.get().revoke()
    assert run(tenant, tmp_path, CONFIGURED).api_key is None


def test_a_key_of_another_tenant_is_no_first_key(tenant: Tenant, tmp_path: Path) -> None:
    ApiKey.objects.issue(tenant=make_tenant(), name="theirs")
    assert run(tenant, tmp_path).api_key is not None
