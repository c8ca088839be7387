"""`python -m tests.fuzz.parser_process FORMAT CORPUS [OPTIONS OF LIBFUZZER…]`: one parser under libFuzzer. parsers.py starts it.

What is no zip file is packed as the text of a document that is one: changed bytes of a zip file only make it a damaged one. `bundle` is an
API description with the files that it refers to, one behind the other.
"""

from __future__ import annotations

import io
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Mapping

import atheris

from tests.collections_app.parsing.epub_files import make_book_files, write_navigation
from tests.collections_app.parsing.office.odt_files import MIME_TYPE, SPREADSHEET_MIME_TYPE
from tests.collections_app.parsing.office.pptx_files import write_part, write_relations
from tests.collections_app.parsing.office.xlsx_files import make_xlsx_files

INSTRUMENTED = ["collections_app.parsing", "docutils.parsers.rst", "docutils.transforms", "mammoth"]

with atheris.instrument_imports(include=INSTRUMENTED):
    from collections_app.exceptions import DocsError
    from collections_app.parsing import ContentPolicy, RawDocument
    from collections_app.parsing.formats import Format
    from collections_app.parsing.includes import IncludeResolver
    from collections_app.parsing.pipeline import get_parser, parse_as

FORMATS = {"rst": Format.RESTRUCTURED_TEXT, "bundle": Format.OPENAPI}
ENDINGS = {"markdown": "md", "text": "txt", "notebook": "ipynb", "openapi": "yaml", "bundle": "yaml"}
BETWEEN_FILES = b"\n=== "
"""Behind it stands the name of the next file, on a line."""
MAX_CPU_SECONDS = 2.0
PRESENTATION = write_part("p:presentation", '<p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst>')
RELATIONS = write_relations(s1=("slide", "slides/slide1.xml"))
PACKERS: Mapping[str, Callable[[bytes], Mapping[str, str | bytes]]] = {
    "docx": lambda text: {"word/document.xml": text},
    "odt": lambda text: {"mimetype": MIME_TYPE, "content.xml": text},
    "pptx": lambda text: {
        "ppt/presentation.xml": PRESENTATION,
        "ppt/_rels/presentation.xml.rels": RELATIONS,
        "ppt/slides/slide1.xml": text,
    },
    "xlsx": lambda text: make_xlsx_files({"Tea": ""}, parts={"xl/worksheets/sheet1.xml": text}),
    "ods": lambda text: {"mimetype": SPREADSHEET_MIME_TYPE, "content.xml": text},
    "epub": lambda text: make_book_files({"1.xhtml": text}, navigation=write_navigation(("1.xhtml", "Tea"))),
}


def main(name: str) -> None:
    format = FORMATS.get(name) or Format[name.upper()]
    path = f"fuzzed.{ENDINGS.get(name, name)}"
    with atheris.instrument_imports(include=INSTRUMENTED):
        get_parser(format)

    def try_one(data: bytes) -> None:
        content = pack(name, data) if name in PACKERS and not data.startswith(b"PK") else data
        started = time.process_time()
        check(format, bundle(path, content) if name == "bundle" else RawDocument(path, content))
        taken = time.process_time() - started
        assert taken < MAX_CPU_SECONDS, f"{len(data)} bytes took {taken:.1f} s of the processor"

    warnings.simplefilter("ignore")
    atheris.Setup([sys.argv[0], *sys.argv[2:]], try_one)
    atheris.Fuzz()


def check(format: Format, raw: RawDocument) -> None:
    """It may be refused; else its sections are its content."""
    try:
        parsed = parse_as(format, raw, ContentPolicy.STRIP)
    except DocsError:
        return
    text = "".join(section.text for section in parsed.sections)
    assert not parsed.sections or text == parsed.content, "the sections are not the content"


def bundle(path: str, content: bytes) -> RawDocument:
    """The first file with what it refers to in the others."""
    first, *others = content.split(BETWEEN_FILES)
    files = {}
    for other in others:
        name, _, text = other.partition(b"\n")
        files[name.decode(errors="replace")] = text
    return IncludeResolver(files.get).resolve(RawDocument(path, first))


def pack(name: str, text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part, content in PACKERS[name](text).items():
            archive.writestr(part, content)
    return packed.getvalue()


if __name__ == "__main__":
    main(sys.argv[1])
