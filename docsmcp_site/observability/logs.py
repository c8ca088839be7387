"""How log records are written: one line each on stderr, for people or as JSON, including those of the standard library.

Django calls `configure_logging` with settings.LOGGING. Requests are not logged: the dispatcher logs what the server did, and a visitor's
404 or a scanner's wrong Host is no event. Records of other libraries contain only the path of an address, without the token of an
invitation: the query says what was asked.
"""

from __future__ import annotations

import logging.config
import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_QUIET = {
    "django.request": "ERROR",
    "django.server": "WARNING",
    "django.security.DisallowedHost": "CRITICAL",
    # The address of a list with a made-up filter: the request is refused, and its sender told so.
    "django.security.DisallowedModelAdminLookup": "CRITICAL",
    "django.db.backends": "INFO",
    # If a template lacks a variable, Django logs everything that the page knows, which may include a secret.
    "django.template": "INFO",
    "asyncio": "WARNING",
    "httpx": "WARNING",
}

_QUERY = re.compile(r"(?<=\S)\?\S+")
_INVITATION = re.compile(r"(?<=/invitations/)[^\s/]+")


def hide_request(logger: Any, name: str, record: EventDict) -> EventDict:
    """Removes the request that Django adds to its records, which would be written with its whole address."""
    record.pop("request", None)
    record["event"] = _INVITATION.sub("…", _QUERY.sub("", str(record["event"])))
    return record


def is_of_interest(record: logging.LogRecord) -> bool:
    """Drops the queue's record of each task that was enqueued: the task's job records what matters."""
    return not (record.name == "django-q" and str(record.msg).startswith("Enqueued "))


def configure_logging(options: dict[str, str]) -> None:
    """`options`: `level`, a standard one, and `format`, console or json."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    logging.config.dictConfig(make_dict_config(options["level"], options["format"]))


def make_dict_config(level: str, log_format: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*_SHARED, hide_request],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_make_renderers(log_format),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": [is_of_interest]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "NOTSET", "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            **{name: {"level": max(least, level, key=_get_number)} for name, least in _QUIET.items()},
        },
    }


def _make_renderers(log_format: str) -> list[Processor]:
    if log_format == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]


def _get_number(level: str) -> int:
    return logging.getLevelNamesMapping()[level]
