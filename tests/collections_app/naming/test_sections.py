from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.naming.sections import (
    MAX_COMPARED_IDS,
    NamedSection,
    abbreviate_section_id,
    find_close_ids,
    index_names,
    is_abbreviation,
    list_brief_names,
    look_up,
    split_list,
)

PARTED = (
    "guide",
    "guide/install",
    "guide/install/linux",
    "guide/install/linux/notes",
    "guide/update/linux",
    "guide/update/linux/notes",
    "a/b",
)


def make_sections(*section_ids: str) -> list[NamedSection]:
    return [NamedSection(position, each, each.title()) for position, each in enumerate(section_ids)]


def test_an_abbreviation_ends_like_the_id_and_is_known() -> None:
    section_ids = [f"guide/{'x' * 500}/part-{n}" for n in range(3)]
    short = abbreviate_section_id(section_ids[1], 6)
    assert short.endswith("…part-1")
    assert is_abbreviation(short)
    assert look_up(index_names(make_sections(*section_ids), abbreviations=True), short) == [1]


@pytest.mark.parametrize("name", ["guide/…", "…part-1", "0123456789a…", "guide"])
def test_other_names_are_no_abbreviations(name: str) -> None:
    assert not is_abbreviation(name)


@pytest.mark.parametrize(
    "name", ["readme/\ufe0f-install", "readme/-install", "readme/install", "install", "Readme/Install"]
)
def test_what_cannot_be_seen_of_an_id_may_be_left_out(name: str) -> None:
    sections = make_sections("readme", "readme/\ufe0f-install", "readme/use-\ufe0f-daily")
    names = index_names(sections, abbreviations=False)
    assert look_up(names, name) == [1]
    assert look_up(names, "readme/use--daily") == [2]


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("install", [1, 4, 2]),
        ("Install", [1, 4, 2]),
        ("guide/install", [1]),
        ("My guide › Guide › Install", [1]),
        ("Guide › Install", [1]),
        ("Cafe\u0301", [3]),
        ("caf\u00e9", [3]),
        ("setting-up", [2]),
        ("nothing", []),
        ("", []),
    ],
)
def test_a_name_means_the_likeliest_section_first_and_an_id_that_one_only(name: str, positions: list[int]) -> None:
    sections = [
        NamedSection(0, "guide", "Guide"),
        NamedSection(1, "guide/install", "Install"),
        NamedSection(2, "guide/install-2", "Install", "setting-up"),
        NamedSection(3, "guide/cafe\u0301", "Cafe\u0301"),
        NamedSection(4, "other/install", "Install"),
    ]
    assert look_up(index_names(sections, abbreviations=False), name) == positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("install/linux", [2]),
        ("Install/Linux/", [2]),
        ("linux", [2, 4]),
        ("update/linux", [4]),
        ("stall/linux", []),
        ("linux/notes", [3, 5]),
        ("install/linux/notes", [3]),
        ("a/b", [6]),
    ],
)
def test_the_last_parts_of_an_id_name_a_section(name: str, positions: list[int]) -> None:
    assert look_up(index_names(make_sections(*PARTED), abbreviations=False), name) == positions


def test_a_brief_name_is_the_shortest_end_of_an_id_that_means_no_other_section() -> None:
    ends = [
        "guide",
        "install",
        "install/linux",
        "install/linux/notes",
        "guide/update/linux",
        "update/linux/notes",
        "b",
    ]
    assert list(list_brief_names([*make_sections(*PARTED), NamedSection(7, "update/linux", "Other")]).values()) == [
        *ends,
        "update/linux",
    ]


@given(
    st.lists(
        st.text(alphabet="ab/", min_size=1, max_size=8).map(lambda each: each.strip("/") or "a"),
        unique=True,
        max_size=12,
    )
)
def test_every_brief_name_leads_to_its_own_section(section_ids: list[str]) -> None:
    sections = make_sections(*section_ids)
    by_rule = index_names(sections, abbreviations=False)
    assert all(look_up(by_rule, brief) == [position] for position, brief in list_brief_names(sections).items())


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("sailhoist", [1]),
        ("sail-hoist", [1]),
        ("boatdrop-anchor", [2]),
        ("knotsperhour", [3]),
        ("SailHoist", [1]),
        ("sail, hoist", []),
        ("oarlock", []),
        ("boat", [0]),
        ("_", []),
    ],
)
def test_a_section_goes_by_the_fragment_that_github_makes_of_its_heading(name: str, positions: list[int]) -> None:
    sections = [
        NamedSection(0, "boat", "Boat"),
        NamedSection(1, "boat/sail-hoist-heights", "sail.hoist()"),
        NamedSection(2, "boat/boat-drop-anchor", "boat:drop-anchor"),
        NamedSection(3, "boat/knots-per-hour", "Knots_per/hour"),
        NamedSection(4, "boat/oar-lock", "oar.lock"),
        NamedSection(5, "boat/oar-lock-2", "oar/lock"),
    ]
    assert look_up(index_names(sections, abbreviations=False), name) == positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("page-type-rules", [1]),
        ("page_type_rules", [1]),
        ("jib", [2]),
        ("two-places", []),
    ],
)
def test_a_section_goes_by_the_fragment_that_sphinx_makes_of_its_label(name: str, positions: list[int]) -> None:
    sections = [
        NamedSection(0, "boat", "Boat"),
        NamedSection(1, "boat/rules", "Rules", "page_type_rules"),
        NamedSection(2, "boat/jib", "Jib", "jib"),
        NamedSection(3, "boat/one", "One", "two_places"),
        NamedSection(4, "boat/two", "Two", "Two_Places"),
    ]
    assert look_up(index_names(sections, abbreviations=False), name) == positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("--dry-run", [1]),
        ("-n", [1]),
        ("`--dry-run`", [1]),
        ("--max-age", [2]),
        ("--size", [3]),
        ("--count", [3]),
        ("--jib", [4]),
        ("--all", []),
        ("--max", []),
        ("--sail", []),
        ("-o", []),
    ],
)
def test_a_section_goes_by_an_option_that_its_heading_begins_with(name: str, positions: list[int]) -> None:
    headings = ["Run", "-n, --dry-run", "--max-age - No older ones, not --sail", "`--size SIZE` | `--count` N"]
    headings += ["--jib=NAME", "--all of it", "--all files", "With -o"]
    sections = [NamedSection(position, f"run/{position}-x", heading) for position, heading in enumerate(headings)]
    assert look_up(index_names(sections, abbreviations=False), name) == positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("§ 3", [1]),
        ("§3", [1]),
        ("3", [1]),
        ("§\u00a03", [1]),
        ("§ 3.", [1]),
        ("§ 13a", [2]),
        ("Art. 13", [3]),
        ("art 13", [3]),
        ("Section 4.2", [4]),
        ("Section 4.2.", [4]),
        ("2", [5, 6]),
        ("2.", [5, 6]),
        ("§ 5A", [7]),
        ("section 12A", [8]),
        ("§ 7", [9]),
        ("Art. 14", [10]),
        ("Art.15", [11]),
        ("Art. 15", [11]),
        ("13", []),
        ("§", []),
    ],
)
def test_a_numbered_heading_goes_by_its_number(name: str, positions: list[int]) -> None:
    headings = [
        "Act",
        "§ 3 Leave",
        "§ 13a Pay",
        "Art 13",
        "Section 4.2: Data",
        "2. Fees",
        "2. Costs",
        "§ 5A Rent",
        "Section 12A Duties",
        "§\u00a07 Leave",
        "Art.\u00a014 Data",
        "Art.15",
    ]
    sections = [NamedSection(position, f"act/{position}-x", heading) for position, heading in enumerate(headings)]
    assert look_up(index_names(sections, abbreviations=False), name) == positions


@pytest.mark.parametrize(("name", "parts"), [("a, b", ["a", "b"]), ("a,,b,", ["a", "b"]), ("a", []), (",", [])])
def test_a_text_with_commas_may_be_a_list(name: str, parts: list[str]) -> None:
    assert split_list(name) == parts


def test_a_text_has_no_more_names_than_a_list() -> None:
    assert len(split_list(",".join("x" * 100))) == 100
    assert split_list(",".join("x" * 101)) == []


def test_close_ids_come_best_first() -> None:
    sections = make_sections("guide/install", "guide/configure", "reference/api")
    assert find_close_ids(sections, "guide/instal")[0] == "guide/install"
    assert find_close_ids(sections, "問") == []


def test_close_ids_have_the_words_of_the_name_in_any_order() -> None:
    sections = make_sections(
        "guide/setting-up-the-dev-server", "guide/server-bundles", "guide/deploying", "guide/the-devil"
    )
    for name in ("dev server", "server-dev", "setup dev", "guid/setting-up-dev"):
        assert find_close_ids(sections, name)[0] == "guide/setting-up-the-dev-server"


def test_of_close_ids_with_the_same_end_those_with_a_similar_beginning_come_first() -> None:
    sections = make_sections("linux/install", "windows/install", "macos/install")
    assert find_close_ids(sections, "window/instal")[0] == "windows/install"


def test_close_ids_that_are_long_are_abbreviated() -> None:
    section_id = "x" * 5_000
    assert find_close_ids(make_sections(section_id), "x" * 299) == [abbreviate_section_id(section_id, 60)]


def test_close_ids_are_looked_for_among_so_many() -> None:
    sections = make_sections(*["other"] * MAX_COMPARED_IDS, "guide/install")
    assert "guide/install" not in find_close_ids(sections, "guide/instal")
