"""Rule ids: those of headings become anchors, and stay as words of their sections."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse

PAGE = """r[sail]
# Reefing

r[sail.reef.syntax]
```text
r[sail.code]
```

r[sail.reef.early]
Reef early.

r[sail.reef.late]

## Late

r[sail.reef.own]
## Own {#own}

r[sail.reef.late.how]
- Turn into the wind.
"""


def test_an_id_before_a_heading_is_its_anchor_and_stands_in_its_section() -> None:
    document = parse(RawDocument("a.md", PAGE.encode()))
    assert [(section.heading, section.anchor) for section in document.sections] == [
        ("Reefing", "sail"),
        ("Late", "sail.reef.late"),
        ("Own", "own"),
    ]
    first, late, own = (section.text for section in document.sections)
    assert first.startswith("# Reefing\nr[sail]\n\nr[sail.reef.syntax]\n```")
    assert first.endswith("Reef early.\n\n")
    assert late == "## Late\n\nr[sail.reef.late]\n\n"
    assert own == "## Own\nr[sail.reef.own]\n\nr[sail.reef.late.how]\n- Turn into the wind.\n"
    assert len(document.content.split("\n")) == len(PAGE.split("\n"))


@pytest.mark.parametrize(
    "text", ["r[1]", "r[sail]", "Take r[sail.reef] there.", "r[sail.reef] there", "    r[sail.reef]", "x[sail.reef]"]
)
def test_what_is_no_such_line_stays(text: str) -> None:
    assert parse(RawDocument("a.md", f"# A\n\n{text}\n".encode())).content == f"# A\n\n{text}\n"
