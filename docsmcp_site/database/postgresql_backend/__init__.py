"""`docsmcp_site.database.postgresql_backend`: Django's own backend for PostgreSQL, whose sessions do not wait for ever."""
