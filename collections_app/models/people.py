"""Invitations into a tenant, the audit log, and requests to export or delete a tenant's data."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from django.db import models
from django.db.models import Q

from collections_app.models.library import Collection
from collections_app.models.tenants import Membership, Tenant, User
from collections_app.models.visibility import TenantQuerySet


class Invitation(models.Model):
    """A link that makes whoever has it a member. Only a SHA-256 digest of its token is stored: it is random, so no slow hash is needed."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Membership.Role.choices, default=Membership.Role.VIEWER)
    digest = models.CharField(max_length=64, db_index=True, editable=False)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, editable=False, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(editable=False)
    accepted = models.DateTimeField(null=True, editable=False)

    objects = TenantQuerySet["Invitation"].as_manager()

    class Meta:
        ordering: ClassVar = ["-created"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "email"], condition=Q(accepted=None), name="one_open_invitation_for_an_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.tenant} ({self.role})"

    @staticmethod
    def digest_of(token: str) -> str:
        return hashlib.sha256(token.encode()).hexdigest()


class Identity(models.Model):
    """Who a person is at an OpenID Connect provider: the account that somebody gets who signs in there."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "identities"
        constraints: ClassVar = [models.UniqueConstraint(fields=["issuer", "subject"], name="identity_once")]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"


class AuditEvent(models.Model):
    """Something that a person or a command did. Names are stored as they were then, so that the row outlives what it is about."""

    tenant = models.ForeignKey(Tenant, on_delete=models.SET_NULL, null=True, db_index=False)
    tenant_slug = models.CharField(max_length=63, blank=True)
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=200)
    action = models.CharField(max_length=40)
    object_type = models.CharField(max_length=100, blank=True)
    object_id = models.CharField(max_length=100, blank=True)
    object_name = models.CharField(max_length=300, blank=True)
    details = models.CharField(max_length=500, blank=True)
    address = models.CharField(max_length=45, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet["AuditEvent"].as_manager()

    class Meta:
        ordering: ClassVar = ["-created", "-pk"]
        indexes: ClassVar = [models.Index(fields=["tenant", "-created"], name="audit_event_recent")]

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.action} {self.object_name}".strip()


class DataRequest(models.Model):
    """An owner wants an export of the tenant's data, or their deletion. Done in the background; an export consists of ExportParts."""

    class Kind(models.TextChoices):
        EXPORT = "export", "Export of everything"
        DELETE_COLLECTION = "delete_collection", "Deletion of a collection"
        DELETE_TENANT = "delete_tenant", "Deletion of everything"

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        FAILED = "failed"

    UNFINISHED: ClassVar = (State.QUEUED, State.RUNNING)

    tenant = models.ForeignKey(
        Tenant, on_delete=models.SET_NULL, null=True, related_name="data_requests", db_index=False
    )
    collection = models.ForeignKey(Collection, on_delete=models.SET_NULL, null=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(max_length=200, help_text="The slug of the tenant or collection")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    message = models.CharField(max_length=500, blank=True)
    requested_by = models.CharField(max_length=200)
    size_bytes = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    attempted = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)

    objects = TenantQuerySet["DataRequest"].as_manager()

    class Meta:
        verbose_name = "export or deletion"
        verbose_name_plural = "exports and deletions"
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [models.Index(fields=["tenant", "-created"], name="data_request_recent")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "kind", "subject"],
                condition=Q(state__in=("queued", "running")),
                name="one_unfinished_data_request",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.subject}"


class ExportPart(models.Model):
    """A piece of an export's zip file, kept in the database so that any host can serve it."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False)
    request = models.ForeignKey(DataRequest, on_delete=models.CASCADE, related_name="parts", db_index=False)
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    objects = TenantQuerySet["ExportPart"].as_manager()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "request", "position"], name="export_part_once")
        ]

    def __str__(self) -> str:
        return f"part {self.position} of {self.request_id}"
