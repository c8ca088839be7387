"""What a MyST page can be referred to by, its title, its labels and its headings, and what it refers to in others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import islice

from collections_app.exceptions import ParseError
from collections_app.naming.slugs import make_slug
from collections_app.parsing.front_matter import split_front_matter
from collections_app.parsing.headings import LineKind, iter_headings, iter_line_kinds
from collections_app.parsing.headings.ids import find_heading_id
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.hints import Hint
from collections_app.parsing.references.mentions import MAX_MENTIONS, MAX_NAME_CHARACTERS, Mention
from collections_app.parsing.references.mentions import iter_mentions as iter_mentions_of_parts
from collections_app.parsing.references.names import LABEL, MAX_TITLE_CHARACTERS, Label, Names, normalise
from collections_app.parsing.references.targets import Kind
from collections_app.parsing.safety.places import replace_outside_code
from collections_app.parsing.sphinx.markup import split_title
from collections_app.parsing.sphinx.myst_fences import blank_boxes
from collections_app.parsing.sphinx.myst_signs import is_myst
from collections_app.text.markdown.code_blocks import ends_code

MAX_CHARACTERS = 2_000_000

HINT = Hint(
    rb"\{(?:(?:std:)?(?:ref|numref|doc|any)\}`|(?:toctree|eval-rst|button-ref)\})", rb"\[(?:AUTOTITLE)?\]\(",
    rb"\]\(<?[^\s()<>:./#]*+(?:#[^\s()<>:]*+)?>?\)", rb"\{% content-ref[ \t]",
)  # fmt: skip
"""Is in every text in which iter_mentions() finds something."""

PAGE_TITLE = "AUTOTITLE"
"""In GitHub's documentation, stands for the title of the page that a link leads to."""

# GitBook shows the title of the page, whatever the link within the tag is called: its editor writes the file's name.
_CONTENT_REF = re.compile(
    r"(?P<tag>\{% content-ref[ \t][^{}\n]{0,2000}%\}[ \t]*+\n[ \t]*+)\[[^\[\]\n]{0,1000}\](?=\((?P<target>[^\s()<>:]{1,1000})\))"
)
_ROLE = re.compile(r"\{(?:std:)?(?P<role>ref|numref|doc|any)\}`(?P<text>[^`]{1,1000})`")
_LINK = re.compile(r"(?<!!)\[(?P<words>[^\[\]\n]*+)\]\(<?(?P<target>[^\s()<>:]{1,1000})>?\)")
_IS_NAME = re.compile(r"[^./#]+")
_BUTTON = re.compile(r"\{button-ref\}[ \t]+(?P<name>[^\s{}]{1,200})[ \t]*$", re.MULTILINE)
_TOCTREE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*\{toctree\}")
_EVAL_RST = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*\{eval-rst\}[ \t]*$")
_LABEL = re.compile(r" {0,3}\((?P<label>[^\s()]{1,200})\)=[ \t]*$")


def iter_mentions(text: str, *, is_in_myst: bool = True) -> Iterator[Mention]:
    """The pages and labels, each once, up to MAX_MENTIONS. `is_in_myst`: the page's site is made by MyST. Of several that name the same the
    last one counts.
    """
    text = ask_for_titles(text)
    lines = text.split("\n")
    is_myst_page = is_in_myst or is_myst(text)
    parts = iter_mentions_of_parts(text) if "{eval-rst}" in text else ()
    beside = () if is_myst_page else _iter_beside(text)
    links = _iter_links(text, lines, with_words=is_myst_page)
    found = dict.fromkeys([*beside, *_iter_roles(text), *links, *_iter_entries(lines), *parts])
    yield from islice(found, MAX_MENTIONS)


def ask_for_titles(text: str, has_title: Callable[[str], bool] = lambda path: True) -> str:
    """The text with PAGE_TITLE as the words of links that are shown with the title of their page (`{% content-ref %}`), if it has one."""
    if "{% content-ref" not in text:
        return text

    def ask(link: re.Match[str]) -> str:
        return f"{link['tag']}[{PAGE_TITLE}]" if has_title(link["target"].partition("#")[0]) else link[0]

    return replace_outside_code(_CONTENT_REF, ask, text)


def read_names(text: str) -> Names:
    """The page's title, which may be empty, its labels and its headings."""
    try:
        front_matter, _ = split_front_matter(text)
    except ParseError:
        return Names("", ())
    lines = text.split("\n")
    title, labels, headings, last = front_matter.title, list[Label](), list[Label](), front_matter.line_count - 1
    fragments = dict[int, str]()
    for heading in iter_headings(lines):
        words = clean_heading(heading.text)[:MAX_TITLE_CHARACTERS]
        title = title or (words if heading.level == 1 else "")
        anchor = find_heading_id(lines, heading.line)
        if anchor:
            names = [*_iter_labels(lines[max(last + 1, 0) : heading.line]), anchor]
            labels += [Label(normalise(name), words, anchor) for name in dict.fromkeys(names)]
        fragments[heading.line] = anchor or make_slug(words)
        headings.append(Label(normalise(words), words, fragments[heading.line]))
        last = heading.line
    if ")=" in text:
        labels += _iter_other_labels(lines, fragments, {label.name for label in labels})
    if "{eval-rst}" in text and ".. _" in text:
        labels += _iter_labels_in_rst(lines, dict(zip(fragments, headings, strict=True)))
    return Names(title, labels, headings)


def _iter_labels(lines: Sequence[str]) -> Iterator[str]:
    """The labels directly before headings."""
    for line in reversed(lines):
        found = _LABEL.match(line) if len(line) <= MAX_NAME_CHARACTERS else None
        if found:
            yield found["label"]
        elif line.strip():
            return


def _iter_other_labels(lines: Sequence[str], fragments: Mapping[int, str], known: Set[str]) -> Iterator[Label]:
    """The labels before anything else than headings, in boxes and tabs too: they lead to the section around them, whose anchor is that of
    its line.
    """
    fragment = ""
    kinds = iter_line_kinds(blank_boxes("\n".join(lines)).split("\n"))
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        fragment = fragments.get(number, fragment)
        is_text = kind is LineKind.MARKDOWN and len(line) <= MAX_NAME_CHARACTERS
        found = _LABEL.match(line) if is_text else None
        if found and (name := normalise(found["label"])) not in known:
            yield Label(name, "", fragment)


def _iter_labels_in_rst(lines: Sequence[str], headings: Mapping[int, Label]) -> Iterator[Label]:
    """Those in parts in reStructuredText: one that is last in its part leads to a heading directly after it, as Sphinx has it; others lead
    to the section around them.
    """
    fence, fragment, waiting = "", "", list[str]()
    for number, line in enumerate(lines):
        label = LABEL.match(line.strip()) if fence and len(line) <= MAX_NAME_CHARACTERS else None
        if label:
            waiting.append(normalise(label[1] or label[2]))
        elif heading := headings.get(number):
            fragment = heading.fragment
            yield from (Label(name, heading.title, fragment) for name in waiting)
            waiting = []
        elif fence and ends_code(line, fence):
            fence = ""
        elif opening := None if fence else _EVAL_RST.match(line):
            fence = opening["fence"]
        elif line.strip():
            yield from (Label(name, "", fragment) for name in waiting)
            waiting = []
    yield from (Label(name, "", fragment) for name in waiting)


def _iter_roles(text: str) -> Iterator[Mention]:
    for role in _ROLE.finditer(text):
        _, name = split_title(role["text"])
        if role["role"] == "doc":
            yield Mention(Kind.PAGE, name)
        else:
            yield Mention(Kind.LABEL, normalise(name))
    for button in _BUTTON.finditer(text):
        yield Mention(Kind.LABEL, normalise(button["name"]))
        yield Mention(Kind.PAGE, button["name"])


def _iter_links(text: str, lines: Sequence[str], *, with_words: bool) -> Iterator[Mention]:
    """What links mention, except pictures and the page's own headings. Only on pages of MyST may a link with words lead to a label."""
    links = [link for link in _LINK.finditer(text) if with_words or link["words"].strip() in ("", PAGE_TITLE)]
    has_own = any(link["target"].startswith("#") for link in links)
    own = set(_iter_own_fragments(lines)) if has_own else ()
    for link in links:
        path, _, fragment = link["target"].partition("#")
        if not path and fragment in own:
            continue
        if path and link["words"] == PAGE_TITLE:
            yield Mention(Kind.PAGE, path)
        elif "." in path or "/" in path:
            if not link["words"].strip():
                yield Mention(Kind.LABEL, normalise(fragment)) if fragment else Mention(Kind.PAGE, path)
        else:
            if path:
                yield Mention(Kind.PAGE, path)
            yield Mention(Kind.LABEL, normalise(path or fragment))


def _iter_beside(text: str) -> Iterator[Mention]:
    """What links with words mention on pages that are not of MyST: pages in their own folder, without an ending."""
    for link in _LINK.finditer(text):
        if link["words"].strip() not in ("", PAGE_TITLE) and _IS_NAME.fullmatch(link["target"]):
            yield Mention(Kind.PAGE, link["target"], needs_title=False)


def _iter_own_fragments(lines: Sequence[str]) -> Iterator[str]:
    """The fragments of the page's headings: made of their words, and given by the author."""
    for heading in iter_headings(lines):
        yield make_slug(clean_heading(heading.text))
        yield find_heading_id(lines, heading.line)


def _iter_entries(lines: Sequence[str]) -> Iterator[Mention]:
    """The entries of lists of pages."""
    fence = ""
    for line in lines:
        entry = line.strip(" \t>")
        if not fence:
            opening = _TOCTREE.match(line)
            fence = opening["fence"] if opening else ""
        elif ends_code(line, fence):
            fence = ""
        elif entry and not entry.startswith((":", "---")) and len(entry) <= MAX_NAME_CHARACTERS:
            yield Mention(Kind.PAGE, split_title(entry)[1])
