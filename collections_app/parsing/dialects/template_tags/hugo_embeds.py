"""Hugo's own shortcodes that embed content of other sites (videos and posts), turned into links. PURE.

https://gohugo.io/shortcodes/
"""

from __future__ import annotations

import re

from collections_app.parsing.dialects.template_tags.arguments import Arguments
from collections_app.parsing.dialects.videos import VIDEOS, write_video

_POSTS = frozenset({"tweet", "x"})
EMBEDS = _POSTS | VIDEOS

_NAME = re.compile(r"[\w-]+", re.ASCII)


def write_embed(name: str, arguments: Arguments) -> str:
    """The link, labelled with the title if there is one; empty for other tags, and if the address is not known."""
    if name in VIDEOS:
        return write_video(name, arguments.get("title"), arguments.get("id") or arguments.first)
    user, post = arguments.get("user"), arguments.get("id")
    is_post = name in _POSTS and _NAME.fullmatch(user) and post.isdecimal()
    return f"[Post of {user} on X](https://x.com/{user}/status/{post})" if is_post else ""
