"""Applies what the configuration of a site says: which files of the source are no pages of it, and where pages have moved to."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from itertools import groupby

from collections_app.exceptions import InvalidParameter
from collections_app.parsing.site_settings import SiteSettings
from collections_app.parsing.site_settings.excluded import Excluded
from collections_app.sources.globs import compile_globs
from collections_app.sources.selection import Selection

UNBUILT = (
    "Files of which their site makes no pages by its own configuration (Jekyll's and Docusaurus' `exclude`, Hugo's `ignoreFiles` and "
    "`archetypes/`, MkDocs' `exclude_docs`, Sphinx's `exclude_patterns`). Name what is documentation all the same by an include pattern."
)
"""Why such files are left out."""


def find_unbuilt(
    selection: Selection, paths: Collection[str], settings: SiteSettings, folder: str = ""
) -> Collection[str]:
    """Those of the source's files of which the site makes no pages. They are counted as left out. `folder`: that of the source's paths in
    what the settings count from.

    None where these are most of the files: the site is then not that of the documentation.
    """
    if not settings.excluded:
        return ()
    is_excluded = compile_excluded(settings, folder)
    prefix = f"{folder}/" if folder else ""

    def is_left_out(path: str) -> bool:
        return is_excluded(prefix + path)

    found = {path for path in paths if is_left_out(path) and not selection.asks_for(path, is_left_out)}
    if len(found) * 2 > len(paths):
        return ()
    selection.leave_out(UNBUILT, found)
    return found


def compile_excluded(settings: SiteSettings, asked_for: str = "") -> Callable[[str], bool]:
    """Whether a path is excluded. What excludes the whole folder that is asked for does not count, nor what a site says of the pages of
    another one below. Patterns that are not understood exclude nothing.
    """
    counting = [each for each in settings.excluded if not _takes(each, asked_for)]
    rules = [
        (of, f"{of}/" if of else "", compile_globs([each.pattern for each in group]), excludes)
        for (of, excludes), group in groupby(counting, key=lambda each: (each.folder, each.excludes))
    ]

    def is_excluded(path: str) -> bool:
        last = False
        for folder, prefix, pattern, excludes in rules:
            if excludes != last and path.startswith(prefix) and pattern.fullmatch(path, len(prefix)):
                last = excludes and not _has_own_site(path, folder, settings.folders)
        return last

    return is_excluded


def _takes(excluded: Excluded, folder: str) -> bool:
    """Whether the pattern takes a whole folder, or is not understood."""
    try:
        pattern = compile_globs([excluded.pattern])
    except InvalidParameter:
        return True
    prefix = f"{excluded.folder}/" if excluded.folder else ""
    return bool(folder) and f"{folder}/".startswith(prefix) and pattern.fullmatch(f"{folder}/", len(prefix)) is not None


def _has_own_site(path: str, folder: str, sites: Collection[str]) -> bool:
    """Whether the path is below a folder of pages that is itself below `folder`."""
    above = posixpath.dirname(path)
    while len(above) > len(folder):
        if above in sites:
            return True
        above = posixpath.dirname(above)
    return False


def list_moved(settings: SiteSettings, folder: str = "") -> Mapping[str, str]:
    """Where pages have moved to, by their paths in the source."""
    prefix = f"{folder}/" if folder else ""
    return {old: new.removeprefix(prefix) for old, new in settings.moved.items()}
