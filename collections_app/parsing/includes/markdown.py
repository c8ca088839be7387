"""Finds the lines of Markdown that include files, as written by MkDocs and its plugins, mdBook, DocFX, VitePress, MyST, MDX, Hugo, Quarto,
Jekyll, the documentation of GitHub, HashiCorp and Svelte, and Obsidian.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qs

from collections_app.parsing.file_names import MARKDOWN_EXTENSIONS, get_extension
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes.excerpts import Excerpt, is_short, read_options, read_ranges
from collections_app.parsing.includes.files import find_language
from collections_app.parsing.includes.hugo import find_tag, join
from collections_app.parsing.includes.imports import Imports
from collections_app.parsing.includes.lines import Include, Writing, split_options
from collections_app.parsing.sphinx.myst_fences import FENCE, Fences
from collections_app.parsing.wikilinks import read_wikilink

_PREFIX = r"(?P<prefix>[ \t>]*+)"
# Preprocessors also process these in code.
_SNIPPET = re.compile(_PREFIX + r"""-+8<-+[ \t]+(?P<quote>["'])(?P<target>[^"']+)(?P=quote)[ \t]*$""")
_BRACED = re.compile(
    _PREFIX + r"\{![ \t]*+>?[ \t]*+(?P<target>[^\s!{}|\[\]]++)(?:\[ln:(?P<lines>[^\]]*)\])?[^!]*!\}[ \t]*$"
)
_MDBOOK = re.compile(_PREFIX + r"\{\{#(?:rustdoc_)?include[ \t]+(?P<target>[^\s{}]+)[ \t]*\}\}[ \t]*$")
_STARRED = re.compile(_PREFIX + r"\{\*[ \t]++(?P<target>[^\s*]++)(?P<options>[^*]*+)\*\}[ \t]*$")
_DOCFX = re.compile(
    _PREFIX
    + r"\[!(?P<kind>include|code)(?:-(?P<language>[\w#+]+))?[ \t]*\[[^\]]*\]\(<?(?P<target>[^()<>\s]+)[^()]*\)\][ \t]*$",
    re.IGNORECASE,
)
_VITEPRESS = re.compile(
    _PREFIX
    + r"<<<[ \t]*+(?P<target>[^\s{}#<][^{}#]*?)(?:#(?P<region>[\w.-]+))?[ \t]*"
    + r"(?:\{[\d, \t-]*(?P<language>[^\s{}:`\d]?[^\s{}:`]*)[^{}]*\})?[ \t]*(?:\[(?P<title>[^\[\]`]+)\])?[ \t]*$"
)
_COMMENT = re.compile(
    _PREFIX
    + r"<!--[ \t]*@include:[ \t]*(?P<target>[^{}#\s](?:[^{}#]*[^{}#\s])?)(?:#(?P<region>[^\s{}]+))?"
    + r"(?:\{(?P<lines>[\d, ]*)\})?[ \t]*-->[ \t]*$"
)
_ARGUMENTS = r"(?P<arguments>(?:[ \t,][^{}%]*+)?)%\}[ \t]*$"
_LIQUID = re.compile(
    _PREFIX
    + r"\{%-?[ \t]*+include(?:_cached|(?P<is_relative>_relative))?[ \t]+[\"']?(?P<target>[\w./-]+\.(?:md|markdown))(?![\w./-])[\"']?"
    + _ARGUMENTS
)
_RENDER = re.compile(
    _PREFIX + r"\{%-?[ \t]*+render[ \t]++(?P<quote>[\"'])(?P<target>[\w./-]+\.(?:md|markdown))(?P=quote)" + _ARGUMENTS
)
_OF_HASHICORP = re.compile(_PREFIX + r"@include[ \t]++(?P<quote>[\"'])(?P<target>[\w./-]+\.\w+)(?P=quote)[ \t]*$")
_OF_SVELTE = re.compile(r"(?P<prefix>)@include[ \t]++(?P<target>[\w./-]+\.md)[ \t]*$")
# A component of Nuxt Content that names a part of pages.
_PARTIAL = re.compile(
    _PREFIX
    + r":(?:include|partial|snippet)\{(?:content|file|name|path|src)=(?P<quote>[\"'])(?P<target>[\w./-]+)(?P=quote)\}[ \t]*$"
)
_PARTIALS = "_partials/"
# MkDocs' include-markdown, which may extend over several lines.
_TAG_BEGINS = re.compile(_PREFIX + r"\{%-?[ \t]*+(?:include-markdown\b|$)")
_INCLUDE_MARKDOWN = re.compile(
    _PREFIX + r"\{%-?\s*+include-markdown\s++(?P<quote>[\"'])(?P<target>[^\"']+)(?P=quote)(?P<options>[^%]*+)%\}[ \t]*$"
)
_TAG_OPTION = re.compile(
    r"(?<=\s)(?P<name>[a-z-]+)=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<plain>[^\s\"']+))"
)
# MkDocs' codeinclude: links to code between two comments.
_CODE_BEGINS = re.compile(r"[ \t]*+<!--[ \t]*+codeinclude[ \t]*+-->[ \t]*$")
_CODE_LINK = re.compile(
    _PREFIX
    + r"\[(?P<title>[^\[\]]*+)\]\((?P<target>[^\s()]++)\)[ \t]*+"
    + r"(?:(?P<within>inside_)?block:(?P<word>\S+)|lines:(?P<lines>[\d,-]+))?[ \t]*$"
)
_MAX_TAG_LINES = 20
_OFFSETS = frozenset("12345")
INCLUDES = "_includes/"
# Paradox, also in a definition: `:  @@snip [name](/path/File.scala) { #label type=xml }`
_OF_PARADOX = re.compile(
    r"(?P<prefix>[ \t>]*+(?::[ \t]++)?)@@@?(?:snip|include)[ \t]*+\[[^\[\]]*+\]\((?P<target>[^\s()]++)\)[ \t]*+"
    r"(?:\{(?P<options>[^{}]*+)\})?[ \t]*$"
)
_LABEL = re.compile(r"(?<!\S)#([\w.-]+)")
_REUSABLE = re.compile(_PREFIX + r"\{%-?[ \t]*+data[ \t]++(?P<name>reusables(?:\.[\w-]++)++)[ \t]*-?%\}[ \t]*$")
_DOCFX_CODE = re.compile(_PREFIX + r":::[ \t]*+code[ \t](?P<attributes>[^<>]*?):::[ \t]*$")
_ATTRIBUTE = re.compile(r"\b([\w-]+)=\"([^\"]*)\"")
_MYST = re.compile(r"\{(?P<name>literalinclude|include)\}[ \t]+(?P<target>\S+)[ \t]*$")
_EMBEDDING = re.compile(_PREFIX + r"!\[\[(?P<link>[^\[\]]++)\]\][ \t]*$")
_SNIPPET_LINES = re.compile(r"(?P<target>.*?)(?P<lines>(?::\d*){1,2}(?:,\d*:\d*)*)$")
_STARRED_LINES = re.compile(r"\bln\[([\d:,\s]*)\]")
_DOCFX_LINES = re.compile(r"L(\d+)(?:-L(\d+))?$")

HINT = Hint(
    rb"\{(?:[!*%]|\{[#<%]|(?:literal)?include\})", rb"\[(?:(?<=!\[)\[|![IiCc][NnOo])", rb"<(?:<<|-(?<=8<-)|[Ii]nclude[\s>])",
    rb"@(?:[Ii]nclude[: \t]|@(?:snip|include)\b)", rb":(?:::[ \t]*code|(?:include|partial|snippet)\{)",
    rb"\.[Mm][Dd][Xx]?[\"']", rb"raw(?:-loader|[\"'](?<=\?raw.))",
    rb"<!--[ \t]*codeinclude",
)  # fmt: skip
"""Is in every text in which iter_markdown() finds something."""


# Lines that include something, import something or open a fence. A search for line ends is faster than a match of each line.
_BEGINS = re.compile(
    r"\n[ \t>]*+(?:[{<@:`~]|\[!|!\[\[|-+8<|import[ \t]|(?:[-*+:]|\d{1,9}[.)])[ \t]+(?:[`~:]|\{\{[<%]))"
)


def iter_markdown(lines: Sequence[str]) -> Iterator[Include]:
    fences = Fences()
    for include in _iter_includes(lines, fences):
        yield replace(include, is_in_box=True) if fences.are_closed_by_backticks else include


def _iter_includes(lines: Sequence[str], fences: Fences) -> Iterator[Include]:
    """The includes, and at each of them the fences that are open there."""
    number, imports = 0, Imports()
    for beginning in _iter_beginnings(lines):
        line = lines[beginning]
        if beginning < number or not is_short(line):
            continue
        number = beginning + 1
        if include := _find_anywhere(line, number - 1, in_code=bool(fences.code)):
            yield include
        elif not fences.code and _TAG_BEGINS.match(line) and (include := _read_include_markdown(lines, number - 1)):
            number = include.end
            yield include
        elif match := FENCE.match(line):
            if not fences.code and (directive := _MYST.match(match["info"])):
                include = _read_myst(lines, number - 1, match, directive, fences)
                number = include.end
                yield include
            else:
                fences.turn(match)
        elif not fences.code and (include := _find_outside_code(line, number - 1) or _find_embedding(line, number - 1)):
            yield include
        elif not fences.code and (
            shown := imports.find_shown(lines, number - 1)
            or ("codeinclude" in line and [*_iter_code_links(lines, number - 1)])
        ):
            number = shown[0].end
            yield from shown
        elif not fences.code:
            imports.add(line)


def _iter_beginnings(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines that may begin something."""
    text = "\n".join(["", *lines])
    number = position = 0
    for found in _BEGINS.finditer(text):
        number += text.count("\n", position, found.start())
        position = found.start()
        yield number


def _find_anywhere(line: str, number: int, *, in_code: bool) -> Include | None:
    writing = Writing.AS_IT_IS if in_code else Writing.BY_EXTENSION
    if match := _SNIPPET.match(line) or _MDBOOK.match(line):
        target, excerpt = _read_snippet_target(match["target"].strip(), is_open=match.re is _SNIPPET)
        return Include(number, number + 1, match["prefix"], target, excerpt, writing)
    if match := _BRACED.match(line):
        excerpt = Excerpt(read_ranges(match["lines"] or "", "-"))
        return Include(number, number + 1, match["prefix"], match["target"], excerpt, writing)
    if in_code and (match := _COMMENT.match(line)) and get_extension(match["target"]) not in MARKDOWN_EXTENSIONS:
        target, excerpt = _read_target(_COMMENT, match.groupdict())
        return Include(number, number + 1, match["prefix"], target, excerpt, writing)
    if not in_code and (match := _DOCFX_CODE.match(line)):  # the result would be a fence
        return _read_docfx_code(match, number)
    return None


def _read_snippet_target(target: str, *, is_open: bool) -> tuple[str, Excerpt]:
    """`file`, `file:section`, `file:1:10` or `file:1:10,20:30`; `file:5` begins at line 5 if `is_open`, else is that line."""
    if match := _SNIPPET_LINES.match(target):
        lines = match["lines"][1:]
        return match["target"], Excerpt(read_ranges(f"{lines}:" if is_open and ":" not in lines else lines, ":"))
    path, _, region = target.rpartition(":")
    return (path, Excerpt(region=region)) if path and "/" not in region else (target, Excerpt())


def _find_outside_code(line: str, number: int) -> Include | None:
    for pattern in (_STARRED, _DOCFX, _VITEPRESS, _COMMENT, _OF_SVELTE):
        if (match := pattern.match(line)) and get_extension(match["target"].partition("?")[0].partition("#")[0]):
            values = match.groupdict()
            target, excerpt = _read_target(pattern, values)
            language = (values.get("language") or "").lower()
            if title := values.get("title"):
                language = f"{language or find_language(target) or 'text'} [{title}]"
            is_code = pattern is _VITEPRESS or (values.get("kind") or "").lower() == "code"
            writing = Writing.AS_CODE if is_code else Writing.BY_EXTENSION
            return Include(
                number, number + 1, values["prefix"], target, excerpt, writing, language,
                has_own_links=pattern is _DOCFX,
            )  # fmt: skip
    return _find_template_tag(line, number)


def _find_template_tag(line: str, number: int) -> Include | None:
    """Hugo's shortcodes, Jekyll's tags, which name files in `_includes`, those of GitHub, HashiCorp's and Paradox's lines."""
    if "{{" in line and (include := find_tag(line, number)):
        return include
    if "@@" in line and (match := _OF_PARADOX.match(line)):
        excerpt = Excerpt(labels=tuple(_LABEL.findall(match["options"] or "")), indent=0)
        return Include(number, number + 1, match["prefix"], match["target"], excerpt, Writing.BY_EXTENSION)
    if match := _PARTIAL.match(line):
        target = f"{match['target'].removesuffix('.md')}.md"
        return Include(number, number + 1, match["prefix"], target, Excerpt(), Writing.BY_EXTENSION, also_in=_PARTIALS)
    if match := _LIQUID.match(line):
        is_relative = match["is_relative"] or match["target"].startswith("../")  # as in GitBook
        folder, target = "" if is_relative else INCLUDES, match["target"]
    elif match := _RENDER.match(line):
        folder, target = INCLUDES, match["target"]
    elif match := _REUSABLE.match(line):
        folder, target = "data/", f"{match['name'].replace('.', '/')}.md"
    elif match := _OF_HASHICORP.match(line):
        folder, target = "partials/", match["target"]
    else:
        return None
    arguments = (match.groupdict().get("arguments") or "").rstrip("-").strip(" \t,")
    return Include(
        number, number + 1, match["prefix"], join(folder, target), Excerpt(), Writing.BY_EXTENSION, arguments=arguments
    )


def _read_include_markdown(lines: Sequence[str], first: int) -> Include | None:
    """`{% include-markdown "path" start="<!--a-->" end="<!--b-->" heading-offset=1 %}` includes what is between the two words."""
    following = lines[first : first + _MAX_TAG_LINES]
    last = next((number for number, line in enumerate(following) if line.rstrip().endswith("%}")), None)
    tag = "\n".join(following[: last + 1]) if last is not None else ""
    match = _INCLUDE_MARKDOWN.match(tag) if all(map(is_short, tag.split("\n"))) else None
    if last is None or match is None:
        return None
    options = {
        option["name"]: option["double"] or option["single"] or option["plain"] or ""
        for option in _TAG_OPTION.finditer(match["options"])
    }
    excerpt = Excerpt(start_after=options.get("start", ""), end_before=options.get("end", ""))
    offset = options.get("heading-offset", "")
    return Include(
        first, first + last + 1, match["prefix"], match["target"], excerpt, Writing.BY_EXTENSION,
        below_level=int(offset) if offset in _OFFSETS else 0,
        has_own_links=options.get("rewrite-relative-urls") != "false",
    )  # fmt: skip


def _iter_code_links(lines: Sequence[str], first: int) -> Iterator[Include]:
    """The links below such a comment (`[Title](path) inside_block:word`): each is code below its title."""
    end = min(first + _MAX_TAG_LINES, len(lines)) if _CODE_BEGINS.match(lines[first]) else 0
    for number in range(first + 1, end):
        line = lines[number]
        match = _CODE_LINK.match(line) if is_short(line) else None
        if match:
            excerpt = Excerpt(
                read_ranges(match["lines"] or "", "-"),
                braces=match["word"] or "",
                within_braces=bool(match["within"]),
                indent=0,
            )
            yield Include(
                number, number + 1, match["prefix"], match["target"], excerpt, Writing.AS_CODE, before=_write_title(match["title"]),
            )  # fmt: skip
        elif line.strip():
            break


def _write_title(title: str) -> tuple[str, ...]:
    return (f"**{title.strip()}**", "") if title.strip() else ()


def _find_embedding(line: str, number: int) -> Include | None:
    """Obsidian's embedding of a page, of the part below a heading, or of a block."""
    match = _EMBEDDING.match(line)
    link = read_wikilink(match["link"], is_embedding=True) if match else None
    if match is None or link is None or not link.is_note or link.is_foreign:
        return None
    excerpt = Excerpt(heading=link.heading, block=link.block)
    return Include(number, number + 1, match["prefix"], link.target, excerpt, Writing.BY_EXTENSION, is_note=True)


def _read_target(pattern: re.Pattern[str], values: Mapping[str, str]) -> tuple[str, Excerpt]:
    target = values["target"]
    if pattern is _STARRED:
        found = _STARRED_LINES.search(values["options"])
        return target, Excerpt(read_ranges(found[1] if found else "", ":"))
    if pattern is _DOCFX:
        return _read_docfx_target(target)
    first, comma, last = (values.get("lines") or "").partition(",")
    ranges = read_ranges(f"{first.strip()}-{last.strip()}" if comma else first, "-")
    region = values.get("region") or ""
    is_code = pattern is _VITEPRESS
    return target, Excerpt(
        ranges, region=region, heading="" if is_code else region, indent=0 if is_code and region else None
    )


def _read_docfx_target(target: str) -> tuple[str, Excerpt]:
    """`file#region`, `file#L1-L10`, `file?name=region`, `file?range=1-10,20`."""
    target, _, fragment = target.partition("#")
    path, _, query = target.partition("?")
    asked = {key.lower(): values[0] for key, values in parse_qs(query).items()}
    if lines := _DOCFX_LINES.match(fragment):
        return path, Excerpt(((int(lines[1][:8]), int((lines[2] or lines[1])[:8])),))
    return path, Excerpt(read_ranges(asked.get("range", ""), "-"), region=fragment or asked.get("name", ""))


def _read_docfx_code(match: re.Match[str], number: int) -> Include | None:
    """Microsoft Learn's `:::code language="csharp" source="a.cs" range="1-10" id="region":::`."""
    attributes = dict(_ATTRIBUTE.findall(match["attributes"]))
    if not (target := attributes.get("source", "")):
        return None
    excerpt = Excerpt(read_ranges(attributes.get("range", ""), "-"), region=attributes.get("id", ""))
    language = attributes.get("language", "").lower()
    return Include(number, number + 1, match["prefix"], target, excerpt, Writing.AS_CODE, language)


def _read_myst(
    lines: Sequence[str], first: int, match: re.Match[str], directive: re.Match[str], fences: Fences
) -> Include:
    closing = next(
        (number for number in range(first + 1, len(lines)) if lines[number].strip(" \t>").startswith(match["fence"])),
        len(lines) - 1,
    )
    options, _ = split_options(lines[first + 1 : closing])
    is_code = directive["name"] == "literalinclude" or "literal" in options or "code" in options
    is_of_box = closing > first and fences.closes_box(lines[closing])
    return Include(
        first, closing if is_of_box else closing + 1, match["prefix"], directive["target"], read_options(options),
        Writing.AS_CODE if is_code else Writing.BY_EXTENSION, options.get("language", "") or options.get("code", ""),
        before=_write_title(options.get("caption", "")),
    )  # fmt: skip
