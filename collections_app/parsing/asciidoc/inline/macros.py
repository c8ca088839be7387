"""Inline macros: `name:target[text]`. Unknown ones stay as written."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc.attribute_lists import read_attribute_list
from collections_app.parsing.asciidoc.inline.java_names import write_java_name
from collections_app.parsing.asciidoc.inline.links import make_link, make_reference
from collections_app.parsing.html.elements import Node, make_element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.inline.reader import InlineLine

PICTURE_IN_LINK = re.compile(r"(?P<macro>image:[^\s\[\]]++\[(?P<attributes>[^\[\]]*+)\])\s*+(?:,|$)")
"""A picture that is the whole text of a link; attributes of the link may follow."""

_LABEL = re.compile(r"[A-Za-z][\w-]+")

Macro = Callable[["InlineLine", str, str], Sequence[Node] | None]


def drop_window_sign(words: str) -> str:
    """The words of a link without the sign for a new window, `^`, which does not end raised text here."""
    return words[:-1] if words.endswith("^") and words.count("^") % 2 else words


def _read_link(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return line.make_link(target, text) if target else None


def _read_mail(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    words = text.split(",")[0]
    return make_link(f"mailto:{line.write_words(target)}", line.read_inner(words)) if "@" in target else None


def _read_reference(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    if not target:
        return None
    words = text.strip()
    if picture := PICTURE_IN_LINK.match(words):
        is_described = read_attribute_list(picture["attributes"]).get(0, "alt")
        words = picture["macro"] if is_described else ""  # the title of the target says more than a file name
    elif "=" in words:
        words = read_attribute_list(words).get(0)
    shown = line.read_inner(drop_window_sign(words)) if words else []
    return make_reference(line.reader, line.write_words(target), shown, is_macro=True)


def _read_image(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """A picture with its description, or the words of its file name, such as `yes.png`."""
    if not target or target.startswith(":"):
        return None
    name = posixpath.splitext(posixpath.basename(target.rpartition("$")[2]))[0]
    alt = read_attribute_list(text).get(0, "alt") or name.replace("-", " ").replace("_", " ")
    return [make_element("img", alt=line.write_words(alt))]


def _read_icon(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """Icons such as `icon:check[]` say something, for example in a table."""
    return [f"[{line.write_words(read_attribute_list(text).named.get('alt', '') or target)}]"] if target else None


def _read_keys(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    keys = [line.write_words(key).strip() for key in (text.split(",") if "," in text.strip() else text.split("+"))]
    return [make_element("kbd", ["+".join(key or "+" for key in keys)])] if text.strip() and not target else None


def _read_button(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return [make_element("strong", [line.write_words(text)])] if text and not target else None


def _read_menu(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """`menu:File[Save > As]`: all choices in order."""
    if not target:
        return None
    parts = [target, *(text.split("&gt;") if "&gt;" in text else text.split(">" if ">" in text else ","))]
    return [make_element("strong", [" > ".join(filter(None, (line.write_words(part).strip() for part in parts)))])]


def _read_footnote(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return [line.reader.footnotes.call(line.write_words(target), line.read_inner(text.strip()) if text.strip() else [])]


def _read_old_footnote(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    id, _, words = text.partition(",")
    return _read_footnote(line, id.strip(), words)


def _read_anchor(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    if not target:
        return None
    line.reader.references.add(line.write_words(target), line.write_words(text))
    return [make_element("a", id=line.write_words(target))]


def _read_hidden_term(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return []


def _read_shown_term(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return line.read_inner(text)


def _read_manual_page(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """A reference to Git's manual."""
    return [line.write_words(f"{target}({text})" if text else target)] if target else None


def _read_property(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """The name of a Spring setting; with `format=envvar` that of its environment variable."""
    if not target:
        return None
    name = line.write_words(target)
    if read_attribute_list(text).named.get("format") == "envvar":
        name = name.replace(".", "_").replace("-", "").upper()
    return [make_element("code", [name])]


def _read_label(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """Neo4j's label: the version, the place or the product for which something holds."""
    words = text.strip() or target
    return ["(", *line.read_inner(words), ")"] if _LABEL.fullmatch(target) else None


def _read_java_name(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """The name of a Java class and its member (Spring, Micronaut), or the words given for it."""
    if not target:
        return None
    listed = read_attribute_list(text)
    if words := listed.get(0) if "=" in text else text.strip():
        return line.read_inner(words)
    form = listed.named.get("format") or line.reader.attributes.get("javadoc-format") or "short"
    return [make_element("code", [write_java_name(line.write_words(target), form)])]


MACROS: Mapping[str, Macro] = {
    "link": _read_link,
    "mailto": _read_mail,
    "xref": _read_reference,
    "image": _read_image,
    "icon": _read_icon,
    "kbd": _read_keys,
    "btn": _read_button,
    "menu": _read_menu,
    "footnote": _read_footnote,
    "footnoteref": _read_old_footnote,
    "anchor": _read_anchor,
    "indexterm": _read_hidden_term,
    "indexterm2": _read_shown_term,
    "linkgit": _read_manual_page,
    "configprop": _read_property,
    "label": _read_label,
    "javadoc": _read_java_name,
}

SITE_MACROS = re.compile(
    r"(?<![\w\\/:.-])(?P<macro>javadoc|configprop|linkgit):(?P<target>[^\s\[\]]{1,1000})\[(?P<text>[^\[\]]*+)(?<!\\)\]"
)
"""Macros of sites' extensions, which are read before all others, because they may be in the brackets of a link."""
