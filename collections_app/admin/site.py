"""The admin's site: anybody who belongs to a tenant may enter; each page decides what they find there.

A page of our own is a view with `@admin_page`: for those who may enter, it is at /admin/<path>, as `admin:<name>`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import InvalidPage
from django.db.models.base import ModelBase
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from collections_app.access import single_sign_on
from collections_app.access.authentication import show_person
from collections_app.access.roles import has_role_somewhere
from collections_app.activity import audit
from collections_app.admin.login import TOO_MANY
from collections_app.models import User

if TYPE_CHECKING:  # the theme has no types
    from django.contrib.admin import AdminSite
else:
    from unfold.sites import UnfoldAdminSite as AdminSite

View = Callable[..., HttpResponseBase]

PAGES: dict[str, tuple[str, View]] = {}


def admin_page(route: str, *, name: str) -> Callable[[View], View]:
    """Registers a view below /admin/. It renders with `**get_site().each_context(request)` in its context."""

    def register(view: View) -> View:
        PAGES[name] = (route, view)
        return view

    return register


class DocsAdminSite(AdminSite):
    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Models of other apps are left out: roles decide what a member may do, and jobs show what the queue does."""
        models: Any = [model_or_iterable] if isinstance(model_or_iterable, ModelBase) else model_or_iterable
        ours = [model for model in models if model._meta.app_label == "collections_app"]
        super().register(ours, admin_class, **options)

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]  # any view, as Django's does
        """Applies row security (postgres/row_security.py): a page sees only rows of its visitor's tenants."""

        @wraps(view)
        def visit(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if isinstance(request.user, User) and request.user.is_active:
                show_person(request.user, request.user.roles)
            return view(request, *args, **kwargs)

        guarded = cast("View", super().admin_view(visit, cacheable))

        @wraps(guarded)
        def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method == "POST" and not self.has_permission(request):
                return redirect_to_login(find_form_page(request), reverse("admin:login"))
            return guarded(request, *args, **kwargs)

        return enter

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and has_role_somewhere(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """Also offers single sign-on, and tells programs, by the status, that there were too many tries."""
        response = super().login(request, {**make_single_sign_on(request), **(extra_context or {})})
        form = (getattr(response, "context_data", None) or {}).get("form")
        if form is not None and form.has_error("__all__", TOO_MANY):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        if single_sign_on.is_enabled():
            # Whoever connects an account goes from this form to the provider: browsers apply the policy to where its answer redirects, too.
            response._csp_update = {"form-action": [f"{urlsplit(settings.DOCSMCP.oidc_issuer).scheme}:"]}  # type: ignore[attr-defined]
        return response

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """The person's own password; the audit log records the change."""
        response = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
            audit.record(request, "change own password", cast("User", request.user))
        return response

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        """The theme's search in the sidebar; the theme does not check the page number that it is given."""
        try:
            response: HttpResponseBase = super().search(request, extra_context)  # type: ignore[misc]  # the theme's
        except (ValueError, InvalidPage):
            raise Http404 from None
        return response

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own = [path(route, self.admin_view(view), name=name) for name, (route, view) in PAGES.items()]
        # Django's redirect to an object's public page does not check whose object it is.
        return [*own, *(url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site")]


def make_single_sign_on(request: HttpRequest) -> dict[str, Any]:
    """The button of the sign-in page: what it says, and where it leads."""
    if not single_sign_on.is_enabled():
        return {}
    wanted = request.POST.get("next") or request.GET.get("next", "")
    address = f"{reverse('sign_in')}?{urlencode({'next': wanted})}" if wanted else reverse("sign_in")
    return {"single_sign_on": {"name": settings.DOCSMCP.oidc_name, "address": address}}


def find_form_page(request: HttpRequest) -> str:
    """The page of the form that was sent, to which a person returns after signing in: a form's target may not be a page."""
    came_from = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure()):
        parts = urlsplit(came_from)
        return urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return request.get_full_path()


@cache
def get_site() -> Any:
    """The process's only site, which is also `django.contrib.admin.site`."""
    return DocsAdminSite()
