"""`python -m tests.fuzz.parser_process FORMAT CORPUS [OPTIONS OF LIBFUZZER…]`: one parser under libFuzzer. parsers.py starts it."""

from __future__ import annotations

import sys
import warnings

import atheris

with atheris.instrument_imports(include=["collections_app.parsing"]):
    from collections_app.exceptions import DocsError
    from collections_app.parsing import ContentPolicy, RawDocument
    from collections_app.parsing.detection import Format
    from collections_app.parsing.pipeline import get_parser, parse_as

FORMATS = {"rst": Format.RESTRUCTURED_TEXT}
ENDINGS = {"markdown": "md", "text": "txt", "notebook": "ipynb", "openapi": "yaml"}


def main(name: str) -> None:
    format = FORMATS.get(name) or Format[name.upper()]
    path = f"fuzzed.{ENDINGS.get(name, name)}"
    with atheris.instrument_imports(include=["collections_app.parsing"]):
        get_parser(format)

    def try_one(data: bytes) -> None:
        try:
            parsed = parse_as(format, RawDocument(path, data), ContentPolicy.STRIP)
        except DocsError:
            return
        if parsed.sections:
            assert "".join(section.text for section in parsed.sections) == parsed.content, (
                "the sections are not the content"
            )

    warnings.simplefilter("ignore")
    atheris.Setup([sys.argv[0], *sys.argv[2:]], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1])
