"""Django's DATABASES, made from the settings, and how the web server's processes differ. Connects to nothing by itself.

Every process except the web server's connects to the database directly: jobs hold locks of a session, which a pooler would give to
others, and the queue's processes fork, which no pool survives.
"""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from docsmcp_site.configuration.config import Config
from docsmcp_site.configuration.database_url import parse_database_url
from docsmcp_site.database.postgresql_backend.base import PooledConnection

# The names that collections_app/postgres/replicas.py and advisory_locks.py use; these modules can only be imported once Django is ready.
REPLICA = "replica"
DIRECT = "direct"
# How long to wait for a host that does not answer at all; DATABASE_URL can override it.
CONNECT_SECONDS = 5
# The primary stands in for a replica, so nobody needs to wait for one.
REPLICA_CONNECT_SECONDS = 1

# With these the system drops the connection to a host that went silent within half a minute (libpq's parameters; TCP only).
KEEPALIVE = {
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}

# How long the web server waits for an answer of a server that hangs. Its statements are short, and its threads few.
PATIENCE_SECONDS = 30

# psycopg prepares a statement once it has been executed this many times.
PREPARE_THRESHOLD = 2

# Seconds that a request waits for a pool's connection, and that a pool keeps retrying before it starts over. With psycopg's own
# five minutes the pauses between two tries would grow, and a pool would still wait when the database is back.
POOL_PATIENCE = {"timeout": 2, "reconnect_timeout": 2}


def make_databases(config: Config) -> dict[str, dict[str, Any]]:
    if not config.database_url:
        return {DEFAULT_DB_ALIAS: keep_connections(make_embedded(config))}
    databases = {DEFAULT_DB_ALIAS: make_database(config.database_direct_url or config.database_url)}
    if config.database_replica_url:
        databases[REPLICA] = make_database(config.database_replica_url, REPLICA_CONNECT_SECONDS)
    return {alias: keep_connections(each) for alias, each in databases.items()}


def keep_connections(database: dict[str, Any]) -> dict[str, Any]:
    """Threads and queue workers keep a connection: a new one costs 10 ms (scram). Statements are prepared: prepared_cursor.py."""
    options = {"prepare_threshold": PREPARE_THRESHOLD, **database["OPTIONS"]}
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


def make_database(url: str, connect_seconds: int = CONNECT_SECONDS) -> dict[str, Any]:
    parsed = parse_database_url(url)
    options = {"connect_timeout": str(connect_seconds), **KEEPALIVE, **parsed["OPTIONS"]}
    return {"ENGINE": "docsmcp_site.database.postgresql_backend", **parsed, "OPTIONS": options}


def make_embedded(config: Config) -> dict[str, Any]:
    return {
        "ENGINE": "docsmcp_site.database.embedded_backend",
        "NAME": "docsmcp",
        "OPTIONS": {"data_dir": str(config.data_dir)},
    }


def prepare_serving(config: Config) -> None:
    """Called in the web server before any of its connections: uses the pooler if there is one, and a pool if the settings want one."""
    databases = connections.settings
    if config.database_url and config.database_direct_url:
        databases[DIRECT] = {**databases[DEFAULT_DB_ALIAS], "CONN_MAX_AGE": 0}
        # A transaction pooler runs each transaction in another session, so server-side cursors would be lost.
        databases[DEFAULT_DB_ALIAS] |= make_database(config.database_url) | {"DISABLE_SERVER_SIDE_CURSORS": True}
    for each in databases.values():
        each["OPTIONS"] = {**each["OPTIONS"], "patience": PATIENCE_SECONDS}
    if config.database_url and config.database_pool_size:
        for alias in {DEFAULT_DB_ALIAS, REPLICA} & databases.keys():
            each = databases[alias]
            pool = {
                "min_size": 1,
                "max_size": config.database_pool_size,
                "connection_class": PooledConnection,
                **POOL_PATIENCE,
            }
            each |= {"CONN_MAX_AGE": 0, "OPTIONS": {**each["OPTIONS"], "pool": pool}}
