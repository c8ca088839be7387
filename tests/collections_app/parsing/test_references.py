"""References between pages of reStructuredText and AsciiDoc: labels and files become links with titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import ClassVar

import pytest

from collections_app.parsing import references
from collections_app.parsing.asciidoc.document import parse_asciidoc
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.includes.restructured_text import MAX_CHARACTERS
from collections_app.parsing.rd.to_html import parse_rd
from collections_app.parsing.references import (
    Configuration,
    ReferenceResolver,
    asciidoc,
    may_be_named,
    mentions,
    rd,
    read_configuration,
    targets,
)
from collections_app.parsing.references.names import Label, read_names
from collections_app.parsing.rst import parse_restructured_text
from tests.growth import assert_linear

SAILS = ".. _hoisting-sails:\n\nHoisting the ``main`` sail\n==========================\n\nPull.\n"


def make_resolver(files: Mapping[str, str]) -> ReferenceResolver:
    return ReferenceResolver(lambda: (RawDocument(path, text.encode()) for path, text in files.items()))


def convert_with_labels(text: str, files: Mapping[str, str], path: str) -> str:
    """With a configuration that makes labels of headings."""
    pages = [RawDocument(name, content.encode()) for name, content in {path: text, **files}.items()]
    raw = ReferenceResolver(lambda: pages, lambda page: Configuration(makes_labels=page == path)).resolve(pages[0])
    return parse_restructured_text(raw).content.rstrip("\n")


def convert(text: str, files: Mapping[str, str], path: str = "guide/page.rst") -> str:
    raw = make_resolver({path: text, **files}).resolve(RawDocument(path, text.encode()))
    return parse_restructured_text(raw).content.rstrip("\n")


class TestLabels:
    def test_any_number_of_blanks_may_stand_before_a_label_or_a_directive(self) -> None:
        pages = {"guide/part.rst": "..  _hoist:\n\n..  index:: sails\n\nHoist sails\n===========\n\nPull.\n"}
        written = "[Hoist sails](part.rst"
        assert convert("..  toctree::\n\n    part\n", pages) == f"- {written})"
        assert convert("See :ref:`hoist`.", pages) == f"See {written}#hoist)."

    def test_a_title_has_the_substitutions_that_the_page_defines(self) -> None:
        names = ".. |sail| replace:: *main* sail\n.. |sea| image:: sea.png\n   :alt:\n\n"
        pages = {"guide/part.rst": "Set |sail| at |sea| with |rope|\n===============================\n\nPull.\n"}
        written = "[Set main sail at |sea| with |rope|](part.rst)"
        assert convert(f"{names}.. toctree::\n\n   part\n", pages) == f"- {written}"
        assert convert(f"{names}See :doc:`part`.", pages) == f"See {written}."

    @pytest.mark.parametrize(
        ("heading", "title"),
        [
            ("Hoist with Ropes_ or Pulleys__", "Hoist with Ropes or Pulleys"),
            ("Set ``sail_`` and `Ropes`_", "Set sail_ and Ropes"),
            ("Set sail\\_", "Set sail_"),
            ("The __rope__ of a_rope", "The __rope__ of a_rope"),
        ],
    )
    def test_titles_are_words_without_the_signs_of_references(self, heading: str, title: str) -> None:
        assert read_names(f"{heading}\n{'=' * 40}\n").title == title

    @pytest.mark.parametrize(
        ("text", "markdown"),
        [
            ("See :ref:`hoisting-sails`.", "See [Hoisting the main sail](../sails.rst#hoisting-sails)."),
            ("See :ref:`Hoisting-Sails`.", "See [Hoisting the main sail](../sails.rst#hoisting-sails)."),
            ("See :std:ref:`hoisting-sails`.", "See [Hoisting the main sail](../sails.rst#hoisting-sails)."),
            ("See :ref:`how to\npull <hoisting-sails>`.", "See [how to pull](../sails.rst#hoisting-sails)."),
            ("See :numref:`hoisting-sails`.", "See [Hoisting the main sail](../sails.rst#hoisting-sails)."),
            (
                "See :numref:`Part %s <hoisting-sails>`.",
                "See [Part Hoisting the main sail](../sails.rst#hoisting-sails).",
            ),
            ("See :ref:`the knot <knot>`, :ref:`knot`.", "See [the knot](../sails.rst), [knot](../sails.rst)."),
        ],
    )
    def test_a_label_of_another_page_is_a_link_in_the_words_of_its_section(self, text: str, markdown: str) -> None:
        assert convert(text, {"sails.rst": f"{SAILS}\n.. _knot:\n\nTie it.\n"}) == markdown

    @pytest.mark.parametrize(
        ("label", "words"),
        [
            ("how_we_sail", "how we sail"),
            ("_how_we_sail", "how we sail"),
            ("SAIL_PATH", "SAIL_PATH"),
            ("sail-trim", "sail-trim"),
            ("sea.sail_trim", "sea.sail_trim"),
            ("Trim of a_sail", "Trim of a_sail"),
        ],
    )
    def test_a_label_that_nothing_is_known_of_is_made_of_words(self, label: str, words: str) -> None:
        assert convert(f"See :ref:`{label}` or :ref:`that <{label}>`.", {"sails.rst": SAILS}) == f"See {words} or that."

    @pytest.mark.parametrize(
        ("text", "markdown"),
        [
            (
                "See :ref:`how <Harbour/Sails:Hoisting the jib>`.",
                "See [how](harbour/sails.rst#hoisting-the-jib).",
            ),
            (
                "See :ref:`harbour/sails:HOISTING the jib`.",
                "See [Hoisting the jib](harbour/sails.rst#hoisting-the-jib).",
            ),
            ("See :ref:`harbour/sails:why: winds?`.", "See [Why: winds?](harbour/sails.rst#winds)."),
            ("See :ref:`harbour/sails:sails`.", "See [Sails](harbour/sails.rst)."),
            ("See :ref:`it <harbour/sails:made by a program>`.", "See [it](harbour/sails.rst)."),
            ("See :ref:`harbour/ropes:of hemp`.", "See [Of hemp](harbour/ropes.md#of-hemp)."),
            ("See :ref:`that <harbour/oars:of ash>`, :ref:`a:b`.", "See that, a:b."),
            ("See :ref:`harbour/sails:told`.", "See [Of flax](harbour/knots.rst#harbour-sails-told)."),
        ],
    )
    def test_a_page_and_a_heading_are_a_label_in_the_words_of_the_heading(self, text: str, markdown: str) -> None:
        sails = """\
            Sails
            =====

            Hoisting the *jib*
            ------------------

            ====
            Pull
            ====

            .. _winds:

            Why: winds?
            -----------

            Hoisting the jib
            ----------------
            """
        files = {
            "docs/harbour/sails.rst": dedent(sails),
            "docs/harbour/ropes.md": "# Ropes\n\n## Of hemp\n",
            "docs/harbour/knots.rst": ".. _harbour/sails\\:told:\n\nOf flax\n=======\n",
        }
        assert convert(text, files, "docs/page.rst") == markdown

    def test_a_heading_is_a_label_only_where_the_configuration_makes_it_one(self) -> None:
        text = "See :ref:`of ash`, :ref:`these <OARS>`, :ref:`a mast`."
        files = {
            "a/oars.rst": "Oars\n====\n\nOf ash\n------\n",
            "guide/oars.rst": "Oars\n====\n\nOf Ash\n------\n",
            "masts.rst": "Masts\n=====\n\n.. _a mast:\n\nFir\n---\n\nA mast\n------\n",
        }
        links = "See [Of Ash](oars.rst#of-ash), [these](oars.rst), [Fir](../masts.rst#a-mast)."
        assert convert_with_labels(text, files, "guide/page.rst") == links
        assert convert(text, files) == "See of ash, these, [Fir](../masts.rst#a-mast)."

    @pytest.mark.parametrize(
        ("configuration", "makes"),
        [
            ("extensions = [\n    'sphinx.ext.autosectionlabel',\n]\n", True),
            ('extensions = ["sphinx.ext.autosectionlabel"]\nautosectionlabel_prefix_document = False\n', True),
            ('extensions = ["sphinx.ext.autosectionlabel"]\nautosectionlabel_prefix_document = True\n', False),
            ("extensions = [\n    # 'sphinx.ext.autosectionlabel',\n]\n", False),
            ("", False),
        ],
    )
    def test_sphinx_is_told_to_make_labels_of_headings(self, configuration: str, makes: bool) -> None:
        assert read_configuration("docs/conf.py", configuration.encode()) == Configuration("docs", makes)

    def test_a_heading_of_the_page_itself_is_found_by_the_name_of_the_page(self) -> None:
        text = "Oars\n====\n\nSee :ref:`guide/page:of ash`.\n\nOf ash\n------\n"
        assert "See [Of ash](#of-ash)." in convert(text, {})

    def test_labels_of_the_page_itself_come_first(self) -> None:
        text = "See :ref:`hoisting-sails`.\n\n.. _hoisting-sails:\n\nHere\n====\n"
        assert convert(text, {"sails.rst": SAILS}).startswith("See [Here](#hoisting-sails).\n")

    def test_of_several_pages_the_nearest_is_meant(self) -> None:
        files = {
            f"{folder}/sails.rst": SAILS.replace("main", folder).replace("===", "======") for folder in ("v1", "v2")
        }
        assert convert("See :ref:`hoisting-sails`.", files, "v2/a.rst") == (
            "See [Hoisting the v2 sail](sails.rst#hoisting-sails)."
        )

    def test_a_reference_in_a_cell_keeps_the_table_as_it_is(self) -> None:
        text = """\
            +-----------------------+---+
            | :ref:`hoisting-sails` | b |
            +-----------------------+---+
            """
        assert convert(dedent(text), {"sails.rst": SAILS}).splitlines()[-1] == (
            "| [Hoisting the main sail](../sails.rst#hoisting-sails) | b |"
        )

    @pytest.mark.parametrize(
        ("text", "label"),
        [
            (".. _a b:\n\nTitle\n=====\n", Label("a b", "Title", "a-b")),
            (".. _`a: b`:\n\n=====\nTitle\n=====\n", Label("a: b", "Title", "a-b")),
            (".. _a:\n.. index:: sea\n   single: sail\n\nTitle\n-----\n", Label("a", "Title", "a")),
            (".. _a:\n\n.. spelling::\n\n    Halyard\n\nTitle\n-----\n", Label("a", "Title", "a")),
            (".. _A.b:\n\n:class:`~sea.Sail` *now*\n------------------------\n", Label("a.b", "Sail now", "a-b")),
            (".. _a:\n\n`Sea <https://example.org>`_ \\*\n------------------\n", Label("a", "Sea *", "a")),
            (".. _1a:\n\nTitle\n=====\n", Label("1a", "Title", "a")),
            (".. _a:\n\nText.\n\nTitle\n=====\n", Label("a", "", "")),
            (".. _a:\n\nTitle\n==\n", Label("a", "", "")),
            (".. _a:\n\nTwo\nlines\n=====\n", Label("a", "", "")),
        ],
    )
    def test_a_label_has_the_title_of_the_section_right_behind_it(self, text: str, label: Label) -> None:
        assert list(read_names(text).labels) == [label]

    def test_of_labels_below_each_other_the_first_is_the_anchor(self) -> None:
        text = ".. _one:\n.. _two:\n\nTitle\n=====\n"
        assert {label.fragment for label in read_names(text).labels} == {"one"}
        assert parse_restructured_text(RawDocument("a.rst", text.encode())).anchors == {0: "one"}

    @pytest.mark.parametrize("text", [".. _a: https://example.org\n", ".. _a: b_\n", ".. __:\n", "   .. _a:\n"])
    def test_it_takes_no_other_target_for_a_label(self, text: str) -> None:
        assert not read_names(f"{text}\nTitle\n=====\n").labels


class TestPages:
    FILES: ClassVar = {"guide/sails.rst": SAILS, "guide/index.rst": "Guide\n#####\n", "guide/empty.rst": "Text.\n"}

    @pytest.mark.parametrize(
        ("entry", "item"),
        [
            ("sails", "[Hoisting the main sail](sails.rst)"),
            ("sails.rst", "[Hoisting the main sail](sails.rst)"),
            ("/sails", "[Hoisting the main sail](sails.rst)"),
            ("/guide/sails", "[Hoisting the main sail](sails.rst)"),
            ("../guide/index", "[Guide](index.rst)"),
            ("Pull <sails>", "[Pull](sails.rst)"),
            ("empty", "[empty](empty.rst)"),
            ("unknown/page", "[unknown/page](unknown/page)"),
            ("/unknown", "[unknown](/unknown)"),
            ("../../sails", "[../../sails](../../sails)"),
            ("https://example.org/", "<https://example.org/>"),
            ("Site <https://example.org/>", "[Site](https://example.org/)"),
            ("self", "self"),
            ("parts/*", "parts/*"),
        ],
    )
    def test_the_entries_of_a_toctree_are_links_in_the_titles_of_their_pages(self, entry: str, item: str) -> None:
        assert convert(f".. toctree::\n   :maxdepth: 1\n\n   {entry}\n\nText.\n", self.FILES) == f"- {item}\n\nText."

    @pytest.mark.parametrize(
        ("configured", "pages", "found"),
        [
            ("docs", ["docs/sails", "docs/user/sails", "docs/user/guide/sails", "sails"], "../../sails.rst"),
            ("docs", ["docs/user/sails", "docs/user/guide/sails", "sails"], "../sails.rst"),
            ("docs", ["docs/user/guide/sails", "sails"], "sails.rst"),
            ("docs", ["sails"], "../../../sails.rst"),
            ("docs/user/guide", ["docs/user/guide/sails", "docs/user/sails"], "sails.rst"),
            ("", ["sails", "docs/user/guide/sails"], "../../../sails.rst"),
        ],
    )
    def test_a_name_from_the_root_counts_from_the_folder_of_the_configuration(
        self, configured: str, pages: list[str], found: str
    ) -> None:
        page = RawDocument("docs/user/guide/page.rst", b"See :doc:`/sails`.\n")
        files = [page, *(RawDocument(f"{name}.rst", SAILS.encode()) for name in pages)]
        raw = ReferenceResolver(lambda: files, lambda _: Configuration(configured)).resolve(page)
        assert parse_restructured_text(raw).content == f"See [Hoisting the main sail]({found}).\n"

    def test_cards_and_buttons_lead_to_pages_and_labels(self) -> None:
        card = ".. grid-item-card:: Trim\n   :link: {}\n   :link-type: {}\n\n   Now.\n\n"
        text = card.format("sails", "doc") + card.format("hoisting-sails", "ref")
        text += ".. button-ref:: hoisting-sails\n\n   Go\n\n.. button-ref:: /guide/sails\n"
        assert convert(text, self.FILES).split("\n\n") == [
            *("**[Trim](sails.rst)**", "Now.", "**[Trim](sails.rst#hoisting-sails)**", "Now."),
            *("[Go](sails.rst#hoisting-sails)", "[Hoisting the main sail](sails.rst)"),
        ]

    def test_a_document_is_a_link_in_its_title(self) -> None:
        text = "See :doc:`sails`, :doc:`/index` and :doc:`pulling <sails>`."
        assert convert(text, self.FILES) == (
            "See [Hoisting the main sail](sails.rst), [Guide](index.rst) and [pulling](sails.rst)."
        )

    def test_signs_of_addresses_are_quoted(self) -> None:
        assert convert(":doc:`a#b 1`", {"guide/a#b 1.rst": "Title\n=====\n"}) == "[Title](<a%23b 1.rst>)"

    def test_text_files_are_pages_by_their_markup(self) -> None:
        files = {"guide/sails.txt": SAILS, "guide/notes.txt": ".. _hoisting-sails:\n\nNotes\n"}
        assert convert(":ref:`hoisting-sails`", files) == "[Hoisting the main sail](sails.txt#hoisting-sails)"
        assert [path for path in ("a.rst", "a.txt", "a.adoc", "a.md", "a") if may_be_named(path)] == [
            "a.rst",
            "a.txt",
            "a.adoc",
            "a.md",
        ]
        assert not may_be_named("a.md", with_markdown=False)


class TestAsciiDoc:
    SAILS: ClassVar = (
        "= All the *sails*\n\n== Hoisting `main`\n\nPull.\n\n[[trim]]\n== Trimming\n\n[#wind,reftext=The wind]\n== Wind\n\n"
        "[#box]\n.A box\n====\nText.\n====\n\n[[none]]\nText.\n\n=== [[in]]Within\n"
    )

    @staticmethod
    def convert(text: str, files: Mapping[str, str], path: str = "guide/page.adoc") -> str:
        raw = make_resolver({path: text, **files}).resolve(RawDocument(path, text.encode()))
        return parse_asciidoc(raw).content.rstrip("\n")

    @pytest.mark.parametrize(
        ("reference", "markdown"),
        [
            ("xref:../sails.adoc[]", "[All the sails](../sails.adoc)"),
            ("xref:../sails.adoc[image:sail.png[,220]]", "[All the sails](../sails.adoc)"),
            ("xref:../sails.adoc#trim[image:sail.png[A sail]]", "[A sail](../sails.adoc#trim)"),
            ("xref:../sails.adoc[window=_blank]", "[All the sails](../sails.adoc)"),
            ("xref:{up}/sails.adoc[ ]", "[All the sails](../sails.adoc)"),
            ("xref:../sails.adoc#trim[]", "[Trimming](../sails.adoc#trim)"),
            ("<<../sails#trim>>", "[Trimming](../sails.adoc#trim)"),
            ("<<../sails.adoc#_hoisting_main>>", "[Hoisting main](../sails.adoc#_hoisting_main)"),
            ("<<../sails.adoc#hoisting-main>>", "[Hoisting main](../sails.adoc#hoisting-main)"),
            ("<<../sails.adoc#wind>>", "[The wind](../sails.adoc#wind)"),
            ("<<../sails.adoc#box>>", "[A box](../sails.adoc#box)"),
            ("<<../sails.adoc#in>>", "[Within](../sails.adoc#in)"),
            ("<<../sails.adoc#none>>", "[none](../sails.adoc#none)"),
            ("<<../sails.adoc#unknown>>", "[unknown](../sails.adoc#unknown)"),
            ("xref:../unknown.adoc[]", "../unknown.adoc"),
            ("xref:../sails.adoc#trim[words]", "[words](../sails.adoc#trim)"),
            ("<<../sails.adoc#trim,words>>", "[words](../sails.adoc#trim)"),
            ("xref:page.adoc#here[]", "[Here](page.adoc#here)"),
        ],
    )
    def test_a_reference_without_words_says_the_title_that_it_leads_to(self, reference: str, markdown: str) -> None:
        text = f":up: ..\n\nSee {reference}.\n\n[#here]\n== Here\n"
        assert self.convert(text, {"sails.adoc": self.SAILS}).startswith(f"See {markdown}.\n")

    def test_antora_names_pages_of_other_modules(self) -> None:
        files = {"docs/modules/sea/pages/sails.adoc": self.SAILS}
        text = "xref:sea:sails.adoc[], xref:sea:sails.adoc#trim[], xref:other:sea:sails.adoc#trim[]"
        assert self.convert(text, files, "docs/modules/ROOT/pages/page.adoc") == (
            "[All the sails](../../sea/pages/sails.adoc), [Trimming](../../sea/pages/sails.adoc#trim), trim"
        )

    @pytest.mark.parametrize(
        ("text", "title", "labels"),
        [
            (":reftext: Short\n= Title\n", "Short", {"title": "Title"}),
            ("Title\n=====\n\nPart\n----\n", "Title", {"title": "Title", "part": "Part"}),
            (":a: b \\\nc\n= Title\n", "Title", {"title": "Title"}),
            (":a: b\n= Title {a} {c}\n", "Title b {c}", {"titlebc": "Title b {c}"}),
            ("ifdef::backend-pdf[]\n= A\nendif::[]\n= B\n", "B", {"b": "B"}),
            ("[[a]]\n// no\n\n:b: c\n////\n== D\n////\n== Title\n", "Title", {"a": "Title"}),
            ("----\n== A\n----\n\n[source]\n--\n== A\n--\n\n == A\n\ntext\n== A\n", "", {}),
            ("image::a.png[]\n== Title\n", "Title", {"title": "Title"}),
            ("* a\n+\n[#b]\n.C\n--\nText.\n--\n", "", {"b": "C"}),
            ("== Use C# now\n\n[#use-c-now]\n== Own\n", "Use C# now", {"usecnow": "Own"}),
        ],
    )
    def test_a_page_is_named_by_its_title_and_the_ids_in_it(
        self, text: str, title: str, labels: Mapping[str, str]
    ) -> None:
        names = asciidoc.read_names(text, "a.adoc")
        assert names.title == title
        found = {label.name: label.title for label in reversed(names.labels)}
        assert found == {"a.adoc#": title, **{f"a.adoc#{id}": words for id, words in labels.items()}}

    def test_titles_that_name_each_other_end(self) -> None:
        files = {"b.adoc": "= B xref:a.adoc[]\n", "a.adoc": "= A xref:b.adoc[]\n"}
        assert self.convert("xref:b.adoc[]\n", files, "c.adoc") == "[B a.adoc](b.adoc)"

    def test_what_a_title_holds_is_not_of_the_page_that_names_it(self) -> None:
        files = {"b.adoc": "= All [[here,Theirs]] sails\n"}
        assert self.convert("xref:b.adoc[] <<here>>\n", files, "c.adoc") == "[All sails](b.adoc) here"

    @pytest.mark.parametrize("begin", ["", ":c: ", 'ifeval::["{a}" == "'])
    def test_attributes_that_make_too_much_of_a_text_are_the_affair_of_its_parser(self, begin: str) -> None:
        values = f":a: {'b' * 9_000}\n:d: {'{a}' * 3}\n"
        bomb = f'= A\n{values}\n{begin}{"{d}" * 300}"]\n\nxref:c.adoc[]\n'
        files = {"a.adoc": bomb, "c.adoc": "= C\n"}
        raw = RawDocument("a.adoc", bomb.encode())
        assert make_resolver(files).resolve(raw) is raw
        assert self.convert("xref:c.adoc[]", files, "d.adoc") == "[C](c.adoc)"

    def test_many_lines_above_a_block_are_looked_through_in_time(self) -> None:
        text = "".join(f"[a{number}=b]\n" for number in range(40_000))
        assert asciidoc.read_names(f"{text}== Title\n", "a.adoc").title == "Title"
        assert_linear(lambda text: asciidoc.read_names(f"{text}== Title\n", "a.adoc"), text)


class TestResolver:
    def test_a_page_that_names_no_other_is_as_it_was_and_nothing_is_looked_through(self) -> None:
        def fail() -> Iterator[RawDocument]:
            raise AssertionError

        for path, text in (
            ("a.rst", "Text, *reference*."),
            ("a.md", ":ref:`a`"),
            ("b.md", "xref:a.adoc[]"),
            ("c.md", "![](a.svg), [](#own-words), [said](#own-words)\n\n## Own *words*\n"),
            ("a.adoc", "<<b>> xref:b.adoc[c]"),
        ):
            raw = RawDocument(path, text.encode())
            assert ReferenceResolver(fail).resolve(raw) is raw
        raw = RawDocument("a.rst", b":ref:`b` :doc:`c`")
        assert make_resolver({}).resolve(raw) is raw

    def test_a_page_changes_with_the_titles_that_it_names(self) -> None:
        raw = RawDocument("a.rst", b"See :ref:`hoisting-sails`.")
        told = [make_resolver({"b.rst": text}).resolve(raw).content for text in (SAILS, SAILS.replace("main", "other"))]
        assert told[0] != told[1]

    def test_what_goes_to_the_parser_moves_no_line_and_is_no_text(self) -> None:
        text = "Title\n=====\n\nSee :ref:`hoisting-sails`.\n\n==  ==\na   broken table\n"
        raw = RawDocument("a.rst", text.encode())
        told = parse_restructured_text(make_resolver({"b.rst": SAILS}).resolve(raw))
        assert told.warnings == parse_restructured_text(raw).warnings
        assert "targets" not in told.content

    @pytest.mark.parametrize("line", ["words", '["label", "a"]', '["other", "a", "b", "c"]', "[1]", "1"])
    def test_what_is_not_ours_stays_in_the_text(self, line: str) -> None:
        text = f"Text.\n\n.. docsmcp-targets::\n\n   {line}\n"
        assert targets.split_targets(text) == (text, {})

    def test_an_address_that_runs_something_is_no_link(self) -> None:
        unsafe = targets.Target(targets.Kind.LABEL, "a", "javascript:alert(1)", "A")
        text = targets.add_targets("See :ref:`a`.", [unsafe])
        assert parse_restructured_text(RawDocument("a.rst", text.encode())).content == "See A.\n"

    def test_what_is_known_may_be_added_twice(self) -> None:
        label = targets.Target(targets.Kind.LABEL, "a", "b.md", "B")
        text = targets.add_targets(targets.add_navigation_title("Text.", "Knots"), [label])
        own, known = targets.split_targets(text)
        assert (own, targets.find_navigation_title(known), known[targets.Kind.LABEL, "a"]) == ("Text.", "Knots", label)

    def test_it_has_limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        files = {f"{name}.rst": SAILS.replace("hoisting-sails", name) for name in "abc"}
        text = ":ref:`a` :ref:`b` :ref:`c`"
        assert convert(text, files).count("](") == 3
        monkeypatch.setattr(targets, "MAX_TARGETS", 2)
        assert convert(text, files).count("](") == 2
        monkeypatch.setattr(mentions, "MAX_MENTIONS", 1)
        assert convert(text, files) == "[Hoisting the main sail](../a.rst#a) b c"
        monkeypatch.setattr(mentions, "MAX_MENTIONS", 2)
        monkeypatch.setattr(references, "MAX_LABELS", 1)
        assert convert(text, files).count("](") == 1
        monkeypatch.setattr(references, "MAX_SOURCE_BYTES", 1)
        assert convert(text, files) == "a b c"

    def test_a_page_does_not_grow_beyond_what_its_parser_reads(self) -> None:
        raw = RawDocument("a.rst", b":ref:`hoisting-sails`" + b" " * (MAX_CHARACTERS - 30))
        assert make_resolver({"b.rst": SAILS}).resolve(raw) is raw

    def test_a_label_has_places_up_to_a_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(references, "MAX_PLACES", 1)
        assert convert(":ref:`hoisting-sails`", {"a/x.rst": SAILS, "guide/x.rst": SAILS}).endswith(
            "(../a/x.rst#hoisting-sails)"
        )


@pytest.mark.parametrize(
    "text",
    ["A\n=\n\n" * 20_000, "===\n" * 40_000, ".. _a:\n\n" * 20_000, "A\n===\nA\n" * 20_000, "a." * 20_000 + "_b\n===\n"],
)
def test_looking_for_headings_takes_no_longer_the_more_there_are(text: str) -> None:
    assert_linear(read_names, text)


class TestTopicsOfR:
    FILES: ClassVar = {
        "boats/man/sail.Rd": "\\name{sail}\n\\alias{hoist}\n\\alias{\\%up\\%}\n\\alias{Boat-class}\n\\title{Sail}\n",
        "ropes/man/knot.Rd": "\\name{knot}\n\\alias{reef}\n\\title{Knot}\n",
    }

    @pytest.mark.parametrize(
        ("text", "markdown"),
        [
            (r"See \link{hoist}.", "See [hoist](sail.Rd)."),
            (r"See \link[=hoist]{how to pull}.", "See [how to pull](sail.Rd)."),
            (r"See \code{\link{hoist}()}.", "See [`hoist()`](sail.Rd)."),
            (r"See \code{\link[=hoist]{hoist()}}, \code{hoist}.", "See [`hoist()`](sail.Rd), `hoist`."),
            (r"See \code{\link{\%up\%}}.", "See [`%up%`](sail.Rd)."),
            (r"See \linkS4class{Boat}.", "See [Boat](sail.Rd)."),
            (r"See \code{\link{hoist} or \link{reef}}.", "See `hoist or reef`."),
            (
                r"See \link[ropes]{reef}, \link[ropes:knot]{knots}.",
                "See [reef](../../ropes/man/knot.Rd), [knots](../../ropes/man/knot.Rd).",
            ),
            (r"See \link[oars]{hoist}, \link{row}, \link{Hoist}, \link{moor}.", "See hoist, row, Hoist, moor."),
        ],
        ids=lambda text: text[:60],
    )
    def test_links_lead_to_the_pages_that_document_the_topics(self, text: str, markdown: str) -> None:
        source = f"\\name{{moor}}\n\\title{{Moor}}\n\\seealso{{{text}}}\n"
        raw = make_resolver({"boats/man/moor.Rd": source, **self.FILES}).resolve(
            RawDocument("boats/man/moor.Rd", source.encode())
        )
        assert parse_rd(raw).content == f"# Moor\n\n`moor`\n\n## See also\n\n{markdown}\n"

    def test_topics_without_pages_are_words(self) -> None:
        raw = RawDocument("moor.Rd", b"\\name{moor}\n\\title{Moor}\n\\note{\\code{\\link{hoist}}}\n")
        assert make_resolver({"moor.Rd": raw.content.decode()}).resolve(raw) is raw
        assert parse_rd(raw).content.endswith("`hoist`\n")

    @pytest.mark.parametrize(
        "text",
        [r"\link" * 20_000, r"\link{" * 20_000, r"\link[" * 20_000, r"\alias{\\" * 20_000],
        ids=lambda text: text[:7],
    )
    def test_they_are_found_in_linear_time(self, text: str) -> None:
        assert_linear(lambda source: (list(rd.iter_mentions(source)), rd.read_names(source, "a.Rd")), text)
