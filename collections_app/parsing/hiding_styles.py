"""Which inline styles hide an element from readers. It knows the `style` attribute and no style sheet."""

from __future__ import annotations

import re

_HIDING = re.compile(
    r"display['\"]?\s*:\s*['\"]?none|visibility['\"]?\s*:\s*['\"]?(?:hidden|collapse)"
    r"|(?:^|[;,{\s])opacity['\"]?\s*:\s*['\"]?0?\.?0*(?:%|\s*(?:['\";,}!]|$))"
    r"|font-?size['\"]?\s*:\s*['\"]?0*+(?:\.0*+)?+(?:px|p[tc]|r?em|%|v[wh])?\s*(?:['\";,}!]|$)"
    r"|(?:text-?indent|left|top)['\"]?\s*:\s*['\"]?-\d{3,}|clip['\"]?\s*:\s*['\"]?rect\(\s*0"
    r"|(?:^|[;,{\s])color['\"]?\s*:\s*['\"]?transparent",
    re.IGNORECASE,
)
_WHITE = r"(?:#fff(?:fff)?\b|white\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))"
_WHITE_TEXT = re.compile(rf"(?:^|[;,{{\s])color['\"]?\s*:\s*['\"]?{_WHITE}", re.IGNORECASE)
_BACKGROUND = re.compile(r"background-?(?:color)?['\"]?\s*:\s*['\"]?([^;]+)", re.IGNORECASE)


def is_hiding_style(style: str) -> bool:
    """CSS as in HTML (`font-size: 0`), or as in JSX (`fontSize: 0`). White text hides unless it stands on another colour."""
    if _HIDING.search(style):
        return True
    if not _WHITE_TEXT.search(style):
        return False
    background = _BACKGROUND.search(style)
    return background is None or re.match(_WHITE, background[1].strip(), re.IGNORECASE) is not None
