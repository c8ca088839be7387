"""For whom or when the children of a component are shown, as readers see it by a choice on the page: `<If sdk="react">` leaves “react”,
`<If notSdk={["ios", "android"]}>` “not ios, android”. PURE. What only code can decide (`when={(user) => …}`) is left out.
"""

from __future__ import annotations

import re

_NAME = re.compile(
    r"(?:Hide|Show)(?:(?:For|If|In|On|To|When)(?:[A-Z]\w*)?)?|(?:If|Only|Unless|When)(?:[A-Z]\w*)?|Condition(?:al\w*)?|Platform|Visibility"
    r"|(?P<of>[A-Z]\w*)(?:Content|Specific)"
)
_IS_NEGATIVE = re.compile(r"Hide|Unless")
_TEXT = r"(?:\"[^\"\n]*+\"|'[^'\n]*+')"
_CONDITION = re.compile(
    r"(?<![\w.:-])(?P<not>not)?(?P<key>condition|edition|env|environment|for|framework|if|is|lang|language|on|os|plan|platform|product|role"
    r"|router|sdk|version|when)s?\s*+=\s*+"
    rf"(?:(?P<text>{_TEXT})|\{{\s*+(?P<value>{_TEXT}|\[\s*+{_TEXT}(?:\s*+,\s*+{_TEXT})*+\s*+,?\s*+\])\s*+\}})",
    re.IGNORECASE,
)
_EACH_TEXT = re.compile(_TEXT)
_WORDS = re.compile(r"[\w.+#@/ -]{1,60}")
# Who reads by a program sees what is for programs, and needs no label for it.
_READERS = frozenset({"agent", "agents", "ai", "human", "humans", "llm", "llms"})


def describe_condition(name: str, attributes: str) -> str:
    """The condition of a tag that has one; empty if there is none, or if it is no plain words. An empty tag has nothing to show, and one
    that is called after its content (`<PlatformContent>`) has a condition only if that names this, too.
    """
    named = None if attributes.endswith("/>") else _NAME.fullmatch(name)
    conditions = list(_CONDITION.finditer(attributes)) if named else []
    if named and named["of"] and named["of"].lower() not in (each["key"].lower() for each in conditions):
        return ""
    is_negative = bool(_IS_NEGATIVE.match(name))
    return "; ".join(filter(None, (_write(condition, is_negative=is_negative) for condition in conditions)))


def _write(condition: re.Match[str], *, is_negative: bool) -> str:
    words = [text[1:-1].strip() for text in _EACH_TEXT.findall(condition["text"] or condition["value"])]
    if not all(map(_WORDS.fullmatch, words)) or _READERS.issuperset(words):
        return ""
    return f"{'not ' if is_negative != bool(condition['not']) else ''}{', '.join(words)}"
