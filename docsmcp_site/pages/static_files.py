"""Styles, scripts and fonts. Their addresses name the release, so browsers keep them for good and never mix two releases.

A digest of their contents is a folder in their addresses, so nothing is collected, copied or renamed before a start. WhiteNoise serves
the files of the process's own release. While web servers of two releases run side by side, each is asked for the other's addresses; it
answers with its own file of that name, which browsers then do not keep.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import FileResponse, Http404, HttpRequest

from collections_app.reading.read_only import read_only

PREFIX = "static/"
OWN = Path(__file__).resolve().parents[2] / "collections_app" / "static"
# Packages whose files pages use besides our own.
OTHERS = ("django", "django-unfold")
DIGEST_CHARACTERS = 12


def name_release() -> str:
    """A name that changes whenever a file may have changed."""
    digest = hashlib.sha256(" ".join(version(name) for name in OTHERS).encode())
    for file in sorted(OWN.rglob("*.*")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:DIGEST_CHARACTERS]


def is_kept_for_good(path: str, url: str) -> bool:
    """For everything that WhiteNoise serves: whether the address names the release."""
    return True


@read_only
def serve_another_release(request: HttpRequest, release: str, name: str) -> FileResponse:
    found = finders.find(name)
    if not found or not Path(found).is_file():
        raise Http404
    response = FileResponse(Path(found).open("rb"))  # noqa: SIM115  the answer closes it
    response["Cache-Control"] = "no-cache"
    return response
