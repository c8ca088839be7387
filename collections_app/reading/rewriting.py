"""Finishing touches on HTML from nh3, which is therefore well-formed. PURE: text in, text out."""

from __future__ import annotations

import re

IMAGE = re.compile(r"<img\b([^>]*)>")
SOURCE = re.compile(r'\bsrc="')
ALTERNATIVE = re.compile(r'\balt="([^"]*)"')


def name_images(html: str) -> str:
    """Makes images load lazily and without a referrer; one that may not be shown is replaced by its name."""
    return IMAGE.sub(_finish_image, html)


def _finish_image(image: re.Match[str]) -> str:
    alternative = ALTERNATIVE.search(image[1])
    words = alternative[1].strip() if alternative else ""
    if not SOURCE.search(image[1]):
        return f'<span class="image">Image: {words or "not shown"}</span>'
    described = image[1] if alternative else f'{image[1]} alt=""'
    return f'<img loading="lazy" referrerpolicy="no-referrer"{described}>'
