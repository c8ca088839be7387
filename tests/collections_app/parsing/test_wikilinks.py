"""Wikilinks: what they become if the files are known and if they are not, what is inserted, and what is left alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.includes.page import MAX_DEPTH
from collections_app.parsing.wikilinks import FileNames

PAGE = "guides/Start.md"
FILES = (
    PAGE,
    "Home.md",
    "guides/Rigging.md",
    "guides/Sea Charts.md",
    "logs/2024-05-01.md",
    "logs/Rigging.md",
    "logs/Storm 1.5.md",
    "wiki/Safe-Harbour.md",
    "wiki/Crew___Duties.md",
    "wiki/tide_tables.rst",
    "files/Manual (old).pdf",
    "files/mast.png",
    ".trash/Gone.md",
)


def resolve(text: str, files: Mapping[str, str] | None = None, path: str = PAGE) -> str:
    """The page as its source resolves it; without `files` only their names are known."""
    names = FileNames(lambda: files or FILES)
    encoded = {name: content.encode() for name, content in (files or {}).items()}
    return IncludeResolver(encoded.get, names).resolve(RawDocument(path, text.encode())).content.decode()


def read(text: str, path: str = "page.md") -> ParsedDocument:
    """The page parsed by itself."""
    return parse(RawDocument(path, text.encode()))


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[[Sea Charts]]", "[Sea Charts](Sea%20Charts.md)"),
        ("[[sea charts.md]]", "[sea charts.md](Sea%20Charts.md)"),
        ("[[Sea Charts|the charts]]", "[the charts](Sea%20Charts.md)"),
        ("[[Sea Charts | the charts]]", "[the charts](Sea%20Charts.md)"),
        ("[[Sea Charts#Depths in feet]]", "[Sea Charts > Depths in feet](Sea%20Charts.md#depths-in-feet)"),
        ("[[Sea Charts#Depths#In feet|feet]]", "[feet](Sea%20Charts.md#in-feet)"),
        ("[[Sea Charts#^b15695]]", "[Sea Charts](Sea%20Charts.md)"),
        ("[[Home]]", "[Home](../Home.md)"),
        ("[[../Home]]", "[../Home](../Home.md)"),
        ("[[/Home]]", "[/Home](../Home.md)"),
        ("[[logs/Rigging]]", "[logs/Rigging](../logs/Rigging.md)"),
        ("[[Rigging]]", "[Rigging](Rigging.md)"),
        ("[[2024-05-01]]", "[2024-05-01](../logs/2024-05-01.md)"),
        ("[[Storm 1.5]]", "[Storm 1.5](../logs/Storm%201.5.md)"),
        ("[[Manual (old).pdf]]", "[Manual (old).pdf](../files/Manual%20%28old%29.pdf)"),
        ("![[Manual (old).pdf#page=3]]", "[Manual (old).pdf > page=3](../files/Manual%20%28old%29.pdf)"),
        ("see ![[Home]]", "see [Home](../Home.md)"),
        # Wikis keep blanks, and Logseq folders, otherwise.
        ("[[Safe Harbour]]", "[Safe Harbour](../wiki/Safe-Harbour.md)"),
        ("[[Crew/Duties]]", "[Crew/Duties](../wiki/Crew___Duties.md)"),
        ("[[Tide tables]]", "[Tide tables](../wiki/tide_tables.rst)"),
        # GitHub and GitLab have the words first, and addresses.
        ("[[a good place|Safe Harbour]]", "[a good place](../wiki/Safe-Harbour.md)"),
        ("[[a good place|Safe Harbour#Depth]]", "[a good place](../wiki/Safe-Harbour.md#depth)"),
        ("[[our site|https://sea.example/a_(b)]]", "[our site](https://sea.example/a_%28b%29)"),
        ("[[https://sea.example/#a]]", "[https://sea.example/#a](https://sea.example/#a)"),
    ],
)
def test_a_link_leads_to_the_file_that_it_names(link: str, expected: str) -> None:
    assert resolve(f"Read {link}, then sail.\n") == f"Read {expected}, then sail.\n"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("![[mast.png]]", "![mast](../files/mast.png)"),
        ("![[mast.png|300]]", "![mast](../files/mast.png)"),
        ("![[mast.png#outline|300x200]]", "![mast](../files/mast.png)"),
        ("![[mast.png|50%]]", "![mast](../files/mast.png)"),
        ("![[mast.png|A tall mast|300]]", "![A tall mast](../files/mast.png)"),
        ("![[mast.png|300|A tall mast]]", "![A tall mast](../files/mast.png)"),
        ("![[new mast.png]]", "![new mast](new%20mast.png)"),
    ],
)
def test_a_picture_is_one_of_markdown(link: str, expected: str) -> None:
    assert resolve(f"{link}\n") == f"{expected}\n"


def test_in_a_table_the_words_stand_behind_a_backslash() -> None:
    table = "| a | b |\n|---|---|\n| [[Home\\|start here]] | c |\n"
    assert resolve(table) == "| a | b |\n|---|---|\n| [start here](../Home.md) | c |\n"


def test_a_heading_of_the_page_itself_is_a_fragment() -> None:
    text = resolve(
        "## Set `sails` first\n\n[[#Set sails first]], [[#set sails first|this]], [[Start#Set sails first]].\n"
    )
    assert text.endswith(
        "[Set sails first](#set-sails-first), [this](#set-sails-first), [Start > Set sails first](#set-sails-first).\n"
    )


def test_what_leads_nowhere_is_its_words_where_others_lead_somewhere() -> None:
    assert resolve("[[Home]], [[Lost Isle]], [[lost|the isle]], [[Lost#Shore]].\n") == (
        "[Home](../Home.md), Lost Isle, the isle, Lost > Shore.\n"
    )


def test_words_at_the_beginning_of_a_line_begin_no_list() -> None:
    assert resolve("[[Home]]\n\n[[1. Lost Isle]]\n") == "[Home](../Home.md)\n\n1\\. Lost Isle\n"


def test_a_page_alone_keeps_the_words() -> None:
    document = read(
        "# Sails\n\nHoist the [[Main Sail|big one]] by the [[Ropes#Halyards]] of [[Rigging]].\n\n## [[Storms]]\n"
    )
    assert document.content == "# Sails\n\nHoist the big one by the Ropes > Halyards of Rigging.\n\n## Storms\n"
    assert [section.heading for section in document.sections] == ["Sails", "Storms"]


def test_a_heading_says_its_words() -> None:
    text = resolve("# [[Sea Charts|Charts]] and [[Home]]\n\n## [[Lost Isle]]\n")
    sections = read(text).sections
    assert [(section.section_id, section.heading) for section in sections] == [
        ("charts-and-home", "Charts and Home"),
        ("charts-and-home/lost-isle", "Lost Isle"),
    ]


@pytest.mark.parametrize("sign", [".obsidian/app.json", "guides/.obsidian/app.json", "logseq/config.edn"])
def test_in_the_folder_of_a_vault_every_link_is_one(sign: str) -> None:
    assert resolve("Towards [[Lost Isle]].\n", {sign: "{}"}) == "Towards Lost Isle.\n"


@pytest.mark.parametrize(
    "text",
    [
        "`[[Home]]`",
        "``a ` [[Home]]``",
        "```\n[[Home]]\n```",
        "> ~~~\n> [[Home]]\n> ~~~",
        "    [[Home]]",
        "<div>\n[[Home]]\n</div>",
        "$[[Home]]$",
        "$$\n[[Home]]\n$$",
        "\\[[Home]]",
        "[[Home]](https://sea.example)",
        "[[Home]][ref]",
        "[[[Home]]]",
        "[a [[Home]]](b)",
        "[[ Home ]]",
        "[[Home\n]]",
        "[[home]]",  # a word of which only letters lead to a file, and nothing else tells
        "[[Gone]]",
    ],
)
def test_code_and_links_of_markdown_stay_as_they_are_written(text: str) -> None:
    assert resolve(f"{text}\n") == f"{text}\n"


@pytest.mark.parametrize(
    "text",
    [
        'if [[ -f "$file" ]]; then',
        "if [[ $a == b && -n $c ]]",
        "while [[ a || b ]]",
        "[[servers]]",
        "[[tool.uv.index]]",
        "[[1, 2], [3, 4]]",
        "[[1,2]]",
        "[[a, b]]",
        '[["a|b"]]',
        "[[1]](https://sea.example)",
        "[[1]][one]",
        "[[1]]",
        "[[Prototype]]",
        "[[]]",
        "[[TOC]]",
        "[[_TOC_]]",
        "[[NX|XX]]",
        "[[ALIGN value]]",
        "[[--force|--quiet]]",
        "[[start|stop]]",
        "[[:upper:]]",
        "[[nodiscard]] int f();",
        "x = a[[i]]",
        "m ^2",
        "50 %% of 60 %%",
    ],
)
def test_what_others_write_in_double_brackets_stays(text: str) -> None:
    assert resolve(f"A line:\n\n{text}\n") == f"A line:\n\n{text}\n"
    assert read(f"A line:\n\n{text}\n").content == f"A line:\n\n{text}\n"


def test_in_a_page_with_links_code_in_brackets_stays() -> None:
    text = "[[Home]]: [[1,2]], [[$a == b]], [[a=b]], [[TOC]], [[1]].\n"
    assert resolve(text) == "[Home](../Home.md): [[1,2]], [[$a == b]], [[a=b]], [[TOC]], [[1]].\n"


def test_a_label_that_the_page_defines_stays_in_its_brackets() -> None:
    text = "[[Home]] and [[note]].\n\n[note]: https://sea.example\n"
    assert resolve(text).startswith("[Home](../Home.md) and [[note]].\n")


def test_signs_of_money_and_code_are_no_math() -> None:
    assert resolve("`$$` [[Home]] `$$`, $5 for [[Home]] and $6\n") == (
        "`$$` [Home](../Home.md) `$$`, $5 for [Home](../Home.md) and $6\n"
    )


@pytest.mark.parametrize("path", ["a.rst", "a.adoc", "a.txt"])
def test_other_formats_have_no_wikilinks(path: str) -> None:
    assert (
        resolve("See [[Home]] and [[Sea Charts|charts]].\n", path=path) == "See [[Home]] and [[Sea Charts|charts]].\n"
    )


def test_mdx_has() -> None:
    assert resolve("See [[Home]].\n", path="a.mdx") == "See [Home](Home.md).\n"


def test_front_matter_is_data() -> None:
    page = '---\nrelated: "[[Home]]"\n---\n[[Home]]\n'
    assert resolve(page) == '---\nrelated: "[[Home]]"\n---\n[Home](../Home.md)\n'


def test_ids_of_blocks_and_comments_are_for_the_program() -> None:
    text = (
        "# A ^top\n\n[[Home]] is far. ^far\n\n- one ^one\n- two\n\n^list\n\n%%\nTo do\n%%\n\nAll %% or none %%well.\n"
    )
    assert resolve(text) == "# A\n\n[Home](../Home.md) is far.\n\n- one\n- two\n\n\n\n\n\n\n\nAll well.\n"


def test_ids_that_obsidian_made_go_from_any_page() -> None:
    document = read("The sea is salt. ^37066d\n\nIt is ^named here.\n\nOr at its ^end\n")
    assert document.content == "The sea is salt.\n\nIt is ^named here.\n\nOr at its ^end\n"


def test_comments_of_whole_lines_go_from_any_page() -> None:
    document = read("# Sea\n\n%% Say more here. %%\n\nSalt.\n\n  %% Done %%\n")
    assert document.content == "# Sea\n\n\n\nSalt.\n\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "```\n%% a %%\n```",
        "%%{init: {}}%%",
        "%% a",
        "a %% b %%",
        "%% a %% b",
        "%%%%",
        "    %% a %%",
        "%%VERSION%%",
        "a\n%% b c %%",
    ],
)
def test_other_signs_of_comments_stay_where_nothing_tells_of_a_vault(text: str) -> None:
    assert read(f"Sea.\n\n{text}\n").content == f"Sea.\n\n{text}\n"


@pytest.mark.parametrize(
    "text", ["x ^2", "of ^a\nb", "`a ^a`", "```\n%%a%% ^a\n```", "`%%` and `%%`", "100 %%", "a ^a b", "a %%\nb %% c"]
)
def test_powers_code_and_what_goes_on_are_no_marks(text: str) -> None:
    assert resolve(f"[[Home]]\n\n{text}\n") == f"[Home](../Home.md)\n\n{text}\n"


NOTE = (
    "---\ntags: [a]\n---\n# Ropes\n\nOf hemp. ^hemp\n\n## Halyards\n\nThey hoist\nthe sails. ^hoist\n\n### Care\n\nDry them.\n\n"
    "## Sheets\n\n- A\n  - B ^b\n    - C\n- D\n\n^all\n\n```sh\nhaul\n\nhaul\n```\n\n^code\n\n> Quoted\n> ^quote\n"
)


@pytest.mark.parametrize(
    ("embedding", "expected"),
    [
        ("![[Ropes#^hemp]]", "Of hemp."),
        ("![[Ropes#^HOIST|words]]", "They hoist\nthe sails."),
        ("![[Ropes#^b]]", "  - B\n    - C"),
        ("![[Ropes#^all]]", "- A\n  - B\n    - C\n- D"),
        ("![[Ropes#^code]]", "```sh\nhaul\n\nhaul\n```"),
        ("![[Ropes#^quote]]", "> Quoted"),
        ("> ![[Ropes#^hemp]]", "> Of hemp."),
        ("![[ropes.md#Care]]", "### Care\n\nDry them."),
        ("![[Ropes#halyards]]", "### Halyards\n\nThey hoist\nthe sails.\n\n#### Care\n\nDry them."),
        ("![[Ropes#Halyards#Care]]", "### Care\n\nDry them."),
    ],
)
def test_a_part_of_a_page_is_put_in_below_the_heading(embedding: str, expected: str) -> None:
    files = {"guides/Ropes.md": NOTE}
    assert resolve(f"## Here\n\n{embedding}\n\nMore.\n", files) == f"## Here\n\n{expected}\n\nMore.\n"


def test_a_page_is_put_in_without_its_front_matter_and_marks() -> None:
    files = {
        "far/Knot.md": "---\ntitle: K\n---\n# Knot\n\nTie it. ^tie\n\n%% check %%\n\nSee [[Home]].\n",
        "Home.md": "",
    }
    assert resolve("# Here\n\n![[Knot]]\n", files) == "# Here\n\n## Knot\n\nTie it.\n\n\n\nSee [Home](../Home.md).\n"


def test_pages_put_in_hold_others() -> None:
    files = {"guides/A.md": "a\n\n![[B]]\n", "guides/B.md": "b\n"}
    assert resolve("![[A]]\n", files) == "a\n\nb\n"


def test_a_page_within_itself_is_a_link() -> None:
    files = {PAGE: "", "guides/A.md": "a\n\n![[Start]]\n\n![[A]]\n"}
    assert resolve("![[A]]\n", files) == "a\n\n[Start](Start.md)\n\n[A](A.md)\n"


def test_a_part_of_the_page_itself_is_put_in_once() -> None:
    text = "# A\n\n## B\n\nb\n\n![[#B]]\n\n## C\n\n![[#B]]\n"
    assert resolve(text, {PAGE: text}).count("\nb\n") == 3
    assert "![[" not in resolve(text, {PAGE: text})


def test_pages_are_put_in_only_so_deep() -> None:
    files = {f"n{number}.md": f"{number}\n![[n{number + 1}]]\n" for number in range(9)}
    assert resolve("![[n0]]\n", files) == "\n".join([*map(str, range(MAX_DEPTH)), f"![[n{MAX_DEPTH}]]", ""])


@pytest.mark.parametrize("embedding", ["![[Lost]]", "![[Ropes#Lost]]", "![[Ropes#^lost]]", "> ![[Lost#^a1]]"])
def test_what_is_not_put_in_stays_and_is_told(embedding: str) -> None:
    text = resolve(f"{embedding}\n", {"guides/Ropes.md": NOTE})
    assert text == f"{embedding}\n"
    assert embedding in "".join(read(text).warnings)


def test_code_and_media_are_no_pages() -> None:
    text = "```\n![[Ropes]]\n```\n\n![[sea.mp3]]\n\n![[map.canvas]]\n"
    assert resolve(text, {"Ropes.md": NOTE}) == "```\n![[Ropes]]\n```\n\nsea.mp3\n\nmap.canvas\n"


def test_of_files_with_one_name_the_path_from_the_root_counts_then_the_folder_then_the_shortest() -> None:
    names = FileNames(lambda: ["a/long/Note.md", "zz/Note.md", "b/Note.rst", "b/Note.md", "c/index.md"])
    assert names.find("Note", "zz/page.md") == "zz/Note.md"
    assert names.find("Note", "x/page.md") == "b/Note.md"
    assert names.find("long/note", "x/page.md") == "a/long/Note.md"
    assert names.find("ong/note", "x/page.md") is None
    assert names.find("Note", "a/long/other/page.md") == "b/Note.md"
    assert names.find("./Note", "x/page.md") is None
    assert names.find("../b/Note.rst", "x/page.md") == "b/Note.rst"
    assert names.find("../../etc/passwd", "x/page.md") is None
