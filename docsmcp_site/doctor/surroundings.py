"""Checks of what surrounds the database: settings that belong together, the disk, the broker, the names of hosts."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import DatabaseError
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.signing import BadSignature, SignedPackage

from collections_app.clients.object_store import DirectoryMissing, StoreUnavailable, find_directory, open_store
from collections_app.jobs.upload_bytes import FOLDER
from collections_app.models import Source, Upload
from docsmcp_site.configuration.config import Config
from docsmcp_site.configuration.exposure import answers_any_name, is_loopback, is_open_without_https
from docsmcp_site.configuration.loading import describe_misspelt_names
from docsmcp_site.doctor.findings import Verdict, describe_bytes, fail, ok, warn

LITTLE_SPACE_BYTES, NO_SPACE_BYTES = 10**9, 10**8
# Only so many, since each may take as long as a resolver that does not answer.
RESOLVED_HOSTS = 3
REDIS_SECONDS = 3


def check_broker(wait_seconds: float = REDIS_SECONDS) -> Verdict:
    url = settings.DOCSMCP.redis_url
    if not url:
        return ok("the database")
    try:
        redis.from_url(url, socket_timeout=wait_seconds, socket_connect_timeout=wait_seconds).ping()
    except redis.RedisError as error:
        return fail(f"Redis does not answer: {error}", "start it, or correct REDIS_URL")
    return ok("Redis answers")


def check_upload_store() -> Verdict:
    url = settings.DOCSMCP.upload_store
    if not url:
        if has_uploads_elsewhere():
            return fail(
                "the bytes of uploads are in a store that this host does not name",
                "set UPLOAD_STORE as before, on every host",
            )
        return ok("the database")
    if directory := find_directory(url):
        return check_upload_directory(directory)
    try:
        next(open_store(url).iter_batches(FOLDER), None)
    except StoreUnavailable:
        return fail("the store of uploads does not answer; the log has its reason", "start it, or correct UPLOAD_STORE")
    return ok("the store of uploads answers")


def check_upload_directory(directory: Path) -> Verdict:
    """Checks without creating or writing anything there."""
    if not directory.is_dir():
        what, _, mend = DirectoryMissing(directory).sentence.rstrip(".").partition(": ")
        return fail(what, mend)
    folder = directory / FOLDER
    if not all(os.access(each, os.R_OK | os.W_OK | os.X_OK) for each in (directory, folder) if each.exists()):
        return fail(
            f"this account may not write in {directory}", "run this as the server's account, or give it the directory"
        )
    free = shutil.disk_usage(directory).free
    what = f"{directory} can be written, {describe_bytes(free)} free there"
    if free < NO_SPACE_BYTES:
        return fail(what, "make room: without it no upload is taken")
    if folder.is_dir() and folder.stat().st_mode & 0o077:
        return warn(f"other accounts may read {folder}", f"`chmod -R go= {folder}`")
    if free < LITTLE_SPACE_BYTES:
        return warn(what, "make room")
    return ok(what)


def has_uploads_elsewhere() -> bool:
    try:
        return Upload.objects.filter(content=None).exclude(content_hash="").exists()
    except DatabaseError:  # has a check of its own
        return False


def check_disk() -> Verdict:
    """Asks no database, so that a full disk is reported even if the database is away because of it."""
    data_dir = settings.DOCSMCP.data_dir
    # With a database and a SECRET_KEY of the operator's own, the directory may not exist yet.
    free = shutil.disk_usage(next(path for path in (data_dir, *data_dir.parents) if path.exists())).free
    what = f"{describe_bytes(free)} free in DATA_DIR"
    if free < NO_SPACE_BYTES and is_disk_needed(settings.DOCSMCP):
        return fail(what, "make room: without it nothing can be ingested")
    if free < LITTLE_SPACE_BYTES:
        return warn(what, "make room")
    return ok(what)


def is_disk_needed(config: Config) -> bool:
    """Whether anything is kept in DATA_DIR: the embedded database, or the secret key."""
    return not (config.database_url and config.secret_key)


def check_settings() -> Verdict:
    if misspelt := describe_misspelt_names():
        return warn(" ".join(misspelt), "correct the name in .env or in the environment; docs/settings.md lists them")
    return ok("no name in .env or in the environment looks like a misspelt one")


def check_hosts() -> Verdict:
    host, names = settings.DOCSMCP.mcp_server_host, settings.DOCSMCP.allowed_hosts
    if answers_any_name(settings.DOCSMCP):
        return warn("the server is reached from outside by any name", "name its public names in ALLOWED_HOSTS")
    if names:
        return ok(f"requests may name {', '.join(names)}")
    return ok(f"requests may name this machine's loopback names and {host}")


def check_https() -> Verdict:
    if is_open_without_https(settings.DOCSMCP):
        mend = "set HTTPS_ONLY=true, behind a proxy that ends TLS and that TRUSTED_PROXIES names"
        return warn(
            "others can reach the server, and may come by http: passwords and keys could be read on their way", mend
        )
    return ok(
        "people come by https alone" if settings.DOCSMCP.https_only else "not needed: the server is for this machine"
    )


def check_origins() -> Verdict:
    origins = settings.DOCSMCP.mcp_allowed_origins
    if not origins:
        return ok("browsers may call from the server's own pages only")
    parts = {origin: urlsplit(origin) for origin in origins}
    clear = [each for each, part in parts.items() if part.scheme == "http" and not is_loopback(part.hostname or "")]
    if clear:
        return warn(f"unencrypted: {', '.join(clear)}", "use https: an API key could be read on its way")
    return ok(f"browsers may call from {', '.join(origins)}")


def check_connected_apps() -> Verdict:
    config = settings.DOCSMCP
    if not config.oauth_enabled:
        return ok("people cannot connect apps by OAuth (OAUTH_ENABLED)")
    if not config.mcp_enabled:
        return warn("OAUTH_ENABLED has no effect", "set MCP_ENABLED too: without it there is nothing to connect to")
    if not config.oauth_redirect_hosts:
        mend = "name the websites of the apps that may in OAUTH_REDIRECT_HOSTS"
        return warn("an app of any website can ask people to connect it", mend)
    return ok(f"people can connect apps of {', '.join(config.oauth_redirect_hosts)}, and of their own machines")


def check_secret_key() -> Verdict:
    config = settings.DOCSMCP
    if has_queue_of_another_key():
        return fail(
            "a queue runs with another one: it takes no task of this host's", "set the same SECRET_KEY on every host"
        )
    if config.secret_key:
        return ok("from SECRET_KEY")
    if config.database_url:
        return warn("made for this host, in DATA_DIR", "set SECRET_KEY when several hosts use the database")
    return ok("made for this host, in DATA_DIR")


def has_queue_of_another_key() -> bool:
    """Whether a running queue signs its status with another SECRET_KEY."""
    try:
        for status in get_broker().get_stats(f"{Conf.Q_STAT}:*") or ():
            SignedPackage.loads(status)
    except BadSignature:
        return True
    except Exception:  # whatever the broker raises: it has a check of its own
        return False
    return False


def check_allowed_roots() -> Verdict:
    roots = settings.DOCSMCP.allowed_roots
    missing = [str(root) for root in roots if not root.is_dir()]
    if missing:
        return fail(f"no directory: {', '.join(missing)}", "correct ALLOWED_ROOTS, or make them")
    return ok(f"{len(roots)} directories" if roots else "none: clients name no files of the server")


def check_names() -> Verdict:
    """Whether the hosts of websites and repositories have addresses. Nothing is fetched."""
    locations = Source.objects.filter(location__startswith="http").order_by("-pk").values_list("location", flat=True)
    hosts = sorted({host for location in locations[:100] if (host := urlsplit(location).hostname)})
    unknown = [host for host in hosts[:RESOLVED_HOSTS] if not has_address(host)]
    if unknown:
        return warn(f"no address is found for {', '.join(unknown)}", "see to the machine's DNS, or to the source")
    return ok(f"addresses are found for {', '.join(hosts[:RESOLVED_HOSTS])}" if hosts else "no source needs any")


def has_address(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, None))
    except (OSError, UnicodeError):
        return False
