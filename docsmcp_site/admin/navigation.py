"""The links in the admin's sidebar. Decides nobody's rights: it leaves out what its reader may not open, and pages that do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from collections_app.access.roles import Role, has_role_somewhere, is_superuser


@dataclass(frozen=True)
class Item:
    """A page, by its name in the admin, for people with the role in some tenant; without a role, for superusers. With a `setting`, only
    where that is switched on."""

    title: str
    icon: str  # a name from Material Symbols
    page: str
    role: Role | None = Role.VIEWER
    setting: str = ""

    def is_for(self, request: HttpRequest) -> bool:
        if self.setting and not getattr(settings.DOCSMCP, self.setting):
            return False
        return has_role_somewhere(request.user, self.role) if self.role else is_superuser(request.user)


def make_list(title: str, icon: str, model: str, role: Role | None = Role.VIEWER, setting: str = "") -> Item:
    return Item(title, icon, f"collections_app_{model}_changelist", role, setting)


GROUPS = {
    "Documentation": [
        Item("Overview", "space_dashboard", "index"),
        make_list("Collections", "library_books", "collection"),
        make_list("Documents", "description", "document"),
        Item("Playground", "science", "playground"),
    ],
    "Where documents come from": [
        Item("Add documents", "note_add", "add", Role.EDITOR),
        make_list("Sources", "input", "source"),
        make_list("Jobs", "sync", "ingestjob"),
        make_list("Uploaded files", "upload_file", "upload"),
        make_list("Removed documents", "restore_from_trash", "removeddocument"),
    ],
    "Use": [
        make_list("API keys", "key", "apikey", Role.OWNER),
        make_list("Connected apps", "apps", "connectedapp", setting="oauth_enabled"),
        make_list("Searches", "search", "searchevent"),
        make_list("Feedback", "thumb_down", "feedback"),
        make_list("Cost of answers", "payments", "answerusage"),
    ],
    "People": [
        make_list("Tenants", "domain", "tenant"),
        make_list("Members", "group", "membership", Role.OWNER),
        make_list("Invitations", "mail", "invitation", Role.OWNER),
        make_list("Users", "person", "user", None),
        make_list("Audit log", "history", "auditevent", Role.OWNER),
    ],
}


def make_navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The sidebar in the form that django-unfold wants."""
    return [
        {"title": title, "items": list(iter_links(items, request)), "separator": True}
        for title, items in GROUPS.items()
    ]


def iter_links(items: list[Item], request: HttpRequest) -> Iterator[dict[str, str]]:
    for item in items:
        if not item.is_for(request):
            continue
        try:
            yield {"title": item.title, "icon": item.icon, "link": reverse(f"admin:{item.page}")}
        except NoReverseMatch:
            continue
