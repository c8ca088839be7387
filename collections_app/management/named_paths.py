"""Paths as an operator types them, for argparse. Refuses what would do something else than it looks like.

An empty path, as an unset variable of a script gives it, would be the working directory; `-` a file of that name; an address a folder
`https:`; and a named pipe is waited for.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path


def parse_path(text: str) -> Path:
    if not text:
        raise ArgumentTypeError("the path is empty: name one; . is the working directory")
    return Path(text)


def parse_directory(text: str) -> Path:
    """Whether it is there is for its reader to say."""
    if "://" in text:
        raise ArgumentTypeError(f"{text} is no directory: `ingest_site` reads a site, `ingest_git` a repository")
    return parse_path(text)


def parse_output(text: str) -> Path:
    """A file that is written whole, or not at all."""
    if text == "-":
        raise ArgumentTypeError("it is not written to standard output: name a file")
    return parse_path(text)


def parse_input(text: str) -> Path:
    """A file that is read from any place. Whether it is there is for its reader to say."""
    path = parse_path(text)
    if text == "-" or (path.exists() and not path.is_file()):
        raise ArgumentTypeError(f"{text} is no regular file: name one")
    return path
