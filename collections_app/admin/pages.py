"""What our own admin pages share: rendering, finding the row that an address names, lists in pages. For people who may enter the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from collections_app.access.roles import Role, has_role
from collections_app.admin.site import get_site
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.models import Collection

if TYPE_CHECKING:  # the theme has no types
    ThemePaginator = Paginator
else:
    from unfold.paginator import InfinitePaginator as ThemePaginator

MAX_ID_DIGITS = 18


def show_page(request: HttpRequest, template: str, *, title: str, status: int = 200, **context: Any) -> HttpResponse:
    """A page in the admin's frame; if it is about a `collection`, with links to that one's other pages."""
    if collection := context.get("collection"):
        context["may_add"] = is_editor(request, collection.tenant_id)
    return render(request, template, {**get_site().each_context(request), "title": title, **context}, status=status)


def get_collection(request: HttpRequest, pk: int, role: Role) -> Collection:
    """The collection, for people with the role in its tenant. Raises Http404, PermissionDenied."""
    return get_row_or_404(request, Collection.objects.select_related("tenant"), pk, role)


def get_posted_collection(request: HttpRequest, field: str, role: Role) -> Collection:
    """get_collection() for the collection whose id is in a form's field."""
    pk = request.POST.get(field, "")
    if not (pk.isascii() and pk.isdecimal() and len(pk) <= MAX_ID_DIGITS):
        raise Http404("There is no such collection.")
    return get_collection(request, int(pk), role)


def is_editor(request: HttpRequest, tenant_id: int) -> bool:
    return has_role(request.user, tenant_id, Role.EDITOR)


def get_page(request: HttpRequest, rows: QuerySet[Any], size: int, count: int) -> Page[Any]:
    """The page of rows that `?page=` names, or the nearest one; `count` is known already, or cheap to find out."""
    paginator = Paginator(rows, size)
    paginator.count = count
    return paginator.get_page(request.GET.get("page"))


class InfinitePaginator(ThemePaginator):
    """For a list with too many rows to count: fetching one more row than a page has tells whether there is a next page.

    The theme recognises this class by its name, and shows no count.
    """

    template_name = "admin/infinite_pages.html"
    has_more = False

    def page(self, number: int | str) -> Page[Any]:
        """Raises InvalidPage past the end."""
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        rows = list(self.object_list[start : start + self.per_page + 1])
        if not rows and number > 1:
            raise EmptyPage("That page contains no results")
        self.has_more = len(rows) > self.per_page
        return Page(rows[: self.per_page], number, self)
