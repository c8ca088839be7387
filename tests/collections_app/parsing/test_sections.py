"""Sections: their texts make up the document, their ids are unique and depend only on headings, and their counts include the subtree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.headings.ids import take_heading_ids
from collections_app.parsing.sections import (
    MAX_PATHS_SHARE,
    SHORT_CHARACTERS,
    find_section_headings,
    split_into_sections,
)
from collections_app.text.tokens import estimate_tokens

HEADINGS = st.builds(
    "{} {}".format,
    st.integers(1, 6).map("#".__mul__),
    st.sampled_from(["A", "B", "A 2", "a-2", "", "!", "*A*", "`A` {#x}", "日本", "Doc"]),
)
BODY_LINES = st.sampled_from(
    ["", "text", "日本語 text", "- item", "    code", "> quote", "    # x", "1. one", "Title\n===", "\t"]
)
BODIES = st.lists(BODY_LINES, max_size=4).map(lambda lines: "\n".join(["", *lines, ""]))


@st.composite
def outlines(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """Text before the first heading, and headings with bodies. A blank line after each heading keeps bodies from changing headings."""
    before = draw(st.sampled_from(["", "\n\n", "Before.\n\n"]))
    return before, draw(st.lists(st.tuples(HEADINGS, BODIES), max_size=12))


def parse_text(text: str, path: str = "doc.md") -> ParsedDocument:
    return parse(RawDocument(path, text.encode()))


def join(outline: tuple[str, list[tuple[str, str]]]) -> str:
    before, sections = outline
    return before + "".join(f"{heading}\n{body}\n" for heading, body in sections)


def get_ids(text: str) -> list[str]:
    return [section.section_id for section in parse_text(text).sections]


@given(st.one_of(outlines().map(join), st.text(), st.text(alphabet="# \nab`>-\t\r")))
def test_the_sections_joined_are_the_content(text: str) -> None:
    document = parse_text(text)
    assert "".join(section.text for section in document.sections) == document.content


@given(outlines().map(join))
def test_ids_are_unique_and_positions_are_in_order(text: str) -> None:
    sections = parse_text(text).sections
    assert len({section.section_id for section in sections}) == len(sections)
    assert [section.position for section in sections] == list(range(len(sections)))


@given(outlines().map(join))
def test_counts_are_those_of_the_subtree_joined(text: str) -> None:
    sections = parse_text(text).sections
    for section in sections:
        subtree = "".join(each.text for each in sections[section.position : section.end_position])
        assert (section.character_count, section.token_count) == (len(subtree), estimate_tokens(subtree))
        below = sections[section.position + 1 : section.end_position]
        assert all(each.level > section.level > 0 for each in below)
        after = sections[section.end_position : section.end_position + 1]
        assert all(each.level <= section.level for each in after) or section.level == 0


@given(outlines().map(join))
def test_lines_are_those_of_the_own_text(text: str) -> None:
    document = parse_text(text)
    lines = take_heading_ids(text)[0].split("\n")
    line = 1
    for section in document.sections:
        assert section.start_line == line
        assert "\n".join(lines[line - 1 : section.end_line]).rstrip("\n") == section.text.rstrip("\n")
        line = section.end_line + 1
    assert line - 1 == document.content.count("\n")


@given(outlines(), st.data())
def test_editing_one_body_leaves_all_ids_alone(outline: tuple[str, list[tuple[str, str]]], data: st.DataObject) -> None:
    before, sections = outline
    if not sections:
        return
    edited = data.draw(st.integers(0, len(sections) - 1))
    changed = [
        (heading, data.draw(BODIES) if index == edited else body) for index, (heading, body) in enumerate(sections)
    ]
    assert get_ids(join((before, changed))) == get_ids(join(outline))


def test_an_id_is_the_path_of_slugs() -> None:
    text = "# REST Conventions\n## Introduction\n### HTTP Methods\n## Errors\n# Appendix\n#### Deep\n"
    assert get_ids(text) == [
        "rest-conventions",
        "rest-conventions/introduction",
        "rest-conventions/introduction/http-methods",
        "rest-conventions/errors",
        "appendix",
        "appendix/deep",
    ]


def test_a_repeated_id_gets_the_first_free_number() -> None:
    assert get_ids("# a\n# a 2\n# a\n# a\n# a 2\n# a-3\n") == ["a", "a-2", "a-3", "a-4", "a-2-2", "a-3-2"]


def test_renaming_a_heading_changes_its_subtree_only() -> None:
    before = get_ids("# T\n## A\n### X\n## B\n### X\n")
    after = get_ids("# T\n## C\n### X\n## B\n### X\n")
    assert [(old, new) for old, new in zip(before, after, strict=True) if old != new] == [
        ("t/a", "t/c"),
        ("t/a/x", "t/c/x"),
    ]


def test_the_heading_path_has_headings_without_markup() -> None:
    section = parse_text("# The `api` {#x}\n## *Fast* [start](a.md)\n").sections[1]
    assert section.heading_path == ("The api", "Fast start")
    assert (section.heading, section.section_id) == ("Fast start", "the-api/fast-start")


def test_text_before_the_first_heading_is_a_section_under_the_title() -> None:
    before, first, second = parse_text("---\ntitle: The Guide\n---\nWelcome.\n\n# Start\n\n# The guide\n").sections
    assert (before.section_id, before.level, before.heading, before.text) == (
        "the-guide",
        0,
        "The Guide",
        "Welcome.\n\n",
    )
    assert (before.start_line, before.end_line, before.end_position) == (4, 5, 1)
    assert (first.section_id, second.section_id) == ("start", "the-guide-2")


def test_an_equal_first_heading_absorbs_the_text_before_it() -> None:
    document = parse_text("Badge.\n\n# The *Guide*\n\nText.\n")
    (section,) = document.sections
    assert document.title == "The Guide"
    assert (section.section_id, section.level, section.start_line, section.text) == (
        "the-guide",
        1,
        1,
        document.content,
    )


def test_only_a_first_level_heading_absorbs_the_text_before_it() -> None:
    assert get_ids("---\ntitle: Guide\n---\nText.\n\n## Guide\n") == ["guide", "guide-2"]


def test_blank_text_before_the_first_heading_belongs_to_it() -> None:
    (section,) = parse_text("\n \t\n## Later\n").sections
    assert (section.section_id, section.start_line, section.text) == ("later", 1, "\n \t\n## Later\n")


def test_a_document_without_headings_is_one_section() -> None:
    (section,) = parse_text("Only text.\n\nAnd more.", "notes/Read me.md").sections
    assert (section.section_id, section.heading, section.level) == ("read-me", "Read me", 0)
    assert (section.heading_path, section.start_line, section.end_line) == (("Read me",), 1, 3)


def test_twenty_thousand_equal_headings_have_as_many_ids() -> None:
    ids = get_ids("# Same\n\ntext\n\n## Same\n" * 10_000)
    assert len(set(ids)) == 20_000
    assert ids[-2:] == ["same-10000", "same/same-10000"]


def test_numbers_that_are_taken_are_passed_over() -> None:
    headings = [f"# a {n}" for n in range(2, 10_000)] + ["# a"] * 10_000
    ids = get_ids("\n".join(headings))
    assert len(set(ids)) == len(headings)
    assert ids[-1] == "a-19998"


def test_sections_have_the_anchor_of_their_heading_and_the_page_that_it_stands_on() -> None:
    lines = ["before", "# A", "text", "", "## B", "", "# C", ""]
    headings = find_section_headings(lines).headings
    sections = split_into_sections(lines, headings, "T", anchors={1: "a", 4: "the-b"}, page_lines=[0, 3, 3, 6])
    found = [(section.heading, section.anchor, section.page_number) for section in sections]
    assert found == [("T", "", 1), ("A", "a", 1), ("B", "the-b", 3), ("C", "", 4)]


def test_a_heading_that_takes_in_blank_lines_before_it_has_its_own_page() -> None:
    lines = ["", "", "# A", ""]
    headings = find_section_headings(lines).headings
    (section,) = split_into_sections(lines, headings, "T", anchors={2: "a"}, page_lines=[0, 2])
    assert (section.start_line, section.page_number, section.anchor) == (1, 2, "a")


def test_headings_above_very_many_sections_are_no_more_than_some_times_the_text() -> None:
    """Headings are stored and indexed with each section: with five long ones, 140 KB became 150 MB."""
    above = "\n\n".join(f"{'#' * level} {f'word{level} ' * 70}" for level in range(1, 6))
    text = f"{above}\n\n" + "".join(f"###### {n}\nx\n" for n in range(9_900))
    document = parse_text(text)
    stored = sum(len("".join(section.heading_path)) + len(document.title) for section in document.sections)
    assert stored < SHORT_CHARACTERS + MAX_PATHS_SHARE * len(text)
    assert [section.level for section in document.sections] == [1, 2, 3, 4, 5]
    assert document.sections[4].text.endswith("###### 9899\nx\n")
    (warning,) = document.warnings
    assert (
        f"would be over {SHORT_CHARACTERS + MAX_PATHS_SHARE * (len(text) + 1):,} characters: those below level 5"
        in warning
    )


def test_titles_and_paths_are_counted_with_each_section() -> None:
    text = "# A\n" * 10_000
    assert len(parse_text(text).sections) == 10_000
    assert len(parse_text(text, f"{'a' * 500}/doc.md").sections) == 1
    titled = parse(RawDocument("doc.md", text.encode(), metadata={"title": "a" * 100_000}))
    assert len(titled.sections) == 1


def test_short_documents_of_hardly_anything_but_headings_have_all_their_sections() -> None:
    text = "# The options of a command\n" + "".join(f"## --option-{n}\n" for n in range(300))
    assert len(parse_text(text, "reference/commands/of/the/tool/options.md").sections) == 301
