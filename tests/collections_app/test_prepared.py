"""Statements that are written once: each question gets its own rows, by the rule of its own kind of caller."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.access.principal import Principal
from collections_app.catalog.visible import get_visible_collections
from collections_app.models import ApiKey, Collection, Membership, Source, User
from collections_app.models.prepared import Given, PreparedQuery
from tests.factories import make_collection, make_principal, make_tenant

pytestmark = pytest.mark.django_db


def test_each_question_gets_the_rows_of_its_own_values(django_assert_num_queries: Any) -> None:
    first, second = make_collection("one"), make_collection("two")
    query = PreparedQuery(Collection.objects.filter(slug=Given("slug")), "tenant")
    with django_assert_num_queries(2):
        found = [list(query.make_rows(query.read({"slug": slug}).rows)) for slug in ("two", "one")]
        assert [[row.tenant.slug for row in rows] for rows in found] == [[second.tenant.slug], [first.tenant.slug]]
    assert found[1][0].__dict__.keys() == Collection.objects.get(pk=first.pk).__dict__.keys()
    assert found[1][0].created == first.created


def test_rows_of_one_tenant_have_one_object_for_it() -> None:
    tenant = make_tenant()
    own, also_own, others = (
        make_collection("a", tenant=tenant),
        make_collection("b", tenant=tenant),
        make_collection("c"),
    )
    query = PreparedQuery(Collection.objects.filter(slug__in=["a", "b", Given("slug")]), "tenant")
    found = {row.pk: row.tenant for row in query.make_rows(query.read({"slug": "c"}).rows)}
    assert found[own.pk] is found[also_own.pk]
    assert (found[own.pk], found[others.pk]) == (tenant, others.tenant)


def test_columns_that_django_converts_are_refused() -> None:
    with pytest.raises(AssertionError, match="converts"):
        PreparedQuery(Source.objects.filter(kind=Given("kind")), "tenant")


def test_every_kind_of_caller_sees_what_its_rule_says() -> None:
    tenant, other = make_tenant(), make_tenant()
    private, public = make_collection(tenant=tenant), make_collection(tenant=other, is_public=True)
    granted = make_collection(tenant=tenant)
    user = User.objects.create_user("editor")
    Membership.objects.create(user=user, tenant=other)
    narrow, _ = ApiKey.objects.issue(tenant=tenant, name="narrow", collections=[granted])
    principals = [
        Principal(),
        make_principal(private),
        make_principal(public),
        narrow.make_principal(),
        Principal(tenant_id=tenant.pk),
        Principal(user_id=user.pk),
        Principal(user_id=user.pk, is_superuser=True),
        Principal(tenant_id=tenant.pk + 1_000_000),
    ]
    for principal in [*principals, *reversed(principals)]:
        expected = Collection.objects.visible_to(principal).order_by("tenant__slug", "slug")
        assert get_visible_collections(principal) == list(expected)
