"""Django's middleware for pages in a browser. Programs at /mcp and /oauth/mcp skip it: they have no session, form or frame, and would pay
for each.
"""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware as Authentication
from django.contrib.messages.middleware import MessageMiddleware as Messages
from django.contrib.sessions.middleware import SessionMiddleware as Sessions
from django.http import HttpRequest
from django.middleware.clickjacking import XFrameOptionsMiddleware as Frames
from django.middleware.csrf import CsrfViewMiddleware as Csrf
from django.utils.deprecation import MiddlewareMixin

PROGRAMS = re.compile(r"(/oauth)?/mcp(/|$)")


class PagesOnly(MiddlewareMixin):
    def __call__(self, request: HttpRequest) -> Any:
        if PROGRAMS.match(request.path_info):
            return self.get_response(request)
        return super().__call__(request)


class SessionMiddleware(PagesOnly, Sessions):
    pass


class CsrfViewMiddleware(PagesOnly, Csrf):
    """Its check of views still runs for every path."""


class AuthenticationMiddleware(PagesOnly, Authentication):
    pass


class MessageMiddleware(PagesOnly, Messages):
    pass


class XFrameOptionsMiddleware(PagesOnly, Frames):
    pass
