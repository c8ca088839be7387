"""Writes the semantic markup of Writerside (JetBrains) as Markdown: topics in XML (`.topic`), and its elements among Markdown, such as
`<tabs>`, `<procedure>`, `<deflist>`, `<code-block>`. What is for menus, previews and search engines alone goes. PURE.

An element of Writerside's alone is read as XML. One with Markdown in it loses its tags; a tab leaves its title, a chapter a heading.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from textwrap import dedent

from lxml import etree

from collections_app.exceptions import ParseError
from collections_app.parsing.dialects.mdx_code import MdxPlaces, replace_outside_mdx_code
from collections_app.parsing.dialects.topics import TOPIC
from collections_app.parsing.html.to_markdown import convert_own_fragment
from collections_app.parsing.html.tree import Element, parse_fragment
from collections_app.parsing.html.vocabulary import MARKDOWN_TAG
from collections_app.parsing.safety.places import is_alone
from collections_app.text.spans import replace_spans

_SIGN = re.compile(
    r"<(?:show-structure|primary-label|link-summary|web-summary|tldr|tab title|code-block|deflist|procedure|list[> ]|seealso|ui-path>)"
)
_UNSEEN = frozenset({
    "card-summary", "link-summary", "microformat", "no-index", "primary-label", "resource", "secondary-label", "show-structure", "title",
    "var", "web-summary",
})  # fmt: skip
_SUMMARY = re.compile(r"<(?:link|web|card)-summary>([^<>]{1,1000})</(?:link|web|card)-summary>")
_BLOCKS = "chapter|code-block|compare|def|deflist|include|list|note|procedure|seealso|snippet|step|tab|table|tabs|tip|tldr|video|warning"
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>{_BLOCKS})(?P<attributes>(?:\s[^<>]*?)?)(?P<empty>/?)>")
_DROPPED = re.compile(
    r"<(?P<name>"
    + "|".join(sorted(_UNSEEN - {"title"}))
    + r")(?=[\s/>])[^<>]*(?:/>|>(?:[^<>]*</(?P=name)>)?)[ \t]*(?=\n|$)"
)
_WITHIN_LINES = re.compile(r"<(?P<name>control|emphasis|path|shortcut|ui-path)>(?P<words>[^<>`*\n]+)</(?P=name)>")
_ANCHORED = re.compile(r'<a\s[^<>]*?(?<=\s)anchor="[^"<>]*"[^<>]*>')
_ATTRIBUTE = re.compile(r'(?:^|(?<=\s))([\w-]+)="([^"]*)"')
_SIGN_OF_MARKDOWN = re.compile(r"^[ \t]*(?:`{3}|~{3}|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}\.[ \t])|\]\(", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})[ \t]", re.MULTILINE)
_CODE = re.compile(r"<code-block(?:\s[^<>]*)?>(?:[^<]|<(?!/?code-block))*+</code-block>")
_VOID = re.compile(r"<(br|hr|img|wbr)(?=[\s/>])([^<>]*?)/?>")
_TITLE = re.compile(r"(?<=\n)<title>([^\n]{1,300}?)</title>[ \t]*(?=\n)")
_CODE_TAG = re.compile(r"</?code>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)(?P<name>[a-zA-Z]{2,31});")
_BOXES = frozenset({"note", "tip", "warning"})
_NAMES = {
    "control": "strong", "emphasis": "em", "path": "code", "property": "code", "shortcut": "kbd", "step": "li", "ui-path": "strong",
    "category": "div", "compare": "div", "format": "span", "snippet": "div", "tab": "div", "tabs": "div", "tldr": "div",
    "chapter": "div", "deflist": "dl", "tooltip": "span",
}  # fmt: skip
_MAX_TIMES_READ = 20


def write_topic(text: str) -> str:
    """A topic in XML as Markdown; the text itself if it is none. Raises ParseError for broken XML."""
    if not TOPIC.match(text[:5000]):
        return text
    root = _parse(text[text.index("<topic") :], is_strict=False)
    if root is None:
        raise ParseError("It is a topic of Writerside that is no XML. Mend it.")
    summary = _SUMMARY.search(text)
    facts = {
        "title": root.get("title") or _find_title(root),
        "description": " ".join(summary[1].split()) if summary else "",
    }
    front_matter = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items() if value]
    own = [child for child in root if isinstance(child.tag, str) and child.tag not in _UNSEEN]
    is_library = root.get("is-library") == "true" or all(child.tag == "snippet" for child in own)
    return "\n".join(["---", *front_matter, "---", "", *([] if is_library else _iter_chapter(root, 1)), ""])


def read_attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag, or of what stands in braces behind a fence."""
    return dict(_ATTRIBUTE.findall(tag))


def find_summary(content: str) -> str:
    """What Writerside shows of a page in other places; empty if nothing is said."""
    found = _SUMMARY.search(content) if "-summary>" in content else None
    return " ".join(found[1].split()) if found else ""


def write_writerside(content: str) -> str:
    """The Markdown text with Writerside's elements as Markdown."""
    if not _SIGN.search(content):
        return content
    content = replace_outside_mdx_code(_DROPPED, lambda found: "\n" * found[0].count("\n"), content)
    content = replace_spans(content, list(_iter_changes(content)))
    content = replace_outside_mdx_code(_TITLE, lambda found: f"**{_CODE_TAG.sub('`', found[1])}**\n", content)
    content = replace_outside_mdx_code(_WITHIN_LINES, _write_within_line, content)
    return replace_outside_mdx_code(_ANCHORED, _write_anchor, content)


def _iter_changes(content: str) -> Iterator[tuple[int, int, str]]:
    places = MdxPlaces(content)
    tags = [
        found
        for found in _TAG.finditer(content)
        if not places.is_code_at(found.start())
        and (found["end"] or not places.get_text_before(found.start()).strip(" \t>"))
    ]
    ends, levels = _find_ends(tags), _Levels(content)
    position, left = 0, len(content) * _MAX_TIMES_READ
    for tag in tags:
        end = ends.get(tag.start(), 0)
        if tag.start() < position:
            continue
        html = content[tag.start() : end]
        is_quoted = ">" in places.get_text_before(tag.start())
        if html and not is_quoted and len(html) <= left and not _SIGN_OF_MARKDOWN.search(_CODE.sub("", html)):
            left -= len(html)
            written = _write_element(html)
            if written is not None:
                yield tag.start(), end, _fill(written, html)
                position = end
                continue
        if is_alone(content, *tag.span()):
            written = _write_tag(tag, levels.find(tag))
            yield *tag.span(), written.rstrip("\n") if is_quoted else written


def _find_ends(tags: Sequence[re.Match[str]]) -> Mapping[int, int]:
    """Where elements end, by where they begin."""
    opened, ends = defaultdict[str, list[int]](list), dict[int, int]()
    for tag in tags:
        if tag["empty"]:
            ends[tag.start()] = tag.end()
        elif not tag["end"]:
            opened[tag["name"]].append(tag.start())
        elif opened[tag["name"]]:
            ends[opened[tag["name"]].pop()] = tag.end()
    return ends


def _fill(written: str, html: str) -> str:
    return written + "\n" * max(0, html.count("\n") - written.count("\n"))


def _write_element(html: str) -> str | None:
    """An element as Markdown; None if it is no XML."""
    root = _parse(f"<topic>{html}</topic>", is_strict=True)
    return None if root is None else "\n".join(_convert(list(root)))


def _write_tag(tag: re.Match[str], level: int) -> str:
    """What is left of a tag whose element has Markdown in it; `level` is that of the heading above."""
    attributes = read_attributes(tag["attributes"])
    title = "" if tag["end"] else attributes.get("title", "")
    if not title:
        kind = f"**{tag['name'].capitalize()}:**"
        return kind if tag["name"] in _BOXES and not tag["end"] else "\n" * tag[0].count("\n")
    if tag["name"] != "chapter":
        return f"**{title}**\n"
    id = f' {{id="{attributes["id"]}"}}' if "id" in attributes else ""
    return f"{'#' * min(6, level + 1)} {title}{id}"


class _Levels:
    """The level of the heading above a tag, of Markdown or of a chapter around it."""

    def __init__(self, content: str) -> None:
        found = list(_HEADING.finditer(content))
        self._places, self._levels = [each.start() for each in found], [1, *(len(each[1]) for each in found)]
        self._chapters = list[int]()

    def find(self, tag: re.Match[str]) -> int:
        """To be asked of each tag that is written, in order."""
        level = max(self._levels[bisect_left(self._places, tag.start())], *self._chapters[-1:], 1)
        if tag["name"] == "chapter" and not tag["empty"]:
            if not tag["end"]:
                self._chapters.append(level + 1)
            elif self._chapters:
                self._chapters.pop()
        return level


def _write_within_line(found: re.Match[str]) -> str:
    sign = {"path": "`", "emphasis": "*", "shortcut": "`"}.get(found["name"], "**")
    return f"{sign}{found['words'].strip()}{sign}"


def _write_anchor(found: re.Match[str]) -> str:
    attributes = read_attributes(found[0])
    address = f"{attributes.get('href', '')}#{attributes['anchor']}"
    return f'<a href="{address}"/>' if found[0].endswith("/>") else f'<a href="{address}">'


def _parse(xml: str, *, is_strict: bool) -> etree._Element | None:
    parser = etree.XMLParser(recover=not is_strict, resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return etree.fromstring(_VOID.sub(r"<\1\2/>", _ENTITY.sub(_write_entity, xml)).encode(), parser)
    except etree.XMLSyntaxError:
        return None


def _write_entity(found: re.Match[str]) -> str:
    return unescape(found[0]) if unescape(found[0]) != found[0] else f"&amp;{found['name']};"


def _find_title(element: etree._Element) -> str:
    return next((" ".join("".join(map(str, each.itertext())).split()) for each in element if each.tag == "title"), "")


def _iter_chapter(chapter: etree._Element, level: int) -> Iterator[str]:
    """The lines of a chapter, without its title."""
    run: list[etree._Element] = []
    if chapter.text and chapter.text.strip():
        run.append(etree.Element("p"))
        run[0].text = chapter.text
    for child in list(chapter):
        if child.tag == "chapter":
            yield from _convert(run)
            run = []
            title, id = child.get("title") or _find_title(child), child.get("id")
            yield from ("", f"{'#' * min(6, level + 1)} {title}" + (f' {{id="{id}"}}' if id else ""), "")
            yield from _iter_chapter(child, level + 1)
        else:
            run.append(child)
    yield from _convert(run)


def _convert(elements: Sequence[etree._Element]) -> Sequence[str]:
    """Elements as lines of Markdown."""
    body = etree.Element("div")
    body.extend(elements)
    for element in list(body.iter()):
        if isinstance(element.tag, str):
            _rename(element)
    html = etree.tostring(body, method="html", encoding="unicode")
    try:
        fragment: Element = parse_fragment(html)
    except ParseError:
        return []
    return ["", *convert_own_fragment(fragment), ""] if elements else []


def _rename(element: etree._Element) -> None:
    """Write an element of Writerside's as one of HTML, with its title before its content."""
    name = str(element.tag)
    if name in _UNSEEN:
        _drop(element)
    elif write := _WRITERS.get(name):
        write(element)
    elif name in _BOXES:
        element.tag = "div"
        element.set("class", name)
    elif name in _NAMES:
        element.tag = _NAMES[name]
        _say(element, "" if name in {"tooltip", "format"} else element.get("title") or "")


def _drop(element: etree._Element) -> None:
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _say(element: etree._Element, title: str) -> None:
    """Put a title in bold before the content."""
    element.attrib.pop("title", "")
    if title:
        paragraph = etree.Element("p")
        etree.SubElement(paragraph, "strong").text = title
        paragraph.tail, element.text = element.text, None
        element.insert(0, paragraph)


def _write_list(element: etree._Element) -> None:
    element.tag = "ol" if element.get("type") in {"decimal", "alpha-lower", "alpha-upper"} else "ul"


def _write_procedure(element: etree._Element) -> None:
    """A procedure with its steps as a list."""
    if steps := [child for child in element if child.tag == "step"]:
        list_ = etree.Element("ol")
        steps[0].addprevious(list_)
        list_.extend(steps)
    element.tag = "div"
    _say(element, element.get("title") or _find_title(element))


def _write_see_also(element: etree._Element) -> None:
    element.tag = "div"
    _say(element, element.get("title") or ("See also" if len(element) else ""))


def _write_definition(element: etree._Element) -> None:
    """`<def title="x">` as a term and its description."""
    term = etree.Element("dt")
    term.text = element.get("title") or _find_title(element)
    element.attrib.pop("title", "")
    if id := element.attrib.pop("id", ""):
        term.set("id", id)
    element.tag = "dd"
    element.addprevious(term)


def _write_code(element: etree._Element) -> None:
    code = dedent("".join(map(str, element.itertext())).expandtabs(4)).strip("\n").rstrip()
    language = (element.get("lang") or "").lower()
    is_block = "\n" in code or element.get("style") != "inline"
    for child in list(element):
        element.remove(child)
    element.text, element.tag = None, "pre" if is_block else "span"
    inner = etree.SubElement(element, "code")
    inner.text = code
    if language and is_block:
        inner.set("class", f"language-{language}")


def _write_link(element: etree._Element) -> None:
    address, anchor = element.get("href") or "", element.get("anchor") or ""
    address = f"{address}#{anchor}" if anchor else address
    element.set("href", address)
    if not "".join(map(str, element.itertext())).strip() and len(element) == 0:
        element.tag, element.text = MARKDOWN_TAG, f"[]({address})"


_WRITERS: Mapping[str, Callable[[etree._Element], None]] = {
    "a": _write_link,
    "code-block": _write_code,
    "def": _write_definition,
    "list": _write_list,
    "procedure": _write_procedure,
    "seealso": _write_see_also,
}
