"""What readers see of a MyST directive that holds no Markdown: code, a formula, a table, a list of pages, HTML, a button, a video."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from collections_app.parsing.dialects.myst.tables import read_csv, read_list, write_table
from collections_app.parsing.dialects.shown_tags import is_address
from collections_app.parsing.dialects.videos import write_video
from collections_app.parsing.html.escaping import make_fence
from collections_app.parsing.references.names import normalise
from collections_app.parsing.references.targets import Kind, Targets
from collections_app.parsing.sphinx.markup import MODULES, may_be_in_html, split_title
from collections_app.parsing.sphinx.myst_names import BUTTONS, ICON_ROLES, UNTOLD, VIDEOS

_LANGUAGE = re.compile(r"[\w+#.-]+")
# Directives that say the language by their name.
_DIAGRAMS = frozenset({"mermaid", "graphviz"})
_TERMINAL = "terminal"
_ICON = re.compile(rf"\{{(?:{'|'.join(sorted(ICON_ROLES))})\}}`[^`]*+`[ \t]*+")
_WEB = re.compile(r"https?://", re.IGNORECASE)
# Options of `{raw}` that name where its content is.
_ELSEWHERE = frozenset(["file", "url"])


def show(
    name: str, argument: str, options: Mapping[str, str], body: Sequence[str], targets: Targets
) -> Sequence[str] | None:
    """The lines that replace the directive; None if it stays."""
    match name:
        case "math":
            return ["$$", *filter(None, [argument]), *_strip(body), "$$"]
        case "toctree":
            return [_write_entry(line.strip(), targets) for line in body if line.strip()]
        case "list-table":
            rows, head = read_list(body), _read_count(options.get("header-rows"))
            return None if rows is None else _write_titled(argument, write_table(rows, has_head=head > 0))
        case "raw":
            is_html = "html" in argument.lower().split()
            return None if options.keys() & _ELSEWHERE else _write_html(body) if is_html else []
        case "eval-rst":
            return None
        case "csv-table":
            named = read_csv([options["header"]]) if options.get("header") else []
            has_head = bool(named) or _read_count(options.get("header-rows")) > 0
            return _write_titled(argument, write_table([*named, *read_csv(body)], has_head=has_head))
    return _show_by_kind(name, argument, options, body, targets)


def is_for_other_formats(name: str, argument: str) -> bool:
    """Whether the directive holds what only formats other than HTML show (`{only} latex`)."""
    return name == "only" and not may_be_in_html(argument)


def _show_by_kind(
    name: str, argument: str, options: Mapping[str, str], body: Sequence[str], targets: Targets
) -> Sequence[str] | None:
    if name in UNTOLD or is_for_other_formats(name, argument):
        return []
    if name in VIDEOS:
        return _show_video(name, argument, options.get("title", "").strip("\"'"))
    if name in BUTTONS:
        return [_write_button(argument, " ".join(filter(None, map(str.strip, body))), targets)]
    if name in MODULES:
        return None if any(map(str.strip, body)) else []
    return _show_code(name, argument, options, body)


def _show_code(name: str, argument: str, options: Mapping[str, str], body: Sequence[str]) -> Sequence[str]:
    language = _LANGUAGE.match(name if name in _DIAGRAMS else argument)
    title = options.get("caption") or options.get("filename") or ""
    if name == "code-tab":
        title = argument[language.end() :].strip() if language else argument
    # The info string of a fence must not have backticks.
    title = title.replace("`", "").replace('"', "'")
    fence = make_fence("\n".join(body))
    opening = f"{fence}{language[0] if language else 'console' if name == _TERMINAL else ''}"
    asked = [f"$ {options['input']}"] if name == _TERMINAL and options.get("input") else []
    return [f'{opening} title="{title}"' if title else opening, *asked, *body, fence]


def _show_video(name: str, video: str, title: str) -> Sequence[str] | None:
    """A link to a video, by its address or its id."""
    if _WEB.match(video) and is_address(video):
        return [f"[{title or 'Video'}]({video})"]
    written = write_video(name, title, video)
    return [written] if written else None


def _write_button(name: str, words: str, targets: Targets) -> str:
    """A link to the address, the label or the page that a button is given; its words if none is known."""
    target = targets.get((Kind.LABEL, normalise(name))) or targets.get((Kind.PAGE, name))
    address = target.address if target else name if _WEB.match(name) else ""
    words = _ICON.sub("", words).strip() or (target.title if target else "") or name
    return f"[{words}]({address})" if is_address(address) else words


def _write_entry(entry: str, targets: Targets) -> str:
    title, name = split_title(entry)
    target = targets.get((Kind.PAGE, name))
    words = title or (target.title if target else "") or name
    address = target.address if target else name
    return f"- [{words}]({address})" if target or (title and is_address(address)) else f"- {words}"


def _strip(lines: Sequence[str]) -> Sequence[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _read_count(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 3 else 0


def _write_titled(title: str, lines: Sequence[str]) -> Sequence[str]:
    return [f"**{title}**", "", *lines] if title and lines else lines


def _write_html(lines: Sequence[str]) -> Sequence[str]:
    """HTML as a block of Markdown: a blank line would end it, except in text that is shown as it is."""
    is_shown_as_it_is = any("<pre" in line.lower() for line in lines)
    return ["", *(line for line in lines if is_shown_as_it_is or line.strip())]
