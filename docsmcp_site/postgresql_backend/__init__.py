"""The Django database backend `docsmcp_site.postgresql_backend`: Django's own for PostgreSQL, whose sessions do not wait for ever."""
