"""Styles, scripts and fonts: their addresses name the release that they are of, so browsers keep them for good and none mixes two.

A digest of what is in them is a folder of their addresses: nothing is collected, copied or renamed before a start. WhiteNoise serves the
files of the process's own release. Web servers of two releases side by side get each other's addresses: such a one is answered with
what is here by that name, to be asked for again.
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
# Whose files are in the pages beside our own.
OTHERS = ("django", "django-unfold")
DIGEST_CHARACTERS = 12


def name_release() -> str:
    """Another one whenever a file may be another."""
    digest = hashlib.sha256(" ".join(version(name) for name in OTHERS).encode())
    for file in sorted(OWN.rglob("*.*")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:DIGEST_CHARACTERS]


def is_kept_for_good(path: str, url: str) -> bool:
    """For WhiteNoise, of whatever it serves: the address names the release."""
    return True


@read_only
def serve_another_release(request: HttpRequest, release: str, name: str) -> FileResponse:
    found = finders.find(name)
    if not found or not Path(found).is_file():
        raise Http404
    response = FileResponse(Path(found).open("rb"))  # noqa: SIM115  the answer closes it
    response["Cache-Control"] = "no-cache"
    return response
