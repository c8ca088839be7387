from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from collections_app.history import record_search
from collections_app.models import Collection, SearchEvent
from collections_app.principal import Principal
from collections_app.tasks import forget_old_events
from tests.factories import find, make_collection, make_principal, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection() -> Collection:
    collection = make_collection(is_public=True)
    put(collection, {"a.md": "# A\n\nllamas\n"})
    return collection


def test_it_forgets_searches_past_their_retention(collection: Collection) -> None:
    for _ in range(2):
        record_search(make_principal(collection), [collection], find(collection, "llamas"), 1.0)
    old = SearchEvent.objects.earliest("pk")
    SearchEvent.objects.filter(pk=old.pk).update(created=timezone.now() - timedelta(days=31))
    assert forget_old_events() == 1
    assert not SearchEvent.objects.filter(pk=old.pk).exists()
    assert SearchEvent.objects.count() == 1


def test_an_anonymous_search_belongs_to_the_tenant_whose_collection_it_was(collection: Collection) -> None:
    record_search(Principal(), [collection], find(collection, "llamas"), 1.0)
    assert SearchEvent.objects.get().tenant == collection.tenant
    record_search(Principal(), [collection, make_collection()], find(collection, "llamas"), 1.0)
    assert SearchEvent.objects.count() == 1
