"""The forms of the playground: what is asked, and as whom. They offer the person's own collections and, to owners, their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone

from collections_app.access.authentication import make_user_principal
from collections_app.access.principal import Principal
from collections_app.access.roles import Role, tenants_of
from collections_app.models import ApiKey, Collection, User
from mcp_app.rendering import MAX_TOKENS, SEARCH_TOKENS

MODES = [("", "As agents get it"), ("keyword", "Keyword"), ("semantic", "Semantic"), ("hybrid", "Hybrid")]


class PlaygroundForm(forms.Form):
    question = forms.CharField(
        max_length=1000,
        widget=forms.TextInput(attrs={"autofocus": True, "placeholder": "how to install"}),
        help_text='Plain words; "exact phrase" requires, -word at the end excludes.',
    )
    collection = forms.ChoiceField(required=False)
    mode = forms.ChoiceField(choices=MODES, required=False, label="Ranked by")
    limit = forms.IntegerField(min_value=1, max_value=50, required=False, label="Hits")
    max_tokens = forms.IntegerField(min_value=100, max_value=MAX_TOKENS, required=False, label="Token budget")
    category = forms.CharField(max_length=200, required=False)
    code = forms.CharField(max_length=50, required=False, label="With code in")
    version = forms.CharField(max_length=50, required=False)
    filters = forms.CharField(max_length=2_000, required=False, label="Filters (JSON)")
    key = forms.ModelChoiceField(ApiKey.objects.none(), required=False, label="As", empty_label="Me")

    def __init__(self, user: User, collections: Sequence[Collection], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, label_suffix="")
        self.user = user
        names = [f"{each.tenant.slug}/{each.slug}" for each in collections]
        fields: dict[str, Any] = self.fields
        fields["collection"].choices = [("", "All of them"), *((name, name) for name in names)]
        fields["limit"].widget.attrs["placeholder"] = settings.DOCSMCP.mcp_max_search_results
        fields["max_tokens"].widget.attrs["placeholder"] = SEARCH_TOKENS
        owned = tenants_of(user, Role.OWNER)
        usable = (
            ApiKey.objects.given_to_agents().filter(tenant__in=owned, revoked=None).exclude(expires__lte=timezone.now())
        )
        usable = usable.select_related("tenant")
        fields["key"].queryset = usable
        if not usable.exists():
            del fields["key"]
        for field in fields.values():
            field.widget.attrs["class"] = "dm-input"

    def get_principal(self) -> Principal:
        """The principal whose collections and scopes are tried."""
        key: ApiKey | None = self.cleaned_data.get("key")
        return key.make_principal() if key else make_user_principal(self.user)

    def make_search(self) -> dict[str, Any]:
        """The arguments of search_docs, without those that were left empty."""
        names = ("collection", "mode", "limit", "max_tokens", "category", "code", "version", "filters")
        given = {name: self.cleaned_data[name] for name in names if self.cleaned_data[name]}
        return {"query": self.cleaned_data["question"], **given}

    def make_ask(self) -> dict[str, Any]:
        """The arguments of ask_docs."""
        given = {name: self.cleaned_data[name] for name in ("collection", "version") if self.cleaned_data[name]}
        return {"question": self.cleaned_data["question"], **given}
