"""An object store: S3 and what speaks like it, Google Cloud Storage, Azure, or a directory that all machines share.

By obstore, which is loaded when it is used, and takes who may use the store from the provider's own variables (`AWS_ACCESS_KEY_ID`,
`AWS_ENDPOINT_URL`, …). Raises StoreUnavailable, whose message names neither the address nor what the provider said, which is logged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import structlog

from collections_app.exceptions import UpstreamUnavailable, summarise

RETRY_SECONDS = 30
PATIENCE = {"timeout": "30s", "connect_timeout": "5s", "allow_http": True}
RETRIES = {"max_retries": 2, "retry_timeout": timedelta(seconds=30)}
LISTED_AT_ONCE = 1000

logger = structlog.get_logger(__name__)


class StoreUnavailable(UpstreamUnavailable):
    def __init__(self) -> None:
        super().__init__(
            "The store of uploaded files does not answer just now. Try again later.", retry_after=RETRY_SECONDS
        )


class ObjectStore:
    """Keys are relative to the address, with `/` between their parts."""

    def __init__(self, url: str) -> None:
        import obstore.store

        is_directory = url.startswith("file:")
        options = {"mkdir": True} if is_directory else {"client_options": PATIENCE, "retry_config": RETRIES}
        with telling():
            self._store: Any = obstore.store.from_url(url, **options)

    def put(self, key: str, content: bytes) -> None:
        import obstore

        with telling():
            obstore.put(self._store, key, content)

    def get(self, key: str) -> bytes:
        import obstore

        with telling():
            return bytes(obstore.get(self._store, key).bytes())

    def iter_batches(self, prefix: str) -> Iterator[Sequence[tuple[str, datetime]]]:
        """The keys that begin so, and when each was last written."""
        import obstore

        with telling():
            for batch in obstore.list(self._store, prefix=prefix, chunk_size=LISTED_AT_ONCE):
                yield [(each["path"], each["last_modified"]) for each in batch]

    def delete(self, keys: Sequence[str]) -> None:
        import obstore

        with telling():
            obstore.delete(self._store, keys)


@cache
def open_store(url: str) -> ObjectStore:
    return ObjectStore(url)


@contextmanager
def telling() -> Iterator[None]:
    import obstore.exceptions

    try:
        yield
    except (obstore.exceptions.BaseError, OSError, ValueError) as error:
        logger.error("object_store_failed", reason=summarise(error))
        raise StoreUnavailable from None
