"""Collections over REST: list, create, read, change. They cannot be deleted here: that takes more than a key, and is up to the operator.

The slug never changes, since others store it. If the language changes, the queue indexes the documents anew. Whether a collection can be
read without a key, and how hidden text is treated, is decided by its tenant's owners, never by a key.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.access.principal import Principal
from collections_app.api.access import check_may_change, get_collection, get_own_collection, owns
from collections_app.api.base import ApiView, ListView, read_body
from collections_app.api.fields import ChoiceField, Input
from collections_app.exceptions import InvalidParameter
from collections_app.indexing.languages import change_language
from collections_app.models import Collection, Tenant
from collections_app.models.library import LANGUAGES
from collections_app.provisioning import check_slug

OWNERS_FIELDS = ("is_public", "content_policy")


class CollectionSerializer(serializers.ModelSerializer[Collection]):
    tenant = serializers.CharField(source="tenant.slug")
    documents = serializers.IntegerField(source="documents_count", help_text="How many can be read")

    class Meta:
        model = Collection
        fields = (
            "tenant",
            "slug",
            "name",
            "description",
            "version",
            "library",
            "language",
            "is_public",
            "content_policy",
            "documents",
            "created",
            "updated",
        )


class CollectionChanges(Input):
    name = serializers.CharField(max_length=200, required=False)
    description = serializers.CharField(max_length=10_000, allow_blank=True, required=False)
    version = serializers.CharField(max_length=50, allow_blank=True, required=False)
    library = serializers.SlugField(
        max_length=63, allow_blank=True, required=False, help_text="What this is a version of, as others of it name it"
    )
    language = ChoiceField(
        LANGUAGES,
        required=False,
        help_text="For word stems and stop words; without it, found out from the first documents",
    )
    is_public = serializers.BooleanField(required=False, help_text="Readable without a key; for owners")
    content_policy = ChoiceField(Collection.ContentPolicy.choices, required=False, help_text="For owners")


class NewCollection(CollectionChanges):
    slug = serializers.CharField(max_length=63)
    tenant = serializers.CharField(max_length=63, required=False, help_text="For members of several tenants")


class CollectionsView(ListView[Collection]):
    serializer_class = CollectionSerializer
    queryset = Collection.objects.none()
    ordering = "pk"

    def get_queryset(self) -> QuerySet[Collection]:
        return Collection.objects.visible_to(self.principal).select_related("tenant").with_documents_count()

    @extend_schema(request=NewCollection, responses={HTTPStatus.CREATED: CollectionSerializer})
    def post(self, request: Request) -> Response:
        """For keys of all collections (another one would not see what it made), and for editors."""
        given = read_body(request, NewCollection)
        tenant = choose_tenant(self.principal, given.pop("tenant", None))
        check_owners_fields(self.principal, tenant, given)
        slug = check_slug(given.pop("slug"), "collection")
        collection, is_new = Collection.objects.get_or_create(
            tenant=tenant, slug=slug, defaults={"name": slug, "is_language_settled": "language" in given, **given}
        )
        if not is_new:
            raise InvalidParameter(f"There is a collection {slug!r} already. Choose another slug.")
        return Response(serialize(collection), HTTPStatus.CREATED)


class CollectionView(ApiView):
    @extend_schema(responses=CollectionSerializer)
    def get(self, request: Request, collection: str) -> Response:
        return Response(serialize(get_collection(self.principal, collection)))

    @extend_schema(request=CollectionChanges, responses=CollectionSerializer)
    def patch(self, request: Request, collection: str) -> Response:
        found = get_own_collection(self.principal, collection)
        changes = read_body(request, CollectionChanges)
        check_owners_fields(self.principal, found.tenant, changes)
        language = changes.pop("language", None)
        for name, value in changes.items():
            setattr(found, name, value)
        found.save(update_fields=[*changes, "updated"])
        if language:
            change_language(found, language)
        return Response(serialize(found))


def serialize(collection: Collection) -> Any:
    found = Collection.objects.filter(pk=collection.pk).select_related("tenant").with_documents_count()
    return CollectionSerializer(found.get()).data


def choose_tenant(principal: Principal, slug: str | None) -> Tenant:
    """The tenant in which the caller may make a collection. Raises PermissionDenied, and InvalidParameter if the tenant has to be named."""
    if principal.api_key_id is not None and not principal.all_collections:
        raise PermissionDenied("This key is for some collections only: making one needs a key for all of a tenant's.")
    tenants = find_tenants(principal)
    chosen = [tenant for tenant in tenants if slug is None or tenant.slug == slug.lower()]
    if len(chosen) != 1:
        raise InvalidParameter(f"Name the tenant: one of {', '.join(t.slug for t in tenants) or 'none'}.")
    check_may_change(principal, chosen[0])
    return chosen[0]


def find_tenants(principal: Principal) -> list[Tenant]:
    if principal.is_superuser:
        return list(Tenant.objects.all())
    if principal.user_id is not None:
        return list(Tenant.objects.filter(memberships__user=principal.user_id))
    return list(Tenant.objects.filter(api_keys=principal.api_key_id))


def check_owners_fields(principal: Principal, tenant: Tenant, given: dict[str, Any]) -> None:
    named = [name for name in OWNERS_FIELDS if name in given]
    if named and not owns(principal, tenant):
        raise PermissionDenied(f"{' and '.join(named)} can only be set by an owner of {tenant.slug}, signed in.")
