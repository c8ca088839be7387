"""What tags, classes and roles mean on documentation pages. It looks at names alone, never at a tree.

The names are those of Sphinx, MkDocs, Docusaurus, Hugo (Docsy), mdBook, rustdoc, Javadoc, DocBook, Texinfo, GitHub, VitePress,
Starlight, Asciidoctor and MediaWiki.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")

DROPPED_TAGS = frozenset(
    "applet area audio base button canvas col colgroup datalist dialog embed footer frame frameset head iframe input link "
    "map meta meter nav noframes noscript object option param progress script select source style svg template textarea "
    "title track video".split()
)

BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure form header "
    "hgroup hr html legend li main menu ol p search section summary table tbody td tfoot th thead tr ul".split()
)

DROPPED_ROLES = frozenset(
    "alertdialog banner contentinfo dialog menu menubar navigation search tablist toolbar tooltip".split()
)

CONTENTS_IDS = frozenset({"table-of-contents", "table_of_contents", "tableofcontents", "toc"})

_CHROME = frozenset(
    # signs beside headings and code
    "anchor-link anchorjs-link contents-heading tooltip copy-btn copy-button copybtn copybutton doc-anchor edit-button hash-link header-anchor headerlink "
    "heading-anchor mw-editsection test-arrow viewcode-back viewcode-link "
    # the way to other pages
    "bottom-nav breadcrumb breadcrumbs catlinks menu-bar nav-chapters nav-wrapper navbox navfooter navheader navigation "
    "page-nav pagination pagination-nav prev-next-area prev-next-footer related rightside rst-footer-buttons rst-versions "
    "rustdoc-breadcrumbs skip-link skip-nav sphinxsidebar sub-nav theme-doc-breadcrumbs top-nav wy-breadcrumbs "
    # about the page, not of it
    "d-toc edit-page-link edit-this-page feedback last-updated md-content__button md-footer md-header md-sidebar md-source-file "
    "page-meta printfooter social-share tableofcontents td-page-meta td-toc theme-doc-footer theme-doc-toc-desktop "
    "theme-doc-toc-mobile theme-edit-this-page theme-last-updated "
    # back from a footnote
    "data-footnote-backref footnote-back footnote-backref reversefootnote".split()
)
_CHROME_START = re.compile(  # style modules add a random end to their names
    "breadcrumbs?[A-Z_]|tableOfContents|toc(?:Mobile|Collapsible)_|editThisPage|lastUpdated|copyButton|buttonGroup_|backToTop|"
    "skipToContent|cookie-?(?:banner|consent|notice)|feedback-|vector-"
)
_PAGE_CHROME = frozenset(
    "banner footer header masthead menu nav nav-bar navbar page-footer sidebar site-footer site-header site-nav toolbar "
    "topbar column2".split()
)
_CONTENTS = frozenset({"contents", "table-of-contents", "toc"})
_UNSEEN = frozenset({"screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden"})
_TAB_PANELS = frozenset({"tab-content", "tab-pane", "tab-panel", "tabbed-block", "tabpanel"})
_FOOTNOTES = frozenset({"citation", "footnote", "footnotes"})
_GUTTERS = frozenset(
    "boring gutter hljs-ln-n hljs-ln-numbers line-number line-numbers line-numbers-rows lineno linenodiv linenos ln lnt "
    "rouge-gutter blob-num".split()
)
_CODE_TABLES = frozenset({"blob-wrapper", "code-table", "highlighttable", "hljs-ln", "lntable", "rouge-table"})
_BOXES = frozenset(
    "admonition admonitionblock alert aside blockquote-tag callout custom-block markdown-alert notice starlight-aside "
    "theme-admonition".split()
)
_KINDS = frozenset("caution danger deprecated error hint important info note seealso success tip todo warning".split())
_BOX_KINDS = frozenset("caution danger hint important note tip warning".split())  # which say it without a word more
_KIND_NAMES = {"seealso": "See also"}
_TITLES = re.compile(r"admonition-title|admonitionHeading|title$|.*(?:alert|callout|block|aside_)[-_](?:title|heading)")


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What the value of a `class` attribute says of its element. `admonition` is the name to print, empty if it is none."""

    is_chrome: bool = False
    is_page_chrome: bool = False
    is_contents: bool = False
    is_unseen: bool = False
    is_tab_panel: bool = False
    is_footnote: bool = False
    is_gutter: bool = False
    is_code_table: bool = False
    is_admonition_title: bool = False
    is_formula: bool = False
    admonition: str = ""


NO_CLASS = ClassFacts()


@lru_cache(maxsize=4096)
def read_class(value: str) -> ClassFacts:
    tokens = frozenset(value[:1000].split())
    lower = frozenset(map(str.lower, tokens))
    return ClassFacts(
        is_chrome=not lower.isdisjoint(_CHROME) or any(map(_CHROME_START.match, tokens)),
        is_page_chrome=not lower.isdisjoint(_PAGE_CHROME),
        is_contents=not lower.isdisjoint(_CONTENTS),
        is_unseen=not lower.isdisjoint(_UNSEEN),
        is_tab_panel=not lower.isdisjoint(_TAB_PANELS) or any(token.startswith("tabItem") for token in tokens),
        is_footnote=not lower.isdisjoint(_FOOTNOTES),
        is_gutter=not lower.isdisjoint(_GUTTERS),
        is_code_table=not lower.isdisjoint(_CODE_TABLES),
        is_admonition_title=any(map(_TITLES.match, tokens)),
        is_formula=not lower.isdisjoint({"katex", "mathjax", "mwe-math-element"}),
        admonition=_find_admonition(lower),
    )


def _find_admonition(tokens: frozenset[str]) -> str:
    boxes = {box for box in _BOXES if any(token == box or token.startswith(f"{box}-") for token in tokens)}
    if not boxes:
        kinds = tokens & _BOX_KINDS
    elif any(map(_TITLES.match, tokens)):
        return ""
    else:
        ends = {token.rpartition("-")[2] for token in tokens}
        kinds = (tokens | ends) & _KINDS or ({"note"} & {"note" for token in tokens if token in _BOXES})
    kind = min(kinds, default="")
    return _KIND_NAMES.get(kind, kind.capitalize())
