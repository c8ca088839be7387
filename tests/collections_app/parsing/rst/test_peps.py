"""Python Enhancement Proposals: their header, references to them, and their status."""

from __future__ import annotations

from textwrap import dedent

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.documents import NormalisedText, ParsedDocument
from collections_app.parsing.references import ReferenceResolver
from collections_app.parsing.references.names import read_names
from collections_app.parsing.rst import parse_restructured_text
from collections_app.parsing.sphinx.pep_header import split_pep_header

HEADER = """\
PEP: 9042
Title: Boats of `wood` & <iron>
Author: Ana Quispe <ana@example.org>,
        Ben Okoro <ben@example.org>
Status: Active
Content-Type: text/x-rst
Post-History:

"""
BODY = "\nAbstract\n========\n\nThey float.\n\nWhy\n---\n\nAir.\n"


def read(text: str) -> NormalisedText:
    return parse_restructured_text(RawDocument("pep-9042.rst", text.encode()))


def read_whole(text: str) -> ParsedDocument:
    return parse(RawDocument("pep-9042.rst", text.encode()))


class TestHeader:
    def test_it_is_the_title_above_all_sections(self) -> None:
        document = read_whole(HEADER + BODY)
        assert document.title == "PEP 9042 – Boats of `wood` & <iron>"
        assert [(section.heading, section.level) for section in document.sections] == [
            (document.title, 1),
            ("Abstract", 2),
            ("Why", 3),
        ]
        assert document.content.startswith("# PEP 9042 – Boats of \\`wood\\` & \\<iron>\n\n## Abstract\n")

    def test_its_fields_are_metadata_as_those_of_other_documents(self) -> None:
        document = read_whole(HEADER + BODY)
        assert document.metadata == {
            "pep": "9042",
            "author": "Ana Quispe <ana@example.org>, Ben Okoro <ben@example.org>",
            "status": "Active",
            "content-type": "text/x-rst",
        }
        assert document.warnings == ()

    def test_lines_of_warnings_stay_those_of_the_file(self) -> None:
        (warning,) = read(f"{HEADER}`Unknown <unknown_>`_\n").warnings
        assert warning.startswith(f"Line {HEADER.count(chr(10)) + 1}: ")

    def test_a_header_alone_is_a_page(self) -> None:
        assert read_whole(HEADER).content == "# PEP 9042 – Boats of \\`wood\\` & \\<iron>\n"

    @pytest.mark.parametrize(
        "text",
        [
            "PEP: nine\nTitle: Boats\n\nText.\n",
            "PEP: 9\nStatus: Active\n\nText.\n",
            "PEP: 9\nTitle:\n\nText.\n",
            "PEP: 9\nTitle: Boats\nand more\n\nText.\n",
            "PEP: 9\nTitle: Boats",
            "\nPEP: 9\nTitle: Boats\n\nText.\n",
            "Title: Boats\nPEP: 9\n\nText.\n",
            "PEP: 9\n" + "A: b\n" * 300 + "Title: Boats\n\nText.\n",
        ],
    )
    def test_other_texts_stay_what_they_are(self, text: str) -> None:
        assert split_pep_header(text) == (None, text)
        assert not read(text).content.startswith("# PEP")

    def test_a_long_one_takes_no_time(self) -> None:
        assert split_pep_header("PEP: 9\nTitle: a\n" + " b\n" * 500_000)[0] is None


class TestReferences:
    @pytest.mark.parametrize(
        ("text", "alone", "beside"),
        [
            (":pep:`9042`", "PEP 9042", "[PEP 9042](pep-9042.rst)"),
            (":pep:`the boats <9042>`", "the boats (PEP 9042)", "[the boats](pep-9042.rst)"),
            (":pep:`the boats <9042#why>`", "the boats (PEP 9042)", "[the boats](pep-9042.rst#why)"),
            (":pep:`see PEP 9042 <9042>`", "see PEP 9042", "[see PEP 9042](pep-9042.rst)"),
            (":pep:`the ships <9043>`", "the ships (PEP 9043)", "the ships (PEP 9043)"),
            (":pep:`ships`", "PEP ships", "PEP ships"),
            (":rfc:`mail <2822>` :rfc:`2047`", "mail (RFC 2822) RFC 2047", "mail (RFC 2822) RFC 2047"),
        ],
    )
    def test_they_keep_their_words_and_lead_to_the_page_if_it_is_there(
        self, text: str, alone: str, beside: str
    ) -> None:
        assert read(text).content == f"{alone}\n"
        files = {"peps/pep-9042.rst": HEADER + BODY, "peps/pep-9050.rst": text}
        resolver = ReferenceResolver(lambda: (RawDocument(path, each.encode()) for path, each in files.items()))
        raw = resolver.resolve(RawDocument("peps/pep-9050.rst", text.encode()))
        assert parse_restructured_text(raw).content == f"{beside}\n"

    def test_a_page_is_named_by_its_title_and_number(self) -> None:
        names = read_names(f"{HEADER}\n.. _floating:\n\nAbstract\n========\n")
        assert names.title == "PEP 9042 – Boats of `wood` & <iron>"
        assert [(label.name, label.title) for label in names.labels] == [("floating", "Abstract")]


class TestStatus:
    @pytest.mark.parametrize(
        ("text", "markdown"),
        [
            (".. rejected::", "> **Rejected**"),
            (".. withdrawn::\n\n   Nobody sailed.", "> **Withdrawn**: Nobody sailed."),
            (".. superseded:: 9043", "> **Superseded by**: PEP 9043"),
            (".. superseded::", "> **Superseded**"),
            (".. deferred:: until *spring*", "> **Deferred**: until *spring*"),
            (".. canonical-doc:: :mod:`boats`\n                   and more", "> **Canonical document**: `boats` and more"),
            (".. canonical-pypa-spec:: :ref:`Boats <boats>`", "> **Canonical PyPA specification**: Boats"),
            (".. canonical-typing-spec:: `x <https://example.org>`__", "> **Canonical typing specification**: [x](https://example.org)"),
            (".. nested:: Title", "Title"),
        ],
    )  # fmt: skip
    def test_a_box_says_what_its_name_says(self, text: str, markdown: str) -> None:
        assert read(dedent(text)).content == f"{markdown}\n"
