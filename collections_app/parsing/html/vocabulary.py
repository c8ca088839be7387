"""What tags, roles and ids mean on documentation pages; classes.py has the classes. It looks at names only."""

from __future__ import annotations


def make_set(names: str) -> frozenset[str]:
    """The names, separated by blanks, as a set."""
    return frozenset(names.split())


MARKDOWN_TAG = "markdown"
"""An element for Markdown in a fragment, as text. With the attribute `block` it is a block, else each line is a paragraph."""

MARKDOWN_BLOCK = "block"

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")

CODE_TAGS = make_set("code kbd listing pre samp tt xmp")

DROPPED_TAGS = make_set(
    "applet area audio base button canvas col colgroup datalist dialog embed footer frame frameset head iframe input link "
    "map meta meter nav noframes noscript object option param progress script select source style svg template textarea "
    "title track video"
)

BLOCK_TAGS = make_set(
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure form header "
    "hgroup hr html legend li main menu ol p search section summary table tbody td tfoot th thead tr ul"
)

DROPPED_ROLES = make_set("alertdialog banner contentinfo dialog menu menubar navigation search toolbar tooltip")

CONTENTS_IDS = frozenset(
    {"markdown-toc", "table-of-contents", "table_of_contents", "tableofcontents", "toc", "toc-list"}
)

CHROME_IDS = make_set(
    "MSearchResultsWindow MSearchSelectWindow contentSub jump-to-nav main-nav mbrsel nav-path searchInputDiv side-nav "
    " siteSub subpackage-spacer titlearea"
)
"""Those of Doxygen and MediaWiki are around a page, those of Scaladoc and Nim between a heading and its members, to sort and
filter them.
"""
