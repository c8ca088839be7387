"""What a page is called, as marks of the index: its whole title, the name that its title says is a class or the like, or has in a section
of a manual (`boat-row(1)`), or the names that a page of R's help documents. PURE.

Ranking weighs words, so the page `Period` may be behind ten sections about `toPeriod`. A question that is a page's whole title or the name
of the class or command that it documents, or asks what that is or does, is for that page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from collections_app.text.analysis.identifiers import split_identifiers
from collections_app.text.names import split_name
from collections_app.text.names.text_kinds import find_text_kind

# PostgreSQL's parser makes no word that begins like this.
PAGE_MARK = "@"
# Lexemes have a limit; longer titles call nothing.
MOST_CHARACTERS = 200
# `Class Period`, `Annotation Interface Test`, `Struct HashMap<K, V>`, `Period Class Reference`.
_KIND = r"(?:\w+ )?(?:class|enum|exception|function|interface|macro|module|namespace|package|record|struct|trait|type|union)"
# Without an article, `explain` and the like may be statements: `explain analyze`.
_ASKING = re.compile(
    r"(?:(?:what(?:'s|’s|s| is| are)|tell me about)(?: an?| the)?|(?:explain|define|describe) (?:an?|the)) (?P<subject>.+?)"
    r"|what do(?:es)?(?: an?| the)? (?P<meant>.+?) (?:do|mean)|(?:man|man(?:ual)? ?page (?:for|of)(?: the)?) (?P<read>.+)",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"(?:the )?(.+?) (?:command|man(?:ual)? ?page)", re.IGNORECASE)
_OF_KIND = re.compile(
    rf"(?P<before>[^\s<(]+) {_KIND}(?: template)? reference|{_KIND} (?P<behind>[^\s<(]+)(?:[<(].*)?", re.IGNORECASE
)
# `boat-row(1)`, `BOAT-ROW(1) Manual Page`; `boat-row.1` as a file is named.
_OF_MANUAL = re.compile(r"(?P<name>[^\s(]+)\([1-9][a-z]{0,2}\)(?:\W.*)?|(?P<file>[^\s(]*[^\W\d])\.[1-9]", re.IGNORECASE)
_PART_OF_MANUAL = re.compile(r"[A-Za-z]+(?: [A-Za-z]+){0,2}")
# `the exit codes of boat row`, and what manuals call such parts.
_PART_OF = re.compile(
    r"(?:the )?(?P<part>[a-z]+(?: [a-z]+){0,2}) (?:of|for)(?: an?| the)? (?P<whole>.+)", re.IGNORECASE
)
_PARTS = {
    "command line options": "options",
    "exit code": "exit status",
    "exit codes": "exit status",
    "flags": "options",
    "switches": "options",
    "syntax": "synopsis",
    "usage": "synopsis",
}
_PART_SAID = re.compile(rf" (?P<said>{'|'.join(_PARTS)})$", re.IGNORECASE)
_NEXT_WORD = re.compile(r"(?=[A-Z])(?<=[a-z0-9])")
_CONSONANT_Y = re.compile(r"[^aeiou]y\Z")
_SIBILANTS = ("s", "x", "ch", "sh")


def list_page_marks(title: str, stem: str, documented: Iterable[str] = ()) -> list[str]:
    """The marks of a page; a question with one of them (list_asked_marks) calls it. `stem`: its path without the extension; `documented`:
    the names that it says it documents.

    Only if the path ends with it too, a word beside a kind is taken for a name: *Class Diagrams* are no class. The same goes for a title
    that ends like a file of a manual (`boat-row.1`).
    """
    names = [title, *documented]
    if (found := _OF_KIND.fullmatch(title.strip())) and stem.endswith(name := found["behind"] or found["before"]):
        names.append(name)
    names += filter(None, [find_manual_name(title, stem)])
    return list(filter(None, dict.fromkeys(map(_make_mark, names))))


def find_manual_name(title: str, stem: str) -> str:
    """The name of a page of a manual; empty for other pages."""
    found = _OF_MANUAL.fullmatch(title.strip())
    return found["name"] or (found["file"] if stem.endswith(title) else "") if found else ""


def list_part_marks(name: str, heading: str) -> list[str]:
    """The mark of a section of a manual's page: `boat row options` calls *OPTIONS* of *boat-row(1)*."""
    return [_make_mark(f"{name} {heading}")] if _PART_OF_MANUAL.fullmatch(heading) and heading != name else []


def list_asked_marks(question: str) -> list[str]:
    """The marks of the pages that a question may call: the whole question, then what it asks the meaning of (`what is a gear`) or a text
    about (`the gear chapter`, `boat row man page`), a part of a page (`flags of boat row`), what is asked in the plural (*Gears*); last a
    name that code writes in one word (`GearBox`) as its words (*Gear box*, *Gear boxes*).
    """
    words = question.strip().rstrip("?")
    found = _ASKING.fullmatch(words)
    asked = (found["subject"] or found["meant"] or found["read"]) if found else find_text_kind(words)[1]
    if found := _COMMAND.fullmatch(asked or words):
        asked = found[1]
    name = asked or words
    # Beside a name in ASCII, text without blanks has words of its own: `配置HttpClient` is not called by *HTTP client*.
    is_one_word = name.isascii() and name.isalnum()
    apart = " ".join(split_identifiers(name)) if is_one_word else ""
    # A number may belong to the letters before it (`K8sCluster`, `S3Bucket`).
    numbered = _NEXT_WORD.sub(" ", name) if is_one_word and not name.isalpha() else ""
    names = [
        words,
        asked,
        *_list_parts(name),
        *(each for one in (asked, apart, numbered) for each in (one, _write_plural(one))),
    ]
    return list(filter(None, dict.fromkeys(map(_make_mark, names))))


def _list_parts(name: str) -> Iterator[str]:
    """The name of a page's part as the page has it: `flags of boat row` is *OPTIONS* of *boat-row(1)*."""
    if found := _PART_OF.fullmatch(name):
        name = f"{found['whole']} {found['part']}"
        yield name
    if found := _PART_SAID.search(name):
        yield f"{name[: found.start('said')]}{_PARTS[found['said'].lower()]}"


def _write_plural(name: str) -> str:
    """In English; empty for an empty name, and for a letter, whose plural would be a word: `as`, `is`, `CS`."""
    name = name.strip("\"'`.! ")
    if len(name) < 2:
        return ""
    if _CONSONANT_Y.search(name):
        return f"{name[:-1]}ies"
    return f"{name}{'es' if name.endswith(_SIBILANTS) else 's'}"


def _make_mark(name: str) -> str:
    """Empty for a name that is too long, or has no words."""
    words = "-".join(split_name(name))
    return f"{PAGE_MARK}{words}" if 0 < len(words) <= MOST_CHARACTERS else ""
