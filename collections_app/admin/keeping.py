"""Forms that are safe beside another window: untouched fields stay as others left them, and a conflict is shown before it is overwritten.

A form sends along the values that it was shown with (Django's hidden initial values). Nothing is locked.
"""

from __future__ import annotations

from copy import copy
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.text import Truncator

TOLD_CHARACTERS = 200


class KeepingMixin(forms.BaseForm):
    """`keep()` prepares a form for an existing row; `clean()` refuses, once, to overwrite what others changed meanwhile."""

    def keep(self) -> None:
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        for name in set(self.changed_data) & set(given):
            if self.is_overwritten(self[name]):
                self.add_error(name, self.tell_current(self[name]))
                self.show_current(self[name])
        return given

    def is_overwritten(self, field: forms.BoundField) -> bool:
        """Whether the value was changed by others, to something else than this form's."""
        if not field.field.show_hidden_initial or field.html_initial_name not in self.data:
            return False
        was = self.data[field.html_initial_name]
        return all(field.field.has_changed(as_sent(field.initial), as_sent(value)) for value in (was, field.data))

    def tell_current(self, field: forms.BoundField) -> str:
        value = field.initial
        if isinstance(field.field, forms.ChoiceField):
            labels = {str(key): label for key, label in cast("list[tuple[Any, Any]]", field.field.choices)}
            value = labels.get(str(value), value)
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, list):
            value = ", ".join(value)
        now = f"now it is “{Truncator(value).chars(TOLD_CHARACTERS)}”" if value not in ("", None) else "now it is empty"
        return f"This was changed meanwhile, in another window or by somebody else: {now}. Save again to put yours in its place."

    def show_current(self, field: forms.BoundField) -> None:
        """Makes the present value the known one: if the person saves again, theirs counts."""
        data = cast("QueryDict", copy(self.data))
        data[field.html_initial_name] = field.field.prepare_value(field.initial)
        self.data = data


def as_sent(value: Any) -> Any:
    """The value as a browser would send it back: with its own line ends, and without blanks at both ends, which fields drop."""
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else value
