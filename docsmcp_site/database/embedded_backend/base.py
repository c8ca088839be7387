"""The backend of database/postgresql_backend, connected to the embedded server of the data directory in OPTIONS["data_dir"].

Starts the server at the first connection, and connects a second time if the server was killed or is recovering. NAME is
the caller's, so that test databases work; USER, PASSWORD, HOST and PORT are the server's. Refuses psycopg's pool, whose
connections would keep the address of a server that came back at another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from select import POLLIN, poll
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from docsmcp_site.database import embedded_backend
from docsmcp_site.database.embedded_postgres import ConnectionParameters, EmbeddedPostgres, EmbeddedPostgresError
from docsmcp_site.database.postgresql_backend import base

CONNECT_TIMEOUT_SECONDS = 10


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Starts the server unless it runs. An EmbeddedPostgresError becomes an OperationalError with its message."""
        if "pool" in self.settings_dict["OPTIONS"]:
            raise ImproperlyConfigured("The embedded database does not take the option pool: use CONN_MAX_AGE.")
        params = {"connect_timeout": CONNECT_TIMEOUT_SECONDS, "sslmode": "disable", **super().get_connection_params()}
        del params["data_dir"]
        with self._translated():
            return params | self._get_address(self._server.ensure())

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        with self._translated():
            try:
                return self._connect(conn_params)
            except self.Database.OperationalError:
                return self._connect(conn_params, recheck=True)

    def is_usable(self) -> bool:
        """Whether the server has not hung up. The socket of an idle connection tells: a server sends nothing until it is asked.

        Django's own check is a query before the first one of each request, which costs as much as the others. This connection is
        never encrypted, so anything that arrives is the server's own message.
        """
        if self.connection is None or self.connection.closed:
            return False
        socket = poll()
        socket.register(self.connection.fileno(), POLLIN)
        return not socket.poll(0)

    @property
    def _server(self) -> EmbeddedPostgres:
        return embedded_backend.get_server(str(self.settings_dict["OPTIONS"]["data_dir"]))

    def _connect(self, conn_params: dict[str, Any], *, recheck: bool = False) -> Any:
        """Connects while nobody can stop the server, which may have come back on another port a moment ago."""
        with self._server.attached(recheck=recheck) as parameters:
            return super().get_new_connection(conn_params | self._get_address(parameters))

    def _get_address(self, parameters: ConnectionParameters) -> dict[str, Any]:
        address = asdict(parameters)
        del address["dbname"]
        return address

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except EmbeddedPostgresError as error:
            raise self.Database.OperationalError(str(error)) from error
