"""What the classes of elements mean on documentation pages. It looks at names only, never at a tree.

The names are those of Sphinx, MkDocs, Docusaurus, Hugo (Docsy), mdBook, rustdoc, Javadoc, Doxygen, TypeDoc, DocBook, Texinfo, GitHub,
VitePress, Starlight, Asciidoctor, MediaWiki, Dokka, DocFX, phpDocumentor, ExDoc, YARD, Crystal, Haddock and Nim, and those of Confluence,
Word and MadCap Flare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from collections_app.parsing.html.vocabulary import make_set

_CHROME = make_set(
    # signs beside headings and code
    "activetabletab anchorjs-link codesnippetcontainertabs codesnippettoolbar constants_summary_toggle contents-heading copy-btn "
    "copy-button copy-popup-wrapper copybtn copybutton doc-anchor edit-button editsection hash-link header-anchor "
    "headerlink heading-anchor inheritancetree material-icons material-symbols-outlined "
    "method-click-advice method-permalink mw-editsection secedit source-toolbox summary_toggle tabletab test-arrow tooltip-content "
    "tooltip-text tooltiptext view-source-button viewcode-back "
    "viewcode-link shcb-language "
    # links to other pages
    "catlinks has-results menu-bar nav-chapters nav-wrapper navbox navfooter navheader navlistsearch no-results pagination-nav "
    "phpdocumentor-breadcrumbs phpdocumentor-search-results phpdocumentor-sidebar phpdocumentor-sidebar__menu-icon prev-next-area "
    "prev-next-footer rightside rst-footer-buttons rst-versions rustdoc-breadcrumbs skip-link skip-nav skipnav "
    "sphinxsidebar subnavlist theme-doc-breadcrumbs tsd-breadcrumb tsd-navigation tsd-page-navigation tsd-page-toolbar wy-breadcrumbs "
    "mcbreadcrumbsbox mcbreadcrumbsbox_0 mcwebhelpframesetlink msotoc1 msotoc2 msotoc3 msotoc4 msotoc5 msotoc6 msotoc7 msotoc8 "
    "comment-respond msotoc9 msotocheading "
    # about the page, not part of its content
    "aboutlanguage d-toc edit-page-link edit-this-page last-updated md-content__button md-footer md-header md-sidebar "
    "md-source-file page-meta printfooter social-share tableofcontents td-page-meta td-toc theme-doc-footer theme-doc-toc-desktop "
    "js-post-menu js-voting-container post-signature theme-doc-toc-mobile theme-doc-version-badge theme-edit-this-page theme-last-updated "
    "theme-switch-wrapper tsd-generator "
    # links back from a footnote
    "backrefs data-footnote-backref footnote-back footnote-backref reversefootnote"
)
_FILE_NAMES = (frozenset({"d-none", "name"}), frozenset({"hidden", "name"}))  # pkgdown's: the source file of a topic
# Last words in names of what blogs and help centres put beside an article; the content decides, too.
_ASIDES = make_set(
    "breadcrumb breadcrumbs feedback helpful navigation newsletter pager pagination recommendations recommended related share sharing "
    "sidebar social socials subscribe translations"
)
_ASIDE_HOLDERS = make_set(  # words that may follow
    "area articles bar block body box buttons container content entries icons inner items left links list menu pages panel posts right "
    "section submenu topics widget wrap wrapper"
)
_ASIDE_NAMES = frozenset({"quick-links", "widget"})
_NO_ASIDES = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "has", "no", "with", "without"}
)  # with one of these, it is around the whole page
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_CHROME_START = re.compile(  # style modules append a random end to their names
    "breadcrumbs?[A-Z_]|tableOfContents|toc(?:Mobile|Collapsible)_|editThisPage|lastUpdated|copyButton|buttonGroup_|backToTop|"
    "skipToContent|cookie-?(?:banner|consent|notice)|feedback-|vector-"
)
_DOUBTFUL_CHROME = make_set("header-anchor-trigger last-modified line-numbers-wrapper")  # the content decides, too
_TAB_PANELS = frozenset({"tab-content", "tab-pane", "tab-panel", "tabbed-block", "tabpanel"})
_TOLD_BY_NAME = {
    "is_likely_chrome": make_set(  # names that may also be the subject of a page
        "bottom-actions bottom-nav breadcrumb breadcrumbs feedback fixednav mobile-hide nav-panel navigation navlist navpath "
        "page-nav pagination related sub-nav top-nav"
    ),
    "is_anchor_link": make_set("anchor-link"),
    "is_page_chrome": make_set(
        "banner col-menu col-sidebar column2 footer header masthead menu nav nav-bar navbar page-footer page-menu sidebar site-footer "
        "site-header site-menu site-nav toolbar topbar"
    ),
    "is_contents": make_set("contents table-of-contents toc toc-macro tsd-index-panel"),
    "is_unseen": make_set("screen-reader-text sr-only visually-hidden visuallyhidden"),
    "is_tab_list": make_set("tabbed-labels tablist"),
    "is_footnote_label": make_set("label"),
    "is_footnote": make_set("citation footnote footnotes"),
    "is_gutter": make_set(
        "boring gutter hljs-ln-n hljs-ln-numbers line-number line-numbers line-numbers-rows lineno linenodiv linenos ln lnt "
        "rouge-gutter blob-num crayon-num crayon-nums"
    ),
    "is_code_table": make_set("blob-wrapper code-table highlighttable hljs-ln lntable rouge-table"),
    "is_code_group": make_set("vp-code-group"),
    "is_summary_table": make_set("summary-table"),
    "is_member_table": make_set("memberdecls"),
    "is_data_table": make_set("fieldtable informaltable params"),  # even with a single row: pydoctor, DocBook, Doxygen
    "is_layout_list": make_set("blocklist blocklistlast"),  # Javadoc's, around each of its parts
    "is_language_sign": make_set("lang"),
    "is_aside_title": make_set("aside-title"),
    "is_sign_link": make_set("selflink src view-source"),
    "is_legal_copy": make_set("legalcopy"),
    "is_formula": make_set("katex mathjax mwe-math-element"),
    "is_tex": make_set("arithmatex math"),
    "is_code_lines": make_set("code-block fragment"),
    "is_classifier": make_set("classifier"),
    "is_rubric": make_set("rubric"),
    "is_source": make_set("pdoc-code"),
    "is_json": make_set("redoc-json"),
    "is_binding": make_set("docstring-binding"),
    "is_docstring": make_set("docstring"),
}
"""Fact → the names, in lower case, of which any tells it."""

_LINE_SIGNS = (("+", {"diff", "add"}), ("-", {"diff", "remove"}), ("+", {"ec-line", "ins"}), ("-", {"ec-line", "del"}))
_SIGNATURES = {
    "member-signature": "java",
    "multi-line-signature": "dart",
    "type-signature": "java",
    "tsd-signature": "typescript",
}
_DECLARATIONS = make_set("attr functionheader memproto method-heading signature src")
_KOTLIN = frozenset({"monospace", "symbol"})
_BOX = re.compile(
    "(?:theme-admonition|admonitionblock|admonition|confluence-information-macro|markdown-alert|alert|starlight-aside|aside|blockquote-tag|callout|"
    r"custom-block|notice)(?:-+(\w+))?$"
)
_KINDS = make_set("caution danger deprecated error hint important info note seealso success tip todo warning")
_BOX_KINDS = make_set("caution danger hint important note tip warning")  # kinds that need no other class to mark a box
_WEAK_KINDS = {"success": 1, "note": 2}  # kinds that a box may have besides its own, which comes first
_OTHER_NAMES = {"information": "info"}  # Confluence
_KIND_NAMES = {"seealso": "See also"}
_TITLES = re.compile(
    r"admonition-(?:title|header)|admonitionHeading|title$|.*(?:alert|callout|block|aside_)[-_](?:title|heading)"
)


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What the value of a `class` attribute says about its element. `admonition` is the title to print, empty if it is no admonition;
    `line_sign` is `+` or `-` if it is a line of code shown as added or removed.
    """

    is_chrome: bool = False
    is_likely_chrome: bool = False
    doubtful_chrome: str = ""
    is_anchor_link: bool = False
    is_aside: bool = False
    is_page_chrome: bool = False
    is_contents: bool = False
    is_unseen: bool = False
    is_tab_list: bool = False
    is_tab_panel: bool = False
    is_footnote: bool = False
    is_footnote_label: bool = False
    is_gutter: bool = False
    is_code_table: bool = False
    is_code_group: bool = False
    is_summary_table: bool = False
    is_member_table: bool = False
    is_data_table: bool = False
    is_layout_list: bool = False
    is_language_sign: bool = False
    is_aside_title: bool = False
    is_sign_link: bool = False
    is_legal_copy: bool = False
    is_page_info: bool = False
    line_sign: str = ""
    is_admonition_title: bool = False
    is_formula: bool = False
    is_tex: bool = False
    is_code_lines: bool = False
    is_classifier: bool = False
    is_rubric: bool = False
    signature_language: str = ""
    declaration: str = ""
    is_specification: bool = False
    is_source: bool = False
    is_json: bool = False
    is_binding: bool = False
    is_docstring: bool = False
    admonition: str = ""


NO_CLASS = ClassFacts()


@lru_cache(maxsize=4096)
def read_class(value: str) -> ClassFacts:
    tokens = make_set(value[:1000])
    lower = frozenset(map(str.lower, tokens))
    return ClassFacts(
        **{fact: not lower.isdisjoint(names) for fact, names in _TOLD_BY_NAME.items()},
        is_chrome=not lower.isdisjoint(_CHROME) or any(map(_CHROME_START.match, tokens)) or lower in _FILE_NAMES,
        doubtful_chrome=min(lower & _DOUBTFUL_CHROME, default=""),
        is_aside=any(map(_names_aside, tokens)),
        is_tab_panel=not lower.isdisjoint(_TAB_PANELS) or any(token.startswith("tabItem") for token in tokens),
        is_page_info="docInfo" in tokens,  # DokuWiki's; docutils writes `docinfo`
        line_sign=next((sign for sign, names in _LINE_SIGNS if names <= lower), ""),
        is_admonition_title=any(map(_TITLES.match, tokens)),
        signature_language=_find_signature_language(lower),
        declaration=min(lower & _DECLARATIONS, default=""),
        is_specification={"spec", "anchored"} <= lower,
        admonition=_find_admonition(lower),
    )


def _names_aside(token: str) -> bool:
    """Whether it names what is beside an article: `related-posts`, `m-recommended`, `shareButtons`, WordPress widgets; not
    `has-sidebar`.
    """
    if token in _ASIDE_NAMES or token.startswith("widget_"):
        return True
    words = [word.lower() for word in _WORDS.findall(token)]
    while len(words) > 1 and words[-1] in _ASIDE_HOLDERS:
        words.pop()
    return bool(words) and words[-1] in _ASIDES and _NO_ASIDES.isdisjoint(words)


def _find_signature_language(tokens: frozenset[str]) -> str:
    named = next((_SIGNATURES[token] for token in tokens if token in _SIGNATURES), "")
    return "kotlin" if tokens >= _KOTLIN else named


def _find_admonition(tokens: frozenset[str]) -> str:
    """The kind of a box, from a class of its own (`admonition note`) or from the end of the box's class (`theme-admonition-tip`)."""
    boxes = list(filter(None, map(_BOX.match, tokens)))
    named = tokens | {token.removeprefix("is-") for token in tokens} if boxes else tokens  # Documenter
    kind = min(named & (_KINDS if boxes else _BOX_KINDS), default="")
    if boxes and not kind:
        ends = {found[1] or "note" for found in boxes}
        kind = min(
            {_OTHER_NAMES.get(end, end) for end in ends} & _KINDS,
            key=lambda end: (_WEAK_KINDS.get(end, 0), end),
            default="",
        )
    return _KIND_NAMES.get(kind, kind.capitalize())
