"""Asks for confirmation before an action on selected rows that is hard to undo. The page names the first rows and counts the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from collections_app.admin.base import TenantAdmin
from collections_app.admin.pages import show_page

SHOWN_NAMES = 100


class Question(NamedTuple):
    """`verb` is what would be done to the rows, `hint` its consequence."""

    verb: str
    hint: str


def is_answered(request: HttpRequest) -> bool:
    """Whether the request comes from the page of ask()."""
    return "post" in request.POST


def ask(page: TenantAdmin, request: HttpRequest, action: str, question: Question, rows: QuerySet[Any]) -> HttpResponse:
    """The page that asks for confirmation. It passes on how the rows were selected instead of their ids: those of thousands of rows would
    be more fields than a form may have."""
    count = rows.count()
    return show_page(
        request,
        "admin/ask.html",
        title=f"{question.verb} {page.name_rows(count)}",
        action=action,
        hint=question.hint,
        names=[page.name_row(row) for row in rows[:SHOWN_NAMES]],
        more=max(0, count - SHOWN_NAMES),
        checkbox=ACTION_CHECKBOX_NAME,
        is_all=request.POST.get("select_across") == "1",
        chosen=request.POST.getlist(ACTION_CHECKBOX_NAME),
    )
