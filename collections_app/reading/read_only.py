"""Views that only show: any other method is answered with the methods that they allow. Knows nothing of views with forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def read_only(view: View) -> View:
    """Allows GET and HEAD. Exempt from the CSRF check, since it changes nothing; otherwise the answer would be 403 instead of 405."""
    return csrf_exempt(require_safe(view))
