"""Whether pgvector is installed, and making the vectors' column its type. The indexes over them are in vector_indexes.py.

Without pgvector nothing semantic is computed or searched; everything else works.
"""

from __future__ import annotations

import structlog
from django.db import DatabaseError, connection, transaction

from collections_app.exceptions import get_first_line

logger = structlog.get_logger(__name__)

# The first version whose index scans continue until enough rows of the wanted collections are found.
OLDEST_VERSION = (0, 8)
NO_PGVECTOR = "The database has no pgvector 0.8 or later."

# Without pgvector the table exists but stays empty: its column gets pgvector's type once that is installed.
HAS_VECTORS = """
SELECT format_type(atttypid, NULL) = 'vector' FROM pg_attribute
WHERE attrelid = 'collections_app_sectionembedding'::regclass AND attname = 'vector'
"""
AVAILABLE_VERSION = """
SELECT string_to_array(coalesce(installed_version, default_version), '.')::int[] FROM pg_available_extensions WHERE name = 'vector'
"""


def has_pgvector() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HAS_VECTORS)
        return bool(cursor.fetchone()[0])


def ensure_pgvector() -> bool:
    """Whether pgvector can be used; installs it if that is possible."""
    if has_pgvector():
        return True
    with connection.cursor() as cursor:
        cursor.execute(AVAILABLE_VERSION)
        row = cursor.fetchone()
    if row is None or tuple(row[0]) < OLDEST_VERSION:
        return False
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            cursor.execute("ALTER TABLE collections_app_sectionembedding ALTER COLUMN vector TYPE vector")
    except DatabaseError as error:
        logger.warning("pgvector_not_created", reason=get_first_line(error))
        return False
    return True
