"""Which files of a source are taken, by path and size. Reads none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from collections_app.exceptions import FileTooLarge
from collections_app.parsing import find_advice, is_document_name
from collections_app.parsing.detection.document_names import may_be_description
from collections_app.parsing.detection.error_pages import is_stand_in_name
from collections_app.parsing.detection.templates import is_html_name, is_programs_template_path, is_theme_path
from collections_app.parsing.dialects.docfx import is_contents_name
from collections_app.parsing.file_names import get_extension
from collections_app.parsing.navigation import is_navigation
from collections_app.parsing.navigation.antora import is_antora_navigation
from collections_app.parsing.site_settings import is_site_settings
from collections_app.parsing.wikilinks import is_picture_name
from collections_app.sources.built_sites import FOR_BROWSING, REASON
from collections_app.sources.globs import compile_globs
from collections_app.sources.left_out import LeftOut

HOW_TO_TAKE_LARGER = (
    "Raise the setting MAX_FILE_BYTES, or the source's own max_file_bytes where that is lower; or split the file."
)
DEFAULT_MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_PICTURES = 50_000

# Folders of package managers and interpreters, and those from which site generators take the parts of pages.
_NO_DOCUMENTS = ("node_modules", "__pycache__", "_includes/", "_layouts/", "_data/", "_sass/")
_NAMES_TEMPLATES = re.compile(r"(?:^|/)templates(?:/|$)")
_GLOB = re.compile(r"[*?\[\\]")
_FIXED_PART = re.compile(r"[^*?/\[]{2,}")
# Hugo's folders in `layouts/`: elsewhere a folder of this name may be something else.
_PARTS_OF_LAYOUTS = ("_default", "_markup", "_partials", "_shortcodes", "partials", "shortcodes")
# What tests compare with and read: snapshots of testthat and Jest, Go's folder, checks of R packages that depend on this one.
_OF_TESTS = ("_snaps/", "__snapshots__/", "testdata/", "revdep/")
TEST_DATA = (
    "what tests compare with or read (`_snaps/`, `__snapshots__/`, `testdata/`, `revdep/`). "
    "Name what is documentation all the same by an include pattern."
)
"""Why what is in such folders is left out; a folder counts as one where it is not looked into."""

_COUNTED = (*FOR_BROWSING, *_OF_TESTS)
_PASSED_OVER = {
    ".*": r"(?:^|/)\.[^/]",
    "_*templates/": r"(?:^|/)_[^/]*templates",  # Sphinx's extensions have such folders: `_autoapi_templates`
    **{name: re.escape(name.rstrip("/")) for name in _NO_DOCUMENTS},
    **{glob: re.escape(_FIXED_PART.findall(glob)[0]) for glob in FOR_BROWSING},
    **{name: rf"(?:^|/){name.rstrip('/')}(?:/|$)" for name in _OF_TESTS},
    **{f"**/layouts/{name}/": rf"(?:^|/)layouts/{name}" for name in _PARTS_OF_LAYOUTS},
}

SELECTION_RULE = (*_PASSED_OVER, "modules/*/nav.adoc", "exclude")
"""What is passed over by its name: who keeps what it chose has to choose anew when this changes."""


@dataclass(frozen=True, slots=True)
class FileChoice:
    """Which files of a source are wanted: by patterns, as in Selection, and up to which size."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_file_bytes: int = DEFAULT_MAX_FILE_BYTES


EVERY_FILE = FileChoice()


class Selection:
    """Which paths are asked for, and how many files that may be documents were passed over: `left_out`, by the reason in words.
    `pictures` are pictures that were passed over, which documents may show: the first MAX_PICTURES of them. `navigation` are navigation
    files that were passed over, which tell how documents are grouped; `site_settings` are configurations of sites.

    Patterns as in globs.py; no include means every file with a document's name. Hidden files, those of package managers and
    interpreters, templates of site generators, browsing pages of built sites, and what tests compare with or read are passed over unless
    an include pattern names them; pages may still include them. So are Antora's navigation files, which have nothing but links, unless a
    pattern is the whole path. Raises InvalidParameter for a bad pattern.
    """

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        passed_over = [
            glob for glob, name in _PASSED_OVER.items() if not any(re.search(name, pattern) for pattern in include)
        ]
        self._include = [pattern.strip().removeprefix("./").strip("/") for pattern in include]
        self._included = compile_globs(include) if include else None
        self._excluded = compile_globs([*exclude, *passed_over])
        self._silently_out = compile_globs([*exclude, *(glob for glob in passed_over if glob not in _COUNTED)])
        self._of_tests = compile_globs([glob for glob in passed_over if glob in _OF_TESTS])
        self.left_out = LeftOut()
        self.pictures: list[str] = []
        self.navigation: list[str] = []
        self.site_settings: list[str] = []

    def takes(self, path: str) -> bool:
        """Whether a file should be listed, or a directory (`a/`) looked into."""
        if self._excluded.fullmatch(path):
            return False
        if path.endswith("/"):
            return True
        if is_antora_navigation(path) and "/pages/" not in path and path not in self._include:
            return False
        if not self._included:
            return is_document_name(path) or may_be_description(path)
        return bool(self._included.fullmatch(path)) and (self._names_kind(path) or not is_picture_name(path))

    def takes_navigation(self, path: str) -> bool:
        """Whether it is a navigation file that counts. It need not be a document that is asked for, but must not be excluded."""
        return is_navigation(path) and not self._excluded.fullmatch(path)

    def is_in_doubt(self, path: str) -> bool:
        """Whether what a file that is taken says has to tell if it is a document: of HTML, which may be a template or stand around pages,
        of what is called like a page for addresses without one, a table of contents or an API description, and of what patterns only tell
        the place of. What is named by itself is asked for, whatever it is.
        """
        if path in self._include:
            return False
        if is_programs_template_path(path) and not is_theme_path(path):
            return not any(map(_NAMES_TEMPLATES.search, self._include))
        is_doubtful_name = is_html_name(path) or is_stand_in_name(path) or is_contents_name(path)
        return is_doubtful_name or not (is_document_name(path) or self._names_kind(path))

    def pass_over(self, path: str) -> None:
        """Counts a file that is not taken, if only its name excludes it and people write documents in its format."""
        if len(self.pictures) < MAX_PICTURES and is_picture_name(path) and not self._excluded.fullmatch(path):
            self.pictures.append(path)
        if is_site_settings(path):
            self.site_settings.append(path)
        if self.takes_navigation(path):
            self.navigation.append(path)
            return
        if self._included or self._silently_out.fullmatch(path):
            return
        is_folder = path.endswith("/")
        if self._excluded.fullmatch(path):
            if is_folder or is_document_name(path):
                self.left_out.add(TEST_DATA if self._of_tests.fullmatch(path) else REASON, path)
        elif not is_folder and (advice := find_advice(path)):
            self.left_out.add(advice, path)

    def names(self, folder: str) -> bool:
        """Whether an include pattern has this folder (`a/`) in it."""
        return any(f"/{folder}" in f"/{pattern}/" for pattern in self._include)

    def asks_for(self, path: str, is_left_out: Callable[[str], bool]) -> bool:
        """Whether an include pattern names the file, or a folder around it that is left out by the same rule."""
        heads = (_GLOB.split(pattern, maxsplit=1)[0].rpartition("/")[0] for pattern in self._include)
        return path in self._include or any(
            head and path.startswith(f"{head}/") and is_left_out(f"{head}/") for head in heads
        )

    def _names_kind(self, path: str) -> bool:
        """Whether an include pattern is the path, or says its extension."""
        extension = get_extension(path)
        named = (pattern.lower().endswith(extension) for pattern in self._include)
        return path in self._include or (bool(extension) and any(named))

    def leave_out(self, reason: str, paths: Iterable[str]) -> None:
        """Counts files that are no documents, for this reason."""
        for path in sorted(paths):
            self.left_out.add(reason, path)


def check_size(size_bytes: int, max_file_bytes: int) -> None:
    """Raises FileTooLarge, which says which limit to raise."""
    if size_bytes > max_file_bytes:
        message = f"It has {size_bytes:,} bytes, and the source takes at most {max_file_bytes:,}. {HOW_TO_TAKE_LARGER}"
        raise FileTooLarge(message, size_bytes=size_bytes, max_file_bytes=max_file_bytes)
