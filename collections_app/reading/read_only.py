"""Views that only show: who sends them anything else is told the methods that they have. Of views that take forms it knows nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def read_only(view: View) -> View:
    """Takes GET and HEAD. Since it changes nothing, no form's token is asked for first: without one the answer would be 403, not 405."""
    return csrf_exempt(require_safe(view))
