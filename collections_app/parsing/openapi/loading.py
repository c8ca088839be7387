"""An API description's bytes → its object."""

from __future__ import annotations

import re
from typing import Any

from collections_app.parsing.decoding import decode_text
from collections_app.parsing.json_values import read_json_object
from collections_app.parsing.yaml_files import read_yaml_object

_JSON_START = re.compile(r"\s*\{\s*[\"}]")


def load_description(content: bytes) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The object, and warnings. Raises ParseError, with the line, and UnsupportedFormat for anything but text."""
    text, warnings = decode_text(content)
    return read_json_object(text) if _JSON_START.match(text) else read_yaml_object(text), warnings
