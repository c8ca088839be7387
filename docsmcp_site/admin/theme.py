"""How the admin looks: django-unfold's settings. The sidebar's links are in navigation.py, which needs the models."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static


def find_style(request: HttpRequest) -> str:
    return static("docsmcp/admin.css")


def find_icon(request: HttpRequest) -> str:
    return static("docsmcp/icon.svg")


def find_drafts(request: HttpRequest) -> str:
    """Enables the theme to keep drafts of forms; it gives a draft back to the same person only."""
    return f"{static('docsmcp/drafts.js')}#{request.user.pk}"


def find_keyboard(request: HttpRequest) -> str:
    return static("docsmcp/keyboard.js")


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "docsmcp",
    "SITE_HEADER": "docsmcp",
    "SITE_SUBHEADER": "Documentation for agents",
    "SITE_SYMBOL": "menu_book",
    "SITE_URL": "/",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": find_icon}],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "BORDER_RADIUS": "6px",
    "STYLES": [find_style],
    "SCRIPTS": [find_drafts, find_keyboard],
    "LOGIN": {"form": "collections_app.admin.login.LoginForm"},
    "DASHBOARD_CALLBACK": "collections_app.admin.dashboard.show_dashboard",
    "COLORS": {
        "primary": {
            "50": "oklch(97% .014 254.6)",
            "100": "oklch(93.2% .032 255.6)",
            "200": "oklch(88.2% .059 254.1)",
            "300": "oklch(80.9% .105 251.8)",
            "400": "oklch(70.7% .165 254.6)",
            "500": "oklch(62.3% .214 259.8)",
            "600": "oklch(54.6% .245 262.9)",
            "700": "oklch(48.8% .243 264.4)",
            "800": "oklch(42.4% .199 265.6)",
            "900": "oklch(37.9% .146 265.5)",
            "950": "oklch(28.2% .091 267.9)",
        }
    },
    "SIDEBAR": {
        "show_search": False,  # the search in the sidebar: it has few names
        "show_all_applications": False,
        "navigation": "docsmcp_site.admin.navigation.make_navigation",
    },
}
