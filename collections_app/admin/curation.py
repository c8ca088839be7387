"""Synonyms and pins as rows on their collection's page: checked as in curating.py, and safe beside another window with the page.

If a row is gone, the person is told and the rest of the page is kept; keeping.py handles the fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms import BaseInlineFormSet
from django.http import QueryDict
from unfold.widgets import UnfoldAdminTextInputWidget

from collections_app.admin.base import TenantInline, list_changed_fields
from collections_app.admin.keeping import KeepingMixin
from collections_app.curating import check_pin, check_synonym
from collections_app.exceptions import DocsError
from collections_app.models import Pin, Synonym


class KeepingForm(KeepingMixin, forms.ModelForm):
    """Sends along the values that it was shown with: only what differs from them was changed here."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.keep()

    def take(self, check: Callable[..., tuple[str, ...]], names: tuple[str, ...], *before: Any) -> dict[str, Any]:
        """The cleaned data; if one of these fields was changed, with the result of `check` for them."""
        given = self.cleaned_data
        if self.errors or not set(names) & set(self.changed_data):
            return given
        try:
            return given | dict(zip(names, check(*before, *(given[name] for name in names)), strict=True))
        except DocsError as error:
            raise ValidationError(error.message) from None


class SynonymForm(KeepingForm):
    def clean(self) -> dict[str, Any]:
        super().clean()
        return self.take(check_synonym, ("term", "synonym"))


class PinForm(KeepingForm):
    def clean(self) -> dict[str, Any]:
        super().clean()
        return self.take(check_pin, ("question", "path", "section_id"), self.instance.collection)


class CurationFormSet(BaseInlineFormSet):
    """Refuses the same row twice. Django does not check a constraint with a field that is not in the form, here the tenant."""

    once: tuple[str, ...]
    prefix: str

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.gone = self.leave_out_gone() if self.is_bound else 0

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        """Labels each field for screen readers, which do not take the table's column headers for labels."""
        super().add_fields(form, index)
        for field in form.fields.values():
            field.widget.attrs.setdefault("aria-label", str(field.label or ""))

    def total_form_count(self) -> int:
        """At most the number of rows that were sent, even if the form claims more: each of the others would be rendered, empty."""
        count = super().total_form_count()
        if not self.is_bound:
            return count
        sent = (found for name in self.data if (found := re.match(rf"{re.escape(self.prefix)}-(\d{{1,9}})-", name)))
        return min(count, max((int(found[1]) + 1 for found in sent), default=0))

    def leave_out_gone(self) -> int:
        """Removes rows that were deleted after the page was loaded from the sent data, in which rows are numbered; returns how many."""
        total, initial = self.total_form_count(), self.initial_form_count()
        there = {str(row.pk) for row in self.get_queryset()}
        kept = [n for n in range(total) if n >= initial or self.data.get(f"{self.prefix}-{n}-id") in there]
        if gone := total - len(kept):
            self.data = renumber(self.data, self.prefix, kept)
            self.data[f"{self.prefix}-TOTAL_FORMS"] = str(total - gone)
            self.data[f"{self.prefix}-INITIAL_FORMS"] = str(initial - gone)
            del self.management_form
        return gone

    def clean(self) -> None:
        super().clean()
        if self.gone:
            raise ValidationError(
                f"{self.gone} of these rows {'was' if self.gone == 1 else 'were'} deleted meanwhile, in another window or by "
                "somebody else. Look the rest over and save again: it is kept."
            )
        given = [form for form in self.forms if form.is_valid() and form.cleaned_data]
        rows = [self.get_words(form) for form in given if not form.cleaned_data.get("DELETE")]
        own = [form.instance.pk for form in given if form.instance.pk]
        others = self.get_queryset().model.objects.filter(collection=self.instance).exclude(pk__in=own)
        if len({*rows, *others.values_list(*self.once)}) < len(rows) + others.count():
            raise ValidationError("Two rows say the same: delete one of them.")

    def get_words(self, form: forms.ModelForm) -> tuple[Any, ...]:
        return tuple(form.cleaned_data.get(name) for name in self.once)

    def save_rows(self) -> None:
        """Rows get their collection's tenant. Rows that were not touched here are not saved, since somebody else may change them."""
        self.save(commit=False)
        for row in self.new_objects:
            row.tenant_id = self.instance.tenant_id
            row.save()
        for row, changed in self.changed_objects:
            row.save(update_fields=list_changed_fields(row, changed))
        for row in self.deleted_objects:
            row.delete()


def renumber(data: Any, prefix: str, kept: list[int]) -> QueryDict:
    """The sent data with only these rows of a formset, numbered from 0."""
    places = {str(number): place for place, number in enumerate(kept)}
    left = QueryDict(mutable=True)
    for name, values in data.lists():
        found = re.fullmatch(rf"(initial-)?{re.escape(prefix)}-(\d+)-(.+)", name)
        if found is None:
            left.setlist(name, values)
        elif found[2] in places:
            left.setlist(f"{found[1] or ''}{prefix}-{places[found[2]]}-{found[3]}", values)
    return left


class SynonymFormSet(CurationFormSet):
    once = ("term", "synonym")


class PinFormSet(CurationFormSet):
    once = ("question", "path")


class SynonymInline(TenantInline):
    model = Synonym
    form = SynonymForm
    formset = SynonymFormSet


class PinInline(TenantInline):
    model = Pin
    form = PinForm
    formset = PinFormSet
    # A section id is a single line, however long.
    formfield_overrides: ClassVar = {models.TextField: {"widget": UnfoldAdminTextInputWidget}}
