"""Pages in several languages beside each other (`fr/start.md`, `start.fr.mdx`): counts those that are translations of others. PURE."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

# Languages that documentation is translated into. Codes that are also names of directories need a region: `id-ID`.
_REGION = r"[-_](?:[a-z]{2}|\d{3}|hans|hant|latn|cyrl)"
_CODE = re.compile(
    rf"(?:be|id|is|ms|my|no|so){_REGION}"
    r"|(?:ar|az|bg|bn|bs|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|hy|it|ja|ka|kk|ko|lt|lv|mk|mn|mr|nb|nl|nn|pl|pt"
    rf"|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tr|uk|ur|uz|vi|zh)(?:{_REGION})?",
    re.IGNORECASE,
)
# Codes of countries that some use for languages. On their own they are not taken for languages.
_COUNTRIES = frozenset({"cn", "jp", "kr"})
_ORIGINAL = re.compile(rf"en(?:{_REGION})?", re.IGNORECASE)
# Folders that contain only the original, or only translations.
_WITHOUT = frozenset({"docs", "i18n", "docusaurus-plugin-content-docs", "current"})
FEW_TRANSLATIONS = 10
NAMED_LANGUAGES = 5


def is_language_code(name: str) -> bool:
    return _CODE.fullmatch(name) is not None


def count_translations(paths: Iterable[str]) -> dict[str, int]:
    """Language, as written in the paths → how many of the paths are pages that another path has without a language, or in English; the
    language with most of them first. Empty if these are fewer than FEW_TRANSLATIONS in all: a few may be about different things."""
    pages: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        page, language = _read(path)
        pages.setdefault(page, []).append(language)
    counts = Counter(
        language
        for languages in pages.values()
        if any(map(_is_original, languages))
        for language in languages
        if not _is_original(language)
    )
    return dict(counts.most_common()) if counts.total() >= FEW_TRANSLATIONS else {}


def describe_translations(counts: Mapping[str, int]) -> str:
    """A sentence about the result of count_translations(); empty if that is."""
    if not counts:
        return ""
    most = list(counts.items())[:NAMED_LANGUAGES]
    named = ", ".join(f"{language} ({count:,})" for language, count in most) + (
        ", …" if len(counts) > len(most) else ""
    )
    return (
        f"{sum(counts.values()):,} pages are translations of others: {named}. Searches find them beside these; "
        "an exclude pattern leaves a language out."
    )


def _read(path: str) -> tuple[tuple[str, ...], str]:
    """What is the same in every language, and the language; empty if there is none. A language in the file's name takes precedence."""
    *folders, name = path.split("/")
    *stem, ending = name.split(".")
    if len(stem) > 1 and _names_language(stem[-1]):
        return (*_choose(folders), f"{'.'.join(stem[:-1])}.{ending}".lower()), stem[-1]
    language = next(filter(_names_language, folders), "")
    return (*_choose(folder for folder in folders if folder != language), name.lower()), language


def _choose(folders: Iterable[str]) -> list[str]:
    return [lower for folder in folders if (lower := folder.lower()) not in _WITHOUT]


def _names_language(name: str) -> bool:
    return is_language_code(name) or name.lower() in _COUNTRIES


def _is_original(language: str) -> bool:
    return not language or _ORIGINAL.fullmatch(language) is not None
