"""Applies row security (collections_app/postgres/row_security.py) to the web server's requests, as DATABASE_ROW_SECURITY says.

Commands, workers and probes are exempt: they work for all tenants. If the database lacks the role and the setting is `auto`, there is no
row security, and the log says so once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import cast

import structlog
from django.conf import settings
from django.db import Error
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from collections_app.postgres.row_security import is_available, iter_walled, walled

Answer = Callable[[HttpRequest], HttpResponseBase]

logger = structlog.get_logger(__name__)


def keep_tenants_apart(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        if not stands():
            return get_response(request)
        with walled():
            response = get_response(request)
            # The rest of a stream is made for the same tenants.
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
                response.streaming_content = iter_walled(cast("Iterable[bytes]", response.streaming_content))
        return response

    return answer


def stands() -> bool:
    """Whether row security applies. If the database is away and cannot be asked, it does; nothing can be read then anyway."""
    choice = settings.DOCSMCP.database_row_security
    try:
        return bool(choice == "on" or (choice == "auto" and is_there()))
    except Error:
        return True


@cache
def is_there() -> bool:
    """Whether the database has the role; asked once per process."""
    there = is_available()
    if not there:
        logger.warning("no_row_security", mend="run `docsmcp roles` and restart the web server: docs/security.md")
    return there
