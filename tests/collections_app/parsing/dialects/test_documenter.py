"""Markup of Julia's Documenter: heading ids, references and blocks that a build runs or fills."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.dialects.documenter import write_documenter_signs
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.pipeline import NO_TEXT
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("## [`make` it](@id make-it)", "## `make` it {#make-it}"),
        ("See [`make`](@ref), [it](@ref make-it) and [a](@ref f(::Int)).", "See `make`, it and a."),
        ("`[a](@ref)` [a](b.md) [`x`](@refs)", "`[a](@ref)` [a](b.md) [`x`](@refs)"),
        ("```\n# [a](@id b)\n[a](@ref)\n```", "```\n# [a](@id b)\n[a](@ref)\n```"),
        (
            "[``\\knot`` ties](@ref knots), [``a`b``](@ref), [hull](@extref Boats.hull).",
            "``\\knot`` ties, ``a`b``, hull.",
        ),
        (
            "See [the long\nway](@ref way), and\n[the way `home`](@ref\nway-home).",
            "See the long\nway, and\nthe way\n`home`.",
        ),
        ("See [`way`](@ref\nway).", "See `way`\n."),
        ("[a\n\nb](@ref) [a](@ref\n\nb)", "[a\n\nb](@ref) [a](@ref\n\nb)"),
    ],
)
def test_documenter_s_ids_are_the_headings_and_references_their_words(text: str, written: str) -> None:
    assert write_documenter_signs(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("```@meta\nCurrentModule = Boats\n```\nText.", "\n\n\nText."),
        ("a\n```@setup sail\nusing Boats\n```\nb\n```@index\n```\n~~~@contents\n~~~", "a\n\n\n\nb\n\n\n\n"),
        ("````@eval\n```\na\n```\n````\nb", "\n\n\n\n\nb"),
        ("```@autodocs; canonical=false\nModules = [Boats]\n```\nb", "\n\n\nb"),
        ("```@raw latex\n\\sail\n```\nb", "\n\n\nb"),
        ("a\n```@raw html\n<p>\n\n  b\n</p>\n```\nc", "a\n\n<p>\n  b\n</p>\n\n\nc"),
        ("```@example sail; continued = true\nsail()\n```\nb", "```julia\nsail()\n```\nb"),
        ("~~~@repl\nsail()\n~~~", "~~~julia\nsail()\n~~~"),
        ("```@example\nusing Boats # hide\nsail()\n```\nb", "```julia\nsail()\n```\n\nb"),
        ("```@example\nusing Boats # hide\n```\nb", "\n\n\nb"),
        (
            "```@docs\nsail\n# of a boat\nsail!(::Boat)\n\n@tack\n```\nb",
            "*Not in this text, from the code's docstrings:* `sail`, `sail!(::Boat)`, `@tack`\n\n\n\n\n\n\nb",
        ),
        ("```@example\nnever_closed()", "```julia\nnever_closed()\n```"),
    ],
)
def test_blocks_of_documenter_are_code_html_or_notes_or_go(text: str, written: str) -> None:
    assert write_documenter_signs(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "````markdown\n```@meta\na\n```\n````",
        "    ```@meta\n    a\n    ```",
        "- a\n\n  ```@repl\n  b\n  ```",
        "```@other\na\n```",
        "```@docsify\na\n```",
        "<!--\n```@meta\n```\n-->",
        "See ```@meta```.",
    ],
)
def test_other_fences_than_documenter_s_stay(text: str) -> None:
    assert write_documenter_signs(text) == text


@pytest.mark.parametrize("heading", ["# Sails", "# [Sails](@id sails)"])
def test_a_page_of_documenter_that_only_a_build_fills_is_without_text(heading: str) -> None:
    page = f"```@meta\nA = 1\n```\n\n{heading}\n\n```@autodocs\nModules = [Sails]\n```\n\n## Index\n\n```@index\n```\n"
    document = parse(RawDocument("src/lib/a.md", page.encode()))
    assert (document.title, document.content, document.sections) == ("Sails", "", ())
    assert document.warnings == (NO_TEXT,)
    assert parse(RawDocument("src/lib/a.md", f"{page}\nText.".encode())).content.startswith("\n\n\n\n# Sails")


@pytest.mark.parametrize(
    "part", ["[`", "[``a", "[`` ` ", "[x](@ref (a)", "[x](@ref ", "[a\n", "```@example\n", "```@docs\na\n```\n"]
)
def test_signs_of_documenter_take_linear_time(part: str) -> None:
    assert_linear(write_documenter_signs, f"(@ref\n\n{part * 20_000}")
