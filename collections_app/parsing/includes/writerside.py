"""Puts in what pages of Writerside (JetBrains) take from other files: elements of topics (`<include from="lib.topic" element-id="a"/>`),
code of programs (`<code-block src="A.kt" include-lines="3-9"/>`, a fence with `{src="A.kt"}` behind it), the values of their `<var>`, and
the titles of pages that links without words lead to. A link names only the file of a page, which may be in any folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from html import escape
from textwrap import dedent
from urllib.parse import quote

from collections_app.exceptions import IngestError
from collections_app.parsing.decoding import decode_text
from collections_app.parsing.dialects.mdx_code import replace_outside_mdx_code
from collections_app.parsing.dialects.writerside import read_attributes
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes.excerpts import Excerpt, read_ranges
from collections_app.parsing.includes.files import find_language
from collections_app.parsing.markdown.fences import fence_code
from collections_app.parsing.source_paths import Read, iter_paths
from collections_app.parsing.wikilinks import FileNames

HINT = Hint(
    rb"<include\s[^<>]*element-id=", rb"<code-block\s[^<>]*src=", rb"\{[^{}\n]*src=\"[^{}\n]*\}", rb"<var\s[^<>]*name="
)

LINK_HINT = Hint(rb"\]\([\w.-]+\.(?:md|topic)[)#]", rb"<a\s", rb"\]\(#")
CONFIGURATIONS = ("writerside.cfg", "project.ihp")

MAX_CHARACTERS = 1024 * 1024
"""What a page may grow by."""

_MAX_PLACES = 1_000
_SHARE = 16  # that part of a text counts each time it is looked through
_MAX_DEPTH = 5
_LINK = re.compile(r"(?<!!)\[(?P<words>[^\[\]\n]*)\]\((?P<file>[\w.-]+\.(?:md|topic))?(?:#(?P<id>[\w.-]+))?\)")
_ELEMENT = re.compile(r"<a\s(?P<attributes>[^<>]*?)(?P<end>/?)>(?P<closing></a>)?")
_TITLE = re.compile(
    r"\[//\]: # \(title: (?P<told>[^\n]*)\)|<topic\s[^<>]*?\stitle=\"(?P<topic>[^\"]*)\"|^# (?P<heading>[^\n{]+)",
    re.MULTILINE,
)
_IS_FILE = re.compile(r"[\w.-]+\.(?:md|topic)")
_SNIPPETS = re.compile(r'<snippets\s[^<>]*src="([^"<>]+)"')
_INCLUDE = re.compile(
    r"^(?P<indent>[ \t]*+)<include\s(?P<attributes>[^<>]*?)(?:/>|>(?P<given>(?:\s*<var\s[^<>]*/>)*+)\s*</include>)",
    re.MULTILINE,
)
_VAR = re.compile(r"<var\s([^<>]*?)/>")
_NAME = re.compile(r"%([A-Za-z][\w.-]*)%")
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*+)(?P<fence>`{3,})(?P<language>[^\n`]*)\n[ \t]*(?P=fence)[ \t]*\n[ \t]*\{(?P<attributes>[^{}\n]*src=\"[^{}\n]*)\}",
    re.MULTILINE,
)
_CODE = re.compile(r"<code-block\s(?P<attributes>[^<>]*src=\"[^<>]*?)(?:/>|>\s*</code-block>)")
_SYMBOL = r"(?:class|const|def|enum|fun|function|interface|object|typealias|val|var)\s+(?:[\w<>?.]+\.)?{}\b"


class Writerside:
    """The pages of one source. Files are read once for each page."""

    def __init__(self, read: Read, names: FileNames) -> None:
        self._read = read
        self._names = names
        self._left = MAX_CHARACTERS
        self._places = _MAX_PLACES
        self._texts: dict[str, str | None] = {}

    def write(self, text: str, path: str) -> str:
        """The text of the page at `path` with all this."""
        self._left, self._places, self._texts = MAX_CHARACTERS, _MAX_PLACES, {}
        folder = posixpath.dirname(path)
        whole = self._put_in(text, folder, dict(_iter_values(text)), 0)
        if not (_FENCE.search(whole) or _CODE.search(whole)):
            return whole
        roots = [folder, *self._find_roots(folder)]
        whole = _FENCE.sub(lambda found: self._write_fence(found, roots), whole)
        return _CODE.sub(lambda found: self._write_code(found, roots), whole)

    def write_links(self, text: str, path: str) -> str:
        """The text of the page at `path` with links to the files of pages, in the words of their titles if they have none."""

        def write(link: re.Match[str]) -> str:
            file, id = self._find_page(link["file"] or "", path), link["id"] or ""
            words = link["words"] or self._find_title(file, id, text)
            return f"[{words}]({_write_address(file, id, path)})" if link["file"] or link["id"] else link[0]

        def write_element(link: re.Match[str]) -> str:
            told = read_attributes(link["attributes"])
            address, _, id = told.get("href", "").partition("#")
            id = told.get("anchor", id)
            if (address and not _IS_FILE.fullmatch(address)) or not (address or id):
                return link[0]
            file = self._find_page(address, path)
            kept = "".join(f' {name}="{value}"' for name, value in told.items() if name not in {"href", "anchor"})
            tag = f'<a href="{_write_address(file, id, path)}"{kept}>'
            return (
                f"{tag}{escape(self._find_title(file, id, text), quote=False)}</a>"
                if link["end"] or link["closing"]
                else tag
            )

        self._left, self._places, self._texts = MAX_CHARACTERS, _MAX_PLACES, {}
        return replace_outside_mdx_code(_ELEMENT, write_element, replace_outside_mdx_code(_LINK, write, text))

    def _find_page(self, file: str, page: str) -> str:
        return (self._names.find(file, page) or posixpath.join(posixpath.dirname(page), file)) if file else ""

    def _find_title(self, file: str, id: str, own: str) -> str:
        """The title of a page, or of what has the id in it; the id or the name of the file where there is none."""
        text = self._find_text([""], file) if file else own
        if not self._may_add(len(text or "") // _SHARE):
            return id or posixpath.basename(file)
        if id and text:
            found = re.search(
                rf"^[ \t]*#{{1,6}}[ \t]+([^\n]+?)[ \t]*\{{[^{{}}\n]*(?:id=\"|#){re.escape(id)}(?![\w.-])[^{{}}\n]*\}}"
                rf"|<[a-z][\w-]*(?=[^<>]*\sid=\"{re.escape(id)}\")[^<>]*\stitle=\"([^\"]+)\"",
                text,
                re.MULTILINE,
            )
            return next(filter(None, found.groups())) if found else id.replace("-", " ").replace("_", " ")
        found = _TITLE.search(text) if text else None
        return next(filter(None, found.groups()), "").strip() if found else posixpath.basename(file).rpartition(".")[0]

    def _put_in(self, text: str, folder: str, values: Mapping[str, str], depth: int) -> str:
        def write(found: re.Match[str]) -> str:
            attributes = read_attributes(found["attributes"])
            element = self._find_element(folder, attributes.get("from", ""), attributes.get("element-id", ""))
            if element is None or not self._may_add(len(element)):
                return found[0]
            given = {**values, **dict(_iter_values(found["given"] or ""))}
            own = self._put_in(element, folder, given, depth + 1)
            return "\n".join(
                found["indent"] + line if line.strip() else "" for line in dedent(own).strip("\n").split("\n")
            )

        whole = _INCLUDE.sub(write, text) if depth < _MAX_DEPTH else text
        return _NAME.sub(lambda found: values.get(found[1], found[0]), whole) if values else whole

    def _may_add(self, characters: int) -> bool:
        self._places -= 1
        self._left -= characters
        return self._left >= 0 and self._places >= 0

    def _find_element(self, folder: str, file: str, id: str) -> str | None:
        """What the element with this id has in it; of one that is no snippet, the element."""
        text = self._find_text([folder], file) if file and id else None
        if not text or not self._may_add(len(text) // _SHARE):
            return None
        opening = re.search(rf'<([a-z][\w-]*)(?=\s)[^<>]*\sid="{re.escape(id)}"[^<>]*>', text)
        if not opening:
            return None
        depth = 1
        for tag in re.finditer(rf"<(/?){opening[1]}(?=[\s/>])[^<>]*?(/?)>", text[opening.end() :]):
            depth += 0 if tag[2] else -1 if tag[1] else 1
            if depth == 0:
                inner = text[opening.end() : opening.end() + tag.start()]
                return inner if opening[1] == "snippet" else text[opening.start() : opening.end() + tag.end()]
        return None

    def _find_text(self, folders: list[str], file: str) -> str | None:
        """The text of the first such file that a page may include."""
        for path in (path for folder in folders for path in iter_paths(folder, file)):
            if path not in self._texts:
                content = self._read(path) if find_language(path) else None
                try:
                    self._texts[path] = (
                        None if content is None or len(content) > MAX_CHARACTERS else decode_text(content)[0]
                    )
                except IngestError:
                    self._texts[path] = None
            if (text := self._texts[path]) is not None:
                return text
        return None

    def _find_roots(self, folder: str) -> Iterator[str]:
        """The folder of programs that the configuration names."""
        for path in (path for name in CONFIGURATIONS for path in iter_paths(folder, name)):
            content = self._read(path)
            if content and (named := _SNIPPETS.search(content[:100_000].decode("utf-8", "replace"))):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), named[1]))
                return

    def _write_fence(self, found: re.Match[str], roots: list[str]) -> str:
        code = self._find_code(found["attributes"], roots)
        if code is None:
            return found[0]
        return "\n".join(found["indent"] + line for line in fence_code(code, found["language"]).split("\n"))

    def _write_code(self, found: re.Match[str], roots: list[str]) -> str:
        code = self._find_code(found["attributes"], roots)
        if code is None or "]]>" in code:
            return found[0]
        return f"<code-block {found['attributes'].rstrip()}><![CDATA[\n{code}\n]]></code-block>"

    def _find_code(self, told: str, roots: list[str]) -> str | None:
        attributes = read_attributes(told)
        text = self._find_text(roots, attributes.get("src", ""))
        if text is None or not self._may_add(len(text) // _SHARE):
            return None
        if lines := attributes.get("include-lines"):
            cut = Excerpt(read_ranges(lines, "-"), indent=0).cut(text)
        elif symbols := attributes.get("include-symbol"):
            found = [_find_symbol(text, symbol.strip()) for symbol in symbols.split(",")]
            cut = "\n\n".join(filter(None, found)) or None
        else:
            cut = text.strip("\n")
        return cut if cut and self._may_add(len(cut)) else None


def _write_address(file: str, id: str, page: str) -> str:
    address = quote(posixpath.relpath(file, posixpath.dirname(page) or ".")) if file else ""
    return f"{address}#{id}" if id else address


def _iter_values(text: str) -> Iterator[tuple[str, str]]:
    for tag in _VAR.finditer(text):
        attributes = read_attributes(tag[1])
        if "name" in attributes and "value" in attributes:
            yield attributes["name"], attributes["value"]


def _find_symbol(text: str, symbol: str) -> str:
    """The lines that declare a name; empty if there are none."""
    lines = text.split("\n")
    pattern = re.compile(_SYMBOL.format(re.escape(symbol)))
    first = next((number for number, line in enumerate(lines) if pattern.search(line)), None)
    if first is None:
        return ""
    indent = len(lines[first]) - len(lines[first].lstrip())
    end, depth = first, 0
    for end in range(first, len(lines)):
        depth += sum(lines[end].count(sign) for sign in "({[") - sum(lines[end].count(sign) for sign in ")}]")
        if depth <= 0 and not lines[end].rstrip().endswith(("=", ",")):
            break
    return dedent("\n".join(lines[first : end + 1])) if indent else "\n".join(lines[first : end + 1])
