"""The forms in which an owner fills in an API key. A form that shows a secret counts once: if a reload sends it again, it is refused."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from collections_app.access.principal import Scope
from collections_app.access.roles import Person, Role, is_superuser, tenants_of
from collections_app.exceptions import InvalidParameter
from collections_app.limits.ceilings import check_key_not_raised
from collections_app.models import ApiKey, Collection, Tenant
from collections_app.provisioning import USUAL_SCOPES
from mcp_app.admin.theme import ManyChoices, OneChoice

SCOPES = [
    (Scope.READ, "Read: search and read documents"),
    (Scope.ASK, "Ask: have answers written, which may cost money"),
    (Scope.WRITE, "Write: add and replace documents, follow ingestion"),
]
OVERLAPS = [
    (0, "Not at all: it has leaked, or nobody uses it"),
    (1, "1 more hour"),
    (24, "24 more hours"),
    (7 * 24, "7 more days"),
    (30 * 24, "30 more days"),
]
SENT_ONCE_SECONDS = 24 * 60 * 60


class SentOnce(forms.Form):
    """A mixin: the same form is valid only the first time it is sent."""

    once = forms.CharField(widget=forms.HiddenInput, initial=secrets.token_urlsafe, required=False, max_length=100)

    def _post_clean(self) -> None:
        """Runs after all other checks, including the model's: a form that they refuse may be sent again."""
        super()._post_clean()  # type: ignore[misc]  # its stub does not have it
        once = self.cleaned_data.get("once")
        if once and not self.errors and not cache.add(f"sent-once:{once}", True, SENT_ONCE_SECONDS):
            self.add_error(None, "This was done already. A secret is shown once: to get another one, rotate the key.")


if TYPE_CHECKING:
    CollectionChoices = forms.ModelMultipleChoiceField[Collection]
    KeyModelForm = forms.ModelForm[ApiKey]
else:
    CollectionChoices, KeyModelForm = forms.ModelMultipleChoiceField, forms.ModelForm


class CollectionsField(CollectionChoices):
    def label_from_instance(self, obj: Collection) -> str:
        return f"{obj.tenant.slug}/{obj.slug}: {obj.name}"


class KeyForm(SentOnce, KeyModelForm):
    """A new key, or what may be changed of an old one. `person` is who fills it in."""

    person: ClassVar[Person]

    scopes = forms.MultipleChoiceField(
        label="May",
        choices=SCOPES,
        initial=USUAL_SCOPES,
        widget=ManyChoices,
        help_text="What is not ticked is not there for the agent. Write also shows it documents that failed or are in quarantine.",
    )
    granted = CollectionsField(
        label="These collections only",
        queryset=Collection.objects.none(),
        required=False,
        widget=ManyChoices,
        help_text="Others look to the agent as if they did not exist. None chosen: it can read nothing.",
    )

    class Meta:
        model = ApiKey
        fields = ("tenant", "name", "scopes", "all_collections", "rate_limit", "expires")
        help_texts: ClassVar = {
            "name": "Who or what will use it, such as “Claude Code of the web team”",
            "all_collections": "Those of the tenant, also what is added later",
            "expires": "In UTC. Leave empty for a key without an end",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owned = Collection.objects.filter(tenant__in=tenants_of(self.person, Role.OWNER)).select_related("tenant")
        if self.instance.pk:
            owned = owned.filter(tenant=self.instance.tenant_id)
            self.initial["granted"] = list(self.instance.collections.all())
        limit, seconds = settings.DOCSMCP.mcp_rate_limit_requests, settings.DOCSMCP.mcp_rate_limit_window
        if "rate_limit" in self.fields:  # a revoked key has no fields to fill in
            self.fields["rate_limit"].help_text = f"Requests in {seconds} s; empty: as the tenant says, else {limit}"
        self.fields["granted"].queryset = owned.order_by("tenant__slug", "slug")  # type: ignore[attr-defined]

    def clean_expires(self) -> datetime | None:
        expires: datetime | None = self.cleaned_data["expires"]
        if expires and expires <= timezone.now() and "expires" in self.changed_data:
            raise forms.ValidationError("This is in the past. To end a key now, revoke it.")
        return expires

    def clean(self) -> Any:
        tenant: Tenant | None = self.cleaned_data.get("tenant") or (self.instance.tenant if self.instance.pk else None)
        if tenant and any(each.tenant_id != tenant.pk for each in self.get_granted()):
            self.add_error("granted", f"A key of {tenant} reads collections of {tenant} only.")
        if tenant and "rate_limit" in {*self.cleaned_data} & {*self.changed_data} and not is_superuser(self.person):
            try:
                check_key_not_raised(tenant, self.instance, self.cleaned_data["rate_limit"])
            except InvalidParameter as error:
                self.add_error("rate_limit", error.message)
        return super().clean()

    def get_granted(self) -> list[Collection]:
        return [] if self.cleaned_data.get("all_collections") else list(self.cleaned_data.get("granted") or ())


class RotationForm(SentOnce):
    hours = forms.TypedChoiceField(
        label="How long may the old secret be used beside the new one?",
        choices=OVERLAPS,
        coerce=int,
        initial=24,
        widget=OneChoice,
    )

    @property
    def overlap(self) -> timedelta:
        return timedelta(hours=self.cleaned_data["hours"])
