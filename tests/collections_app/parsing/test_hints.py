"""What texts may have is hinted at by patterns that are found fast."""

from __future__ import annotations

import re
from re import _constants, _parser  # how the compiler reads a pattern

import pytest

from collections_app.parsing import variables
from collections_app.parsing.dialects import docfx, rule_ids
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import asciidoc, markdown, restructured_text
from collections_app.parsing.normalising import abbreviations, data_uris, html_headings
from collections_app.parsing.references import asciidoc as asciidoc_references
from collections_app.parsing.references import mentions, myst
from collections_app.text.analysis import sigils

HINTS = [
    asciidoc.HINT,
    asciidoc_references.HINT,
    markdown.HINT,
    mentions.HINT,
    myst.HINT,
    restructured_text.HINT,
    variables.HINT,
]


def test_any_of_the_patterns_is_enough() -> None:
    hint = Hint(rb"<<", rb":(?<=xref:)")
    assert hint.is_in(b"See <<sails>>.")
    assert hint.is_in(b"See xref:sails[].")
    assert not hint.is_in(b"See < and ref:sails[].")


@pytest.mark.parametrize("hint", HINTS)
def test_each_pattern_begins_with_one_certain_character(hint: Hint) -> None:
    for pattern in hint.patterns:
        assert _parser.parse(pattern.pattern)[0][0] is _constants.LITERAL


@pytest.mark.parametrize(
    "pattern",
    [
        abbreviations._ABBREVIATION,
        html_headings._MAY_HAVE,
        data_uris._DATA,
        data_uris._MAY_HAVE,
        docfx._COLONS,
        rule_ids._HINT,
    ],
    ids=["abbreviations", "headings", "data", "maybe data", "docfx", "rules"],
)
def test_what_each_page_is_searched_for_begins_with_one_certain_character(pattern: re.Pattern[str]) -> None:
    assert _find_beginning(pattern) is _constants.LITERAL


def test_names_with_a_sigil_begin_with_one_of_a_few() -> None:
    assert _find_beginning(sigils.BEFORE) is _constants.IN


def _find_beginning(pattern: re.Pattern[str]) -> object:
    operation, argument = _parser.parse(pattern.pattern, pattern.flags)[0]
    while operation is _constants.SUBPATTERN:
        operation, argument = argument[-1][0]
    return operation
