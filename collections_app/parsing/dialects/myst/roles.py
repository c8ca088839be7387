"""Roles within the lines of MyST, and links without words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from collections_app.naming.slugs import make_slug
from collections_app.parsing.headings import iter_headings
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.html.escaping import make_code_span, make_link
from collections_app.parsing.markdown.raised_text import is_short, write_raised
from collections_app.parsing.references.myst import PAGE_TITLE, read_names
from collections_app.parsing.references.names import Label, normalise
from collections_app.parsing.references.targets import Kind, Target, Targets
from collections_app.parsing.safety.places import BEFORE_BLOCK, replace_outside_code
from collections_app.parsing.sphinx.markup import (
    DROPPED_ROLES,
    TITLE_ROLES,
    Style,
    make_words,
    show_role,
    split_title,
)
from collections_app.parsing.sphinx.myst_names import CITE_ROLES, ICON_ROLES, LOWERED_ROLES, RAISED_ROLES

# Behind a letter or a digit only raised and lowered text begins.
_NAME = r"(?:(?<![\w`\\{])|(?<=\w)(?=\{su[bp](?:er)?(?:script)?\}))\{(?P<role>[A-Za-z][\w:.+-]*+)\}"
_ROLE = re.compile(rf"{_NAME}(?:`(?P<text>[^`\n]++)`(?!`)|``(?P<longer>(?:[^`\n]|`(?!`))++)``(?!`))")
_BROKEN_ROLE = re.compile(rf"{_NAME}`(?P<text>[^`\n]++\n(?![ \t]*\n)[^`\n]++)`(?!`)")
_LINK = re.compile(r"(?<![!\\])\[(?P<words>[^\[\]\n]*+)\]\((?:<(?P<quoted>[^<>\n]++)>|(?P<target>[^\s()<>]++))\)")
# A label or the name of a page; names of files have a full stop.
_LABEL = re.compile(r"#?(?P<label>[^\s#./:?]+)")
_PLACE = re.compile(r"%s|\{(?:name|number)\}")
_IS_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def write_roles(content: str, targets: Targets) -> str:
    """The text with its roles replaced by Markdown. Code stays as it is."""
    own = _find_own(content)
    whole = replace_outside_code(_BROKEN_ROLE, _join_lines, content)
    written = replace_outside_code(_ROLE, lambda found: _write_role(found, targets, own), whole)
    return replace_outside_code(_LINK, lambda found: _write_link(found, targets, own), written)


def write_empty_links(content: str, targets: Targets) -> str:
    """The links of a text without other signs of MyST: those without words get some, those to a known label or page its address."""
    return replace_outside_code(_LINK, lambda found: _write_known_link(found, targets), content)


def _write_known_link(found: re.Match[str], targets: Targets) -> str:
    name = (found["quoted"] or found["target"]).removeprefix("#")
    is_known = (Kind.LABEL, normalise(name)) in targets or (Kind.PAGE, name) in targets
    return found[0] if _get_words(found) and not is_known else _write_link(found, targets, _NOTHING)


def _join_lines(found: re.Match[str]) -> str:
    """Joins a role over two lines in the second one, or in the first if that begins with the role. The number of lines does not change."""
    role = " ".join(found[0].split())
    begins_line = BEFORE_BLOCK.fullmatch(found.string, found.string.rfind("\n", 0, found.start()) + 1, found.start())
    return f"{role}\n" if begins_line else f"\n{role}"


@dataclass(frozen=True, slots=True)
class _Own:
    """Targets on the page itself: the labels that its author set, and its headings."""

    labels: Mapping[str, Target]
    slugs: Mapping[str, Target]


_NOTHING = _Own({}, {})


def _find_own(content: str) -> _Own:
    titles = [clean_heading(heading.text) for heading in iter_headings(content.split("\n"))]
    slugs = [Label(make_slug(title), title, make_slug(title)) for title in reversed(titles)]
    labels = (label for label in read_names(content).labels if label.fragment)
    return _Own(_make_targets(labels), _make_targets(slugs))


def _make_targets(labels: Iterable[Label]) -> Mapping[str, Target]:
    return {label.name: Target(Kind.LABEL, label.name, f"#{label.fragment}", label.title) for label in labels}


def _write_role(found: re.Match[str], targets: Targets, own: _Own) -> str:
    role, text = found["role"].lower(), (found["text"] or found["longer"]).strip()
    kind = role.rpartition(":")[2]
    if role in CITE_ROLES:
        return f"[{text}]"
    if role == "math":
        return f"${text}$"
    if role in RAISED_ROLES and is_short(text):
        return write_raised(text, found.string[max(found.start() - 2, 0) : found.start()])
    if role in LOWERED_ROLES:
        return f"_{text}"
    if role in DROPPED_ROLES or kind in ICON_ROLES:
        return ""
    if kind in TITLE_ROLES:
        return _write_reference(kind, text, targets, own)
    style, words = show_role(role, text)
    return make_code_span(words) if style is Style.CODE else f"**{words}**" if style is Style.BOLD else words


def _write_reference(kind: str, text: str, targets: Targets, own: _Own) -> str:
    title, name = split_title(text)
    target = _find_page(name, targets) if kind in ("doc", "any") else None
    if target is None and kind in ("ref", "numref", "any"):
        target = _find_label(name, targets, own)
    words = (target.title if target else "") or make_words(name.rpartition("/")[2] if kind == "doc" else name)
    shown = (_fill(title, words) if kind == "numref" else title) or words
    return make_link(shown, target.address) if target else shown


def _find_page(name: str, targets: Targets) -> Target | None:
    return targets.get((Kind.PAGE, name))


def _find_label(name: str, targets: Targets, own: _Own) -> Target | None:
    """Labels on the page itself come first, then those of other pages, then the page's headings by their names."""
    label = normalise(name)
    return own.labels.get(label) or targets.get((Kind.LABEL, label)) or own.slugs.get(label)


def _find_place(name: str, targets: Targets, own: _Own) -> Target | None:
    """The target of a fragment: targets on the page itself come first, as in all Markdown."""
    label = normalise(name)
    return own.labels.get(label) or own.slugs.get(label) or targets.get((Kind.LABEL, label))


def _write_link(found: re.Match[str], targets: Targets, own: _Own) -> str:
    """A link with the title of its target if it has no words, and with the target's address if it leads to a label."""
    address, given = found["quoted"] or found["target"], _get_words(found)
    if _IS_ELSEWHERE.match(address):
        return found[0]
    if label := _LABEL.fullmatch(address):
        name = label["label"]
        if address.startswith("#"):
            target = _find_place(name, targets, own)
        else:
            target = _find_page(name, targets) or _find_label(name, targets, own)
        words = (target.title if target else "") or make_words(name)
        return make_link(_fill(given, words) or words, target.address if target else address)
    if given:
        return found[0]
    path, _, fragment = address.partition("#")
    if fragment and found["words"] != PAGE_TITLE:
        target = targets.get((Kind.LABEL, normalise(fragment)))
        return make_link((target.title if target else "") or make_words(fragment), address)
    target = targets.get((Kind.PAGE, path))
    words = (target.title if target else "") or _make_page_words(path)
    return make_link(words, f"{target.address}#{fragment}".rstrip("#") if target else address)


def _get_words(link: re.Match[str]) -> str:
    """The words that the author gave the link."""
    words = link["words"].strip()
    return "" if words == PAGE_TITLE else words


def _make_page_words(path: str) -> str:
    """Words for a page without a title, from its address."""
    name = path.rstrip("/").rpartition("/")[2]
    return name if "." in name else name.replace("-", " ")


def _fill(title: str, words: str) -> str:
    """The text given, with the words in place of its placeholders, including those for numbers that only a build knows."""
    return _PLACE.sub(lambda _: words, title)
