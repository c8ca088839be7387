"""Front matter: its values, errors in it, and what is no front matter."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collections_app.exceptions import ParseError
from collections_app.parsing.front_matter import MAX_FRONT_MATTER_CHARACTERS, FrontMatter, split_front_matter


def read(*lines: str, fence: str = "---") -> FrontMatter:
    return split_front_matter("\n".join([fence, *lines, fence, "text"]))[0]


def read_toml(*lines: str) -> FrontMatter:
    return read(*lines, fence="+++")


def get_error(*lines: str, fence: str = "---") -> ParseError:
    with pytest.raises(ParseError) as caught:
        read(*lines, fence=fence)
    return caught.value


def test_it_reads_the_known_keys_in_any_case() -> None:
    front_matter = read("TITLE: Guide", "description: Short", "keyWords: [a, b]", "Category: Basics", "Owner: us")
    assert (front_matter.title, front_matter.description) == ("Guide", "Short")
    assert (front_matter.keywords, front_matter.category) == (("a", "b"), "Basics")
    assert front_matter.metadata == {"Owner": "us"}


@pytest.mark.parametrize("value", ["1.10", "on", "2024-01-02", "0x10", "12:30", "null and void"])
def test_a_title_stays_as_it_is_written(value: str) -> None:
    assert read(f"title: {value}").title == value


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ("Pack <em>before</em> the trip", "Pack before the trip"),
        ("<b>Pack <i>all</i></b> &amp; go&#33;", "Pack all & go!"),
        ("<Sail>, <em>: loud", "<Sail>, <em>: loud"),
        ("R&D; a<b and b>a", "R&D; a<b and b>a"),
        ("The &lt;em&gt; tag", "The <em> tag"),
    ],
)
def test_a_title_is_plain_text(value: str, title: str) -> None:
    assert read(f'title: "{value}"').title == title


@pytest.mark.parametrize("value", ["{#each ...}", "{@html it's}", "{:else} ", "bind:", "x-on:"])
def test_a_title_may_be_a_tag_of_a_template_without_quotes(value: str) -> None:
    assert read(f"title: {value}").title == value.strip()


@pytest.mark.parametrize(
    ("lines", "value"),
    [(["about: |-", "  pots:"], "pots:"), (["about:", "  pots: 1"], {"pots": 1}), (["about: {pots: 1}"], {"pots": 1})],
)
def test_what_yaml_means_stays(lines: list[str], value: object) -> None:
    assert read(*lines).metadata["about"] == value


@pytest.mark.parametrize("value", ["", "~", "null", '""', "'  '"])
def test_an_empty_title_is_none(value: str) -> None:
    assert read(f"title: {value}").title == ""


def test_a_title_that_is_no_text_is_left_out_with_a_warning() -> None:
    front_matter = read("title: [a, b]", "description: {a: b}")
    assert (front_matter.title, front_matter.description) == ("", "")
    assert [warning.split(";")[0] for warning in front_matter.warnings] == [
        "front matter: the title is not text",
        "front matter: the description is not text",
    ]


def test_a_list_of_one_text_is_that_text() -> None:
    front_matter = read("title: [Guide]", "category:", "- Basics", "description: [[a]]")
    assert (front_matter.title, front_matter.category, front_matter.description) == ("Guide", "Basics", "")
    assert front_matter.warnings == ("front matter: the description is not text; it was left out",)
    assert read("category: [a, b]").category == ""


@pytest.mark.parametrize("name", ["summary", "Intro", "desc", "excerpt", "abstract"])
def test_a_summary_is_the_description_where_there_is_no_other(name: str) -> None:
    front_matter = read(f"{name}: |", "  one", "  two")
    assert front_matter.description == "one two"
    assert list(front_matter.metadata) == [name]
    assert read(f"{name}: one", "description: two").description == "two"
    assert read(f"{name}: [one]").description == ""


def test_tags_are_the_keywords_where_there_are_no_others() -> None:
    front_matter = read("Tags: [a, b, a]")
    assert (front_matter.keywords, front_matter.metadata) == (("a", "b"), {"Tags": ["a", "b", "a"]})
    assert read("tags: a, b").keywords == ("a", "b")
    assert read("tags: [a]", "keywords: [b]").keywords == ("b",)
    assert read("tags: {a: b}").keywords == ()
    assert read("tags: [1, [a], b]").keywords == ("b",)


def test_a_text_over_several_lines_becomes_one_line() -> None:
    assert read("description: |", "  one", "  two").description == "one two"


@pytest.mark.parametrize(
    ("value", "keywords"),
    [
        ("[a, b, a]", ("a", "b")),
        ("a, b ,, c", ("a", "b", "c")),
        ("[1.10, on, 2024-01-02]", ("1.10", "on", "2024-01-02")),
        ("[[a], {b: c}, d]", ("d",)),
        ("one", ("one",)),
        ("", ()),
        ("{a: b}", ()),
    ],
)
def test_keywords_come_from_a_list_or_a_text_with_commas(value: str, keywords: tuple[str, ...]) -> None:
    assert read(f"keywords: {value}").keywords == keywords


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00+00:00"),
        (".nan", "nan"),
        ("-.inf", "-inf"),
        ("!!binary aGk=", "aGk="),
        ("!!set {b, a}", ["a", "b"]),
        ("!!omap [a: 1]", [["a", 1]]),
        (
            "{2: a, true: b, 2020-01-01: c, ~: d}",
            {"2": "a", "true": "b", "2020-01-01": "c", "null": "d"},
        ),
        ('"a\\0b"', "ab"),
        ("0x" + "f" * 300, "0x" + "f" * 300),
        ("[1, [2.5, null]]", [1, [2.5, None]]),
    ],
)
def test_metadata_becomes_what_json_can_hold(value: str, expected: object) -> None:
    metadata = read(f"key: {value}").metadata
    assert metadata == {"key": expected}
    assert json.loads(json.dumps(metadata, allow_nan=False)) == metadata


# YAML has no escapes for halves of surrogate pairs, in which JSON writes what lies beyond, and no keys over 1,024 characters.
TEXTS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=50)
@given(
    st.dictionaries(
        TEXTS, st.recursive(TEXTS | st.floats() | st.integers() | st.none(), st.lists, max_leaves=4), max_size=4
    )
)
def test_whatever_json_can_say_is_read(values: dict[str, object]) -> None:
    text = json.dumps({f"x{key}": value for key, value in values.items()})
    json.dumps(dict(read(text).metadata), allow_nan=False).encode()


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["a: b: c"], 2),
        (["a: 1", "b: [1"], 4),
        (["a: 1", "", "- b"], 4),
        (["a: 1", "\tb: 2"], 3),
        (["a: 1", "b: %c"], 3),
        (["a: 1", "b: \x07"], 3),
        (["- a", "- b"], 2),
        (["only text"], 2),
        (["a: 1", "? [b]", ": c"], 3),
        (["b: " + "9" * 5000], 2),
        (["a: !!python/object/apply:os.getcwd []"], 2),
        (["a: !!int ''"], 2),
        (["a: !!bool maybe"], 2),
        (["a: !!timestamp soon"], 2),
    ],
)
def test_broken_yaml_is_refused_with_its_line_in_the_file(lines: list[str], line: int) -> None:
    error = get_error(*lines)
    assert error.message.startswith(f"front matter, line {line}: ")
    assert error.details == {"line": line}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("aliases: %", "no value begins with (`@`, `%`"),
        ("title: @scope/pkg", "no value begins with (`@`, `%`"),
        ("title: Pots: a guide", "a second `: ` in a value"),
        ("files: *.md", "begins with `*`"),
    ],
)
def test_a_value_without_quotes_is_refused_in_plain_words(line: str, words: str) -> None:
    message = get_error("a: 1", line).message
    assert message.startswith("front matter, line 3: ")
    assert words in message
    assert 'needs quotes, as in `title: "@scope/name: notes"`' in message


def test_an_alias_is_refused_before_it_expands() -> None:
    bomb = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)]
    error = get_error("a0: &a0 [lol]", *bomb)
    assert error.details == {"line": 3}
    assert "aliases" in error.message


def test_an_alias_of_a_value_is_that_value() -> None:
    front_matter = read("version: &v '1.10'", "title: *v", "links: {a: *v}")
    assert front_matter.title == "1.10"
    assert front_matter.metadata == {"version": "1.10", "links": {"a": "1.10"}}


def test_aliases_of_a_long_value_are_refused_before_they_expand() -> None:
    error = get_error(f"a: &a {'x' * 30_000}", "b: [*a, *a,", "  *a]")
    assert error.details == {"line": 4}


def test_an_alias_of_a_list_under_the_name_of_a_value_is_refused() -> None:
    assert "aliases" in get_error("a: &a x", "b: &a [c]", "d: *a").message


def test_a_date_that_does_not_exist_is_text() -> None:
    assert read("a: 2023-02-29", "b: [2024-13-45]").metadata == {"a": "2023-02-29", "b": ["2024-13-45"]}


@pytest.mark.parametrize("unit", ["[", "{a: ", "- ", "? ", "- ? "])
def test_endless_nesting_is_refused(unit: str) -> None:
    assert "nests deeper" in get_error(unit * (60_000 // len(unit))).message


@pytest.mark.parametrize("nested", ["- " * 50 + "b", "[" * 50 + "]" * 50, "{a: " * 50 + "}" * 50, "? " * 50 + "b"])
def test_one_level_too_many_is_refused(nested: str) -> None:
    assert "nests deeper than 50 levels" in get_error(f"a:\n  {nested}\n").message


def test_too_much_front_matter_is_refused() -> None:
    assert "longer than 64 KiB" in get_error("a: " + "x" * MAX_FRONT_MATTER_CHARACTERS).message


@pytest.mark.parametrize("lines", [[], ["# a comment"], ["", "  ", ""], ["", "title: T"]])
def test_empty_front_matter_is_front_matter(lines: list[str]) -> None:
    front_matter, content = split_front_matter("\n".join(["---", *lines, "---", "text"]))
    assert content == "text"
    assert front_matter.line_count == len(lines) + 2


@pytest.mark.parametrize("closing", ["---", "...", "---  ", "...\t"])
def test_it_ends_at_three_hyphens_or_dots(closing: str) -> None:
    assert split_front_matter(f"---\na: 1\n{closing}\n\ntext\n")[1] == "\ntext\n"


def test_it_may_end_the_file() -> None:
    assert split_front_matter("---\na: 1\n---")[1] == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "---",
        "---\ntext",
        "\n---\na: 1\n---\n",
        " ---\na: 1\n---\n",
        "----\na: 1\n----\n",
        "---\n\nText.\n\n---\n\nMore: text.\n",
        "---\n\na: b: c\n---\n",
        "+++",
        "+++\ntext",
        "\n+++\na = 1\n+++\n",
        "+++\na = 1\n---\n",
        "++++\na = 1\n++++\n",
        "+++\n\nText.\n\n+++\n",
    ],
)
def test_a_line_across_is_no_front_matter(text: str) -> None:
    assert split_front_matter(text) == (FrontMatter(), text)


class TestToml:
    def test_it_reads_the_known_keys_in_any_case(self) -> None:
        front_matter = read_toml(
            'Title = "Guide"', 'description = """a', 'b"""', 'keywords = ["a", "b", "a"]', 'category = "x"'
        )
        assert (front_matter.title, front_matter.description) == ("Guide", "a b")
        assert (front_matter.keywords, front_matter.category) == (("a", "b"), "x")
        assert (front_matter.metadata, front_matter.line_count) == ({}, 7)

    def test_everything_else_is_metadata(self) -> None:
        lines = ["date = 2024-02-29T12:00:00Z", "at = 07:30:00", "limit = inf", "[params]", "a.b = [1, {c = true}]"]
        metadata = read_toml(*lines).metadata
        assert metadata == {
            "date": "2024-02-29T12:00:00+00:00",
            "at": "07:30:00",
            "limit": "inf",
            "params": {"a": {"b": [1, {"c": True}]}},
        }
        assert json.loads(json.dumps(metadata, allow_nan=False)) == metadata

    @pytest.mark.parametrize(("value", "title"), [("2024", "2024"), ("true", "true"), ("2024-02-29", "2024-02-29")])
    def test_a_title_may_be_no_text(self, value: str, title: str) -> None:
        assert read_toml(f"title = {value}").title == title

    def test_a_list_of_one_text_is_that_text(self) -> None:
        assert read_toml('category = ["a"]').category == "a"

    def test_a_title_that_is_a_list_is_left_out_with_a_warning(self) -> None:
        front_matter = read_toml('title = ["a", "b"]', 'keywords = "a, b"', "category = {}")
        assert (front_matter.title, front_matter.keywords) == ("", ("a", "b"))
        assert [warning.split(";")[0] for warning in front_matter.warnings] == [
            "front matter: the title is not text",
            "front matter: the category is not text",
        ]

    def test_the_text_after_it_is_the_content(self) -> None:
        assert split_front_matter('+++\ntitle = "a"\n+++ \n\ntext\n')[1] == "\ntext\n"
        assert split_front_matter("+++\n+++")[1] == ""

    @pytest.mark.parametrize(
        ("lines", "line"),
        [
            (["a = 1", "title = Guide"], 3),
            (["a = 1", "title: Guide", "b = 2"], 3),
            (["a = 1", "b = [1"], 3),
            (["a = 1", "a = 2", "b = 3"], 3),
            (["a = 2024-13-45"], 2),
            (["a = " + "9" * 5000], 1),
            (["a = 1", "b" + ".b" * 201 + " = 1"], 3),
            (["a = " + "[" * 5000], 1),
            (["a = " + "[" * 60 + "]" * 60], 1),
        ],
    )
    def test_broken_toml_is_refused_with_its_line_in_the_file(self, lines: list[str], line: int) -> None:
        error = get_error(*lines, fence="+++")
        assert error.message.startswith(f"front matter, line {line}: ")
        assert error.message.endswith(
            'Mend the TOML between the `+++` lines; text needs quotes, as in `title = "Guide"`.'
        )
        assert error.details == {"line": line}

    def test_too_much_of_it_is_refused(self) -> None:
        assert "longer than 64 KiB" in get_error(f'a = "{"x" * MAX_FRONT_MATTER_CHARACTERS}"', fence="+++").message


@pytest.mark.parametrize("blank", ["\n", "\ufeff", "\n \n\ufeff\n", "\t\n\n"])
@pytest.mark.parametrize("block", ["---\ntitle: Knots\nweight: 1\n---\n", '+++\ntitle = "Knots"\n+++\n'])
def test_blanks_may_stand_before_what_has_a_title(blank: str, block: str) -> None:
    front_matter, text = split_front_matter(f"{blank}{block}Tie.\n")
    assert (front_matter.title, text) == ("Knots", "Tie.\n")
    assert front_matter.line_count == f"{blank}{block}".count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "\n---\nNote: tie it\n---\nTie.\n",
        "\n---\ntitle:\n---\nTie.\n",
        "\n---\ntitle: Knots\n\nTie.\n",
        "\n---\ntitle: [Knots\n---\nTie.\n",
        "\n\n    ---\n    title: Knots\n    ---\n",
        "\n    ---\ntitle: Knots\n---\n",
        "\nText.\n---\ntitle: Knots\n---\n",
    ],
)
def test_behind_blanks_anything_else_is_text(text: str) -> None:
    assert split_front_matter(text) == (FrontMatter(), text)
