"""Finds the section that the fragment of a page's address names (what follows the `#`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from urllib.parse import unquote

from collections_app.documents.lookup import is_name_of, iter_without_fragments
from collections_app.documents.sections import SectionText, find_sections
from collections_app.documents.versions import sections_of
from collections_app.exceptions import InvalidSectionId, SectionNotFound
from collections_app.models import Document, Section
from collections_app.naming.slugs import make_slug

# What Sphinx writes before the name of what is described: `confval-addopts`, `cmdoption-pytest-lf`, `std-envvar-HOME`.
KINDS = re.compile(
    r"(?:(?:std|py|c|cpp|js|rst)-)?(?:confval|cmdoption|option|envvar|setting|term|token|module|directive|role|label|doc)-(?=.)"
)
# Names in Python: `pytest.fixture`, `logging.Handler.emit`.
DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
# An option may have its program before it.
OPTION = re.compile(r"(?:std-)?(?:cmdoption|option)-")
# Fragments that mean the beginning of any page: in HTML ("The indicated part of the document"), the targets of sites' skip links, and the
# readme on a repository's page at GitHub.
BEGINNINGS = ("top", "content", "main", "main-content", "readme")
# Lines of a file, as GitHub, GitLab and Bitbucket number them. They are lines of the source file, not of the stored text.
LINES = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|lines-\d+(?::\d+)?", re.ASCII)
# What browsers append to a fragment to lead to words (URL Fragment Text Directives); other words may come before and after these.
DIRECTIVE = ":~:"
WORDS = re.compile(r"text=(?:[^&,]*-,)?([^&,]+)")


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a fragment leads to. `section`, without its text, is None if the document has no such section; `close` are then similar ids.

    `words`: the words that a browser would look for instead of a section.
    """

    name: str
    section: Section | None
    close: Sequence[str] = ()
    words: str = ""


def find_fragment(document: Document, path: str) -> Fragment | None:
    """What the fragment of `path` leads to in this document; None if there is no fragment, or it means the page's beginning.

    Raises DocumentReplaced.
    """
    asked = path.strip()
    own = next((each for each in iter_without_fragments(asked) if is_name_of(document, each)), None)
    behind = asked.partition("#")[2] if own is None else asked[len(own) + 1 :]
    before, _, directive = behind.partition(DIRECTIVE)
    name, words = read_fragment(before), read_words(directive)
    found = look_up_fragment(document, name) if name else None
    return Fragment(name, None, words=words) if words and not (found and found.section) else found


def read_fragment(written: str) -> str:
    return unquote(written).replace("\0", "").strip()


def read_words(directive: str) -> str:
    match = WORDS.search(directive)
    return read_fragment(match[1]) if match else ""


def list_fragment_words(name: str) -> list[str]:
    """Words by which a page may mention what a fragment names, if it has no such section; likeliest first.

    These are the fragment itself, the same without its kind, an option without its program, and the last part of a dotted name; each also
    with blanks instead of hyphens.
    """
    bare = KINDS.sub("", name, count=1)
    names = [name, bare]
    if OPTION.match(name):
        names.append(bare.partition("-")[2].lstrip("-"))
    if DOTTED.fullmatch(bare):
        names.append(bare.rpartition(".")[2])
    spelled = ((each, " ".join(re.split("[-_]+", each)).strip()) for each in names)
    return list(dict.fromkeys(filter(None, chain.from_iterable(spelled))))


def find_begun(sections: Iterable[SectionText], words: str) -> SectionText | None:
    """The section whose heading, written as an id, begins with these words, as `--maxfail=NUM` does with `maxfail`; None if there are
    several."""
    beginning = f"{make_slug(words)}-"
    begun = [each for each in sections if f"{each.section_id.rpartition('/')[2]}-".startswith(beginning)]
    return begun[0] if len(begun) == 1 else None


def look_up_fragment(document: Document, name: str) -> Fragment | None:
    if anchored := sections_of(document).filter(anchor=name).defer("content").first():
        return Fragment(name, anchored)
    try:
        return Fragment(name, find_sections(document, [name])[0])
    except InvalidSectionId:
        return Fragment(name, None)
    except SectionNotFound as missing:
        means_page = name.lower() in BEGINNINGS or LINES.fullmatch(name)
        return None if means_page else Fragment(name, None, missing.details["suggestions"])
