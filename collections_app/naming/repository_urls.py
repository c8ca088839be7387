"""Addresses of files in repositories, as GitHub and GitLab show them. Nothing is requested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

_FILE = re.compile(r"https?://(?P<repository>[^/?#]+/[^/?#]+/(?:(?!/blob/)[^?#])+)/blob/(?P<rest>[^?#]+)")
_MAX_REF_PARTS = 5
# Branches that are the newest, of whichever version a page is.
_NEWEST = re.compile(r"(?:HEAD|main|master)/")


def iter_same_version(own_url: str, own_path: str, address: str) -> Iterator[str]:
    """Addresses that a file on the newest branch may have in the version of the repository that a page is of, likeliest first. There are
    none if it is in another repository, or on any other branch, which is meant as such.

    `own_url` ends with `own_path`, which begins in any folder of the repository.
    """
    own, other = _FILE.fullmatch(own_url), _FILE.fullmatch(address)
    if own is None or other is None or own["repository"].lower() != other["repository"].lower():
        return
    newest = _NEWEST.match(other["rest"])
    end = f"/{own_path}"
    if newest is None or not unquote(own["rest"]).endswith(end):
        return
    file = quote(unquote(other["rest"][newest.end() :]))
    before = own_url[: own.start("rest")]
    # A name of a branch may have slashes, and folders may follow it.
    parts = own["rest"].removesuffix(quote(end)).split("/")[:_MAX_REF_PARTS]
    yield from (f"{before}{'/'.join(parts[:count])}/{file}" for count in range(1, len(parts) + 1))
