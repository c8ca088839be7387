"""What readers see of a component tag itself, besides its children: the prose in its attributes, and what tells what it is. PURE.

`<Card title="Start here" href="/start">` leaves “[**Start here**](/start)”, `<Link to="/start">here</Link>` “[here](/start)”. What is kept
of other tags:

    parameter, field         name and type as code, and whether it is required
    tab without a label      its value, else its name
    condition                what it asks for (conditions.py)
    fragment                 its slot
    box (`<Warning>`)        its kind
    `<Since v="2.1" />`      the version
    listing                  its number and its file
    `<Image>` with words     a picture
    call or command          code (code.py)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from collections_app.parsing.dialects.components.code import describe_code
from collections_app.parsing.dialects.components.conditions import describe_condition
from collections_app.parsing.dialects.shown_tags import empty_quotes, is_address, write_kind, write_title

# A custom element's prefix.
CUSTOM = re.compile(r"[a-z][^-]*-")
_ATTRIBUTE = re.compile(r"(?<![\w-])([A-Za-z][\w-]*+)\s*+=\s*+\{?\s*+(?:\"([^\"]*)\"|'([^']*)')")
_PROSE = frozenset(
    {"title", "label", "description", "caption", "alt", "summary", "tip", "header", "heading", "question"}
)
# Prose if they have several words: one or two may be a switch or data.
_SENTENCES = frozenset({"answer", "body", "desc", "excerpt", "subtitle"})
_SENTENCE_WORDS = 4
# Which element a heading is: `heading="h4"`.
_ELEMENT = re.compile(r"h[1-6]")
_NO_SENTENCE = re.compile(r"[{}<>=]")
_LISTING = re.compile(r"Listing|Code")
_FILE_NAME = ("filename", "file-name")
_PICTURE = re.compile(r"(?:Image|Img|Picture|Screenshot)$")
_TARGET = frozenset({"href", "to", "url", "link"})
_IDENTIFIER = frozenset({"name", "path", "query", "body", "header", "param", "type"})
_PARAMETER = re.compile(r"Param|Field|Prop")
_FLAG = re.compile(r"(?<![\w-])(required|deprecated)(?![\w-])(?!\s*=\s*\{?\s*false)")
_DEFAULT = re.compile(r"(?<![\w-])default\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|\{([^{}]*)\})")
_BOX = re.compile(r"(?:Caution|Danger|Important|Info|Note|Tip|Warning)$")
_BOX_OF_TYPE = re.compile(r"(?:Admonition|Alert|Aside|Callout)$")
_VERSION = re.compile(r"(?:Added|Available|Deprecated|New|Removed|Since|Version)(?:In|Since|Badge)?$")
_VERSION_KEYS = frozenset({"v", "ver", "version", "since", "in"})
_TAB = re.compile(r"(?:Tab|TabItem|TabPanel|TabsContent|Tabs\.\w+)$")
LABELLED = re.compile(rf"{_TAB.pattern}|(?:Accordion|AccordionItem|Collapsible|Details|Dropdown|Expandable)$")


def describe_component(name: str, attributes: str, *, in_heading: bool = False) -> str:
    """What a reader would see of the tag, followed by a blank. The text of a badge in a heading is not part of the heading, and is left
    out.
    """
    if prefix := CUSTOM.match(name):  # `docs-tab-item` as `DocsTabItem` without its prefix: `TabItem`
        name = "".join(map(str.capitalize, name[prefix.end() :].split("-")))
    found = read_attributes(attributes)
    if _PARAMETER.search(name):
        names = "".join(f"`{value}` " for key, value in found if value and key in _IDENTIFIER)
        return names + _describe_demands(attributes)
    if _PICTURE.search(name) and (picture := _write_picture(dict(found))):
        return picture
    prose = _find_prose(name, found, in_heading=in_heading)
    code = describe_code(name, attributes, dict(found))
    if not prose and not code and _VERSION.match(name):
        return "".join(f"{name} {value} " for key, value in found if value and key in _VERSION_KEYS)
    if not prose:
        condition = "" if in_heading else describe_condition(name, attributes)
        return code or (write_title(condition, "") if condition else _describe_box(name, dict(found).get("type", "")))
    return "".join([write_title(prose[0], find_target(found)), code, *(f"{value} " for value in prose[1:])])


def _find_prose(name: str, attributes: Sequence[tuple[str, str]], *, in_heading: bool) -> Sequence[str]:
    """The prose in the attributes of a tag, the title first."""
    prose = [value for key, value in attributes if value and key in _PROSE and not _ELEMENT.fullmatch(value)]
    prose += [value for key, value in attributes if key in _SENTENCES and _is_sentence(value)]
    if _LISTING.search(name):
        prose = [*_name_listing(name, dict(attributes)), *prose]
    others = [
        *(["value", "name"] if _TAB.match(name) else []),
        *([] if in_heading else ["text"]),
        *(["slot"] if name == "Fragment" else []),  # several fragments stand side by side, each for one case
    ]
    found = ([value for key, value in attributes if value and key == other] for other in others)
    return prose or next(filter(None, found), [])


def _is_sentence(value: str) -> bool:
    return value[:1].isalpha() and len(value.split()) >= _SENTENCE_WORDS and not _NO_SENTENCE.search(value)


def read_attributes(attributes: str) -> list[tuple[str, str]]:
    return [(key, " ".join((double or single).split())) for key, double, single in _ATTRIBUTE.findall(attributes)]


def _name_listing(name: str, attributes: Mapping[str, str]) -> Sequence[str]:
    """The number of a listing, as texts refer to it, and its file."""
    number = attributes.get("number", "")
    file = next((attributes[key] for key in _FILE_NAME if attributes.get(key)), "")
    return [*([f"{name} {number}"] if number else []), *([file] if file else [])]


def _write_picture(attributes: Mapping[str, str]) -> str:
    """The picture with its caption; empty if it has no address or no words."""
    words, source = attributes.get("alt", ""), attributes.get("src", "")
    if not words or not is_address(source):
        return ""
    return " ".join([f"![{words}]({source})", attributes.get("caption", "")]).rstrip() + " "


def find_target(attributes: Sequence[tuple[str, str]]) -> str:
    """The target that can be used as a link's address; empty if there is none."""
    return next((value for key, value in attributes if key in _TARGET and is_address(value)), "")


def _describe_demands(attributes: str) -> str:
    """What a parameter demands, such as `(required, default `10`) `; empty if nothing is said."""
    demands = list(dict.fromkeys(_FLAG.findall(empty_quotes(attributes))))
    if found := _DEFAULT.search(attributes):
        value = " ".join((found[1] or found[2] or found[3] or "").split()).strip("\"'`")
        demands += [f"default `{value}`"] if value else []
    return f"({', '.join(demands)}) " if demands else ""


def _describe_box(name: str, type: str) -> str:
    return write_kind(name if _BOX.match(name) else type if _BOX_OF_TYPE.match(name) else "")
