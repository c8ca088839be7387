"""API keys, for owners: make, change, rotate, revoke. A secret appears in the answer to the form that made it, and nowhere else."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from collections_app.access.api_keys import (
    check_is_rotatable,
    end_old_secret,
    revoke_api_key,
    rotate_api_key,
    set_grants,
)
from collections_app.access.roles import Role
from collections_app.activity.audit import record
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.asking import Question
from collections_app.admin.base import TenantAdmin
from collections_app.admin.pages import show_page
from collections_app.exceptions import DocsError
from collections_app.models import ApiKey
from mcp_app.admin.key_forms import KeyForm, RotationForm
from mcp_app.admin.key_pages import get_key_url, make_about, show_secret
from mcp_app.admin.theme import DANGER, action, display

STATES = [("usable", "Usable"), ("rotated", "Old secret still works"), ("expired", "Expired"), ("revoked", "Revoked")]


class StateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return STATES

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
        now = timezone.now()
        usable = queryset.filter(revoked=None).exclude(expires__lte=now)
        rows = {
            "usable": usable,
            "rotated": usable.filter(old_expires__gt=now),
            "expired": queryset.filter(revoked=None, expires__lte=now),
            "revoked": queryset.exclude(revoked=None),
        }
        return rows.get(self.value() or "", queryset)


@admin.register(ApiKey)
class ApiKeyAdmin(TenantAdmin):
    view_role = add_role = change_role = Role.OWNER
    saves_by_one_button = True
    form = KeyForm
    list_display = ("told_name", "tenant", "told_scopes", "told_collections", "told_state", "told_use", "expires")
    list_filter = ("tenant", StateFilter)
    search_fields = ("name", "prefix")
    list_select_related = ("tenant",)
    fields = ("once", "tenant", "name", "scopes", "all_collections", "granted", "rate_limit", "expires")
    conditional_fields: ClassVar = {"granted": "all_collections == false"}
    actions = ("revoke_chosen",)
    actions_detail = ("rotate", "revoke")
    change_form_outer_after_template = "admin/keys/about.html"

    class Media:
        css: ClassVar = {"all": ["docsmcp/keys.css"]}
        js: ClassVar = ["docsmcp/copying.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys: QuerySet[ApiKey] = super().get_queryset(request)
        return keys.filter(pk__in=ApiKey.objects.given_to_agents()).prefetch_related("collections")

    def get_form(self, request: HttpRequest, obj: ApiKey | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("KeyForm", (form,), {"person": request.user})

    def get_readonly_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        return ("tenant",) if obj else ()

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> tuple[str, ...]:
        """A revoked key is shown read-only, and such a page knows only the model's own fields."""
        if obj is None or self.has_change_permission(request, obj):
            return self.fields
        return ("tenant", "name", "scopes", "all_collections", "rate_limit", "expires", "revoked")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"all_collections": True, **super().get_changeform_initial_data(request)}

    def has_view_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """The key of a connected app is nothing that people see."""
        return super().has_view_permission(request, obj) and (obj is None or obj.person_id is None)

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """A revoked key cannot be changed."""
        return super().has_change_permission(request, obj) and (obj is None or obj.revoked is None)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        if not change:
            form.secret = obj.set_secret()
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        set_grants(form.instance, form.get_granted())
        if not change:
            request.new_secret = form.secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Shows the secret in the answer itself: somebody could come back to the page that a redirect leads to."""
        return show_secret(request, obj, request.new_secret)  # type: ignore[attr-defined]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        key = self.get_object(request, object_id) if object_id else None
        about = {"about": make_about(request, key)} if key else {}
        return super().changeform_view(request, object_id, form_url, {**about, **(extra_context or {})})

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """No actions for a key that is revoked or expired."""
        key = ApiKey.objects.filter(pk=object_id).first()
        if key is None or not key.is_usable(timezone.now()):
            return []
        actions: list[Any] = super().get_actions_detail(request, object_id)  # type: ignore[misc]  # the theme's
        return actions

    def get_key(self, request: HttpRequest, object_id: str) -> ApiKey:
        """Raises Http404."""
        key: ApiKey | None = self.get_object(request, object_id)
        if key is None or not super().has_change_permission(request, key):
            raise Http404
        return key

    @action(description="Rotate the secret", url_path="rotate", icon="autorenew")
    def rotate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key = self.get_key(request, object_id)
        try:
            check_is_rotatable(key)
        except DocsError as error:
            messages.error(request, error.message)
            return HttpResponseRedirect(get_key_url(key))
        form = RotationForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                secret = rotate_api_key(key, form.overlap)
            except DocsError as error:
                form.add_error(None, error.message)
            else:
                self.note(request, key, "rotate", f"The secret {key.old_prefix}… is followed by {key.prefix}….")
                return show_secret(request, key, secret)
        return show_page(
            request,
            "admin/keys/rotate.html",
            title=f"Rotate {key.name}",
            key=key,
            form=form,
            old_expires=key.old_expires if key.has_old_secret(timezone.now()) else None,
            back=get_key_url(key),
        )

    @action(description="Revoke", url_path="revoke", icon="block", variant=DANGER)
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        key = self.get_key(request, object_id)
        if request.method != "POST":
            return show_page(
                request, "admin/keys/revoke.html", title=f"Revoke {key.name}", key=key, back=get_key_url(key)
            )
        try:
            if "old_only" in request.POST:
                messages.success(request, self.end_old(request, key))
            else:
                messages.success(request, self.revoke_one(request, key))
        except DocsError as error:
            messages.error(request, error.message)
        return HttpResponseRedirect(get_key_url(key))

    @row_action(Role.OWNER, "Revoke", Question("Revoke", "Agents that use them are refused at once, for good."))
    def revoke_chosen(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        def revoke(key: ApiKey) -> str:
            revoke_api_key(key)
            return f"{key} is revoked."

        act_on_each(self, request, keys, "revoke", revoke)

    def revoke_one(self, request: HttpRequest, key: ApiKey) -> str:
        revoke_api_key(key)
        self.note(request, key, "revoke", "Revoked.")
        return f"{key} is revoked: no agent can use it any more."

    def end_old(self, request: HttpRequest, key: ApiKey) -> str:
        end_old_secret(key)
        self.note(request, key, "end the old secret of", f"The old secret {key.old_prefix}… works no more.")
        return f"The old secret {key.old_prefix}… works no more."

    def note(self, request: HttpRequest, key: ApiKey, action: str, what: str) -> None:
        """Records the action in the key's history and in the audit log."""
        super(TenantAdmin, self).log_change(request, key, what)
        record(request, action, key, details=what)

    @display(description="Key", ordering="name", header=True)
    def told_name(self, key: ApiKey) -> list[str]:
        return [key.name, f"{key.prefix}…"]

    @display(description="May")
    def told_scopes(self, key: ApiKey) -> str:
        return ", ".join(key.scopes)

    @display(description="Collections")
    def told_collections(self, key: ApiKey) -> str:
        names = [each.slug for each in key.collections.all()]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return "all" if key.all_collections else ", ".join(names[:3]) + more or "none"

    @display(
        description="State",
        label={"usable": "success", "rotated": "warning", "expired": "danger", "revoked": "danger"},
    )
    def told_state(self, key: ApiKey) -> str:
        return get_state(key)

    @display(description="Last used", ordering="last_used", empty_value="never")
    def told_use(self, key: ApiKey) -> Any:
        return key.used_at


def get_state(key: ApiKey) -> str:
    now = timezone.now()
    if key.revoked:
        return "revoked"
    if not key.is_usable(now):
        return "expired"
    return "rotated" if key.has_old_secret(now) else "usable"
