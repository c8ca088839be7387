"""The one rule for paths of documents that somebody else chose. Does not look at the file system."""

from __future__ import annotations

import re

from collections_app.exceptions import InvalidParameter
from collections_app.naming.paths import compose
from collections_app.text.control_characters import has_control_characters, replace_control_characters

MAX_PATH_CHARACTERS = 1000

# A Windows drive. Without the slash it is a name with a colon, as other systems allow; no document's path is joined to a drive.
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


def check_path(path: str) -> str:
    """The path as documents have it: POSIX, relative, without `.`, `..` and empty parts, in Unicode's composed form (NFC).

    Raises InvalidParameter for a path that leads out, names no file, or cannot be stored.
    """
    path = compose(path)
    if has_control_characters(path):
        raise InvalidParameter("Its path has control characters. Rename it.")
    if path.startswith("/") or _DRIVE.match(path):
        raise InvalidParameter("Its path is absolute. Give one that is relative to the collection.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise InvalidParameter("Its path has `..`, which leads out of the collection. Give one without.")
    if not parts or path.endswith(("/", "/.")):
        raise InvalidParameter("Its path names no file. Give a file name.")
    checked = "/".join(parts)
    if len(checked) > MAX_PATH_CHARACTERS:
        raise InvalidParameter(f"Its path is longer than {MAX_PATH_CHARACTERS:,} characters. Shorten it.")
    return checked


def make_printable(path: str) -> str:
    """A form of a refused path that can be shown and stored."""
    return replace_control_characters(path[:MAX_PATH_CHARACTERS]) or "\ufffd"
