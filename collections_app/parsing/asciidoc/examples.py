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
    """The name of an example by its section: `data/sql/jdbctemplate/MyBean` for `MyBean` in `data.sql.jdbc-template`."""
    folder = section_id.replace("-", "").replace(".", "/")
    return posixpath.normpath(posixpath.join(folder, target.removeprefix("./").lstrip("/")))


def iter_files(target: str, section_id: str, attributes: Attributes, path: str) -> Iterator[str]:
    """The targets of includes for an example in the page at `path`, one for each language for which the attributes name a place."""
    folder = find_folder(path).replace("-", "") if target.startswith("./") else ""
    name = posixpath.join(folder, name_example(target, section_id))
    for language, extension in _EXTENSIONS.items():
        if place := attributes.get(f"include-{language}"):
            yield f"{place.strip()}/{name}.{extension}"
