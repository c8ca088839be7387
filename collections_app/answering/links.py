"""Removes from a model's answer what a host would fetch or render: images, HTML, and addresses that are in no passage. PURE.

Otherwise a planted instruction could make a model write an address that contains the reader's data. What only looks like HTML, such as
`List<String>` or `<your-name>`, is escaped.
"""

from __future__ import annotations

import re

# Lengths are bounded, since many brackets in a row would take quadratic time, and quantifiers are possessive, so that nothing is tried
# twice.
_IMAGE = re.compile(r"!\[([^\]\n]{0,300}+)\](?:\([^)\n]{0,2000}+\)|\[[^\]\n]{0,300}+\])?")
_LINK = re.compile(r"\[([^\]\n]{0,300}+)\]\(\s*+<?([^)\s>]{0,2000}+)>?[^)\n]{0,300}+\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$\n?", re.MULTILINE)
# The elements of HTML, including obsolete ones, and the roots of SVG and MathML.
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
    """The prose without foreign links. Addresses in `known`, all the text that was sent, stay; links to others become their text."""
    prose = _REFERENCE.sub("", prose)
    prose = _IMAGE.sub(r"\1", prose)
    prose = _LINK.sub(lambda match: match[0] if match[2] and match[2] in known else _keep_text(match[1]), prose)
    prose = _TAG_START.sub(r"\1\\<", _TAG.sub("", prose))
    return _ADDRESS.sub(lambda match: match[0] if match[0].rstrip(_TRAILING) in known else REMOVED, prose)


def _keep_text(text: str) -> str:
    """The text of a removed link; if it is a number, the link was meant as a citation."""
    return f"[{text}]" if text.isdecimal() else text
