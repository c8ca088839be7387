"""Punctuation in names that Sandcastle leaves to a script, because it depends on the language that the reader chooses: `Pot.Pour`,
`Pot::Pour`. The script is not run; the sign for C# is written in its place, or else the one for all languages.
"""

from __future__ import annotations

import re

from lxml import etree

from collections_app.parsing.html.tree import Element, find_elements

_TEXT_SET = re.compile(r'\s*AddLanguageSpecificTextSet\("(?P<id>\w+)\?(?P<texts>[^"]{0,500})"\);?\s*')
_MAX_CHARACTERS = 500
_SIGN = re.compile(r"[^\w\s]{1,2}| ")
_LANGUAGES = ("cs", "nu")
_PLACES = etree.XPath("//span[@data-languagespecifictext]")  # since 2023


def write_language_texts(root: Element) -> None:
    for script in root.iter("script"):
        place = script.getprevious()
        found = _TEXT_SET.fullmatch(script.text or "")
        if found and place is not None and place.get("id") == found["id"]:
            _write_text(place, found["texts"])
    for place in find_elements(_PLACES, root):
        _write_text(place, place.get("data-languagespecifictext", "")[:_MAX_CHARACTERS])


def _write_text(place: Element, listed: str) -> None:
    """Write nothing if there is text already."""
    if len(place) or place.text:
        return
    texts = dict(text.partition("=")[::2] for text in listed.split("|"))
    text = next((texts[language] for language in _LANGUAGES if language in texts), "")
    place.text = text if _SIGN.fullmatch(text) else ""
