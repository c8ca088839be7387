"""Include and exclude patterns, in the language of .gitignore, as one regular expression. Reads no files, and does not support `!`.

`*` and `?` stay within a name, `**` stands for any number of directories, `[a-z]` and `[!a-z]` for one character; `\\` removes
a character's special meaning. A pattern with a slash at its start or inside is relative to the root, any other matches a name at any depth;
one that ends in a slash matches directories only. What matches a directory matches everything in it.

Matching takes time linear in the path for each `**`, whatever the pattern: where the leftmost match of a part leaves the
most for the rest, the group is atomic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collections_app.exceptions import InvalidParameter

_ANY_DIRECTORIES = "(?:[^/]+/)*"
_BRACES = re.compile(r"(?<!\\)\{[^{}/]*,[^{}/]*\}")
_TOKEN = re.compile(
    r"\\(?P<escaped>.)|\[(?P<negated>[!^]?)(?P<set>\]?[^\]]+|\])\]|(?P<any>\?)|(?P<literal>.)", re.DOTALL
)
_SET_MEMBER = re.compile(r"(.)(?:-(.))?", re.DOTALL)


def compile_globs(patterns: Sequence[str]) -> re.Pattern[str]:
    """Its fullmatch() tells whether a path (`a/b.md`), or a directory's (`a/`), matches one of the patterns.

    Raises InvalidParameter for a pattern that is empty, begins with `!`, has `..` or `{a,b}`, or a range from high to low.
    """
    try:
        return re.compile("|".join(map(_translate, patterns)) or "(?!)", re.DOTALL)
    except re.error:
        raise InvalidParameter(f"One of these patterns has a bad [range]: {', '.join(patterns)}.") from None


def _translate(pattern: str) -> str:
    pattern = pattern.strip().removeprefix("./")
    body = pattern.strip("/")
    if not body:
        raise InvalidParameter("A pattern must not be empty. To take everything, use `**`.")
    if pattern.startswith("!"):
        raise InvalidParameter(f"`{pattern}`: a pattern cannot be negated. Use include and exclude instead.")
    if ".." in body.split("/"):
        raise InvalidParameter(f"`{pattern}`: a pattern cannot lead out of the directory.")
    if _BRACES.search(pattern):
        raise InvalidParameter(f"`{pattern}`: braces are not understood. Give one pattern for each alternative.")
    is_anchored = "/" in pattern.rstrip("/")
    segments = body.split("/") if is_anchored else ["**", body]
    inside = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    return _translate_segments(segments) + ("" if segments[-1] == "**" else inside)


def _translate_segments(segments: Sequence[str]) -> str:
    first, *others = _split_at_double_stars(segments)
    if not others:
        return first
    head = f"{first}/" if first else ""
    middle = "".join(f"(?>(?:[^/]+/)*?{part}/)" for part in others[:-1] if part)
    last = _ANY_DIRECTORIES + others[-1] if others[-1] else ".*"
    return head + middle + last


def _split_at_double_stars(segments: Sequence[str]) -> list[str]:
    """The expressions between the `**`s, of one or more segments each; empty at an end with a `**`."""
    parts: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            parts.append([])
        else:
            parts[-1].append(_translate_segment(segment))
    return ["/".join(part) for part in parts]


def _translate_segment(segment: str) -> str:
    first, *others = [_translate_fixed(part) for part in _split_at_stars(segment)]
    if not others:
        return first
    middle = "".join(f"(?>[^/]*?{part})" for part in others[:-1] if part)
    return f"{first}{middle}[^/]*{others[-1]}"


def _split_at_stars(segment: str) -> list[list[re.Match[str]]]:
    parts: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(segment):
        if token["literal"] == "*":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _translate_fixed(tokens: Sequence[re.Match[str]]) -> str:
    return "".join(map(_translate_token, tokens))


def _translate_token(token: re.Match[str]) -> str:
    if token["any"]:
        return "[^/]"
    if token["set"]:
        members = "".join(
            re.escape(low) + (f"-{re.escape(high)}" if high else "") for low, high in _SET_MEMBER.findall(token["set"])
        )
        return f"(?!/)[{'^' if token['negated'] else ''}{members}]"
    return re.escape(token["escaped"] or token["literal"])
