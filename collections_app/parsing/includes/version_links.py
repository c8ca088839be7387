"""Links of Laravel's documentation, which name the version of the site as a branch has it (`/docs/{{version}}/routing#names`): they lead to
the page's file. PURE.
"""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

from collections_app.parsing.safety.places import replace_outside_code
from collections_app.parsing.wikilinks import FileNames

HINT = re.compile(rb"/docs/\{\{ ?version ?\}\}/")

_ADDRESS = re.compile(
    r"(?:(?<=\]\()|(?<=\]: ))(?:https://laravel\.com)?/docs/\{\{ ?version ?\}\}/(?P<page>\w[\w./-]*+)(?=[#)\s]|$)",
    re.MULTILINE,
)


def write_version_links(text: str, names: FileNames, path: str) -> str:
    """The text of the page at `path` with these addresses as those of files; where there is no such file they stay."""

    def write(address: re.Match[str]) -> str:
        found = names.find(address["page"], path)
        return quote(posixpath.relpath(found, posixpath.dirname(path) or ".")) if found else address[0]

    return replace_outside_code(_ADDRESS, write, text)
