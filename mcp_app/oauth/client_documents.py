"""Programs whose id is the address of a document that describes them (draft-ietf-oauth-client-id-metadata-document): nothing has to be
registered, and who has the address says where people are sent back to.
"""

from __future__ import annotations

import json
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from collections_app.clients.http import FetchedPage, HttpClient
from collections_app.exceptions import DocsError
from collections_app.models import OAuthClient
from collections_app.models.connected_apps import MAX_CLIENT_ID
from mcp_app.oauth.clients import find_fault, find_name

FETCH_SECONDS = 5
MAX_BYTES = 16 * 1024
# Within this time the document is not read again.
FRESH_FOR = timedelta(minutes=10)
# Of this process: slow websites hold up no more of its web threads.
READERS = BoundedSemaphore(2)
OK = 200


class BadDocument(Exception):
    """The text is for the person who is to connect the program."""


def is_document_address(client_id: str) -> bool:
    """An https address with a path, without a fragment, a user or dots in its path (section 2 of the draft)."""
    if (
        not client_id.startswith("https://")
        or len(client_id) > MAX_CLIENT_ID
        or not client_id.isprintable()
        or "#" in client_id
    ):
        return False
    try:
        parts = urlsplit(client_id)
    except ValueError:
        return False
    dots = {".", ".."} & set(parts.path.split("/"))
    return bool(parts.hostname and parts.path.strip("/") and "@" not in parts.netloc and not dots)


def ensure_client(client_id: str) -> None:
    """Reads the document of a program with such an id, unless it was read a moment ago. Raises BadDocument."""
    known = OAuthClient.objects.filter(client_id=client_id).first()
    if known and timezone.now() - known.read < FRESH_FOR:
        return
    described = read_document(client_id)
    if described.get("client_id") != client_id:
        raise BadDocument("The document that describes this app names another address than its own.")
    if fault := find_fault(described.get("redirect_uris")):
        raise BadDocument(f"The document that describes this app cannot be used: {fault}.")
    OAuthClient.objects.update_or_create(
        client_id=client_id,
        defaults={
            "name": find_name(described.get("client_name")),
            "redirect_uris": described["redirect_uris"],
            "is_document": True,
            "read": timezone.now(),
        },
    )


def read_document(address: str) -> dict[str, Any]:
    """Raises BadDocument."""
    if not READERS.acquire(blocking=False):
        raise BadDocument("The documents of other apps are being read just now. Open this page again in some seconds.")
    try:
        page = fetch(address)
    except DocsError as error:
        raise BadDocument(f"The document that describes this app cannot be read: {error.message}") from None
    finally:
        READERS.release()
    if page.status != OK:
        raise BadDocument(f"The document that describes this app cannot be read: its server answered {page.status}.")
    try:
        described = json.loads(page.content)
    except (ValueError, RecursionError):
        described = None
    if not isinstance(described, dict):
        raise BadDocument("The document that describes this app is no JSON object.")
    return described


def fetch(address: str) -> FetchedPage:
    """Raises FetchError and FileTooLarge."""
    config = settings.DOCSMCP
    timeout = min(FETCH_SECONDS, config.fetch_timeout)
    with HttpClient(config.fetch_allowed_hosts, timeout_seconds=timeout, max_connections=1, retries=0) as client:
        return client.request(
            address, headers={"Accept": "application/json"}, max_bytes=MAX_BYTES, follow_redirects=False
        )
