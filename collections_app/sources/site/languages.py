"""In which language a page is, by its tag or by its URL. It reads no text."""

from __future__ import annotations

from collections_app.naming.translations import is_language_code
from collections_app.text.languages import TAGS

_MANY_SCRIPTS = ("zh",)

ANY_LANGUAGE = "*"
_NO_CHOICE = ("english", "norwegian")


def find_tag(collection_language: str) -> str:
    """The tag of a collection's language (`german`). Empty for English, which collections have unless they are known to be in another, for
    one that is no language (`simple`), and for one with several tags (Norwegian)."""
    return "" if collection_language in _NO_CHOICE else TAGS.get(collection_language, "")


def choose_language(tag: str) -> str:
    """What to keep of a start page's tag: the language, without the country that its other pages may not name; Chinese with it."""
    language = tag.lower().replace("_", "-")
    primary = language.partition("-")[0]
    return language if primary in _MANY_SCRIPTS else primary


def is_other_language(tag: str, wanted: str) -> bool:
    """Whether the language tag stands for another language than `wanted`. Either may be the more exact (RFC 4647, 3.3.1 and 3.4)."""
    if not tag or wanted in ("", ANY_LANGUAGE):
        return False
    has, wants = (f"{text.lower().replace('_', '-')}-" for text in (tag, wanted))
    return not (has.startswith(wants) or wants.startswith(has))


def find_language(path: str) -> str:
    """The language tag that is the first folder of a path below the prefix (`de/guide/start`), or the second; else empty."""
    first, *others = path.split("/")
    return next((folder for folder in (first, *others[:-1][:1]) if is_language_code(folder)), "")
