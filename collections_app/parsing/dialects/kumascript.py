"""Replaces macros of MDN Web Docs (`{{jsxref("Array")}}`) with the words that readers see; also handles MDN's lists of terms. PURE.

https://developer.mozilla.org/en-US/docs/MDN/Writing_guidelines/Page_structures/Macros. Only MDN's own site knows where a reference leads,
so a reference becomes its name. What MDN builds from data kept elsewhere (compatibility, specifications, menus, live samples) is removed,
with headings that have no other content and code that only live samples need. Unknown macros stay as written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence

from collections_app.parsing.headings import LineKind, iter_line_kinds
from collections_app.parsing.html.escaping import make_code_span
from collections_app.parsing.safety.places import Places, replace_outside_code, would_become_code
from collections_app.text.markdown.code_blocks import ends_code
from collections_app.text.spans import is_in_span

_Write = Callable[[Sequence[str]], str]

_MACRO = re.compile(
    r"(?<![\\{])\{\{[ \t]*+(?P<name>[A-Za-z][\w-]*+)[ \t]*+(?:\((?P<arguments>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*)\))?[ \t]*+\}\}"
)
_ESCAPED_QUOTE = re.compile(r"\\([\"'])")
_ARGUMENT = re.compile(
    r"""[ \t]*+(?:"(?P<double>(?:[^"\\]|\\.)*+)"|'(?P<single>(?:[^'\\]|\\.)*+)'|(?P<bare>[^,"']*+))[ \t]*+(?:,|$)"""
)
# Macros that no other generator has.
_SIGN = re.compile(
    r"\{\{[ \t]*(?:(?i:(?:js|dom|css|svg|mathml)xref|(?:html|svg|mathml)element|http(?:header|status|method)|webextapiref)[ \t]*\("
    r"|(?:(?:API|JS|CSS|HTML|SVG)Ref|(?:[A-Z]\w*|js|css)Sidebar|SeeCompatTable)[ \t]*[(}])"
)
_SIDEBAR = re.compile(r"(?:[A-Z]\w*|js|css)Sidebar")
# Comments and tags, in which macros are not text.
_SHIELD = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_DEFINITION = re.compile(r"^(?P<marker>[ \t>]*[-*][ \t]+):[ \t]+(?=\S)", re.MULTILINE)
_FENCE = re.compile(
    r"[ \t>]*(?P<signs>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]+?)(?:-nolint)?(?P<options>(?:[ \t][^`\n]*)?)$"
)
_ONLY_MADE = re.compile(
    r"^#{2,6}[ \t][^\n]*\n\s*\{\{[ \t]*(?:compat|cssinfo|csssyntax(?:raw)?|specifications)\b[^{}\n]*\}\}[ \t]*\n*(?=#{1,6}[ \t]|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_CODE_SPAN = re.compile(r"`([^`\n]++)`")


def write_kumascript(content: str) -> str:
    """The text with its macros as words, its terms as list items, and its code with plain language names; no line moves."""
    if "{{" not in content or not _has_sign(content):
        return content
    content = replace_outside_code(_ONLY_MADE, lambda found: "\n" * found[0].count("\n"), content)
    places = Places(content, has_markup=True)
    shields = [found.span() for found in _SHIELD.finditer(content)]
    written = _MACRO.sub(lambda found: _write_in_place(found, places, shields), content)
    return _write_code(replace_outside_code(_DEFINITION, lambda found: found["marker"], written))


def _has_sign(content: str) -> bool:
    """Whether one of MDN's own macros stands outside of code."""
    places = Places(content, has_markup=True)
    return any(not places.is_code_at(found.start()) for found in _SIGN.finditer(content))


def _write_code(content: str) -> str:
    """The text without hidden code, and with the languages of code fences without `-nolint`."""
    lines = content.split("\n")
    kinds = list(iter_line_kinds(lines))
    fence, is_hidden = "", False
    for number, line in enumerate(lines):
        if kinds[number] is not LineKind.CODE:
            fence = ""
        elif fence:
            fence = "" if ends_code(line, fence) else fence
            lines[number] = "" if is_hidden else line
        elif opening := _FENCE.match(line):
            fence, is_hidden = opening["signs"], "hidden" in _QUOTED.sub("", opening["options"]).split()
            lines[number] = "" if is_hidden else f"{line[: opening.end('language')]}{opening['options']}"
    return "\n".join(lines)


def _write_in_place(found: re.Match[str], places: Places, shields: Sequence[tuple[int, int]]) -> str:
    """What replaces a macro. In code, comments and tags it stays; on a line of HTML, code is a `<code>` element."""
    if places.is_code_at(found.start()) or is_in_span(shields, found.start(), found.start() + 1):
        return found[0]
    written = _write_macro(found)
    if not written and would_become_code(places.content, found.end()):
        return found[0]
    code = _CODE_SPAN.fullmatch(written) if places.is_html(found.start()) else None
    return f"<code>{html.escape(code[1], quote=False)}</code>" if code else written


def _write_macro(found: re.Match[str]) -> str:
    name = found["name"].lower()
    if name in _DROPPED or _SIDEBAR.fullmatch(found["name"]):
        return ""
    write, arguments = _MACROS.get(name), _read_arguments(found["arguments"] or "")
    return found[0] if write is None or arguments is None else write(arguments)


def _read_arguments(written: str) -> list[str] | None:
    """The arguments, without quotation marks and with character references decoded; empty ones at the end are left out. None if it is no
    list of arguments.
    """
    arguments, end = list[str](), 0
    while end < len(written) and (found := _ARGUMENT.match(written, end)):
        value = next(value for value in found.groups() if value is not None)
        arguments.append(html.unescape(_ESCAPED_QUOTE.sub(r"\1", value)).strip())
        end = found.end()
    if end < len(written):
        return None
    while arguments and not arguments[-1]:
        arguments.pop()
    return arguments


def _write_name(arguments: Sequence[str]) -> str:
    """The name of an API or the words given for it, as code unless the fourth argument says otherwise."""
    name, words, _, is_plain = [*arguments, "", "", "", ""][:4]
    shown = words or name.removeprefix("Global_Objects/")
    return _escape(shown) if is_plain or not shown else make_code_span(shown)


def _escape(words: str) -> str:
    """Escapes words, because their markup characters are meant literally."""
    return html.escape(words, quote=False)


def _write_element(arguments: Sequence[str]) -> str:
    name, words = [*arguments, "", ""][:2]
    kind, _, type = name.partition("/")
    element = f'<{kind} type="{type}">' if type else f"<{name}>"
    return make_code_span(words or element) if name else ""


def _write_words(arguments: Sequence[str]) -> str:
    return _escape(next(filter(None, arguments[1::-1]), ""))


def _write_rfc(arguments: Sequence[str]) -> str:
    number, words, section = [*arguments, "", "", ""][:3]
    place = f", section {section}" if section else ""
    return _escape(f"RFC {number}{place}{f': {words}' if words else ''}")


def _write_attributes(arguments: Sequence[str]) -> str:
    """The attributes of a JavaScript property, such as `Writable: no`."""
    kinds = zip(("Writable", "Enumerable", "Configurable"), arguments, strict=False)
    return ", ".join(f"{kind}: {'no' if value in ('0', 'false', '') else 'yes'}" for kind, value in kinds)


def _say(words: str) -> _Write:
    return lambda _: words


_MACROS: Mapping[str, _Write] = {
    **dict.fromkeys(
        ["cssxref", "domxref", "httpheader", "httpmethod", "httpstatus", "jsxref", "svgattr", "webextapiref"],
        _write_name,
    ),
    **dict.fromkeys(["csp", "htmlattrxref", "mathmlxref", "svgxref"], lambda arguments: _write_name(arguments[:1])),
    **dict.fromkeys(["htmlelement", "mathmlelement", "svgelement"], _write_element),
    **dict.fromkeys(["anch", "glossary"], _write_words),
    "bug": lambda arguments: _escape(f"bug {' '.join(arguments[:1])}"),
    "js_property_attributes": _write_attributes,
    "rfc": _write_rfc,
    "specname": lambda arguments: _escape(" ".join(arguments[:1])),
    "deprecated_header": _say("**Deprecated.** "),
    "deprecated_inline": _say("(deprecated)"),
    "experimental_inline": _say("(experimental)"),
    "non-standard_header": _say("**Non-standard.** "),
    "non-standard_inline": _say("(non-standard)"),
    "optional_inline": _say("(optional)"),
    "readonlyinline": _say("(read only)"),
    "securecontext_header": _say("**Only in secure contexts (HTTPS).** "),
    "securecontext_inline": _say("(only in secure contexts)"),
    "seecompattable": _say("**Experimental.** "),
    "availableinworkers": _say("**Available in web workers.** "),
}
_DROPPED = frozenset(
    {
        *("apilistalpha", "apiref", "compat", "cssinfo", "cssref", "csssyntax", "csssyntaxraw", "draft", "htmlref", "jsref", "svgref"),
        *("embedghlivesample", "embedinteractiveexample", "embedlivesample", "embedyoutube", "interactiveexample", "livesamplelink"),
        *("glossarydisambiguation", "inheritancediagram", "listgroups", "listsubpages", "listsubpagesforsidebar", "subpageswithsummaries"),
        *("next", "nextmenu", "previous", "previousmenu", "previousmenunext", "previousnext", "quicklinkswithsubpages"),
        *("spec2", "specifications", "svginfo", "webglref"),
    }
)  # fmt: skip
