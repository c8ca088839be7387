"""Links between the admin's pages: to a list of what belongs to a row, to a row, to a page of our own."""

from __future__ import annotations

from urllib.parse import urlencode

from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString


def link_to_list(model: str, text: object, **filters: object) -> SafeString:
    """A link to the model's rows whose foreign keys, by name, have these ids."""
    query = urlencode({f"{name}__id__exact": value for name, value in filters.items()})
    return format_html(
        '<a class="dm-link" href="{}?{}">{}</a>', reverse(f"admin:collections_app_{model}_changelist"), query, text
    )


def link_to_row(row: Model) -> SafeString:
    address = reverse(f"admin:collections_app_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a class="dm-link" href="{}">{}</a>', address, row)


def link_to_page(name: str, text: object, *args: object) -> SafeString:
    return format_html('<a class="dm-link" href="{}">{}</a>', reverse(f"admin:{name}", args=args), text)
