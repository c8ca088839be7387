"""Members, invitations and the audit log. Owners see and change them for their tenants; superusers for all."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from collections_app.access import invitations, memberships
from collections_app.access.roles import Role
from collections_app.admin.actions import act_on_each, row_action
from collections_app.admin.asking import Question
from collections_app.admin.base import TenantAdmin
from collections_app.admin.pages import InfinitePaginator, show_page
from collections_app.admin.shown_once import keep_secret, take_secret
from collections_app.admin.site import admin_page
from collections_app.admin.tenant_rows import get_row_or_404
from collections_app.exceptions import InvalidParameter
from collections_app.models import AuditEvent, Invitation, Membership, User

LINK_LOST = "The link is not shown again. Whoever lost it is invited once more, by the same address: the old link ends with that."


class MembershipForm(forms.ModelForm):
    class Meta:
        model = Membership
        fields = ("tenant", "user", "role")

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if self.instance.pk and role != Role.OWNER:
            try:
                memberships.check_keeps_owner(self.instance)
            except InvalidParameter as error:
                raise forms.ValidationError(error.message) from None
        return role


@admin.register(Membership)
class MembershipAdmin(TenantAdmin):
    """Members join by invitation; a superuser may also add an existing account. They are removed by an action that keeps an owner."""

    view_role = Role.OWNER
    change_role = Role.OWNER
    show_full_result_count = True
    form = MembershipForm
    list_display = ("user", "tenant", "role")
    list_filter = ("tenant", "role")
    list_select_related = ("user", "tenant")
    search_fields = ("user__username", "user__email")
    autocomplete_fields = ("user",)
    actions = ("remove",)
    superusers_add = True
    empty_text = "Nobody belongs to this tenant yet: invite somebody."

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> tuple[str, ...]:
        return ("tenant", "user") if obj else ()

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.role != Role.OWNER:
            memberships.withdraw_invitations(obj)

    @row_action(
        Role.OWNER,
        "Remove from the tenant",
        Question("Remove", "They have no access to the tenant from then on. To come back they need an invitation."),
    )
    def remove(self, request: HttpRequest, members: QuerySet[Membership]) -> None:
        def remove(member: Membership) -> str:
            memberships.remove_member(member)
            return f"{member.user} belongs to {member.tenant} no more."

        act_on_each(self, request, members, "remove", remove)


class InvitationForm(forms.ModelForm):
    class Meta:
        model = Invitation
        fields = ("tenant", "email", "role")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if "tenant" in given and "email" in given:
            try:
                invitations.check_is_new(given["tenant"], given["email"])
            except InvalidParameter as error:
                self.add_error("email", error.message)
        return given


@admin.register(Invitation)
class InvitationAdmin(TenantAdmin):
    """The link is shown once, by the page that follows the form."""

    view_role = Role.OWNER
    add_role = Role.OWNER
    show_full_result_count = True
    delete_role = Role.OWNER
    saves_by_one_button = True
    form = InvitationForm
    list_display = ("email", "tenant", "role", "invited_by", "created", "expires", "accepted")
    list_filter = ("tenant", "role")
    list_select_related = ("tenant", "invited_by")
    search_fields = ("email",)
    fieldsets = (
        (None, {"fields": ("tenant", "email", "role")}),
        ("Since then", {"fields": ("invited_by", "created", "expires", "accepted"), "description": LINK_LOST}),
    )
    readonly_fields = ("invited_by", "created", "expires", "accepted")
    empty_text = "Nobody is invited. An invitation is a link that you send to somebody, who then chooses a password."

    def get_fieldsets(self, request: HttpRequest, obj: Invitation | None = None) -> Any:
        return super().get_fieldsets(request, obj)[: 2 if obj else 1]

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        assert isinstance(request.user, User)
        made, token = invitations.invite(obj.tenant, obj.email, Role(obj.role), request.user)
        obj.__dict__.update(made.__dict__)
        request.invitation_token = token  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: Invitation, post_url_continue: str | None = None) -> HttpResponse:
        keep_secret(request, f"invitation {obj.pk}", request.invitation_token)  # type: ignore[attr-defined]
        return redirect("admin:invited", obj.pk)


@admin_page("invitations/<int:pk>/link/", name="invited")
def show_link(request: HttpRequest, pk: int) -> HttpResponse:
    invitation = get_row_or_404(request, Invitation.objects.select_related("tenant"), pk, Role.OWNER)
    token = take_secret(request, f"invitation {pk}")
    link = request.build_absolute_uri(reverse("invitation", args=[token])) if token else ""
    return show_page(request, "admin/data/invited.html", title="Invitation", invitation=invitation, link=link)


@admin.register(AuditEvent)
class AuditEventAdmin(TenantAdmin):
    view_role = Role.OWNER
    list_display = ("created", "show_actor", "action", "show_kind", "show_name", "details", "tenant", "address")
    list_display_links = None
    list_filter = ("tenant", "action", "object_type")
    list_select_related = ("tenant",)
    search_fields = ("actor_name", "object_name", "details")
    paginator = InfinitePaginator
    empty_text = "Nothing was changed yet."

    @admin.display(description="Who", ordering="actor_name")
    def show_actor(self, event: AuditEvent) -> str:
        return event.actor_name

    @admin.display(description="Kind", ordering="object_type")
    def show_kind(self, event: AuditEvent) -> str:
        return event.object_type or "-"

    @admin.display(description="What", ordering="object_name")
    def show_name(self, event: AuditEvent) -> str:
        return event.object_name or "-"
