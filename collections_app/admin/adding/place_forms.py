"""The forms of sources, new or existing: where the documents are, which of them are taken, when they are read again.

Whether a place may be read is not decided here, but by intake.py, source_intake.py and the sources' own options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.conf import settings
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

from collections_app.access.principal import Principal
from collections_app.admin.adding.forms import check_field
from collections_app.admin.keeping import KeepingMixin
from collections_app.admin.words import describe_duration
from collections_app.clients.git import check_is_web_address
from collections_app.intake import check_url
from collections_app.jobs import (
    change_source,
    check_interval,
    choose_max_file_bytes,
    get_max_file_bytes,
    get_repository_url,
)
from collections_app.models import Collection, Source
from collections_app.source_intake import MAKERS
from collections_app.sources.git import GitOptions
from collections_app.sources.site import SiteOptions
from collections_app.sources.site.options import DEFAULT_MAX_PAGES

Kind = Source.Kind

MAX_PATTERN_CHARACTERS = 500
MAX_FILE_BYTES = 2**30
SECONDS = re.compile(r"[0-9]{1,10}")
INTERVALS = [
    (0, "Only when somebody asks"),
    (Source.LEAST_REFRESH_SECONDS, "Every 5 minutes"),
    (3_600, "Every hour"),
    (86_400, "Every day"),
    (604_800, "Every week"),
]


class PatternsField(forms.CharField):
    """Patterns as in `.gitignore`, one per line; the cleaned value is a list."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}), **options)

    def clean(self, value: Any) -> list[str]:
        patterns = split_patterns(super().clean(value))
        if any(len(pattern) > MAX_PATTERN_CHARACTERS for pattern in patterns):
            raise forms.ValidationError(f"A pattern has at most {MAX_PATTERN_CHARACTERS} characters. Shorten it.")
        return patterns

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return split_patterns(self.prepare_value(initial) or "") != split_patterns(data or "")


def split_patterns(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class SourceForm(KeepingMixin, forms.Form):
    """The settings that every source has. With a `source`, how that one is read from now on; untouched fields keep their present values."""

    kind: ClassVar[Source.Kind] = Kind.UPLOAD
    advanced: ClassVar[tuple[str, ...]] = ("include", "exclude", "max_file_bytes")
    never_told: ClassVar[frozenset[str]] = frozenset({"location", "token"})

    include = PatternsField(
        label="Only these files",
        help_text="Patterns as in .gitignore, one on each line: docs/ or *.md. Empty: every format that can be read.",
    )
    exclude = PatternsField(label="Not these files", help_text="Patterns as above: drafts/ or CHANGELOG.md.")
    max_file_bytes = forms.IntegerField(
        label="Largest file (bytes)",
        min_value=1,
        max_value=MAX_FILE_BYTES,
        initial=lambda: settings.DOCSMCP.max_file_bytes,
        widget=UnfoldAdminIntegerFieldWidget(),
        help_text="A larger one is not taken.",
    )

    def __init__(self, data: Mapping[str, Any] | None = None, source: Source | None = None) -> None:
        super().__init__(data, initial=self.read_source(source) if source else None)
        self.source = source
        if source:
            self.keep()
        own = [name for name in self.fields if name not in ("refresh", *self.advanced)]
        self.order_fields([*own, "refresh", *self.advanced])

    @staticmethod
    def read_source(source: Source) -> dict[str, Any]:
        return {"include": source.include, "exclude": source.exclude, "max_file_bytes": get_max_file_bytes(source)}

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if self.source:
            given |= {
                name: value for name, value in self.initial.items() if name in given and name not in self.changed_data
            }
        return given

    def clean_max_file_bytes(self) -> int:
        size_bytes: int = self.cleaned_data["max_file_bytes"]
        check_field(choose_max_file_bytes, size_bytes)
        return size_bytes

    @property
    def has_advanced_errors(self) -> bool:
        return any(name in self.errors for name in self.advanced)

    def iter_plain(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.advanced]

    def iter_advanced(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.advanced]

    def iter_told(self) -> Iterator[tuple[str, str]]:
        """Label and value of settings that anybody may know who sees the source."""
        for field in self:
            if field.name not in self.never_told:
                yield str(field.label), tell(field)

    def list_changes(self) -> str:
        """For the audit log: names of the settings, not their values."""
        return f"Changed {', '.join(str(self[name].label) for name in self.changed_data)}."

    def change_source(self, principal: Principal, source: Source) -> Source:
        """Raises DocsError for a change that is not allowed."""
        given = {name: self.cleaned_data[name] for name in ("include", "exclude", "max_file_bytes")}
        return change_source(source, source.location, given)


def tell(field: forms.BoundField) -> str:
    value = field.initial
    if isinstance(field.field, forms.ChoiceField):
        value = dict(field.field.choices)[value]  # type: ignore[arg-type]  # no groups among them
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (", ".join(value) if isinstance(value, list) else str(value or "")) or "-"


class PlaceForm(SourceForm):
    """A place that is read again and again. `options` are the settings of this kind of place only."""

    options: ClassVar[tuple[str, ...]] = ()

    refresh = forms.TypedChoiceField(
        label="Look again", choices=INTERVALS, coerce=int, widget=UnfoldAdminSelectWidget()
    )

    def __init__(self, data: Mapping[str, Any] | None = None, source: Source | None = None) -> None:
        super().__init__(data, source)
        refresh = self.fields["refresh"]
        assert isinstance(refresh, forms.ChoiceField)
        refresh.initial = Source.DEFAULT_REFRESH_SECONDS[self.kind]
        own = {self.initial.get("refresh", 0), self.find_shown_refresh()} - {None, *dict(INTERVALS)}
        refresh.choices = [*INTERVALS, *((seconds, f"Every {describe_duration(seconds)}") for seconds in sorted(own))]

    def find_shown_refresh(self) -> int | None:
        """The interval that the form was shown with, which may no longer be the source's."""
        shown = self.data.get(self.add_initial_prefix("refresh"), "")
        return int(shown) if SECONDS.fullmatch(shown) else None

    def clean_refresh(self) -> int:
        """The source's present interval is always allowed."""
        seconds: int = self.cleaned_data["refresh"]
        if seconds != self.initial.get("refresh"):
            check_field(check_interval, seconds)
        return seconds

    @staticmethod
    def read_source(source: Source) -> dict[str, Any]:
        """The form's values for a source. A stopped schedule appears as "only on request"."""
        return {
            **SourceForm.read_source(source),
            **source.options,
            "location": source.location,
            "refresh": source.refresh_interval_seconds if source.auto_index else 0,
        }

    def get_options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.options}

    def make_source(self, principal: Principal, collection: Collection) -> Source:
        """The collection's source for this place, with these settings from now on. Raises DocsError for a place that may not be read."""
        source = MAKERS[self.kind](principal, collection, self.make_given())
        return self.set_schedule(source)

    def change_source(self, principal: Principal, source: Source) -> Source:
        changed = MAKERS[self.kind](principal, source.collection, self.make_given(), source)
        return self.set_schedule(changed) if "refresh" in self.changed_data else changed

    def make_given(self) -> dict[str, Any]:
        """The values as the API takes them."""
        names = ("location", "include", "exclude", "max_file_bytes")
        given = {name: self.cleaned_data[name] for name in names}
        given |= {"kind": self.kind, "options": self.get_options()}
        if token := self.cleaned_data.get("token"):
            given["token"] = token
        return given

    def set_schedule(self, source: Source) -> Source:
        source.refresh_interval_seconds, source.auto_index = self.cleaned_data["refresh"], True
        source.save(update_fields=["refresh_interval_seconds", "auto_index"])
        return source

    def check_options(self, model: type[BaseModel], **more: Any) -> None:
        """Shows refusals by the options' own rules at their fields."""
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
    """A place with a URL."""

    def clean_location(self) -> str:
        location: str = self.cleaned_data["location"].strip()
        checked: str = check_field(check_url, location if "://" in location else f"https://{location}")
        return checked


class SiteForm(RemoteForm):
    kind = Kind.SITE
    options = ("language", "follow_links", "max_pages")
    advanced = (*SourceForm.advanced, "below", *options)

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

    @staticmethod
    def read_source(source: Source) -> dict[str, Any]:
        """`prefix` is what every form calls its own fields by."""
        return {**PlaceForm.read_source(source), "below": source.options.get("prefix", "")}

    def clean_below(self) -> str:
        below: str = self.cleaned_data["below"].strip()
        if below:
            check_field(check_url, below)
        return below

    def get_options(self) -> dict[str, Any]:
        return super().get_options() | {"prefix": self.cleaned_data["below"]}

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if not self.errors:
            self.check_options(SiteOptions, url=self.cleaned_data["location"])
        return given

    def make_site_options(self) -> SiteOptions:
        given = self.cleaned_data
        names = ("include", "exclude", "max_file_bytes")
        return SiteOptions(url=given["location"], **{name: given[name] for name in names}, **self.get_options())


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
        help_text="For a private repository. It is kept encrypted and never shown. Empty keeps the one that is there, as long as the "
        "repository's address stays the same.",
    )

    @staticmethod
    def read_source(source: Source) -> dict[str, Any]:
        return {**PlaceForm.read_source(source), "location": get_repository_url(source)}

    def clean_location(self) -> str:
        check_field(check_is_web_address, self.cleaned_data["location"].strip())
        return super().clean_location()

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if not self.errors:
            self.check_options(GitOptions)
        return given


FORMS: dict[str, type[PlaceForm]] = {"folder": FolderForm, "site": SiteForm, "repository": RepositoryForm}
FORMS_BY_KIND: dict[str, type[SourceForm]] = {
    Kind.UPLOAD: SourceForm,
    **{form.kind: form for form in FORMS.values()},
}
