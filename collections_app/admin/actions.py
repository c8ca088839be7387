"""Actions of lists: to whose rows they may be applied, whether a question comes first, and what is reported and recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from collections_app.access.roles import Role
from collections_app.activity import audit
from collections_app.admin.asking import Question, ask, is_answered
from collections_app.admin.base import TenantAdmin
from collections_app.admin.tenant_rows import Row, limit_to_tenants
from collections_app.exceptions import DocsError


def row_action(
    role: Role, description: str, question: Question | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An action of a list that needs the role in each row's tenant: rows where the user lacks it are left out, and counted.

    With a `question`, it runs only once that is answered.
    """

    def decorate(act: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(act)
        def checked(page: TenantAdmin, request: HttpRequest, rows: QuerySet[Any]) -> Any:
            allowed = limit_to_tenants(rows, request, role, page.tenant_path)
            count = allowed.count()
            if left_out := rows.count() - count:
                page.message_user(
                    request, f"{left_out} left as they are: this needs the role {role.value} there.", messages.ERROR
                )
            if question and count and not is_answered(request):
                return ask(page, request, act.__name__, question, allowed)
            return act(page, request, allowed)

        return admin.action(description=description, permissions=[role.value])(checked)

    return decorate


def act_on_each(
    page: TenantAdmin, request: HttpRequest, rows: Iterable[Row], done: str, act: Callable[[Row], str]
) -> None:
    """Shows the sentence that `act` returns for each row, or why it refuses. A refusal does not stop the others.

    What was done is recorded in the audit log as `done`, the same word as when it is done to a single row.
    """
    for row in rows:
        event = audit.describe(request, done, row)  # before the row may be gone
        try:
            page.message_user(request, act(row))
            event.save()
        except DocsError as error:
            page.message_user(request, f"{row}: {error.message}", messages.ERROR)
