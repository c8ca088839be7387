"""`docsmcp doctor`: examines everything that the server depends on, and says of each part how it is and what to do. Changes nothing.

A check is a function, named after its part, that returns a verdict. A check that cannot be carried out is a finding too.
"""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from django.db import DatabaseError

from docsmcp_site.doctor import content, database, surroundings, upstreams, work
from docsmcp_site.doctor.findings import Check, Finding, State, fail

logger = structlog.get_logger(__name__)

# DATABASE_CHECKS need a database that answers, TABLE_CHECKS also its tables.
DATABASE_CHECKS: tuple[Check, ...] = (
    database.check_encoding,
    database.check_connections,
    database.check_replica,
    database.check_pgvector,
)
TABLE_CHECKS: tuple[Check, ...] = (
    work.check_worker,
    work.check_tasks,
    work.check_jobs,
    work.check_sources,
    work.check_stored_secrets,
    work.check_quotas,
    content.check_documents,
    content.check_embeddings,
    content.check_indexes,
    content.check_languages,
    database.check_row_security,
    surroundings.check_names,
)
SURROUNDING_CHECKS: tuple[Check, ...] = (
    surroundings.check_broker,
    surroundings.check_upload_store,
    upstreams.check_embedder,
    upstreams.check_reranker,
    upstreams.check_language_model,
    upstreams.check_sign_in,
    surroundings.check_disk,
    surroundings.check_settings,
    surroundings.check_hosts,
    surroundings.check_https,
    surroundings.check_origins,
    surroundings.check_connected_apps,
    surroundings.check_secret_key,
    surroundings.check_allowed_roots,
)


def examine() -> Iterator[Finding]:
    """Every finding, in the order in which to mend them. A part is not examined if it depends on one that fails."""
    yield (server := run(database.check_database))
    if server.verdict.state != State.FAIL:
        yield from map(run, DATABASE_CHECKS)
        yield (tables := run(database.check_migrations))
        if tables.verdict.state != State.FAIL:
            yield from map(run, TABLE_CHECKS)
    yield from map(run, SURROUNDING_CHECKS)


def run(check: Check) -> Finding:
    name = check.__name__.removeprefix("check_").replace("_", " ")
    try:
        return Finding(name, check())
    except DatabaseError as error:
        return Finding(
            name, fail(f"the database refused: {str(error).partition(chr(10))[0]}", "see the log of the database")
        )
    except Exception:
        logger.exception("check_failed", check=name)
        return Finding(
            name, fail("this could not be found out; the reason is logged", "report it as a fault of docsmcp")
        )
