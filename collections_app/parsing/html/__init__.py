"""The public interface of HTML parsing: a page as Markdown (parse_html, read_html), and what a crawler needs from one (read_page,
read_text). It fetches nothing.
"""

from __future__ import annotations

from collections_app.parsing.html.document import parse_html, read_html
from collections_app.parsing.html.page_facts import Alternate, PageFacts, read_page, read_text

__all__ = ["Alternate", "PageFacts", "parse_html", "read_html", "read_page", "read_text"]
