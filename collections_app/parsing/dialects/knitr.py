"""R Markdown and Quarto: chunks of code that only set a page up are in none of their pages, and links to R's help are their words. PURE.

https://yihui.org/knitr/options/, https://quarto.org/docs/computations/execution-options.html,
https://roxygen2.r-lib.org/articles/rd-formatting.html#function-links
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from collections_app.parsing.file_names import get_extension
from collections_app.parsing.safety.places import replace_outside_code
from collections_app.text.markdown.code_blocks import FencedCode, iter_fenced_code

_EXTENSIONS = frozenset({".qmd", ".rmd"})
_CHANGELOG = "news.md"
# `{r}`, `{r setup, include = FALSE}`, `{python, echo=F}`
_CHUNK = re.compile(r"[ \t]*\{(?P<language>[A-Za-z]\w*)(?P<options>(?:[ \t,][^\n]*)?)\}[ \t]*")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_HIDING = re.compile(r"(?:^|[\s,])(?:echo|include)[ \t]*=[ \t]*F(?:ALSE)?(?![\w.])")
_OPTION_LINE = re.compile(r"[ \t]*(?:#|//|--|%%)\|(?P<option>.*)")
_HIDING_OPTION = re.compile(r"[ \t]*(?:echo|include)[ \t]*:[ \t]*(?:false|False|FALSE)[ \t]*")

_NAME = r"[A-Za-z.][\w.]*+"
_CALL = rf"(?:{_NAME}::)?{_NAME}\(\)"
_TARGET = rf"(?:{_CALL}|{_NAME}::{_NAME})"
_WORDS = r"(?:`[^`\n]+`|[^\[\]`\n])++"
_NO_DEFINITION = r"(?!:[ \t]*+[^\s]++(?:[ \t]+[\"'(][^\n]*)?$)"
# Behind a word or brackets it is code without its signs: `x[mean()]`.
_LINK = re.compile(
    rf"(?<![\w\[\])!\\`])\[(?:(?P<words>{_WORDS})\]\[{_TARGET}\]|(?:(?P<code>`{_TARGET}`)|(?P<call>{_TARGET}))\]{_NO_DEFINITION})"
    r"(?![\[(\]])",
    re.MULTILINE,
)


def drop_hidden_chunks(content: str, path: str) -> str:
    """The text without the chunks whose code a page does not show (`echo`, `include`); their lines are blank."""
    if "{" not in content or get_extension(path) not in _EXTENSIONS:
        return content
    lines = content.split("\n")
    for block in list(iter_fenced_code(lines)):
        if block.is_closed and _is_hidden(block, lines):
            lines[block.start : block.end] = [""] * (block.end - block.start)
    return "\n".join(lines)


def write_help_links(content: str, path: str) -> str:
    """The text with the words of links to topics of R's help, which only R can find (`[words][sea::boat()]`, `[boat()]`), in texts with
    code and in changelogs of packages. No line moves. What the page defines was written as a link before, by markdown/reference_links.py.
    """
    if not ("()]" in content or "::" in content):
        return content
    if get_extension(path) not in _EXTENSIONS and PurePosixPath(path).name.lower() != _CHANGELOG:
        return content
    return replace_outside_code(_LINK, _write_link, content)


def _is_hidden(block: FencedCode, lines: Sequence[str]) -> bool:
    """Whether it is a chunk that stands in no list or quote, and is not shown."""
    is_outermost = lines[block.start].lstrip().startswith(block.opening["fence"])
    chunk = _CHUNK.fullmatch(block.opening["info"]) if is_outermost else None
    if chunk is None:
        return False
    code = lines[block.start + 1 : block.end]
    return _HIDING.search(_QUOTED.sub("", chunk["options"])) is not None or any(map(_hides, _iter_options(code)))


def _iter_options(code: Sequence[str]) -> Iterator[str]:
    """The lines of options that the code begins with (`#| echo: false`)."""
    for line in code:
        found = _OPTION_LINE.fullmatch(line)
        if found is None:
            break
        yield found["option"]


def _hides(option: str) -> bool:
    """Whether an option hides code, in the spelling of YAML or of R."""
    return _HIDING_OPTION.fullmatch(option) is not None or _HIDING.search(_QUOTED.sub("", option)) is not None


def _write_link(found: re.Match[str]) -> str:
    return found["words"] or found["code"] or f"`{found['call']}`"
