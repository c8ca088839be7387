"""Sources of the release before follow the setting, in a form that its processes, which go on meanwhile, can read."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from collections_app.jobs import ensure_upload_source, get_max_file_bytes
from collections_app.models import Source
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


def follow_setting() -> None:
    migration = import_module("collections_app.migrations.0018_source_follows_setting")
    with connection.schema_editor() as editor:
        migration.follow_setting(apps, editor)


@pytest.mark.parametrize(("own", "follows"), [(0, True), (1, True), (-1, False)])
def test_what_the_setting_allows_at_most_was_nobodys_choice(own: int, follows: bool) -> None:
    source = ensure_upload_source(make_collection())
    most = settings.DOCSMCP.max_file_bytes
    Source.objects.filter(pk=source.pk).update(max_file_bytes=most + own)
    follow_setting()
    source.refresh_from_db()
    assert (source.max_file_bytes == Source.FOLLOWS_SETTING) is follows
    assert get_max_file_bytes(source) == min(source.max_file_bytes or 0, most)  # as the release before has it


def test_a_new_source_is_read_by_the_release_before_too() -> None:
    source = ensure_upload_source(make_collection())
    assert source.max_file_bytes is not None
    assert min(source.max_file_bytes, settings.DOCSMCP.max_file_bytes) == settings.DOCSMCP.max_file_bytes
