"""The form for a new collection, and what the wizard's forms share. Mistakes are shown at their field, with what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, TypeVar

from django import forms
from django.db.models import QuerySet
from django.utils.text import slugify
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.models import Collection, Tenant
from collections_app.models.library import LANGUAGES
from collections_app.parsing.safety.invisible import strip_invisible
from collections_app.provisioning import check_slug

Given = TypeVar("Given")

NAMELESS = "docs"


def check_field(check: Callable[[Given], Any], value: Given) -> Any:
    """The result of `check` for the value; its refusal becomes the field's error."""
    try:
        return check(value)
    except DocsError as error:
        raise forms.ValidationError(error.message) from None


def take_visible(name: str) -> str:
    """The name without invisible characters, some of which would reverse the text after them on a page."""
    visible = strip_invisible(name)[0].strip()
    if not visible:
        raise forms.ValidationError("A name needs a letter or a digit that can be seen.")
    return visible


class NewCollectionForm(forms.Form):
    """A new collection, in a tenant where the person is an editor."""

    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="As people and agents see it."
    )
    description = forms.CharField(
        required=False,
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="What is in it. Agents read this to choose where to look.",
    )
    tenant = forms.ModelChoiceField(
        Tenant.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget(), help_text="Whose collection it is."
    )
    slug = forms.CharField(
        label="Short name",
        required=False,
        max_length=63,
        widget=UnfoldAdminTextInputWidget(),
        help_text="For addresses: letters a-z, digits, - and _. Made of the name if it is left empty.",
    )
    version = forms.CharField(
        required=False,
        max_length=50,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Which release the documents describe, such as 5.2.",
    )

    def __init__(self, tenants: QuerySet[Tenant], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.fields["language"] = make_language_field()
        field = self.fields["tenant"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = tenants
        if tenants.count() == 1:
            field.initial, field.widget = tenants.get().pk, forms.HiddenInput()

    def clean_name(self) -> str:
        return take_visible(self.cleaned_data["name"])

    def clean(self) -> None:
        given = self.cleaned_data
        if "name" in given and "tenant" in given and "slug" in given:
            self.cleaned_data["slug"] = self.choose_slug(given["tenant"], given["slug"], given["name"])

    def choose_slug(self, tenant: Tenant, slug: str, name: str) -> str:
        try:
            chosen = check_slug(
                slug or slugify(name.casefold())[:63].strip("-_") or find_free_slug(tenant), "collection"
            )
        except InvalidParameter as error:
            self.add_error("slug", error.message)
            return slug
        if Collection.objects.filter(tenant=tenant, slug=chosen).exists():
            self.add_error("slug", f"There is a collection “{chosen}” already. Choose another short name.")
        return chosen

    def save(self) -> Collection:
        given = {name: value for name, value in self.cleaned_data.items() if name != "language" or value}
        return Collection.objects.create(**given, is_language_settled="language" in given)


def make_language_field() -> forms.ChoiceField:
    """The language of a new collection; empty if it should be detected."""
    return forms.ChoiceField(
        choices=[("", "As the first documents are in"), *((name, name.capitalize()) for name in LANGUAGES)],
        required=False,
        widget=UnfoldAdminSelectWidget(),
        help_text="That of most documents: words are found in all their forms. One that is not listed is “simple”: words are found "
        "as they are written. It can be changed later.",
    )


def find_free_slug(tenant: Tenant) -> str:
    """For a collection whose name has none of a slug's characters: the first free one of docs, docs-2, docs-3."""
    taken = set(Collection.objects.filter(tenant=tenant, slug__startswith=NAMELESS).values_list("slug", flat=True))
    return next(
        slug for number in count(1) if (slug := f"{NAMELESS}-{number}" if number > 1 else NAMELESS) not in taken
    )
