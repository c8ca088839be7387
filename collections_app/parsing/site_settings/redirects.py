"""Reads lists of redirects: those of Netlify and Cloudflare, Vercel, Mintlify, GitBook, and Sphinx's extensions. PURE.

https://docs.netlify.com/routing/redirects/, https://vercel.com/docs/project-configuration#redirects,
https://docs.gitbook.com/getting-started/git-sync/content-configuration#redirects, https://sphinxext-rediraffe.readthedocs.io/,
https://documatt.com/sphinx-reredirects/.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any

from collections_app.exceptions import IngestError
from collections_app.naming.paths import ALL_BELOW, REST
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.front_matter.toml_block import load_toml
from collections_app.parsing.front_matter.yaml_block import list_text_pairs, load_nodes
from collections_app.parsing.json_values import clean_text, read_json_object
from collections_app.parsing.site_settings.code import PythonValues
from collections_app.parsing.source_paths import Read, find_beside

MAX_REDIRECTS = 20_000

# Placeholders, wildcards, a part of a page, and what is no address at all. A colon stands in `https://` too.
_NO_PAGE = re.compile(r"[*(){}?#]|(?:^|/):|^\W*$")
# All below a folder: Netlify's and Cloudflare's `*`, or what Vercel and Mintlify call by any name, with or without `*`.
_BELOW = re.compile(r"(?P<folder>/?[^*(){}?#:]*[^*(){}?#:/])/(?:\*|:(?P<name>\w+)[*+]?)")
# Statuses with which the page stays where it is, or is gone.
_STAYS = ("200", "403", "404", "410", "451")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|(\S+)")


def choose(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The redirects of single pages, each to the last one in its line, and of all pages below a folder to those below another one
    (`/old/*` → `/new/:splat`). Of an address, the first counts.
    """
    moved: dict[str, str] = {}
    for old, new in ((clean_text(old).strip(), clean_text(new)) for old, new in pairs):
        if len(moved) >= MAX_REDIRECTS:
            break
        if not (_NO_PAGE.search(old) or _NO_PAGE.search(_cut(new))):
            moved.setdefault(old, new)
        elif below := _BELOW.fullmatch(old):
            before, *rest = re.split(rf"/:{below['name'] or 'splat'}[*+]?(?=/|$)", new)
            if len(rest) == 1 and "://" not in new and not _NO_PAGE.search(f"/x{before}{rest[0]}"):
                moved.setdefault(f"{below['folder']}{ALL_BELOW}", f"{before}{REST}{rest[0]}")
    return {old: _follow(moved, new) for old, new in moved.items()}


def _follow(moved: Mapping[str, str], new: str) -> str:
    for _ in range(5):
        new = moved.get(_cut(new), new)
    return new


def _cut(address: str) -> str:
    return re.split("[#?]", address.strip(), maxsplit=1)[0]


def join(folder: str, path: str) -> str:
    """The path from the source's root; an address is left as it is."""
    if "://" in path or path.startswith("/"):
        return path
    return posixpath.normpath(posixpath.join(folder, path)).removeprefix("../").removeprefix("./")


def read_lines(path: str, text: str) -> dict[str, str]:
    """`/old /new 301` in a line."""
    lines = (line.split() for line in text.split("\n") if not line.startswith("#"))
    rules = (words for words in lines if len(words) > 1 and "=" not in words[1])  # which asks for a parameter
    return choose((words[0], words[1]) for words in rules if "".join(words[2:3]).strip("!") not in _STAYS)


def read_toml(path: str, text: str) -> dict[str, str]:
    return _read_rules(load_toml(text, MAX_CONFIGURATION_CHARACTERS), "from", "to")


def read_json(path: str, text: str) -> dict[str, str]:
    return _read_rules(read_json_object(text), "source", "destination")


def _read_rules(settings: Mapping[str, Any], old: str, new: str) -> dict[str, str]:
    rules = settings.get("redirects")
    told = [rule for rule in rules if isinstance(rule, dict) and not rule.get("has")] if isinstance(rules, list) else []
    kept = (rule for rule in told if str(rule.get("status", "")) not in _STAYS)
    return choose(
        (rule[old], rule[new]) for rule in kept if isinstance(rule.get(old), str) and isinstance(rule.get(new), str)
    )


def read_gitbook(path: str, text: str) -> dict[str, str]:
    """The new pages are files below `root`."""
    nodes = load_nodes(text, MAX_CONFIGURATION_CHARACTERS)
    root = getattr(nodes.get("root"), "value", "")
    folder = posixpath.join(posixpath.dirname(path), root) if isinstance(root, str) else posixpath.dirname(path)
    return choose((old, join(folder, new.lstrip("/"))) for old, new in list_text_pairs(nodes.get("redirects")))


def read_of_sphinx(folder: str, told: PythonValues, read: Read) -> dict[str, str]:
    """Those of `sphinx-reredirects`, relative to the old page, and of `sphinxext-rediraffe`, in a file or in the configuration itself."""
    moved = told.pairs.get("rediraffe_redirects", ())
    if name := told.texts.get("rediraffe_redirects"):
        place = find_beside(f"{folder}/conf.py" if folder else "conf.py", name)
        content = read(place) if place else None
        moved = _read_pairs(content) if content else ()
    relative = ((old, join(posixpath.dirname(old), new)) for old, new in told.pairs.get("redirects", ()))
    return choose((old, join(folder, new)) for old, new in (*moved, *relative))


def _read_pairs(content: bytes) -> list[tuple[str, str]]:
    try:
        text = decode_text(content[: 4 * MAX_CONFIGURATION_CHARACTERS])[0]
    except IngestError:
        return []
    lines = (["".join(found) for found in _QUOTED.findall(line)] for line in text.splitlines())
    return [(words[0], words[1]) for words in lines if len(words) == 2]
