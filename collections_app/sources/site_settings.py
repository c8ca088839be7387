"""Applies what the configuration of a site says: which files of the source are no pages of it, and where pages have moved to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby

from collections_app.exceptions import InvalidParameter
from collections_app.parsing.site_settings import SiteSettings
from collections_app.sources.globs import compile_globs
from collections_app.sources.selection import Selection

UNBUILT = (
    "Files of which their site makes no pages by its own configuration (Jekyll's and Docusaurus' `exclude`, Hugo's `ignoreFiles`, MkDocs' "
    "`exclude_docs`, Sphinx's `exclude_patterns`). Name what is documentation all the same by an include pattern."
)
"""Why such files are left out."""


def find_unbuilt(
    selection: Selection, paths: Iterable[str], settings: SiteSettings, folder: str = ""
) -> Collection[str]:
    """Those of the source's files of which the site makes no pages. They are counted as left out. `folder`: that of the source's paths in
    what the settings count from.
    """
    if not settings.excluded:
        return ()
    is_excluded = compile_excluded(settings)
    prefix = f"{folder}/" if folder else ""

    def is_left_out(path: str) -> bool:
        return is_excluded(prefix + path)

    found = {path for path in paths if is_left_out(path) and not selection.asks_for(path, is_left_out)}
    selection.leave_out(UNBUILT, found)
    return found


def compile_excluded(settings: SiteSettings) -> Callable[[str], bool]:
    """Whether a path is excluded. Patterns that are not understood exclude nothing."""
    rules = []
    for (folder, excludes), group in groupby(settings.excluded, key=lambda each: (each.folder, each.excludes)):
        patterns = [each.pattern for each in group if _is_understood(each.pattern)]
        rules.append((f"{folder}/" if folder else "", compile_globs(patterns), excludes))

    def is_excluded(path: str) -> bool:
        last = False
        for prefix, pattern, excludes in rules:
            if excludes != last and path.startswith(prefix) and pattern.fullmatch(path, len(prefix)):
                last = excludes
        return last

    return is_excluded


def _is_understood(pattern: str) -> bool:
    try:
        compile_globs([pattern])
    except InvalidParameter:
        return False
    return True


def list_moved(settings: SiteSettings, folder: str = "") -> Mapping[str, str]:
    """Where pages have moved to, by their paths in the source."""
    prefix = f"{folder}/" if folder else ""
    return {old: new.removeprefix(prefix) for old, new in settings.moved.items()}
