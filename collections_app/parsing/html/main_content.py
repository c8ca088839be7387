"""Chooses the element that holds a page's main content. When in doubt it keeps more: the page's frame costs a few tokens, lost text an
answer. Hidden elements are left out if readers see a paragraph beside them.

Tried in this order: the element that a known generator marks; `main`, or the only article in it if that has much of its text; the smallest
element with the page's prose, within what the page calls its content if that has a level-1 heading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice, takewhile
from typing import cast

from lxml import etree

from collections_app.parsing.html.chrome import is_mostly_links
from collections_app.parsing.html.classes import read_class
from collections_app.parsing.html.head import find_title_text, split_title
from collections_app.parsing.html.mending.confluence import CONTENT_CLASS, CONTENT_ID
from collections_app.parsing.html.tree import (
    Element,
    empty_element,
    find_elements,
    find_holders,
    get_attributes,
    get_text,
    get_text_start,
)
from collections_app.parsing.html.visibility import is_hidden, is_unread_within, list_put_away
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, CHROME_IDS, DROPPED_ROLES, DROPPED_TAGS, HEADING_TAGS

_MARKED_IDS = frozenset({"apicontent", "documenter-page", "mw-content-text"})
_MARKED_CLASSES = frozenset(
    {"bd-article", "markdown-body"}
)  # Sphinx's book theme, beside which `main` has buttons; GitHub
_CONTENT_NAMES = frozenset({"content", "main-content"})
_OUTSIDE_OF_PAGE = ("aside", "footer", "nav")
_MENUS = etree.XPath("//div[@id='navigation' or @id='shortcuts-help']")
_SPECIFICATION = "spec-container"  # ecmarkup's, beside its help for keys
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")

_PAGE_CHROME_TAGS = ("address", "aside", "div", "footer", "header", "section", "table", "td", "ul")
_UNDIVIDED_TAGS = frozenset({"dl", "ol", "p", "ul"})
_DOKUWIKI_PAGES = frozenset({"page", "page_with_sidebar"})
_MAX_DOKUWIKI_DEPTH = 3
_MAX_TITLES = 10
_MAX_AROUND = 20  # ancestors of the main content in which its heading is searched
_MAX_SIGNS = 50  # characters behind a heading
_MOST_OF_ARTICLE = 0.4
_MOST_OF_PROSE = 0.8
_MAX_LEFT_BEHIND = 100  # characters of prose beside the densest element: a line of a footer, not a paragraph
_MAX_NOTICE = 1000  # characters that a page shows while its content waits for a script, such as a notice about cookies
_MOST_OF_NOTICE = 0.25  # of what is hidden: if a page shows more, what it hides is not its content


def choose_main_content(root: Element) -> tuple[Element, ...]:
    """The elements to convert, in order: the page's heading if it stands apart, and the main content.

    The page's frame may be emptied in the tree.
    """
    body = root.find("body")
    if body is None:
        return (root,)
    _empty_menus(body)
    unseen = _list_unseen(body)
    main = _find_only(each for each in body.iter("article", "div") if _is_marked(each) and each not in unseen)
    if main is not None and _is_wiki(main) and is_unread_within(main, body):
        main = None
    if main is None:
        main = _find_main(body, unseen)
    if main is None:
        _empty_page_chrome(body)
        main = _find_densest(body, unseen)
    heading = None if _is_headed(main) else _find_outer_heading(root, main, unseen)
    return (main,) if heading is None else (heading, main)


def _list_unseen(body: Element) -> Collection[Element]:
    """The hidden elements of a page that shows at least a paragraph beside them, and not much less than it hides. Other pages wait for a
    script to show their content: nothing would be left of them but a notice.
    """
    unseen = list_put_away(body)
    if not unseen:
        return ()
    seen, hidden = _weigh_seen(body, unseen)
    return unseen if seen > max(_MAX_LEFT_BEHIND, min(_MOST_OF_NOTICE * hidden, _MAX_NOTICE)) else ()


def _weigh_seen(body: Element, unseen: Collection[Element]) -> tuple[int, int]:
    """Characters of prose that would be converted, without links: those that readers see, and those that are hidden."""
    weights = [0, 0]
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, each in walk:
        if event == "end":
            weights[each.getparent() in unseen] += len((each.tail or "").strip()) if each is not body else 0
        elif each.tag == "a" or _is_left_out(each, unseen):
            walk.skip_subtree()
        else:
            weights[each in unseen] += len((each.text or "").strip())
    return weights[0], weights[1]


def _is_left_out(element: Element, unseen: Collection[Element]) -> bool:
    """Whether the converter leaves the element out because of its tag, role, id or class, or because it is hidden and not in `unseen`.
    Looks only at the element itself, so it is cheap.
    """
    if element.tag in DROPPED_TAGS or element.get("role") in DROPPED_ROLES or element.get("id") in CHROME_IDS:
        return True
    facts = read_class(element.get("class", ""))
    return facts.is_chrome or (element not in unseen and is_hidden(get_attributes(element), facts))


def _is_marked(element: Element) -> bool:
    classes = element.get("class", "").split()
    is_named = element.get("id") in _MARKED_IDS or element.get("itemprop") == "articleBody"
    return is_named or not _MARKED_CLASSES.isdisjoint(classes) or _is_wiki(element) or _is_jsdoc(element)


def _is_jsdoc(element: Element) -> bool:
    """Whether it is a JSDoc page of a class or the like, whose title and summary stand before the article. A page of text has a level-1
    heading in its article too, and does not count.
    """
    title = next(element.iterchildren("*"), None) if element.get("id") == "main" else None
    is_title = title is not None and title.tag == "h1" and title.get("class") == "page-title"
    return is_title and len(list(islice(element.iter("h1"), 2))) == 1


def _is_wiki(element: Element) -> bool:
    """Whether it is the content of a Confluence or DokuWiki page."""
    classes = element.get("class", "").split()
    if CONTENT_CLASS in classes:
        return element.get("id") == CONTENT_ID
    around = islice(element.iterancestors("div"), _MAX_DOKUWIKI_DEPTH if not _DOKUWIKI_PAGES.isdisjoint(classes) else 0)
    return any(each.get("id") == "dokuwiki__content" or "dokuwiki" in each.get("class", "").split() for each in around)


def _iter_main(body: Element, unseen: Collection[Element]) -> Iterator[Element]:
    parts = (each for each in body.iter("main", "div", "section") if each not in unseen)
    found = (each for each in parts if each.tag == "main" or each.get("role") == "main")
    return islice(found, 2)  # the first may be empty


def _find_only(candidates: Iterable[Element]) -> Element | None:
    """The only candidate, if it has text. Several are entries of a list, and none of them is the page."""
    found = list(islice(candidates, 2))
    return found[0] if len(found) == 1 and _get_length(found[0]) else None


def _find_main(body: Element, unseen: Collection[Element]) -> Element | None:
    main = next((each for each in _iter_main(body, unseen) if _get_length(each)), None)
    article = _find_only(each for each in (body if main is None else main).iter("article") if each not in unseen)
    if article is None:
        return main
    if main is None:
        return article if _is_headed(article) or _has_most_prose(article, body, unseen) else None
    is_most = _get_length(article) >= _MOST_OF_ARTICLE * _get_length(main)
    return article if is_most and (_is_headed(article) or not _is_headed(main)) else main


def _has_most_prose(article: Element, body: Element, unseen: Collection[Element]) -> bool:
    """Whether it has much of the page's prose, unlike one function of many, or a reader's comment."""
    weights = _weigh_prose(body, unseen)
    return weights.get(article, 0) >= _MOST_OF_ARTICLE * weights[body]


def _empty_menus(body: Element) -> None:
    """Empty the menu beside what a page calls its content, even if it names the project in a level-1 heading (LDoc), and ecmarkup's help
    for keys.
    """
    for menu in find_elements(_MENUS, body)[:_MAX_TITLES]:
        beside = {each.get("id") for each in islice(menu.itersiblings("div"), _MAX_AROUND)}
        is_menu = menu.get("id") == "navigation"
        if not beside.isdisjoint(_CONTENT_NAMES) and is_mostly_links(menu) if is_menu else _SPECIFICATION in beside:
            empty_element(menu)


def _empty_page_chrome(body: Element) -> None:
    """Empty what is named as the page's frame and has no level-1 heading; the inner elements first, so that each is emptied once."""
    headed = find_holders(body, "h1")
    for element in reversed(list(body.iter(*_PAGE_CHROME_TAGS))):
        names = f"{element.get('class', '')} {element.get('id', '')}"
        facts = read_class(names)
        is_frame = element.tag in ("footer", "header") or facts.is_page_chrome
        if (
            is_frame
            and element not in headed
            and not (facts.is_admonition_title or (element.tag == "table" and _tells(element)))
        ):
            empty_element(element)


def _tells(table: Element) -> bool:
    """Whether a table says more about other pages than their names, like a menu of Texinfo. A table around other tables lays out a page."""
    is_list = next(table.iterdescendants("table"), None) is None and next(table.iter("a"), None) is not None
    return is_list and not is_mostly_links(table)


def _find_densest(body: Element, unseen: Collection[Element]) -> Element:
    """The smallest element beside which there is no heading and no paragraph; on a page of links, the body or what it calls its content."""
    weights = _weigh_prose(body, unseen)
    headings = _choose_headings(body)
    element = _find_named_content(body, weights, unseen)
    while True:
        children = list(element.iterchildren("*"))
        heaviest = max(children, key=weights.__getitem__, default=None)
        if heaviest is None or heaviest.tag not in BLOCK_TAGS or heaviest.tag in _UNDIVIDED_TAGS:
            return element
        others = [child for child in children if child is not heaviest]
        left_behind = weights[element] - weights[heaviest]
        if (
            weights[heaviest] < _MOST_OF_PROSE * weights[element]
            or left_behind > _MAX_LEFT_BEHIND
            or not weights[heaviest]
        ):
            return element
        if any(next(each.iter(*headings), None) is not None for each in others):
            return element
        element = heaviest


def _find_named_content(body: Element, weights: Mapping[Element, int], unseen: Collection[Element]) -> Element:
    """What a page calls its content, if it has a level-1 heading and much of the page's prose; else the body. The outermost one counts. If
    a heading elsewhere says the page's title, those in the content are sections, and the body is returned.
    """
    titles = _find_title_headings(body.getroottree().getroot(), unseen)
    longest = max((len(get_text(title)) for title in titles), default=0)
    titled = {holder for title in titles if len(get_text(title)) == longest for holder in title.iterancestors()}
    headed = find_holders(body, "h1")
    for element in body.iter("div", "section"):
        is_named = element.get("id") in _CONTENT_NAMES or "main-content" in element.get("class", "").split()
        is_named = is_named and element in headed and element in weights
        if is_named and weights[element] >= _MOST_OF_ARTICLE * weights[body]:
            is_page = (not titles or element in titled) and _has_frame_around(element, body, weights)
            return element if is_page else body
    return body


def _has_frame_around(element: Element, body: Element, weights: Mapping[Element, int]) -> bool:
    """Whether everything beside it leads to other pages, except for a few words."""
    holders = [element, *takewhile(lambda each: each is not body, element.iterancestors())]
    beside = (each for holder in holders for each in _iter_beside(holder))
    told = (
        each for each in beside if weights.get(each) and each.get("id") not in CHROME_IDS and not is_mostly_links(each)
    )
    return sum(weights[each] for each in told) <= _MAX_LEFT_BEHIND


def _iter_beside(element: Element) -> Iterator[Element]:
    yield from element.itersiblings("*", preceding=True)
    yield from element.itersiblings("*")


def _choose_headings(body: Element) -> tuple[str, ...]:
    """The tags of the page's own headings, which side columns do not have: the first two levels, or without these the highest one."""
    if next(body.iter("h1", "h2"), None) is not None:
        return ("h1", "h2")
    return next(((tag,) for tag in HEADING_TAGS if next(body.iter(tag), None) is not None), ("h1", "h2"))


def _weigh_prose(body: Element, unseen: Collection[Element]) -> dict[Element, int]:
    """Characters of text in each element, without links and what is dropped or hidden anyway."""
    weights: dict[Element, int] = {}
    sums = [0]
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            is_counted = element.tag != "a" and element.tag not in DROPPED_TAGS and element not in unseen
            sums.append(len((element.text or "").strip()) if is_counted else 0)
            if not is_counted:
                walk.skip_subtree()
        else:
            weights[element] = sums.pop()
            sums[-1] += weights[element] + len((element.tail or "").strip())
    return weights


def _find_outer_heading(root: Element, main: Element, unseen: Collection[Element]) -> Element | None:
    """The level-1 heading outside of the main content that says the page's title, or a part of it; of several, the nearest. Other headings
    are the site's.
    """
    titles = _find_title_headings(root, unseen)
    near = [*titles, *_iter_part_headings(root, unseen, with_last=bool(titles))]
    holders = {heading: set(heading.iterancestors()) for heading in near}
    for around in islice(main.iterancestors(), _MAX_AROUND):
        inner = [heading for heading in near if around in holders[heading]]
        if inner and around.tag not in ("body", "html"):
            return inner[0]
    return titles[0] if titles else None


def _iter_part_headings(root: Element, unseen: Collection[Element], *, with_last: bool) -> Iterator[Element]:
    """The first few level-1 headings that say a part of the page's title other than its first. The last part may be the site's name, and
    counts only `with_last`.
    """
    parts = {part.casefold() for part in split_title(find_title_text(root))[1 : None if with_last else -1]}
    longest = max(map(len, parts), default=0)
    seen = (each for each in _iter_outer_headings(root) if each not in unseen and not _is_of_site(each))
    found = (each for each in seen if get_text_start(each, longest + _MAX_SIGNS).rstrip("#¶ ").casefold() in parts)
    return islice(found, _MAX_TITLES)


def _is_of_site(heading: Element) -> bool:
    """Whether it is in what is named as the head of all pages; a heading in an article or in `main` is the page's."""
    around = list(islice(heading.iterancestors(), _MAX_AROUND))
    if any(each.tag in ("article", "main") for each in around):
        return False
    return any(
        each.tag == "header"
        or each.get("role") == "banner"
        or read_class(f"{each.get('class', '')} {each.get('id', '')}").is_page_chrome
        for each in around
    )


def _find_title_headings(root: Element, unseen: Collection[Element]) -> list[Element]:
    """The first few level-1 headings with the text that the page's title begins with."""
    title = find_title_text(root).casefold()
    seen = (each for each in _iter_outer_headings(root) if each not in unseen)
    return list(islice((each for each in seen if _begins(title, each)), _MAX_TITLES))


def _iter_outer_headings(root: Element) -> Iterator[Element]:
    """Level-1 headings that are not in an aside, a footer or a navigation. Takes linear time."""
    outside = 0
    walk = etree.iterwalk(root, events=("start", "end"), tag=("h1", *_OUTSIDE_OF_PAGE))
    for event, each in walk:
        if each.tag == "h1" and event == "start":
            walk.skip_subtree()  # a heading inside another has the same text
        if each.tag != "h1":
            outside += 1 if event == "start" else -1
        elif event == "start" and not outside:
            yield each


def _begins(title: str, heading: Element) -> bool:
    """Whether the title begins with the text of the heading. Of a long heading only as much is read as the title may have, and signs behind
    it.
    """
    text = get_text_start(heading, 2 * len(title) + _MAX_SIGNS).rstrip("#¶ ").casefold()
    return bool(text) and title.startswith(text)


def _is_headed(element: Element) -> bool:
    return next(element.iter("h1"), None) is not None


def _get_length(element: Element) -> int:
    return int(cast("float", _TEXT_LENGTH(element)))
