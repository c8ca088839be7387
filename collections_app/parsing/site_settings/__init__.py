"""What the configuration of a site says of its pages: where those are that had other addresses, and which files it makes no pages of. PURE.

    code.py      values in Sphinx's conf.py and Docusaurus' configuration, of which nothing is run
    redirects.py lists of redirects: `_redirects`, netlify.toml, vercel.json, Mintlify's, GitBook's
    excluded.py  patterns of files

Rules with placeholders are left out, except those for all pages below a folder, and so is what leads to another site: nothing in the
source has its text.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.navigation import mkdocs
from collections_app.parsing.navigation.sites import MINTLIFY
from collections_app.parsing.site_settings import code, redirects
from collections_app.parsing.site_settings.excluded import (
    MAX_PATTERNS,
    Excluded,
    get_content_folder,
    read_anchored,
    read_hugo,
    read_jekyll,
    read_patterns,
)
from collections_app.parsing.source_paths import Read
from collections_app.parsing.variables.places import HUGO, JEKYLL

MAX_BYTES = 2 * 1024 * 1024
"""Of a file; a longer one says nothing."""

MAX_FILES = 200


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """`moved`: former address → the present one, or a path from the source's root. `excluded`: the files of which no page is made.
    `folders`: those whose pages a site is made of.
    """

    moved: Mapping[str, str] = field(default_factory=dict)
    excluded: Sequence[Excluded] = ()
    folders: Collection[str] = frozenset()


def is_site_settings(path: str) -> bool:
    """Whether a file has the name of one that may say something of this."""
    return path.rpartition("/")[2] in SITE_SETTINGS


def read_site_settings(paths: Iterable[str], read: Read) -> SiteSettings:
    """What the files at these paths say together. `read` returns a file of the source; what is broken says nothing."""
    moved: dict[str, str] = {}
    excluded: list[Excluded] = []
    folders: set[str] = set()
    for path, _ in zip(sorted(paths, key=lambda path: (path.count("/"), path)), range(MAX_FILES), strict=False):
        content = read(path)
        if content is None or len(content) > MAX_BYTES:
            continue
        try:
            found = SITE_SETTINGS[posixpath.basename(path)](path, decode_text(content)[0], read)
        except IngestError:
            continue
        for old, new in found.moved.items():
            moved.setdefault(old, new)
        excluded += found.excluded[: MAX_PATTERNS - len(excluded)]
        folders |= set(found.folders)
    return SiteSettings(moved, excluded, folders)


def _read_mkdocs(path: str, text: str, read: Read) -> SiteSettings:
    configuration = mkdocs.read_configuration(path, text.encode(), read)
    docs, moved, patterns = mkdocs.read_site(configuration)
    targets = {old: redirects.join(docs, new) for old, new in moved.items()}
    return SiteSettings(redirects.choose(targets.items()), read_patterns(docs, patterns), [docs])


def _read_sphinx(path: str, text: str, read: Read) -> SiteSettings:
    folder = posixpath.dirname(path)
    told = code.read_python(text)
    moved = redirects.read_of_sphinx(folder, told, read)
    return SiteSettings(moved, read_anchored(folder, told.lists.get("exclude_patterns", ())), [folder])


def _of_redirects(parse: Callable[[str, str], Mapping[str, str]]) -> Callable[[str, str, Read], SiteSettings]:
    return lambda path, text, read: SiteSettings(parse(path, text))


def _read_jekyll(path: str, text: str, read: Read) -> SiteSettings:
    return SiteSettings({}, read_jekyll(path, text), [posixpath.dirname(path)])


def _read_hugo(path: str, text: str, read: Read) -> SiteSettings:
    return SiteSettings({}, read_hugo(path, text), [get_content_folder(path)])


def _read_docusaurus(path: str, text: str, read: Read) -> SiteSettings:
    told = code.read_docusaurus(text)
    above = posixpath.dirname(path)
    excluded = [(redirects.join(above, folder), patterns) for folder, patterns in told.excluded]
    patterns = chain.from_iterable(read_anchored(folder, patterns) for folder, patterns in excluded)
    return SiteSettings(redirects.choose(told.moved), list(patterns), [above, *(folder for folder, _ in excluded)])


_DOCUSAURUS = [f"docusaurus.config.{ending}" for ending in ("js", "ts", "mjs", "cjs", "mts", "cts")]

SITE_SETTINGS: Mapping[str, Callable[[str, str, Read], SiteSettings]] = {
    **dict.fromkeys(mkdocs.CONFIGURATIONS, _read_mkdocs),
    "conf.py": _read_sphinx,
    **dict.fromkeys(_DOCUSAURUS, _read_docusaurus),
    "_redirects": _of_redirects(redirects.read_lines),
    "netlify.toml": _of_redirects(redirects.read_toml),
    **dict.fromkeys(("vercel.json", *MINTLIFY), _of_redirects(redirects.read_json)),
    **dict.fromkeys((".gitbook.yaml", ".gitbook.yml"), _of_redirects(redirects.read_gitbook)),
    **dict.fromkeys(JEKYLL, _read_jekyll),
    **dict.fromkeys(HUGO, _read_hugo),
}
