"""What people fill in: a new collection, and where documents come from. Mistakes stand beside their field, with what to do.

Whether a place may be read is not decided here: intake.py and the sources' own options say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.utils.text import slugify
from pydantic import BaseModel
from pydantic import ValidationError as InvalidOptions
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from collections_app.api.sources import MAKERS
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.intake import check_url
from collections_app.models import Collection, Source, Tenant
from collections_app.models.library import LANGUAGES
from collections_app.principal import Principal
from collections_app.provisioning import check_slug
from collections_app.sources.git import GitOptions
from collections_app.sources.site import SiteOptions
from collections_app.sources.site.options import DEFAULT_MAX_PAGES

Kind = Source.Kind

MAX_PATTERN_CHARACTERS = 500
INTERVALS = [
    (0, "Only when somebody asks"),
    (300, "Every 5 minutes"),
    (3_600, "Every hour"),
    (86_400, "Every day"),
    (604_800, "Every week"),
]


def ask(check: Callable[[str], Any], value: str) -> Any:
    """What `check` makes of the value; its refusal becomes the field's."""
    try:
        return check(value)
    except DocsError as error:
        raise forms.ValidationError(error.message) from None


class PatternsField(forms.CharField):
    """Patterns as in `.gitignore`, one on each line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}), **options)

    def clean(self, value: Any) -> list[str]:
        patterns = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        if any(len(pattern) > MAX_PATTERN_CHARACTERS for pattern in patterns):
            raise forms.ValidationError(f"A pattern has at most {MAX_PATTERN_CHARACTERS} characters. Shorten it.")
        return patterns


class NewCollectionForm(forms.Form):
    """A collection, in one of the tenants where the person is an editor."""

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
    language = forms.ChoiceField(
        choices=[(name, name.capitalize()) for name in LANGUAGES],
        initial="english",
        widget=UnfoldAdminSelectWidget(),
        help_text="Of the documents. It cannot be changed later.",
    )

    def __init__(self, tenants: QuerySet[Tenant], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        field = self.fields["tenant"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = tenants
        if tenants.count() == 1:
            field.initial, field.widget = tenants.get().pk, forms.HiddenInput()

    def clean(self) -> None:
        given = self.cleaned_data
        if "name" in given and "tenant" in given and "slug" in given:
            self.cleaned_data["slug"] = self.choose_slug(given["tenant"], given["slug"], given["name"])

    def choose_slug(self, tenant: Tenant, slug: str, name: str) -> str:
        try:
            chosen = check_slug(slug or slugify(name)[:63].strip("-_") or "docs", "collection")
        except InvalidParameter as error:
            self.add_error("slug", error.message)
            return slug
        if Collection.objects.filter(tenant=tenant, slug=chosen).exists():
            self.add_error("slug", f"There is a collection “{chosen}” already. Choose another short name.")
        return chosen

    def save(self) -> Collection:
        return Collection.objects.create(**self.cleaned_data)


class PlaceForm(forms.Form):
    """Where documents come from, again and again. `options` are what only this kind of place has."""

    kind: ClassVar[Source.Kind]
    options: ClassVar[tuple[str, ...]] = ()
    advanced: ClassVar[tuple[str, ...]] = ("include", "exclude")

    include = PatternsField(
        label="Only these files",
        help_text="Patterns as in .gitignore, one on each line: docs/ or *.md. Empty: every format that can be read.",
    )
    exclude = PatternsField(label="Not these files", help_text="Patterns as above: drafts/ or CHANGELOG.md.")
    refresh = forms.TypedChoiceField(
        label="Look again", choices=INTERVALS, coerce=int, widget=UnfoldAdminSelectWidget()
    )

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.fields["refresh"].initial = Source.DEFAULT_REFRESH_SECONDS[self.kind]
        own = [name for name in self.fields if name not in ("refresh", *self.advanced)]
        self.order_fields([*own, "refresh", *self.advanced])

    @property
    def has_advanced_errors(self) -> bool:
        return any(name in self.errors for name in self.advanced)

    def iter_plain(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.advanced]

    def iter_advanced(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.advanced]

    def get_options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.options}

    def make_source(self, principal: Principal, collection: Collection) -> Source:
        """The collection's source for this place, with these settings from now on. Raises DocsError for a place that may not be read."""
        given = {name: self.cleaned_data[name] for name in ("location", "include", "exclude")}
        given |= {"kind": self.kind, "max_file_bytes": Source.DEFAULT_MAX_FILE_BYTES, "options": self.get_options()}
        if token := self.cleaned_data.get("token"):
            given["token"] = token
        source = MAKERS[self.kind](principal, collection, given)
        source.refresh_interval_seconds = self.cleaned_data["refresh"]
        source.save(update_fields=["refresh_interval_seconds"])
        return source

    def check_options(self, model: type[BaseModel], **more: Any) -> None:
        """Put what the options' own rules refuse beside its field."""
        try:
            model.model_validate(self.get_options() | more)
        except InvalidOptions as invalid:
            for mistake in invalid.errors():
                name = str(mistake["loc"][0])
                reason = str(mistake.get("ctx", {}).get("error", mistake["msg"]))
                self.add_error(name if name in self.fields else None, f"{reason[:1].upper()}{reason[1:]}.")


class FolderForm(PlaceForm):
    kind = Kind.DIRECTORY

    location = forms.CharField(
        label="Folder",
        max_length=1500,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "/srv/docs"}),
        help_text="The whole path of a folder on the server, below one that the operator allows (ALLOWED_ROOTS).",
    )


class RemoteForm(PlaceForm):
    """A place that has a URL."""

    def clean_location(self) -> str:
        location: str = self.cleaned_data["location"].strip()
        checked: str = ask(check_url, location if "://" in location else f"https://{location}")
        return checked


class SiteForm(RemoteForm):
    kind = Kind.SITE
    options = ("language", "follow_links", "max_pages")
    advanced = ("include", "exclude", "below", *options)

    location = forms.CharField(
        label="First page",
        max_length=1500,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "https://example.org/docs/", "inputmode": "url"}),
        help_text="Pages in the same folder and below are read: with https://example.org/docs/ all that begins so.",
    )
    below = forms.CharField(
        label="What begins with",
        required=False,
        max_length=1500,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Another address below which pages belong to the site. Empty: the first page's folder.",
    )
    language = forms.RegexField(
        r"^(\*|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)$",
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Such as en or pt-br; * for all. Empty: the first page's.",
        error_messages={"invalid": "Give a language such as en or pt-br, * for all, or nothing."},
    )
    follow_links = forms.BooleanField(
        label="Follow links in pages",
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget(),
        help_text="Without it, only pages that a sitemap or llms.txt names.",
    )
    max_pages = forms.IntegerField(
        label="At most so many pages",
        min_value=1,
        max_value=1_000_000,
        initial=DEFAULT_MAX_PAGES,
        widget=UnfoldAdminIntegerFieldWidget(),
    )

    def clean_below(self) -> str:
        below: str = self.cleaned_data["below"].strip()
        if below:
            ask(check_url, below)
        return below

    def get_options(self) -> dict[str, Any]:
        """`prefix` is what every form calls its own fields by."""
        return super().get_options() | {"prefix": self.cleaned_data["below"]}

    def clean(self) -> None:
        if not self.errors:
            self.check_options(SiteOptions, url=self.cleaned_data["location"])

    def make_site_options(self) -> SiteOptions:
        given = self.cleaned_data
        return SiteOptions(
            url=given["location"], include=given["include"], exclude=given["exclude"], **self.get_options()
        )


class RepositoryForm(RemoteForm):
    kind = Kind.GIT
    options = ("branch", "folder")

    location = forms.CharField(
        label="Repository",
        max_length=1500,
        widget=UnfoldAdminTextInputWidget(
            attrs={"placeholder": "https://example.org/team/manual.git", "inputmode": "url"}
        ),
        help_text="Its address as for git clone, with https.",
    )
    branch = forms.CharField(
        label="Branch or tag",
        required=False,
        max_length=255,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Empty: the repository's own.",
    )
    folder = forms.CharField(
        label="Folder in it",
        required=False,
        max_length=1000,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "docs"}),
        help_text="Only what is below it. Empty: all of the repository.",
    )
    token = forms.CharField(
        label="Access token",
        required=False,
        max_length=1000,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"}),
        help_text="For a private repository. It is kept encrypted and never shown; empty keeps the one that is there.",
    )

    def clean(self) -> None:
        if not self.errors:
            self.check_options(GitOptions)
