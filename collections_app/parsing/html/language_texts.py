"""Signs between names that Sandcastle leaves to a script, since they differ by the language that a reader has chosen: `Pot.Pour`,
`Pot::Pour`. The script is not run; those of C#, else those of every language, are written where it stands.
"""

from __future__ import annotations

import re

from collections_app.parsing.html.tree import Element

_TEXT_SET = re.compile(r'\s*AddLanguageSpecificTextSet\("(?P<id>\w+)\?(?P<texts>[^"]{0,500})"\);?\s*')
_SIGN = re.compile(r"[^\w\s]{1,2}| ")
_LANGUAGES = ("cs", "nu")


def write_language_texts(root: Element) -> None:
    for script in root.iter("script"):
        place = script.getprevious()
        found = _TEXT_SET.fullmatch(script.text or "")
        if found and place is not None and place.get("id") == found["id"] and not len(place) and not place.text:
            texts = dict(text.partition("=")[::2] for text in found["texts"].split("|"))
            text = next((texts[language] for language in _LANGUAGES if language in texts), "")
            place.text = text if _SIGN.fullmatch(text) else ""
