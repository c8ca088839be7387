"""What texts may have is hinted at by patterns that are found fast."""

from __future__ import annotations

from re import _constants, _parser  # how the compiler reads a pattern

import pytest

from collections_app.parsing import variables
from collections_app.parsing.hints import Hint
from collections_app.parsing.includes import asciidoc, markdown, restructured_text
from collections_app.parsing.references import asciidoc as asciidoc_references
from collections_app.parsing.references import mentions, myst

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
