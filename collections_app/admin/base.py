"""What the admin's pages share: rows that are only looked at, and actions that tell what became of each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest

from collections_app.exceptions import DocsError

Row = TypeVar("Row", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that are made elsewhere."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def act_on_each(page: admin.ModelAdmin, request: HttpRequest, rows: Iterable[Row], act: Callable[[Row], str]) -> None:
    """Show the sentence that `act` gives for each row, or why it refuses. One that is refused stops no other."""
    for row in rows:
        try:
            page.message_user(request, act(row))
        except DocsError as error:
            page.message_user(request, f"{row}: {error.message}", messages.ERROR)
