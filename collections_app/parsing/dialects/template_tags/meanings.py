"""What tags mean: which are known by their names or by how they stand in a text, and what readers see of one. PURE.

It changes no text: writer.py does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from collections_app.parsing.dialects.shown_tags import BOXES, is_address, write_kind, write_title
from collections_app.parsing.dialects.template_tags.arguments import Arguments, read_arguments
from collections_app.parsing.dialects.template_tags.gitbook_blocks import BLOCKS
from collections_app.parsing.dialects.template_tags.hugo_embeds import EMBEDS, write_embed
from collections_app.parsing.dialects.template_tags.tab_tags import DIVIDED
from collections_app.parsing.safety.places import is_alone

TAG = re.compile(
    r"\{(?:\{[<%]|%-?)\s*+(?P<end>/|end)?\s*+(?P<name>[A-Za-z][\w-]*+(?:/[\w-]++)*+)(?P<arguments>(?=[\s/%>\"])(?:[^{}]|\{[\w.-]++\}){0,2000}?)(?P<whole>/)?(?:[%>]\}\}|-?%\})"
)

_TYPED_BOXES = frozenset({"admonition", "alert", "aside", "call-out", "callout", "hint", "notice"})
TABS = frozenset({"tab", "tab-content", "navtab"})
# Texts for some versions of a product (Kong, Kuma): `{% if_version gte:2.9.x %}`.
CONDITIONS = frozenset({"if_version"})
_TITLED = TABS | {"collapse", "details", "expand", "qa"}
_LAYOUT = frozenset(
    {
        "button",
        "card",
        "cards",
        "column",
        "columns",
        "content-ref",
        "step",
        "stepper",
        "steps",
        "tabpane",
        "tabs",
        "navtabs",
    }
    # Docsy's tags for start pages.
    | {"blocks/cover", "blocks/feature", "blocks/lead", "blocks/link-down", "blocks/section", "pageinfo"}
)
# Languages of diagrams, around code in them.
DIAGRAMS = frozenset({"graphviz", "mermaid", "plantuml"})
CODE = frozenset({"code", "code-toggle", "codeblock", "highlight", "text"}) | DIAGRAMS
IMAGES = frozenset({"figure", "image", "img", "imgproc"})
_VERSIONS = frozenset(
    f"{change}{sign}in" for change in ("added", "available", "changed", "deprecated", "new", "removed") for sign in "-_"
)
_WORDS = frozenset({"glossary_tooltip", "heading"})
_ADDRESSES = frozenset({"ref", "relref"})
# Lists of the pages below this one.
_MENUS = frozenset({"children", "section", "toc"})
# Lists that a site makes from its data, by its own names.
_LISTS = frozenset({"command-group", "table-children"})
OF_SITES_DATA = _MENUS | _LISTS
# Tags of other generators that count only as the address of a link, as such names may mean anything elsewhere.
LINK_ADDRESSES = frozenset({"link", "page", "post_url"})
_CHANNELS = frozenset({"slack_channel"})
# Words in the name of a site's own tag: `clients-example`, `redis-cli`.
CODE_WORDS = frozenset(
    {"cli", "code", "codeblock", "console", "example", "examples", "highlight", "snippet", "terminal"}
)
# Of Jinja and Nunjucks: which template they take names from, or are put into; of Liquid: names of values. Nothing of it is seen.
STATEMENTS = {
    "assign": re.compile(r"[\w.-]+\s*=.+"),
    "extends": re.compile(r"[\"'][^\"']+[\"']"),
    "from": re.compile(r"[\"'][^\"']+[\"']\s+import\s+\w[^\"']*"),
    "import": re.compile(r"[\"'][^\"']+[\"']\s+as\s+\w+(?:\s+with(?:out)?\s+context)?"),
}
HIDDEN = frozenset({"comment"})
CLOSED = CONDITIONS | BOXES | _TYPED_BOXES | _TITLED | _LAYOUT | IMAGES | _VERSIONS | DIVIDED
# Tags whose content is for authors.
_HIDING = frozenset(
    {
        "comment",
        "doc",
        "draft",
        "hidden",
        "hide",
        "if",
        "ignore",
        "internal",
        "javascript",
        "noprint",
        "private",
        "schema",
    }
    | {"script", "style", "stylesheet", "todo"}
)
KNOWN = CLOSED | HIDDEN | CODE | _WORDS | _ADDRESSES | LINK_ADDRESSES | _CHANNELS | {"raw"}
_COMPARISONS = {
    "gte": "version {} and later", "lte": "version {} and earlier", "gt": "later than version {}", "lt": "earlier than version {}",
    "eq": "version {}", "neq": "not version {}",
}  # fmt: skip
_COMPARISON = re.compile(rf"\b({'|'.join(_COMPARISONS)}):([\w.-]++)")
_LINKS = ("href", "link", "url", "titleUrl")


def is_known(tag: re.Match[str], content: str) -> bool:
    """Whether the name of the tag has a known meaning, whatever the site."""
    return tag["name"] in KNOWN or is_block(tag) or is_named_code(tag) or is_shown(tag, content, frozenset())


def find_plain(content: str, tags: Sequence[re.Match[str]]) -> set[str]:
    """Names that are opened and closed in this text and never have arguments but titles and looks, since others may be a condition. Tags
    with arguments and tags of other generators than Hugo must be alone on their lines: texts about templates mention them within lines.
    """
    opened, closed, others = set[str](), set[str](), set[str]()
    for tag in tags:
        if not tag[0].startswith("{{") and not is_alone(content, *tag.span()):
            others.add(tag["name"])
        elif tag["end"]:
            closed.add(tag["name"])
        else:
            (opened if _only_wraps(tag, content) else others).add(tag["name"])
    if "else" in opened | others:  # only one of two texts is shown
        return set()
    return {name for name in (opened & closed) - others - KNOWN if name.lower() not in _HIDING}


def _only_wraps(tag: re.Match[str], content: str) -> bool:
    """Whether an opening tag says nothing but a title and how the text behind it looks, such as the class of a table."""
    if not tag["arguments"].strip(" /"):
        return True
    if not tag[0].startswith("{{") or not is_alone(content, *tag.span()):
        return False
    arguments = read_arguments(tag["arguments"])
    return arguments.are_look and (not arguments.others or (tag["name"] == "table" and len(arguments.others) == 1))


def is_shown(tag: re.Match[str], content: str, ended: Set[str]) -> bool:
    """Whether a Hugo tag without an end stands for a video, a link with a title, or a list that a site makes from its pages or its data."""
    if not tag[0].startswith("{{") or tag["name"] in ended:
        return False
    if tag["name"] in OF_SITES_DATA:
        is_told = tag["name"] in _MENUS and tag["arguments"].strip()
        return not is_told and is_alone(content, *tag.span())
    arguments = read_arguments(tag["arguments"])
    return bool(write_embed(tag["name"], arguments)) or bool(
        arguments.get("title") and is_address(arguments.get(*_LINKS))
    )


def is_block(tag: re.Match[str]) -> bool:
    return tag["name"] in BLOCKS and tag[0].startswith("{%")


def is_statement(tag: re.Match[str], content: str) -> bool:
    statement = STATEMENTS.get(tag["name"]) if tag[0].startswith("{%") and is_alone(content, *tag.span()) else None
    return bool(statement and statement.fullmatch(tag["arguments"].strip()))


def is_named_code(tag: re.Match[str]) -> bool:
    """Whether a tag in Hugo's form has a word for code in its name."""
    return tag[0].startswith("{{") and not CODE_WORDS.isdisjoint(re.split("[-_]", tag["name"].lower()))


def describe(name: str, arguments: Arguments) -> str:
    """What a reader would see of an opening tag; empty for nothing."""
    if name in _CHANNELS:
        return f"#{arguments.first}" if arguments.first else ""
    if name in _ADDRESSES or name in LINK_ADDRESSES:
        return arguments.first or arguments.get("path")
    if name in _WORDS:
        return arguments.get("text") or arguments.first or arguments.get("term_id")
    if name in IMAGES:
        words, source = arguments.get("caption", "alt", "title"), arguments.get("src")
        return f"![{words}]({source})" if words and is_address(source) else words
    if name in _VERSIONS:
        return f"{name.replace('-', ' ').replace('_', ' ').capitalize()} {arguments.first or arguments.get('version')} "
    if name in EMBEDS:
        return write_embed(name, arguments)
    if name in CONDITIONS:
        versions = " and ".join(map(_describe_version, _COMPARISON.findall(" ".join(arguments.others))))
        return write_title(versions, "") if versions else ""
    title = arguments.get_words("title", "header", "label", "summary", "caption", "text", "question")
    if name in _TITLED:
        title = title or arguments.get("name") or arguments.first
    if title:
        return write_title(title, arguments.get(*_LINKS))
    return write_kind(_find_kind(name, arguments))


def _describe_version(comparison: tuple[str, str]) -> str:
    sign, version = comparison
    return _COMPARISONS[sign].format(version)


def _find_kind(name: str, arguments: Arguments) -> str:
    """The kind of a box, by its name or by what it is given; empty for none and for other tags."""
    if name not in _TYPED_BOXES:
        return name if name in BOXES else ""
    given = [*arguments.get("type", "class", "style", "color").lower().split(), *arguments.others]
    return next(filter(BOXES.__contains__, given), "")


def name_file(path: str) -> str:
    """The name of a picture's file as words."""
    return re.sub(r"[-_]+", " ", path.rpartition("/")[2].rpartition(".")[0])
