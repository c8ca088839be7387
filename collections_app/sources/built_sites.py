"""Files that documentation generators make for browsing: indexes, lists of everything, sources of pages. Only their exact names:
`doc-index-tuning.html` is a page. Reads none.
"""

from __future__ import annotations

# Doxygen's lists of all names, by their kinds. Whole (`functions.html`), a list may be called like a page.
_DOXYGENS_LISTS = {
    "functions": ("enum", "eval", "evnt", "func", "prop", "rela", "type", "vars"),
    "globals": ("defs", "enum", "eval", "func", "type", "vars"),
    "namespacemembers": ("enum", "eval", "func", "type", "vars"),
}

FOR_BROWSING = (
    # Sphinx
    "_sources/",
    "_modules/",
    "genindex*.html",
    "py-modindex.html",
    # Javadoc
    "allclasses-frame.html",
    "allclasses-index.html",
    "allclasses-noframe.html",
    "allpackages-index.html",
    "**/class-use/[A-Z]*.html",
    "index-all.html",
    "**/index-files/index-?.html",
    "**/index-files/index-??.html",
    "overview-frame.html",
    "overview-tree.html",
    "package-frame.html",
    "package-tree.html",
    "package-use.html",
    "**/src-html/**/*.html",
    # Doxygen: files' code, members of each class with those of its bases, all names
    "*_8*_source.html",
    *(f"{kind}*-members.html" for kind in ("class", "interface", "struct", "union")),
    *(f"{name}_{letter}.html" for name in _DOXYGENS_LISTS for letter in ("?", "0x??")),
    *(f"{name}_{kind}.html" for name, kinds in _DOXYGENS_LISTS.items() for kind in kinds),
    *(
        f"{name}_{kind}_{letter}.html"
        for name, kinds in _DOXYGENS_LISTS.items()
        for kind in kinds
        for letter in ("?", "0x??")
    ),
    # rustdoc: code
    "*.rs.html",
    # Maven's reports: results of tests, and what was covered
    "failsafe-report.html",
    "surefire-report.html",
    "**/site/jacoco/",
    # Haddock
    "doc-index.html",
    "doc-index-?.html",
    "doc-index-All.html",
    # YARD
    "/class_list.html",
    "/file_list.html",
    "/method_list.html",
    "class_list.html;1",
    "file_list.html;1",
    "method_list.html;1",
)
"""Patterns, as globs.py has them."""

REASON = (
    "called like what generators of sites make for browsing (indexes, copies of pages as sources or code). "
    "Name what is documentation all the same by an include pattern."
)
"""Why what matches them is left out; a folder counts as one where it is not looked into."""
