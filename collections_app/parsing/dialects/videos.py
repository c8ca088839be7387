"""Videos that a page names by their site and id, as links. PURE."""

from __future__ import annotations

import re

_SITES = {"youtube": ("YouTube", "https://www.youtube.com/watch?v="), "vimeo": ("Vimeo", "https://vimeo.com/")}
VIDEOS = frozenset(_SITES)

_ID = re.compile(r"[\w-]+", re.ASCII)


def write_video(name: str, title: str, video: str) -> str:
    """A link to the video, in the words of its title if it has one; empty if the id is none. `name` is one of VIDEOS."""
    site, address = _SITES[name]
    return f"[{title or f'Video on {site}'}]({address}{video})" if _ID.fullmatch(video) else ""
