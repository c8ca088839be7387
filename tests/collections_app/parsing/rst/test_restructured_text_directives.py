"""Directives of Sphinx and its extensions: what they add to their content."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.rst import parse_restructured_text


def read(text: str) -> NormalisedText:
    return parse_restructured_text(RawDocument("page.rst", dedent(text).encode()))


def convert(text: str) -> str:
    return read(text).content.rstrip("\n")


@pytest.mark.parametrize("directive", ["automodule:: boat", "only:: html", "py:module:: boat", "unheard-of::"])
def test_sections_in_a_directive_are_sections_below_the_one_it_stands_in(directive: str) -> None:
    text = f"""\
        Boat
        ====

        .. {directive}

           Sails
           -----

           Of linen.

           Oars
           -----

           Of ash.

        Next
        ----
        """
    document = read(text)
    headings = [line for line in document.content.split("\n") if line.startswith("#")]
    assert headings == ["# Boat", "## Sails", "## Oars", "## Next"]
    assert document.warnings == ()


def test_a_section_in_a_quote_is_a_bold_line() -> None:
    assert (
        convert(".. seealso::\n\n   Sails\n   -----\n\n   Of linen.\n")
        == "> **See also**:\n>\n> **Sails**\n>\n> Of linen."
    )


def test_sections_in_a_directive_do_not_change_what_lines_mean_after_it() -> None:
    text = "A\n=\n\nB\n~\n\n.. only:: html\n\n   C\n   ~\n\nD\n-\n\n.. only:: html\n\n   E\n   -\n\nF\n~\n"
    headings = [line for line in convert(text).split("\n") if line.startswith("#")]
    assert headings == ["# A", "## B", "### C", "### D", "#### E", "## F"]


def test_a_formula_may_have_the_options_of_sphinx() -> None:
    text = ".. math:: a = b\n   :label: law\n\n.. math::\n   :nowrap:\n\n   c\n   = d\n\n   e\n"
    document = read(text)
    assert document.content == "$$\na = b\n$$\n\n$$\nc\n= d\n$$\n\n$$\ne\n$$\n"
    assert document.warnings == ()


@pytest.mark.parametrize(
    "text", ["\n   :toctree: made\n\n   sail\n   ~boat.Oar\n", "\n   sail\n   ~boat.Oar\n", " sail\n   ~boat.Oar\n"]
)
def test_a_summary_is_a_list_of_names(text: str) -> None:
    assert convert(f".. autosummary::{text}") == "- `sail`\n- `boat.Oar`"


def test_what_is_missing_in_a_row_is_said_in_a_line() -> None:
    text = """\
        .. autofunction:: sail

        .. autoclass:: Boat
           :members:

           .. automethod:: row

           .. automethod:: steer
              :no-index:

        .. autoclass:: Mast

           Of fir.

           .. automethod:: step
        .. literalinclude:: boat.py
        .. autoclass:: Oar
        """
    code = "*Not in this text, from the code's docstrings:*"
    assert convert(text).split("\n\n") == [
        f"{code} `sail`, `Boat`, `row`, `steer`, `Mast`",
        "Of fir.",
        f"{code} `step`",
        "*Not in this text, from another file:* `boat.py`",
        f"{code} `Oar`",
    ]


def test_what_is_missing_may_be_named_by_an_option_that_is_called_like_the_directive() -> None:
    text = ".. autocommand::\n    :command: boat row -h\n    :class: wide\n\n.. autosomething::\n    :class: wide\n"
    assert convert(text) == "*Not in this text, from the code's docstrings:* `boat row -h`"


@pytest.mark.parametrize("directive", ["openapi", "support_matrix", "feature_matrix"])
def test_a_description_in_a_file_of_its_own_is_named_as_missing(directive: str) -> None:
    text = f".. {directive}:: boats.yaml\n   :paths: /boats\n"
    assert convert(text) == "*Not in this text, from another file:* `boats.yaml`"


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        (" Sails\n   :link: sails.html\n\n   Of linen.", "**[Sails](sails.html)**\n\nOf linen."),
        (
            "\n   :img-top: a.svg\n\n   Sails\n   ^^^\n\n   Of linen.\n\n   +++\n   More",
            "**Sails**\n\nOf linen.\n\nMore",
        ),
        ("\n\n   **Sails**\n   ^^^^^^^^^\n   Of linen.", "**Sails**\n\nOf linen."),
        (" Sails\n\n   - All\n   ^^^\n   Of linen.", "**Sails**\n\n- All\n\nOf linen."),
        ("\n\n   Of linen.", "Of linen."),
    ],
)
def test_a_card_is_its_title_and_its_parts(card: str, shown: str) -> None:
    assert convert(".. grid:: 2\n\n" + indent(f".. grid-item-card::{card}\n", "   ")) == shown


def test_a_button_is_a_link() -> None:
    assert (
        convert(".. button-link:: https://sea.example/a\n   :color: primary\n\n   Set sail\n")
        == "[Set sail](https://sea.example/a)"
    )


@pytest.mark.parametrize("name", ["spelling", "spelling:word-list"])
def test_words_for_a_spell_checker_are_no_text(name: str) -> None:
    assert convert(f".. {name}::\n\n    Halyard\n    Sheet\n\nBoats\n=====\n\nOf wood.\n") == "# Boats\n\nOf wood."


@pytest.mark.parametrize(
    ("directive", "language"),
    [("console::", "console"), ("prompt:: bash $", "bash"), ("plot::", "python"), ("jupyter-execute::", "python")],
)
def test_extensions_have_code_of_their_own(directive: str, language: str) -> None:
    assert convert(f".. {directive}\n\n   sail\n   oar\n") == f"```{language}\nsail\noar\n```"


@pytest.mark.parametrize(
    ("name", "label"),
    [("version-added", "Added in"), ("version-changed", "Changed in"), ("version-deprecated", "Deprecated since")],
)
def test_changes_of_versions_have_newer_names_too(name: str, label: str) -> None:
    assert convert(f".. {name}:: 3.2\n   Of ash.") == f"> **{label} version 3.2**: Of ash."


def test_a_list_of_changes_is_a_section_for_each_version() -> None:
    text = """\
        Changes
        =======

        .. changelog_imports::

            .. include:: older.rst

        .. changelog::
            :version: 1.2
            :released: May 1, 2030
            :include_notes_from: unreleased

            .. change::
                :tags: bug, sails
                :tickets: 12, 13

                Sails are sewn.

                Twice.

            .. change::
                :tags: oars

                * Oars float.

        .. changelog::
            :version: 1.1
        """
    document = read(text)
    assert document.content == (
        "# Changes\n\n## 1.2\n\nReleased: May 1, 2030\n\n"
        "- [bug, sails] Sails are sewn.\n\n  Twice.\n\n  References: 12, 13\n\n"
        "- [oars]\n\n  - Oars float.\n\n## 1.1\n"
    )
    assert set(document.anchors.values()) == {"changes", "change-1.2", "change-1.1"}


def test_of_an_option_of_a_version_given_twice_the_last_counts() -> None:
    text = """\
        .. changelog::
            :version: 1.2b1
            :released: May 1, 2030
            :released: April 1, 2030

            .. change::
                :tags: bug
                :tags: sails

                Sewn.

        .. changelog::
            :version: 1.1
        """
    document = read(text)
    assert document.content == "# 1.2b1\n\nReleased: April 1, 2030\n\n- [sails] Sewn.\n\n# 1.1\n"
    assert document.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        ".. change::\n      :tags: bug\n      :tickets: 7\n\n   Sewn.\n",
        ".. change::\n     :tags: bug\n   :tickets:7\n\n   Sewn.\n",
        ".. change:: 7\n      :tags: bug\n      :tickets: 7\n\n    Sewn.\n",
        ".. change:: :tags: bug\n   :tickets: 7\n   Sewn.\n",
    ],
)
def test_options_of_a_change_may_stand_in_any_column(text: str) -> None:
    assert convert(text) == "- [bug] Sewn.\n\n  References: 7"


@pytest.mark.parametrize("text", ["Sewn, not glued.", "Sewn.", ":meth:`sew` is new.", "Sewn.\n\n   :tags: bug"])
def test_text_of_a_change_is_no_option(text: str) -> None:
    changed = convert(f".. change::\n\n   {text}\n")
    assert changed == "- " + convert(text.replace("   ", "")).replace("\n\n", "\n\n  ")


@pytest.mark.parametrize(
    "text",
    [
        ".. setting:: SAILS\n\nSAILS\n-----\n\nOf linen.\n",
        ".. confval:: SAILS\n\nSAILS\n-----\n\nOf linen.\n",
        ".. confval:: SAILS\n\n.. _sails:\n\n``SAILS``\n---------\n\nOf linen.\n",
        "SAILS\n-----\n\n.. setting:: SAILS\n\nOf linen.\n",
        "SAILS\n-----\n\n.. envvar:: SAILS\n\nOf linen.\n",
    ],
)
def test_a_name_that_is_a_section_s_title_is_said_once(text: str) -> None:
    assert convert(text).count("SAILS") == 1


def test_a_heading_may_be_the_words_of_the_name_before_it() -> None:
    text = """\
        .. sea:setting:: set-all-sails

        .. sea:setting:: jibs

        .. _all:

        Set all Sails
        -------------

        Of linen.

        .. sea:setting:: count-of-oarsseats
           :since: 2.1

           Of ash, *all* of them.

        .. a note

        Count of oars/seats
        -------------------

        Two.

        .. sea:setting:: masts

           Of fir.

        The masts
        ---------
        """
    assert convert(text) == "\n\n".join(
        [
            "`jibs`",
            "# Set all Sails\n\nOf linen.",
            "# Count of oars/seats\n\n**Since:** `2.1`\n\nOf ash, *all* of them.\n\nTwo.",
            "## `masts`\n\nOf fir.",
            "# The masts",
        ]
    )


def test_the_description_before_its_heading_is_not_the_title_of_the_page() -> None:
    text = ".. sea:setting:: set-sails\n\n   Of linen.\n\nSet sails\n=========\n\nAll.\n"
    assert convert(text) == "# Set sails\n\nOf linen.\n\nAll."


def test_a_description_within_a_section_of_its_name_has_a_heading() -> None:
    text = "Boat\n====\n\n.. class:: Boat\n\n   Sails.\n"
    assert convert(text) == "# Boat\n\n## `Boat`\n\nSails."


def test_a_name_alone_is_said() -> None:
    text = ".. confval:: OARS\n\nSAILS\n-----\n\nOf linen.\n"
    assert convert(text) == "`OARS`\n\n# SAILS\n\nOf linen."


@pytest.mark.parametrize("name", ["setting", "signal", "reqmeta", "command", "hook", "program"])
def test_a_name_where_only_references_lead_is_no_text(name: str) -> None:
    text = f".. {name}:: OARS\n.. {name}:: SAILS\n\nOf linen and ash.\n\n.. {name}:: masts\n\nMasts\n-----\n\nOf fir.\n"
    assert convert(text) == "Of linen and ash.\n\n# Masts\n\nOf fir."


@pytest.mark.parametrize(
    "text",
    [
        ".. reqmeta:: masts\n\n   Of fir.\n",
        ".. reqmeta:: Masts of fir.\n",
        ".. reqmeta:: masts\n   :of: fir\n",
        ".. setting:: masts\n\n   Of fir.\n",
        ".. centered:: Masts\n\nOf fir.\n",
        ".. unheard-of:: Masts\n\nOf fir.\n",
    ],
)
def test_an_unknown_directive_with_more_than_a_name_is_text(text: str) -> None:
    assert "masts" in convert(text).lower()


def test_a_picture_s_substitution_says_what_is_seen_only_by_a_word() -> None:
    pictures = [
        ".. |img_32| image:: a.png",
        ".. |yes| image:: b.png",
        ".. |img_7| image:: c.png",
        "   :alt: A key",
    ]
    text = "\n".join(["|img_32| Fields", "===============", "", "|yes| or |img_7|", "", *pictures])
    assert convert(text) == "# Fields\n\n![yes](b.png) or ![A key](c.png)"


def test_what_a_substitution_names_and_the_text_does_not_define_stays_as_it_is_written() -> None:
    document = read(".. |mode| replace:: Fast |gap| *mode*\n\n.. |outer| replace:: the |Mode|\n\nIt has |outer|.\n")
    assert document.content == "It has the Fast |gap| *mode*.\n"
    (warning,) = document.warnings
    assert warning.startswith("Nothing defines these substitutions: |gap|. ")


def test_emoji_that_an_extension_defines_are_their_names() -> None:
    document = read("Click |:heavy_plus_sign:| or |:+1:|, |:sail:|.\n\n.. |:sail:| replace:: the sail\n")
    assert document.content == "Click :heavy_plus_sign: or :+1:, the sail.\n"
    assert not document.warnings


def test_pages_with_the_same_undefined_substitutions_have_the_same_warning() -> None:
    texts = ["|oars| and |sails|\n\n|oars|\n", "Boats\n\n* |sails|, |the\n  mast|\n* |oars|\n"]
    first, second = (read(text).warnings for text in texts)
    assert "rst_prolog" in first[0]
    assert first[0].startswith("Nothing defines these substitutions: |oars|, |sails|. ")
    assert second[0] == first[0].replace("|sails|.", "|sails|, |the mast|.")


def test_of_many_undefined_substitutions_the_first_are_named() -> None:
    (warning,) = read(" ".join(f"|sail{number}|" for number in range(10, 30))).warnings
    assert "|sail19|, 10 more. They" in warning


def test_a_break_that_only_a_configuration_defines_is_a_blank() -> None:
    document = read("One |br| two\\ |NBSP|\\ three, |word|.\n\n.. |word| replace:: a |br| b\n")
    assert (document.content, document.warnings) == ("One two three, a b.\n", ())
    assert convert("One |br| two.\n\n.. |br| replace:: and") == "One and two."


def test_characters_that_docutils_defines_are_known() -> None:
    document = read(".. include:: <isonum.txt>\n.. |trade| replace:: (TM)\n\nTea\\ |reg| and |copy| cups |trade|\n")
    assert (document.content, document.warnings) == ("Tea® and © cups (TM)\n", ())


@pytest.mark.parametrize("name", ["unheard-of.txt", "../states.py", "../../../__init__.txt", "s5defs.txt"])
def test_no_other_file_of_docutils_is_read(name: str) -> None:
    content = convert(f".. include:: <{name}>\n\nTea.\n")
    assert "Tea." in content
    assert "docutils" not in content


@pytest.mark.parametrize("directive", ["click:example::", "frobnicate::"])
def test_code_in_a_directive_that_is_unknown_stays_as_it_is(directive: str) -> None:
    text = f"""\
        .. {directive}

            @command()
            def pour(cup):
                if cup:
                    print('a\\n')

        Hot.
        """
    code = "@command()\ndef pour(cup):\n    if cup:\n        print('a\\n')"
    assert convert(text) == f"```\n{code}\n```\n\nHot."


def test_the_argument_of_such_code_is_its_language_or_its_title() -> None:
    assert convert(".. frobnicate:: python\n\n   x = 1\n") == "```python\nx = 1\n```"
    assert convert(".. frobnicate:: Basic\n\n   x = 1\n") == "**Basic**\n\n```\nx = 1\n```"
    assert convert(".. frobnicate:: How to pour\n\n   x = 1\n") == "**How to pour**\n\n```\nx = 1\n```"


@pytest.mark.parametrize(
    "text",
    [
        "Call ``pour()``, then wait.",
        "The function pour() pours.",
        "Tea (green) is poured.\n   It is hot.",
        "- one (of two)\n   - two",
        "if you pour tea, it is hot.",
        "The pump draws water\n   from the well and lifts it\n   with a ram, for years\n   to come",
        "One pours tea\n   for guests",
        "See the file(s) in the folder",
        ":param x: the value (an int)",
        ".. code-block:: c\n\n      x = 1;",
    ],
)
def test_prose_in_such_a_directive_is_no_code(text: str) -> None:
    assert not convert(f".. frobnicate::\n\n   {text}\n").startswith("```\n")


def test_what_an_unknown_directive_says_of_a_thing_in_options_is_told() -> None:
    assert convert(".. knot:: bowline\n   :type: loop\n   :required:\n   :class: wide\n\n   Ties a ring.\n") == (
        "**bowline** (type: `loop`, required)\n\nTies a ring."
    )
    assert convert(".. knot:: bowline\n   :default: ``None`` or a *rope*\n") == (
        "**bowline** (default: `None` or a *rope*)"
    )


def test_an_unknown_directive_that_has_options_alone_is_told_by_them() -> None:
    text = ".. harbour-call::\n   :method: PUT\n   :url: https://quay.example/ships/*id*\n   :pilot_needed: true\n   :class: wide\n"
    assert convert(text) == (
        "**Harbour call** (method: `PUT`, url: `https://quay.example/ships/*id*`, pilot needed: `true`)"
    )


def test_an_unknown_directive_within_one_of_its_name_is_an_item() -> None:
    text = """\
        .. knot:: bowline
           :type: loop

           Ties a ring.

           .. knot:: left

              For left hands.

              .. knot:: high
                 :type: loop

           .. knot:: right

              For others.

        .. knot:: hitch
        """
    assert convert(text) == (
        "**bowline** (type: `loop`)\n\nTies a ring.\n\n- **left**\n\n  For left hands.\n\n  - **high** (type: `loop`)\n\n"
        "- **right**\n\n  For others.\n\nhitch"
    )


@pytest.mark.parametrize("around", ["rope-picker", "tabs", "seealso"])
def test_a_directive_right_below_another_is_its_content(around: str) -> None:
    text = f"""\
        .. {around}::
           .. code-block:: bash
              :linenos:

              moor --at 'quay' \\
                 --rope 2

           .. code-block:: ruby

              moor 'quay'
        """
    content = convert(text).replace("> ", "").replace(">", "")
    assert content.endswith("```bash\nmoor --at 'quay' \\\n   --rope 2\n```\n\n```ruby\nmoor 'quay'\n```")


def test_an_option_that_docutils_does_not_know_is_no_reason_to_refuse_a_directive() -> None:
    rows = ["====  ====", "Rope  Feet", "====  ====", "Jib   60", "====  ===="]
    document = read("\n   ".join([".. table:: Ropes", ":column-alignment: left right", "", *rows]))
    assert (document.content, document.warnings) == ("**Ropes**\n\n| Rope | Feet |\n| --- | --- |\n| Jib | 60 |\n", ())
    assert (
        convert(".. csv-table::\n   :frozen: 1\n\n   a,b\n   c,d\n") == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"
    )


@pytest.mark.parametrize(
    ("condition", "is_shown"),
    [
        ("html", True),
        ("not man", True),
        ("html or text", True),
        ("builder_html and draft", True),
        ("internal", True),
        ("(latex)", True),
        ("latex", False),
        ("man or builder_epub", False),
        ("not html", False),
        ("draft and format_latex", False),
    ],
)
def test_what_readers_of_html_do_not_see_is_no_text(condition: str, *, is_shown: bool) -> None:
    assert ("Of linen." in convert(f"Sails.\n\n.. only:: {condition}\n\n   Of linen.\n")) is is_shown


def test_code_and_what_it_prints_are_code_whatever_they_look_like() -> None:
    text = """\
        .. io-code-block::
           :copyable: true

           .. input::
              :language: python

              sail(
                 "low"
              )

           .. output::
              :language: none
              :visible: false

              A boat
                 with: {one sail
        """
    assert convert(text) == '```python\nsail(\n   "low"\n)\n```\n\n```\nA boat\n   with: {one sail\n```'
    assert read(text).warnings == ()


def test_inputs_and_outputs_of_others_say_what_stands_beside_them() -> None:
    text = ".. input:: The length of the *mast*\n\n   It is told in feet.\n"
    assert convert(text) == "**The length of the *mast***\n\nIt is told in feet."


def test_how_a_block_is_styled_and_what_only_builders_read_is_no_text() -> None:
    text = """\
        .. redirect-from::

            Guide/Old-Sails

        .. facet::
           :name: genre
           :values: reference

        .. class:: sail-table wide

        Of linen.
        """
    assert convert(text) == "Of linen."


def test_classes_of_code_are_sections_all_the_same() -> None:
    assert "# `sea.Boat`" in convert(".. class:: sea.Boat(name)\n\n   Floats.\n")


@pytest.mark.parametrize(
    ("signature", "written"),
    [
        ("sail(RAISE <sail> [LOW])", "# `sail(RAISE)`\n\n`sail(RAISE <sail> [LOW])`"),
        ("sail(TRIM ALL <sail>)\n  sail(TRIM ONE)", "# `sail(TRIM ALL)`\n\n`sail(TRIM ALL <sail>)`, `sail(TRIM ONE)`"),
        ("sail(RESET)", "# `sail(RESET)`"),
        ("sail(<name>\n       [HIGH])", "# `sail(<name> [HIGH])`"),
    ],
)
def test_signatures_of_cmakes_commands_are_sections_called_by_their_words(signature: str, written: str) -> None:
    assert convert(f".. signature::\n  {signature}\n  :target: x\n\n  Of linen.\n") == f"{written}\n\nOf linen."


def test_generator_expressions_of_cmake_are_sections_as_they_are_written() -> None:
    assert convert(".. genex:: $<SAILS:up>\n\n  True.\n") == "# `$<SAILS:up>`\n\nTrue."
