"""Macros within a line: `name:target[text]`. Those that are not here stay as they are written."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from collections_app.parsing.asciidoc.attribute_lists import read_attribute_list
from collections_app.parsing.asciidoc.links import make_link, make_reference
from collections_app.parsing.asciidoc.tree import Node, make_element

if TYPE_CHECKING:
    from collections_app.parsing.asciidoc.inline import InlineLine

Macro = Callable[["InlineLine", str, str], Sequence[Node] | None]


def _read_link(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return line.make_link(target, text) if target else None


def _read_mail(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    words = text.split(",")[0]
    return make_link(f"mailto:{line.write_words(target)}", line.read_inner(words)) if "@" in target else None


def _read_reference(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    if not target:
        return None
    words = text.strip()
    if "=" in words:
        listed = read_attribute_list(words)
        words = listed.get(0)
    return make_reference(
        line.reader, line.write_words(target), line.read_inner(words.removesuffix("^")) if words else [], is_macro=True
    )


def _read_image(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """What it shows; one that says nothing of it has a name that does, such as `yes.png`."""
    if not target or target.startswith(":"):
        return None
    name = posixpath.splitext(posixpath.basename(target.rpartition("$")[2]))[0]
    alt = read_attribute_list(text).get(0, "alt") or name.replace("-", " ").replace("_", " ")
    return [make_element("img", alt=line.write_words(alt))]


def _read_icon(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """Signs such as `icon:check[]` in a table say something."""
    return [f"[{line.write_words(read_attribute_list(text).named.get('alt', '') or target)}]"] if target else None


def _read_keys(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    keys = [line.write_words(key).strip() for key in (text.split(",") if "," in text.strip() else text.split("+"))]
    return [make_element("kbd", ["+".join(key or "+" for key in keys)])] if text.strip() and not target else None


def _read_button(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    return [make_element("strong", [line.write_words(text)])] if text and not target else None


def _read_menu(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """`menu:File[Save > As]`: all that is chosen, in order."""
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
    """Git's references to its manual."""
    return [line.write_words(f"{target}({text})" if text else target)] if target else None


def _read_property(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """Spring's names of settings."""
    return [make_element("code", [line.write_words(target)])] if target else None


def _read_java_name(line: InlineLine, target: str, text: str) -> Sequence[Node] | None:
    """Spring's and Micronaut's names of classes: without their package, as a page shows them."""
    if not target:
        return None
    listed = read_attribute_list(text)
    sign = "@" if listed.named.get("format") == "annotation" else ""
    name = line.write_words(target).rpartition("/")[2].rpartition(".")[2].replace("$", ".")
    return [make_element("code", [line.write_words(listed.get(0)) or f"{sign}{name}"])]


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
    "javadoc": _read_java_name,
}
