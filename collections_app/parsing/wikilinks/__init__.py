"""Links of wikis and vaults, `[[Page#Part|words]]`, as written by Obsidian, Foam, Logseq and the wikis of GitHub and GitLab, converted to
Markdown links. PURE.

    links.py     the parts of such a link
    files.py     the file of the source that it means
    marks.py     marks for the vault's program only: block ids, comments
    writing.py   a page's text with its links rewritten

`[[` has other uses too: shells, TOML, lists of lists, optional arguments. So it counts as a link only if the source has the file, or
something else in the page shows that it is one; everything else stays as written.
"""

from __future__ import annotations

from collections_app.parsing.wikilinks.files import FileNames
from collections_app.parsing.wikilinks.links import is_picture_name, read_wikilink
from collections_app.parsing.wikilinks.marks import drop_marks
from collections_app.parsing.wikilinks.writing import make_address, write_wikilinks

__all__ = ["FileNames", "drop_marks", "is_picture_name", "make_address", "read_wikilink", "write_wikilinks"]
