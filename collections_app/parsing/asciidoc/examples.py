"""Spring's `include-code::Name[]`: includes an example whose file is named after the section that shows it. Finds the path, reads nothing.

https://github.com/spring-io/asciidoctor-extensions#include-code
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from collections_app.parsing.asciidoc.antora import find_folder
from collections_app.parsing.asciidoc.attributes import Attributes

MACRO = "include-code"

_EXTENSIONS = {"java": "java", "kotlin": "kt", "groovy": "groovy", "xml": "xml"}


def name_example(target: str, section_id: str) -> str:
    """`data/sql/jdbctemplate/MyBean` of `MyBean` in the section `data.sql.jdbc-template`."""
    folder = section_id.replace("-", "").replace(".", "/")
    return posixpath.normpath(posixpath.join(folder, target.removeprefix("./").lstrip("/")))


def iter_files(target: str, section_id: str, attributes: Attributes, path: str) -> Iterator[str]:
    """What the files of the example in the page at `path` are included by, one for each language that the attributes know a place of."""
    folder = find_folder(path).replace("-", "") if target.startswith("./") else ""
    name = posixpath.join(folder, name_example(target, section_id))
    for language, extension in _EXTENSIONS.items():
        if place := attributes.get(f"include-{language}"):
            yield f"{place.strip()}/{name}.{extension}"
