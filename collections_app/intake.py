"""What a caller hands in (text, bytes, a URL, a file of the server), as the upload that it becomes. It stores nothing.

Refuses, before anything is stored, what cannot become a document: bad paths, too many bytes, formats without a parser, URLs that lead
inside, what there is no room for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from collections_app.clients.addresses import AddressGuard
from collections_app.exceptions import DocsError, FileTooLarge, InvalidParameter
from collections_app.jobs import NewUpload
from collections_app.limits.quotas import Room, get_storage
from collections_app.models import Collection, Document
from collections_app.parsing.detection import check_format
from collections_app.parsing.detection.document_names import has_known_extension
from collections_app.parsing.documents import RawDocument
from collections_app.sources.allowed_roots import resolve_allowed
from collections_app.sources.archive_formats import is_archive
from collections_app.sources.site.urls import find_url, make_path
from collections_app.sources.uploads import check_upload_path

NOTHING: Mapping[str, Any] = {}
TEXT_EXTENSION = ".md"

_NUMBER = re.compile(r"\d+|0x[\da-f]+", re.ASCII)  # which resolvers take for an IPv4 address


class Admission:
    """Uploads of one request: whether their tenant has room for them, one after the other. What waits to be read is not counted yet."""

    def __init__(self, collection: Collection) -> None:
        self.documents = Document.objects.in_collections([collection])
        self.room = Room(get_storage(collection.tenant_id))

    def check(self, upload: NewUpload) -> None:
        """Raises QuotaExceeded. What is in an archive is known when it is unpacked, and what a URL gives when it is fetched."""
        if self.room.storage.is_limited and not is_archive(upload.path):
            old = self.documents.filter(path=upload.path).values_list("size_bytes", flat=True).first()
            self.room.take(upload.size_bytes, old)


@dataclass(frozen=True, slots=True)
class Sent:
    """A file of a request: what it is to be called, and what makes an upload of it or says why not."""

    path: str
    make: Callable[[], NewUpload]


def sort_out(collection: Collection, sent: Sequence[Sent]) -> tuple[list[NewUpload], list[dict[str, Any]]]:
    """What can be taken, and what is told of each file. Raises DocsError when nothing can."""
    uploads: dict[str, NewUpload] = {}
    files: list[dict[str, Any]] = []
    error: DocsError | None = None
    admission = Admission(collection)
    for one in sent:
        try:
            upload = one.make()
            if upload.path in uploads:
                raise InvalidParameter("Its path is given twice: only the first of these files was taken.")
            admission.check(upload)
            uploads[upload.path] = upload
            files.append({"path": upload.path, "accepted": True, "code": "", "reason": ""})
        except DocsError as refused:
            error = refused
            files.append({"path": one.path, "accepted": False, "code": refused.code, "reason": refused.message})
    if error and not uploads:
        raise error if len(sent) == 1 else InvalidParameter("None of the files was taken.", files=files)
    return list(uploads.values()), files


def make_text_upload(path: str, text: str, metadata: Mapping[str, Any] = NOTHING) -> NewUpload:
    """A text is Markdown unless its path ends in the extension of another format. Raises as make_file_upload() does."""
    checked = check_upload_path(path)
    if not (has_known_extension(checked) or is_archive(checked)):
        checked += TEXT_EXTENSION
    return make_file_upload(checked, text.encode(), metadata)


def make_file_upload(path: str, content: bytes, metadata: Mapping[str, Any] = NOTHING) -> NewUpload:
    """A file, or an archive of files. Raises InvalidParameter, FileTooLarge, UnsupportedFormat, ParseError (empty, or text that is called
    like what is packed).
    """
    checked = check_upload_path(path)
    check_upload_size(checked, len(content))
    check_upload_format(checked, content)
    return NewUpload(checked, content, metadata=metadata, size_bytes=len(content))


def make_open_upload(path: str, file: UploadedFile[bytes], metadata: Mapping[str, Any] = NOTHING) -> NewUpload:
    """As make_file_upload(), of a form's file. A large one stays where Django has put it, on disk, and is read again when it is kept."""
    checked, size_bytes = check_upload_path(path), file.size or 0
    check_upload_size(checked, size_bytes)
    if not is_archive(checked):
        file.seek(0)
        check_upload_format(checked, file.read())
        file.seek(0)
    return NewUpload(checked, cast("BinaryIO", file), metadata=metadata, size_bytes=size_bytes)


def check_upload_size(path: str, size_bytes: int) -> None:
    """An archive may be as large as an upload: what is in it is measured when it is unpacked."""
    name = "max_upload_bytes" if is_archive(path) else "max_file_bytes"
    most: int = getattr(settings.DOCSMCP, name)
    if size_bytes > most:
        raise FileTooLarge(
            f"It has {size_bytes:,} bytes; at most {most:,} are taken. Split it, or let an operator raise {name.upper()}.",
            **{"size_bytes": size_bytes, name: most},
        )


def check_upload_format(path: str, content: bytes) -> None:
    """The files of an archive are looked at when it is unpacked."""
    if not is_archive(path):
        check_format(RawDocument(path, content))


def make_url_upload(url: str, path: str | None = None, metadata: Mapping[str, Any] = NOTHING) -> NewUpload:
    """A page that the job will fetch; by default its path is the URL without its scheme. Raises InvalidParameter, FetchError."""
    found = check_url(url)
    scheme, _, _ = found.partition("://")
    return NewUpload(check_upload_path(path or make_path(found, f"{scheme}://")), None, url=found, metadata=metadata)


def check_url(url: str) -> str:
    """The URL in its one spelling. Raises InvalidParameter and FetchError for what will not be fetched, as far as that is known at once."""
    guard = AddressGuard(settings.DOCSMCP.fetch_allowed_hosts)
    guard.check_url(url)
    found = find_url(url)
    if found is None:
        raise InvalidParameter("This is not a URL that can be fetched, or it is too long.")
    check_host(guard, found)
    return found


def check_host(guard: AddressGuard, url: str) -> None:
    """Of an address, which needs no look-up, it is known at once that it is private; of a name without a dot, that the Internet has none
    such: it is a slip, or of a network that the operator has to allow. A number is an address in disguise. Other names, and all where some
    network is allowed, are judged when they are fetched."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if is_address(host) or host == "localhost" or host.endswith(".localhost"):
        guard.resolve(host, port)
    elif "." in host.strip(".") or guard.is_named(host, port):
        return
    elif _NUMBER.fullmatch(host):
        raise InvalidParameter(
            f"{host} is a number and no name of a host. Give the whole address, such as https://example.org/docs/."
        )
    elif not guard.allows_networks:
        raise InvalidParameter(
            f"{host} is no whole name of a host: it has no dot. Give the whole address, such as https://example.org/docs/. A name of your "
            "own network is taken if the operator names it, or allows the network, in FETCH_ALLOWED_HOSTS."
        )


def is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def make_server_file_upload(file: str, path: str | None = None, metadata: Mapping[str, Any] = NOTHING) -> NewUpload:
    """A file of the server below one of ALLOWED_ROOTS, by its absolute path; its path below that root is the document's by default.

    Raises PermissionDenied, in the same words whether or not there is anything outside.
    """
    resolved, root = resolve_allowed(file)
    content = read_regular_file(resolved)
    return make_file_upload(path or resolved.relative_to(root).as_posix(), content, metadata)


def read_regular_file(path: Path) -> bytes:
    """Raises InvalidParameter for what is no file that can be read, FileTooLarge without reading it."""
    try:
        if path.is_file():
            check_upload_size(path.name, path.stat().st_size)
            return path.read_bytes()
    except OSError:
        pass  # told as the same
    raise InvalidParameter("There is no such file below the allowed directories, or it cannot be read.")
