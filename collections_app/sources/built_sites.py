"""Files that documentation generators make for browsing: indexes, lists of everything, sources of pages. Only their exact names:
`doc-index-tuning.html` is a page. Reads none.
"""

from __future__ import annotations

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
