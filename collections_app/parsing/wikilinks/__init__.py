"""Links of wikis and vaults, `[[Page#Part|words]]`, as Obsidian, Foam, Logseq and the wikis of GitHub and GitLab write them, made links of
Markdown. PURE.

    links.py     what such a link says
    files.py     which file of the source it means
    marks.py     what only the program of a vault reads: ids of blocks, comments
    writing.py   a page's text with its links written anew

Others write `[[` too: shells, TOML, lists of lists, optional arguments. So a page's links are taken for such only as far as the source
has the files, or something else in the page tells what it is; all else stays as it is written.
"""

from __future__ import annotations

from collections_app.parsing.wikilinks.files import FileNames
from collections_app.parsing.wikilinks.links import is_picture_name, read_wikilink
from collections_app.parsing.wikilinks.marks import drop_marks
from collections_app.parsing.wikilinks.writing import write_wikilinks

__all__ = ["FileNames", "drop_marks", "is_picture_name", "read_wikilink", "write_wikilinks"]
