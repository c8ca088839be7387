"""Writes what stands within a line of text: emphasis, code, links, images, formulas, raised and lowered text."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from collections_app.parsing.html.classes import ClassFacts, read_class
from collections_app.parsing.html.converter import Converter, Leave, leave_out
from collections_app.parsing.html.escaping import escape_text, make_code_span
from collections_app.parsing.html.handlers.formulas import write_formula
from collections_app.parsing.html.paragraph import LINE_BREAK, wrap_keeping_blanks
from collections_app.parsing.html.tree import Attributes, Element, get_raw_text, get_text, get_text_start
from collections_app.parsing.html.visibility import get_visible_text, is_unread
from collections_app.parsing.html.vocabulary import BLOCK_TAGS, HEADING_TAGS
from collections_app.parsing.markdown.raised_text import NOTE_MARK, is_short, write_raised

_PERMALINK_SIGNS = frozenset(
    [
        "",
        "#",
        "¶",
        "§",
        "🔗",
        "⚓",
        "ⓘ",
        "\u200b",
        "\uf0c1",
        "link",
        "permalink",
        "[link]",
        "anchor",
        "^",
        "↩",
        "↩\ufe0e",
        "↑",
        "⏎",
        "◆",
    ]
)
REFERENCE_CLASS = "xref"
"""The class of a link within the page that its markup makes a reference, whatever its words are."""

_DETAILS = ("More...", "details")  # Doxygen's links from a brief description to the detailed one
_CODE_SPAN = re.compile(r"(`+)[^`]+\1$")
_PLAIN = re.compile(r"(?<![\w-])font-weight:\s*+(?:normal|400)\b")
_TEX = re.compile(r"\\\((?P<inline>(?:(?!\\[()\[\]]).)+)\\\)|\\\[(?P<block>(?:(?!\\[()\[\]]).)+)\\\]")
_MAX_ALT_CHARACTERS = 500
_MAX_SOURCE_CHARACTERS = 2000
_FILE_NAME = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf)$", re.IGNORECASE)
_BRACKETS = str.maketrans({"[": "\\[", "]": "\\]"})
_ENTRY_TAGS = frozenset({"dt", "li", "td", "th"})
_MAX_AROUND = 4  # elements of a paragraph around a picture, or of an item around a link
_RUBY_TAGS = frozenset({"rp", "rt", "ruby"})  # tags whose text does not belong to a ruby element around them
_MAX_SIGN_CHARACTERS = 20


def enter_emphasis(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    return converter.open_inline("emphasis", wrap_keeping_blanks(lambda words: _emphasize("*", words)))


def enter_strong(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Bold text, except in a term, which stands out already, and in the `<b>` that Google Docs puts around copied text."""
    is_plain = _PLAIN.search(attributes.get("style", "")) is not None
    return (
        None
        if converter.paragraph.is_open("term") or is_plain
        else converter.open_inline("strong", wrap_keeping_blanks(make_strong))
    )


def enter_struck(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    return converter.open_inline("struck", wrap_keeping_blanks(lambda words: _emphasize("~~", words)))


def enter_quotation(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    return converter.open_inline("quotation", lambda words: f'"{words}"')


def enter_footnote_label(
    converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts
) -> Leave | None:
    """The number or name of a footnote or citation that docutils writes before its paragraphs: the first begins with it."""
    note = element.getparent()
    if note is None or not read_class(note.get("class", "")).is_footnote:
        return None
    converter.flush()
    converter.run_in(f"{escape_text(get_visible_text(element))} ")
    return leave_out


def enter_code(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A code span. Blanks at its ends move outside, since nothing else may separate it from the words around it."""
    code = get_visible_text(element)
    raw = get_raw_text(element)
    if code:
        converter.add_inline(f"{' ' * raw[0].isspace()}{make_code_span(code)}{' ' * raw[-1].isspace()}")
    return leave_out


def enter_link(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A link within the page leads to a section or becomes text, because the reader has no page to scroll. Permalink signs are left out."""
    href = attributes.get("href", "")
    if href.startswith("#") or _leads_to_own_page(converter, href):
        return _enter_local_link(converter, element)
    return enter_kept_link(converter, element, attributes, facts)


def enter_kept_link(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A link to its target; only its text if it has no target or leads to itself."""
    href = attributes.get("href", "")
    target = converter.links.find_target(href) if href and not _leads_to_itself(element, href) else ""
    if not target:
        return None
    return converter.open_inline("link", wrap_keeping_blanks(lambda words: _make_link(words, target)))


def _leads_to_itself(element: Element, href: str) -> bool:
    """Whether it is the link by which its heading or term can be linked to."""
    parent = element.getparent()
    return href.startswith("#") and parent is not None and parent.get("id") == href[1:]


def enter_image(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The description of a picture, unless it is in brackets like `[Note]` or `[*]`, which marks a sign. A file name as description is only
    kept in a sentence, in a link, or as the whole content of a table cell.
    """
    alt = _get_description(attributes)
    is_sign = alt.startswith("[") and alt.endswith("]")
    is_address = "://" in alt and alt == attributes.get("src")  # which Sphinx gives for one that is missing
    if alt and not is_sign and not is_address and (not _is_file_name(alt, attributes) or _is_told(converter, element)):
        converter.add_text(alt)
    return leave_out


def _is_told(converter: Converter, image: Element) -> bool:
    is_part = converter.paragraph.is_open("link") or not _is_alone(image)
    return is_part or (converter.is_cell and _is_all_of_cell(image))


def _is_file_name(alt: str, attributes: Attributes) -> bool:
    """Whether the description is a file name, and not a sentence that ends with one."""
    if not _FILE_NAME.search(alt):
        return False
    path = attributes.get("src", "")[-_MAX_SOURCE_CHARACTERS:].partition("?")[0]
    return " " not in alt or unquote(path).endswith(f"/{alt}") or unquote(path) == alt


def _is_all_of_cell(image: Element) -> bool:
    each = image
    for _ in range(_MAX_AROUND):
        parent = each.getparent()
        is_beside = any(beside is not None and beside.tag != "br" for beside in (each.getprevious(), each.getnext()))
        if parent is None or is_beside or f"{parent.text or ''}{each.tail or ''}".strip():
            return False
        if parent.tag in ("td", "th"):
            return True
        each = parent
    return False


def _is_alone(image: Element) -> bool:
    """Whether no words stand beside the picture in its paragraph."""
    each = image
    for _ in range(_MAX_AROUND):
        before, after, parent = each.getprevious(), each.getnext(), each.getparent()
        if parent is None or each.tag in BLOCK_TAGS:
            return True
        text = parent.text if before is None else before.tail
        if (text or "").strip() or (each.tail or "").strip() or not (_is_apart(before) and _is_apart(after)):
            return False
        each = parent
    return each.tag in BLOCK_TAGS


def _is_apart(beside: Element | None) -> bool:
    return beside is None or beside.tag in ("br", "img", "map", *HEADING_TAGS, *BLOCK_TAGS)


def enter_kept_image(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The picture with its address; only its description if the address cannot be used."""
    target = converter.links.find_target(attributes.get("src", ""))
    if not target:
        return enter_image(converter, element, attributes, facts)
    description = escape_text(_get_description(attributes)).translate(_BRACKETS)
    converter.add_inline(f"![{description}]({target})")
    return leave_out


def enter_told_image(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """Like enter_kept_image(), but nothing for a picture without a description."""
    return enter_kept_image(converter, element, attributes, facts) if attributes.get("alt", "").strip() else leave_out


def _get_description(attributes: Attributes) -> str:
    return " ".join(attributes.get("alt", "")[:_MAX_ALT_CHARACTERS].split())


def enter_input(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A disabled checkbox in a list belongs to a task. All other inputs are for people to fill in."""
    if attributes.get("type", "").lower() == "checkbox" and "disabled" in attributes and converter.lists:
        converter.add_inline("[x] " if "checked" in attributes else "[ ] ")
    return leave_out


def enter_break(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.paragraph.add(" " if converter.heading_level else LINE_BREAK)
    return None


def enter_ruby(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The words, then their whole reading in parentheses: reading by reading, it would split the words."""
    words, readings = [element.text or ""], list[str]()
    walk = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, each in walk:
        if each is element:
            continue
        if event != "start":
            words.append(each.tail or "")
        elif each.tag in _RUBY_TAGS or is_unread(each):
            is_reading = each.tag == "rt" and _is_in_ruby(each) and not is_unread(each)
            readings += [get_visible_text(each)] if is_reading else []
            walk.skip_subtree()
        else:
            words.append(each.text or "")
    blank = " " if len("".join(words).split()) > 1 else ""
    reading = blank.join(filter(None, readings))
    return partial(converter.add_text, f"({reading})") if reading else None


def enter_reading(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    return leave_out if _is_in_ruby(element) else None


def _is_in_ruby(element: Element) -> bool:
    return any(parent.tag == "ruby" for parent in islice(element.iterancestors(), _MAX_AROUND))


def enter_raised(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """`10<sup>6</sup>` → `10^6`. A footnote's number is put into brackets, by the link in it or here."""
    text = (element.text or "").strip()
    if is_short(text) and len(element) == 0:
        converter.add_text(write_raised(text, _get_text_before(element)))
        return leave_out
    return None


def enter_lowered(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    converter.add_text("_")
    return None


def enter_formula(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """The TeX source of a formula if the page has it, else its text."""
    source = element if element.tag == "script" else element.find(".//annotation")
    text = get_text(source) if source is not None else element.get("alttext", "")
    formula = element if element.tag == "math" else element.find(".//math")
    if text:
        converter.add_inline(f"${text}$")
    else:
        converter.add_text(get_visible_text(element) if formula is None else write_formula(formula))
    return leave_out


def _leads_to_own_page(converter: Converter, href: str) -> bool:
    page, sign, _ = href.partition("#")
    return bool(sign) and ":" not in page and not converter.links.find_target(href)


def enter_tex(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """A formula as TeX for a script to draw, or as a picture with its TeX source as description (Sphinx, MkDocs, pandoc)."""
    found = _TEX.fullmatch(get_text(element)) if len(element) == 0 else None
    tex = _get_description(attributes) if element.tag == "img" else found["inline"] if found else ""
    if tex:
        converter.add_inline(f"${tex}$")
        return leave_out
    is_block = element.tag in BLOCK_TAGS
    if is_block:
        converter.flush_unless_run_in()
    if found:
        converter.add_inline(f"$${found['block']}$$")
    if is_block and found:
        converter.flush()
    return leave_out if found else converter.flush_unless_run_in if is_block else None


def enter_script(converter: Converter, element: Element, attributes: Attributes, facts: ClassFacts) -> Leave | None:
    """MathJax keeps the TeX source of formulas in scripts."""
    is_formula = attributes.get("type", "").startswith("math/tex")
    return enter_formula(converter, element, attributes, facts) if is_formula else leave_out


def make_strong(words: str) -> str:
    return _emphasize("**", words)


def _emphasize(sign: str, words: str) -> str:
    """Add emphasis signs, but not to code, which stands out already, or across a line break, which they cannot span."""
    if _CODE_SPAN.match(words) or LINE_BREAK in words:
        return words
    return f"{sign}{words}{sign}"


def _enter_local_link(converter: Converter, element: Element) -> Leave | None:
    if element.get("class") == REFERENCE_CLASS:
        return _enter_marked_link(converter, element)
    text = get_text_start(element, _MAX_SIGN_CHARACTERS)
    is_sign = text.lower() in _PERMALINK_SIGNS or (text, element.get("href", "").partition("#")[2]) == _DETAILS
    if is_sign and element.find(".//img") is None:
        return leave_out
    if found := NOTE_MARK.match(text):
        converter.add_inline(f"[{found[1]}]" if _is_footnote_link(element) and not _is_in_brackets(element) else text)
        return leave_out
    return _enter_marked_link(converter, element)


def _enter_marked_link(converter: Converter, element: Element) -> Leave | None:
    """Marks a link, which is written once its section is known. A link that is the whole content of an item or a cell belongs to a table of
    contents, and becomes words.
    """
    places, href = converter.places, element.get("href", "")
    if places is None or _leads_to_itself(element, href) or _is_all_of_entry(element):
        return None
    fragment = href.partition("#")[2]
    return converter.open_inline("link", wrap_keeping_blanks(lambda words: places.mark(words, fragment)))


def _is_all_of_entry(link: Element) -> bool:
    """Whether the link is the whole content of an item, a term or a cell, apart from lists below it."""
    each = link
    for _ in range(_MAX_AROUND):
        parent, after = each.getparent(), each.getnext()
        is_last = after is None or after.tag in ("ol", "ul")
        if (
            parent is None
            or each.getprevious() is not None
            or not is_last
            or f"{parent.text or ''}{each.tail or ''}".strip()
        ):
            return False
        if parent.tag in _ENTRY_TAGS:
            return True
        each = parent
    return False


def _is_footnote_link(element: Element) -> bool:
    parent = element.getparent()
    return "footnote" in element.get("class", "") or (parent is not None and parent.tag == "sup")


def _is_in_brackets(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and element.getprevious() is None and (parent.text or "").rstrip().endswith("[")


def _get_text_before(element: Element) -> str:
    before = element.getprevious()
    parent = element.getparent()
    return (before.tail if before is not None else parent.text if parent is not None else "") or ""


def _make_link(words: str, target: str) -> str:
    words = words.replace(LINE_BREAK, " ")
    if words in (target, target.removeprefix("mailto:")):
        return words
    return f"[{words}]({target})"
