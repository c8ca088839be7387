"""Apps that people connect by OAuth, because they cannot be given an API key: the programs, and what each person allowed them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from collections_app.models.tenants import ApiKey, Tenant
from collections_app.models.visibility import TenantQuerySet

MAX_CLIENT_ID = 500


class OAuthClient(models.Model):
    """A program that people can connect. It registered itself (RFC 7591), or its id is the address of a document that describes it
    (`is_document`). Belongs to no tenant. Only a SHA-256 digest of its secret is stored; most have none."""

    class AuthMethod(models.TextChoices):
        """How it identifies itself where tokens are issued, by the names of RFC 7591, section 2."""

        NONE = "none"
        POST = "client_secret_post"
        BASIC = "client_secret_basic"

    client_id = models.CharField(max_length=MAX_CLIENT_ID, unique=True)
    name = models.CharField(max_length=200, help_text="As it calls itself: nobody has checked that")
    redirect_uris = ArrayField(models.CharField(max_length=2_000))
    auth_method = models.CharField(max_length=20, choices=AuthMethod.choices, default=AuthMethod.NONE)
    secret_digest = models.CharField(max_length=64, blank=True, default="")
    is_document = models.BooleanField(default=False)
    read = models.DateTimeField(auto_now_add=True, help_text="When it registered, or its document was read last")

    def __str__(self) -> str:
        return self.name


class ConnectedApp(models.Model):
    """What a person allowed a program: an authorization (RFC 6749). Its API key has the scopes, the collections and the person, and its
    secret is the access token, which each refresh replaces. Of tokens and codes only SHA-256 digests are stored.

    `code_redeemed` is None until the program exchanged its code for tokens; before that the key works for nobody.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, db_index=False, related_name="connected_apps")
    api_key = models.OneToOneField(ApiKey, on_delete=models.CASCADE, related_name="app")
    client = models.ForeignKey(OAuthClient, on_delete=models.CASCADE, related_name="connected")
    resource = models.CharField(max_length=300, help_text="The path of the MCP endpoint")
    redirect_uri = models.CharField(max_length=2_000)
    created = models.DateTimeField(auto_now_add=True)
    code_digest = models.CharField(max_length=64, unique=True)
    code_challenge = models.CharField(max_length=128)
    code_expires = models.DateTimeField()
    code_redeemed = models.DateTimeField(null=True)
    refresh_digest = models.CharField(max_length=64, blank=True, default="")
    refresh_expires = models.DateTimeField(null=True)
    # The refresh token before the last refresh.
    old_refresh_digest = models.CharField(max_length=64, blank=True, default="")
    old_refresh_expires = models.DateTimeField(null=True)

    objects = TenantQuerySet["ConnectedApp"].as_manager()

    class Meta:
        verbose_name = "connected app"
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [models.Index(fields=["tenant", "-created"], name="connected_app_recent")]

    def __str__(self) -> str:
        return self.api_key.name
