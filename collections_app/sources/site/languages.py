"""The language of a page, by its tag or its URL. Reads no text."""

from __future__ import annotations

from collections_app.naming.translations import is_language_code
from collections_app.text.languages import TAGS

_MANY_SCRIPTS = ("zh",)

ANY_LANGUAGE = "*"
_NO_CHOICE = ("english", "norwegian")


def find_tag(collection_language: str) -> str:
    """The tag of a collection's language (`german`). Empty for English, which is the default and so may not be known; for `simple`, which
    is no language; and for a language with several tags (Norwegian)."""
    return "" if collection_language in _NO_CHOICE else TAGS.get(collection_language, "")


def choose_language(tag: str) -> str:
    """What to keep of a start page's tag: the language without the country, which its other pages may not name; for Chinese, all of it."""
    language = tag.lower().replace("_", "-")
    primary = language.partition("-")[0]
    return language if primary in _MANY_SCRIPTS else primary


def is_other_language(tag: str, wanted: str) -> bool:
    """Whether the tag stands for another language than `wanted`. Either may be the more specific (RFC 4647, 3.3.1 and 3.4)."""
    if not tag or wanted in ("", ANY_LANGUAGE):
        return False
    has, wants = (f"{text.lower().replace('_', '-')}-" for text in (tag, wanted))
    return not (has.startswith(wants) or wants.startswith(has))


def find_language(path: str) -> str:
    """The language tag that is the first or second folder of a path below the prefix (`de/guide/start`); else empty."""
    first, *others = path.split("/")
    return next((folder for folder in (first, *others[:-1][:1]) if is_language_code(folder)), "")
