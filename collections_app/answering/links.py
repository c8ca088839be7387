"""Takes out of a model's answer what a host would fetch or show: images, HTML, and addresses that are in no passage. PURE.

A planted instruction can make a model write an address with the reader's data in it; nothing of the kind gets through. What only looks like
HTML, such as `List<String>` or `<your-name>`, is escaped.
"""

from __future__ import annotations

import re

# Bounded, since a row of brackets would be looked through again from each of them; and nothing is tried a second time (`+`).
_IMAGE = re.compile(r"!\[([^\]\n]{0,300}+)\](?:\([^)\n]{0,2000}+\)|\[[^\]\n]{0,300}+\])?")
_LINK = re.compile(r"\[([^\]\n]{0,300}+)\]\(\s*+<?([^)\s>]{0,2000}+)>?[^)\n]{0,300}+\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$\n?", re.MULTILINE)
# The elements of HTML, also those that it no longer has, and the roots of SVG and MathML.
_ELEMENTS = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote "
    "body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl "
    "dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    "html i iframe image img input ins isindex kbd label legend li link listing main map mark marquee math menu "
    "menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture "
    "plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike "
    "strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul "
    "var video wbr xmp"
)
_TAG = re.compile(
    rf"""
    <![^<>]*>
    | (?! (?<=\w) <(?-i:[A-Z])[\w\[\].,?\s]*+> )  # a type argument: right behind its type, and with a capital
      </?(?:{_ELEMENTS.replace(" ", "|")})(?![\w:.-])[^<>]*>
    | <(?!https?:)[a-z][^<>=]*+=[^<>]*>
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Not yet escaped, and no autolink.
_TAG_START = re.compile(r"(?<!\\)((?:\\\\)*+)<(?!https?:)(?=[A-Za-z/!?])", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:|ftp:|data:|javascript:|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_TRAILING = ".,;:!?*_"

REMOVED = "(address removed)"


def remove_foreign_links(prose: str, known: str) -> str:
    """`known` is all text that was sent: an address that stands in it stays, a link to another one becomes its text."""
    prose = _REFERENCE.sub("", prose)
    prose = _IMAGE.sub(r"\1", prose)
    prose = _LINK.sub(lambda match: match[0] if match[2] and match[2] in known else _keep_text(match[1]), prose)
    prose = _TAG_START.sub(r"\1\\<", _TAG.sub("", prose))
    return _ADDRESS.sub(lambda match: match[0] if match[0].rstrip(_TRAILING) in known else REMOVED, prose)


def _keep_text(text: str) -> str:
    """A link whose text is a number was meant as a citation."""
    return f"[{text}]" if text.isdecimal() else text
