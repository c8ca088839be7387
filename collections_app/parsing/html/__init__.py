"""The public interface of HTML parsing: a page as Markdown (parse_html, read_html), and what a crawler needs from one (read_page,
read_text). It fetches nothing.

    document.py → tree.py           bytes → tree; bombs.py, decoding.py and prefixes.py come before the parser
                → mending/          changes the tree where its elements do not say what readers see
                → main_content.py   chooses what is read; chrome.py knows the frame of a page
                → to_markdown.py    converter.py gives each element to its handler in handlers/, paragraph.py and writer.py write lines
                → head.py, page_facts.py   what a page says about itself, and what a crawler needs

vocabulary.py and classes.py say what names mean, visibility.py what readers do not see, links.py, places.py and anchors.py where links
lead. elements.py makes trees, for other formats. gitbook.py is for HTML in Markdown.
"""

from __future__ import annotations

from collections_app.parsing.html.document import parse_html, read_html
from collections_app.parsing.html.page_facts import Alternate, PageFacts, read_page, read_text

__all__ = ["Alternate", "PageFacts", "parse_html", "read_html", "read_page", "read_text"]
