"""Tenants, their members and their API keys."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.functional import cached_property

from collections_app.access.principal import Principal, Scope
from collections_app.models.prepared import Given, PreparedQuery, RowSet
from collections_app.models.visibility import TenantQuerySet
from collections_app.postgres.row_security import as_owner
from collections_app.text.control_characters import has_control_characters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collections_app.models.library import Collection

KEY_PREFIX = "dmcp_"
# Of the access tokens of connected apps, which are the secrets of their keys.
TOKEN_PREFIX = "dmct_"  # noqa: S105  public
# The public beginning of a secret, and a character of the rest.
OWN_FORMAT = re.compile(rf"((?:{KEY_PREFIX}|{TOKEN_PREFIX})[A-Za-z0-9]{{8}})_.")
LAST_USED_PRECISION = timedelta(minutes=1)
NEVER = datetime.min.replace(tzinfo=UTC)


class User(AbstractUser):
    """A person who signs in to the admin. Memberships decide what it may touch."""

    @cached_property
    def roles(self) -> dict[int, str]:
        """Tenant id → role, as of the first access; each request has its own object."""
        with as_owner():
            return dict(self.memberships.values_list("tenant_id", "role"))


class Tenant(models.Model):
    """The owner of collections, keys and members."""

    slug = models.SlugField(unique=True, max_length=63)
    name = models.CharField(max_length=200)
    rate_limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Requests of each key in a window; empty: the setting's",
    )
    monthly_quota = models.PositiveIntegerField(
        default=0, help_text="Requests in a calendar month (UTC), of all keys together; 0: any number"
    )
    monthly_answer_cost = models.DecimalField(
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="What answers may cost in a calendar month (UTC), all keys together; empty: the setting's",
    )
    max_documents = models.PositiveIntegerField(
        null=True, blank=True, help_text="Documents that it may have; 0: any number; empty: the setting's"
    )
    max_bytes = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text="Bytes that the files of its documents may have; 0: any number; empty: the setting's",
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Membership(models.Model):
    """A user in a tenant, and what it may do there."""

    class Role(models.TextChoices):
        VIEWER = "viewer", "Viewer: reads"
        EDITOR = "editor", "Editor: also uploads, ingests, releases from quarantine"
        OWNER = "owner", "Owner: also keys, limits, members, export, delete"

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VIEWER)

    objects = TenantQuerySet["Membership"].as_manager()

    class Meta:
        verbose_name = "member"
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant} ({self.role})"


WRITING_ROLES = (Membership.Role.EDITOR, Membership.Role.OWNER)


class ApiKeyQuerySet(TenantQuerySet["ApiKey"]):
    def given_to_agents(self) -> Self:
        """Without the keys of connected apps, which nobody is shown."""
        return self.filter(person=None)

    def still_allowed(self) -> Self:
        """Without the keys of connected apps whose person may no longer do what they may: who left, is disabled, or lost a role."""
        of_person = Membership.objects.filter(tenant=OuterRef("tenant"), user=OuterRef("person"))
        writes = Q(scopes__contains=[Scope.WRITE.value])
        is_member = (~writes & Exists(of_person)) | Exists(of_person.filter(role__in=WRITING_ROLES))
        return self.filter(Q(person=None) | (Q(person__is_active=True) & (Q(person__is_superuser=True) | is_member)))

    @transaction.atomic
    def issue(
        self,
        *,
        tenant: Tenant,
        name: str,
        scopes: Iterable[Scope] = (Scope.READ,),
        collections: Iterable[Collection] | None = None,
        rate_limit: int | None = None,
        expires: datetime | None = None,
        secret: str | None = None,
        person: User | None = None,
    ) -> tuple[ApiKey, str]:
        """A new key and its secret, which is kept nowhere and cannot be shown again.

        `collections=None` grants all of the tenant's, an empty list none. A given `secret` (from a setting) is taken as it is.
        `person`: who connects the app that has it.
        """
        secret = secret or ApiKey.make_secret()
        key = self.create(
            tenant=tenant,
            name=name,
            prefix=ApiKey.prefix_of(secret),
            digest=ApiKey.digest_of(secret),
            scopes=sorted(set(scopes)),
            all_collections=collections is None,
            rate_limit=rate_limit,
            expires=expires,
            person=person,
        )
        CollectionGrant.objects.bulk_create(
            CollectionGrant(tenant=tenant, api_key=key, collection=collection) for collection in set(collections or ())
        )
        return key, secret

    def find_by_secret(self, secret: str) -> ApiKey | None:
        """The key with this secret, in any state; or the key whose previous secret it is, until that expires. None for a connected app's
        if its person may no longer do what it may.

        Compared in constant time.
        """
        key = find_key(secret, prepare_look_up())
        return find_key(secret, prepare_look_up_of_apps()) if key and key.person_id else key


def find_key(secret: str, rows: PreparedQuery[ApiKey]) -> ApiKey | None:
    digest, prefix, now = ApiKey.digest_of(secret), ApiKey.prefix_of(secret), timezone.now()
    found = rows.read({"prefix": prefix, "now": now})
    for key in rows.make_rows(found.rows):
        key.found_as = found
        if hmac.compare_digest(key.digest, digest):
            return key
        if key.old_prefix == prefix and key.has_old_secret(now) and hmac.compare_digest(key.old_digest, digest):
            key.is_shown_by_old_secret = True
            return key
    return None


@cache
def prepare_look_up() -> PreparedQuery[ApiKey]:
    is_old = Q(old_prefix=Given("prefix"), old_expires__gt=Given("now"))
    return PreparedQuery(ApiKey.objects.filter(Q(prefix=Given("prefix")) | is_old), "tenant")


@cache
def prepare_look_up_of_apps() -> PreparedQuery[ApiKey]:
    """By itself, so that keys do not pay for it."""
    return PreparedQuery(ApiKey.objects.still_allowed().filter(prefix=Given("prefix")), "tenant")


class ApiKey(models.Model):
    """What an agent identifies itself with. Only a SHA-256 digest of the secret is stored; it is random, so no slow hash is needed.

    With a `person` it is a connected app's, and its secret an access token (connected_apps.py).
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=200)
    prefix = models.CharField(max_length=16, db_index=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=10, choices=[(s.value, s.value) for s in Scope]))
    all_collections = models.BooleanField(default=False)
    collections: models.ManyToManyField[Collection, CollectionGrant] = models.ManyToManyField(
        "Collection", through="CollectionGrant", related_name="granted_keys", blank=True
    )
    person = models.ForeignKey(User, on_delete=models.CASCADE, null=True, editable=False, related_name="+")
    rate_limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Requests in a window; empty: the tenant's, or the setting's",
    )
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True, blank=True, editable=False, help_text="Of the present secret")
    # The secret before the last rotation.
    old_prefix = models.CharField(max_length=16, blank=True, default="", db_index=True, editable=False)
    old_digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    old_expires = models.DateTimeField(null=True, blank=True, editable=False)
    old_last_used = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    # Set on a key that was just looked up by its secret.
    is_shown_by_old_secret = False
    found_as: RowSet | None = None

    class Meta:
        verbose_name = "API key"
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def clean(self) -> None:
        if has_control_characters(self.name):
            raise ValidationError({"name": "It has control characters: give one line of text."})

    @staticmethod
    def make_secret(prefix: str = "") -> str:
        """`prefix`: a public beginning to keep, instead of a new one for a key."""
        return f"{prefix or KEY_PREFIX + secrets.token_hex(4)}_{secrets.token_urlsafe(32)}"

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode()).hexdigest()

    @staticmethod
    def prefix_of(secret: str) -> str:
        """The part of a secret that may be shown: its public beginning; for a foreign format, the beginning of its digest."""
        public = OWN_FORMAT.match(secret)
        return public[1] if public else "#" + ApiKey.digest_of(secret)[:8]

    def is_usable(self, now: datetime) -> bool:
        return self.revoked is None and (self.expires is None or self.expires > now)

    def has_old_secret(self, now: datetime) -> bool:
        """Whether the secret before the last rotation still works beside the present one."""
        return self.old_expires is not None and self.old_expires > now and self.is_usable(now)

    @property
    def used_at(self) -> datetime | None:
        """When any of its secrets was used last."""
        return max((moment for moment in (self.last_used, self.old_last_used) if moment), default=None)

    def mark_used(self, now: datetime) -> None:
        """Stores when the presented secret was last used, at most once a minute."""
        if now >= self.unmarked_until:
            field = "old_last_used" if self.is_shown_by_old_secret else "last_used"
            ApiKey.objects.filter(pk=self.pk).update(**{field: now})

    @property
    def unmarked_until(self) -> datetime:
        """Until when another use of the presented secret need not be stored."""
        last = self.old_last_used if self.is_shown_by_old_secret else self.last_used
        return last + LAST_USED_PRECISION if last else NEVER

    def revoke(self) -> None:
        """Takes effect at once, for all of its secrets."""
        self.revoked = timezone.now()
        self.save(update_fields=["revoked"])

    def set_secret(self) -> str:
        """The first secret of a key that is not saved yet."""
        secret = ApiKey.make_secret()
        self.prefix, self.digest = ApiKey.prefix_of(secret), ApiKey.digest_of(secret)
        return secret

    def rotate(self, overlap: timedelta) -> str:
        """A new secret, which is kept nowhere; the previous one works for `overlap` longer, any older one no longer.

        In one statement: if two people rotate at once, both secrets that they are shown work for that long.
        """
        secret = ApiKey.make_secret()
        ApiKey.objects.filter(pk=self.pk).update(
            old_prefix=F("prefix"),
            old_digest=F("digest"),
            old_expires=timezone.now() + overlap,
            old_last_used=F("last_used"),
            prefix=ApiKey.prefix_of(secret),
            digest=ApiKey.digest_of(secret),
            last_used=None,
        )
        self.refresh_from_db()
        return secret

    def end_old_secret(self) -> None:
        self.old_expires = timezone.now()
        self.save(update_fields=["old_expires"])

    def make_principal(self) -> Principal:
        return Principal(
            scopes=frozenset(Scope(scope) for scope in self.scopes),
            api_key_id=self.pk,
            tenant_id=self.tenant_id,
            all_collections=self.all_collections,
            rate_limit=self.rate_limit or self.tenant.rate_limit,
            monthly_quota=self.tenant.monthly_quota,
            label=self.prefix,
        )


class CollectionGrant(models.Model):
    """One collection that a key may read."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE)
    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="grants")
    collection = models.ForeignKey("Collection", on_delete=models.CASCADE, related_name="grants")

    objects = TenantQuerySet["CollectionGrant"].as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant", "api_key", "collection"], name="grant_once")]

    def __str__(self) -> str:
        return f"{self.api_key} reads {self.collection}"
