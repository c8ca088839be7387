"""Marks of what is new in code go where the tool that writes them has its instructions."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.code_excerpts import drop_excerpt_marks
from tests.growth import assert_linear

SIGN = '<?code-excerpt "lib/moor.dart"?>'
MARKED = "```dart\nfinal line = [!Rope()!];\n[!line.tie();\n\nline.coil()!];\nfinal a = [!b];\n```\n\nIn [!text!].\n\n```\n```\n"


def test_marks_go_from_code() -> None:
    content = parse(RawDocument("moor.md", f"# Moor\n\n{SIGN}\n{MARKED}".encode())).content
    assert "final line = Rope();\nline.tie();\n\nline.coil();\nfinal a = [!b];\n```" in content
    assert "In [!text!]." in content
    assert content.count("\n") == f"# Moor\n\n{SIGN}\n{MARKED}".count("\n")


def test_they_stay_on_other_pages() -> None:
    assert drop_excerpt_marks(MARKED) == MARKED


@pytest.mark.parametrize("sign", ["[!", "!]", "[!a", "[!a!]", "[!\n"])
def test_they_take_linear_time(sign: str) -> None:
    assert_linear(lambda text: drop_excerpt_marks(f"{SIGN}\n```\n{text}!]\n```\n"), sign * 2_000)
