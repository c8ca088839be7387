"""How a topic of Writerside in XML (`.topic`) begins. It reads no more of it."""

from __future__ import annotations

import re

TOPIC = re.compile(
    r"\s*(?:<\?xml[^<>]*\?>\s*)?(?:<!DOCTYPE\s[^<>\[\]]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<topic[\s>]"
)
"""Matches the beginning of a topic."""
