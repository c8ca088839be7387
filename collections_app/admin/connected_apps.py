"""Apps that people connected by OAuth: each person sees their own, an owner all of the tenant's; both may disconnect them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from collections_app.access.connected_apps import end
from collections_app.access.roles import Role, is_superuser, tenants_of
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.asking import Question
from collections_app.admin.base import TenantAdmin
from collections_app.models import ConnectedApp

EMPTY = (
    "No app is connected. Apps that cannot be given an API key, such as ChatGPT and claude.ai, are connected from there, by the address "
    "/oauth/mcp of this server, if its operator has switched that on (OAUTH_ENABLED)."
)


@admin.register(ConnectedApp)
class ConnectedAppAdmin(TenantAdmin):
    list_display = ("told_app", "told_person", "told_scopes", "told_collections", "told_state", "told_use", "created")
    list_select_related = ("tenant", "client", "api_key__person")
    search_fields = ("client__name", "api_key__person__username")
    list_display_links = None
    actions = ("disconnect",)
    tells_tenant = True
    empty_text = EMPTY

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without those that the app has not taken up yet."""
        apps = super().get_queryset(request).exclude(code_redeemed=None).prefetch_related("api_key__collections")
        if is_superuser(request.user):
            return apps
        return apps.filter(Q(api_key__person=request.user.pk) | Q(tenant__in=tenants_of(request.user, Role.OWNER)))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """There is no page of a single one: the list says everything."""
        return obj is None and super().has_view_permission(request, obj)

    @row_action(
        Role.VIEWER, "Disconnect", Question("Disconnect", "They are refused at once, until they are connected again.")
    )
    def disconnect(self, request: HttpRequest, apps: QuerySet[ConnectedApp]) -> None:
        def disconnect(app: ConnectedApp) -> str:
            end(app)
            return f"{app} is disconnected."

        act_on_each(self, request, apps, "disconnect", disconnect)

    @admin.display(description="App", ordering="client__name")
    def told_app(self, app: ConnectedApp) -> str:
        return app.client.name

    @admin.display(description="Connected by")
    def told_person(self, app: ConnectedApp) -> Any:
        return app.api_key.person

    @admin.display(description="May")
    def told_scopes(self, app: ConnectedApp) -> str:
        return ", ".join(app.api_key.scopes)

    @admin.display(description="Collections")
    def told_collections(self, app: ConnectedApp) -> str:
        names = [each.slug for each in app.api_key.collections.all()]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return "all" if app.api_key.all_collections else ", ".join(names[:3]) + more or "none"

    @admin.display(description="State")
    def told_state(self, app: ConnectedApp) -> str:
        if app.api_key.revoked:
            return "disconnected"
        return "connected" if app.refresh_expires and app.refresh_expires > timezone.now() else "expired"

    @admin.display(description="Last used", empty_value="never")
    def told_use(self, app: ConnectedApp) -> Any:
        return app.api_key.used_at
