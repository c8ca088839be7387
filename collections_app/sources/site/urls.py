"""URLs in one canonical spelling, and the path that a page has in its collection. Knows the rules of URLs, and of no particular site."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

import idna

MAX_URL_LENGTH = 2000
# A URL that is longer as written cannot become short enough. Only URLs up to REMEMBERED_LENGTH are cached, thousands of them.
MAX_HREF_LENGTH = 2 * MAX_URL_LENGTH
REMEMBERED_LENGTH = 500
MAX_PATH_BYTES = 1000

# Parameters that say where readers came from, or who they are, and nothing about the page.
_TRACKING = re.compile(
    r"(?:utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|_ga|_gl|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_[ce]id|sessionid|phpsessid|jsessionid)",
    re.IGNORECASE,
)
_HOST = re.compile(r"[a-z0-9_.-]+")
_INDEX_NAME = re.compile(r"(?:^|(?<=/))(?:index|default)\.(?:x?html?|php|aspx?|jsp)$", re.IGNORECASE)
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_ESCAPES_BEYOND_ASCII = re.compile(r"(?:%[89A-F][0-9A-F])+")
_KEPT = "%/:@!$&'()*+,;=~?"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def find_url(href: str, base: str = "") -> str | None:
    """The http or https URL that `href` means on the page `base`, in one spelling (RFC 3986, 6.2.2) and without its fragment.

    Parameters of trackers and sessions are removed, the others sorted. None if it is no such URL, too long, or names a user.
    """
    length = len(href) + len(base)
    if length > MAX_HREF_LENGTH:
        return None
    return _remember_url(href, base) if length <= REMEMBERED_LENGTH else _spell_url(href, base)


def _spell_url(href: str, base: str) -> str | None:
    try:
        parts = urlsplit(urljoin(base, href.strip()))
        host, port = _spell_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not host or "@" in parts.netloc:
        return None
    authority = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    query = _spell_query(parts.query)
    url = f"{parts.scheme}://{authority}{_spell_path(parts.path)}{'?' if query else ''}{query}"
    return url if len(url) <= MAX_URL_LENGTH else None


_remember_url = lru_cache(maxsize=20_000)(_spell_url)


def make_path(url: str, prefix: str) -> str:
    """The path of the page `url`, as find_url() returns it, in a collection of what is below the URL `prefix`, which ends in a slash.

    It is the rest of the URL, and either can be derived from the other: without a final slash and names such as `index.html`,
    letters beyond ASCII readable, and the query after a `;`. The page at the prefix itself is `index.html`.
    Different pages never share a path. A very long path is cut and ends in a digest.
    """
    address, _, query = url.partition("?")
    path = address[len(prefix) :]
    while (stripped := _INDEX_NAME.sub("", path).rstrip("/")) != path:
        path = stripped
    path = path.replace(";", "%3B") or "index.html"
    if query:
        path += ";" + query.replace("/", "%2F")
    readable = _ESCAPES_BEYOND_ASCII.sub(_make_readable, path)
    return _cut(readable if unicodedata.is_normalized("NFC", readable) else path)


def _spell_host(host: str) -> str:
    """Raises ValueError."""
    if ":" in host:
        return f"[{host}]"
    spelled = host if host.isascii() else idna.encode(host, uts46=True).decode()
    return spelled if _HOST.fullmatch(spelled) else ""


def _spell_path(path: str) -> str:
    """Without dot segments, empty segments and session ids."""
    segments: list[str] = []
    *folders, last = _spell_escapes(path).split("/")
    for segment in (*folders, last):
        if segment == "..":
            segments[-1:] = []
        elif segment not in ("", "."):
            segments.append(";".join(part for part in segment.split(";") if not _is_tracking(part)))
    segments = [segment for segment in segments if segment]
    is_folder = not segments or last in ("", ".", "..")
    return "/" + "/".join(segments) + ("/" if is_folder and segments else "")


def _spell_query(query: str) -> str:
    parameters = _spell_escapes(query).split("&")
    return "&".join(sorted(parameter for parameter in parameters if parameter and not _is_tracking(parameter)))


def _is_tracking(parameter: str) -> bool:
    name, equals, _ = parameter.partition("=")
    return bool(equals) and bool(_TRACKING.fullmatch(name))


def _spell_escapes(text: str) -> str:
    escaped = quote(_STRAY_PERCENT.sub("%25", text), safe=_KEPT)
    return _ESCAPE.sub(lambda escape: _spell_escape(int(escape[1], 16)), escaped)


def _spell_escape(byte: int) -> str:
    return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"


def _make_readable(escapes: re.Match[str]) -> str:
    """As text, if encoding it again gives the same."""
    try:
        text = unquote_to_bytes(escapes[0]).decode()
    except UnicodeDecodeError:
        return escapes[0]
    return text if text.isprintable() else escapes[0]


def _cut(path: str) -> str:
    encoded = path.encode()
    if len(encoded) <= MAX_PATH_BYTES:
        return path
    digest = sha256(encoded).hexdigest()[:32]
    return encoded[: MAX_PATH_BYTES - len(digest) - 1].decode(errors="ignore") + "~" + digest
