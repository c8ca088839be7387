"""A whole page, by whatever name, and in pieces where it is long."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collections_app.documents import word_search
from collections_app.models import Collection, Document
from collections_app.text.markdown.code_blocks import find_open_fence
from collections_app.text.tokens import estimate_tokens
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, iter_data, text_of

pytestmark = pytest.mark.django_db

LONG = "# One\n\n" + "One paragraph.\n\n" * 5_000 + "## Part of it\n\nWords.\n\n" * 400


class TestGetDocPage:
    def test_it_gives_the_page(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="start/guide.md"))
        assert "# Guide\n\nWelcome to the guide.\n\n## Install" in text
        assert "keywords:" not in text

    @pytest.mark.parametrize(
        "path",
        ["start/guide", "./start/guide.md", "/start/guide.md", "manual:start/guide.md", "start/guide.md#top"],
    )
    def test_it_forgives_how_a_path_is_written(self, call: CallTool, path: str) -> None:
        assert "Welcome" in text_of(call("get_doc_page", path=path))

    def test_it_takes_an_id_and_a_source_url(self, call: CallTool) -> None:
        document = Document.objects.get(path="faq.md")
        Document.objects.filter(pk=document.pk).update(source_url="https://docs.example.com/faq")
        assert "Ask about" in text_of(call("get_doc_page", document_id=str(document.pk)))
        assert "Ask about" in text_of(call("get_doc_page", url="https://docs.example.com/faq#top"))

    def test_it_gives_named_sections(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="start/guide.md", sections=["guide/configure"]))
        assert "Write the file." in text
        assert "Welcome" not in text

    @pytest.mark.parametrize(
        "content",
        [
            "# Long\n\n" + "".join(f"## Part {n}\n\n{'some words ' * n}\n\n" for n in range(120)),
            "# One\n\n" + "One paragraph.\n\n" * 2000,
            "word " * 9000,
            "x" * 30_000,
            "全文検索の設定" * 2000,
        ],
        ids=["sections", "paragraphs", "line", "word", "kanji"],
    )
    def test_its_pieces_joined_are_the_page(self, call: CallTool, collection: Collection, content: str) -> None:
        put(collection, {"long.md": content})
        pieces: list[str] = []
        for data in iter_data(call, "get_doc_page", path="long.md", max_tokens=1500):
            assert data["tokens"] <= 1500
            pieces.append(data["content"])
        assert "".join(pieces) == content
        assert len(pieces) > 2

    def test_filler_lines_are_in_no_answer_and_places_behind_them_are_found(
        self, call: CallTool, collection: Collection
    ) -> None:
        rows = "".join(f"<tr>\n\n<td>Knot {n}</td>\n\n<td>Use {n}</td>\n\n</tr>\n\n" for n in range(20))
        put(
            collection,
            {
                "knots.md": f"# Knots\n\n<table>\n\n{rows}</table>\n\nA bowline holds.\n\n{'More of it. ' * 600}\n\nA hitch slips.\n"
            },
        )
        assert "\n\n\n\n" in Document.objects.get(path="knots.md").content
        whole = "".join(data["content"] for data in iter_data(call, "get_doc_page", path="knots.md", max_tokens=700))
        named = data_of(call("read_sections", path="knots.md", section_ids=["knots"], max_tokens=9000, format="json"))
        assert whole == named["sections"][0]["content"]
        assert named["sections"][0]["tokens"] == estimate_tokens(whole)
        assert "| Knot 19 | Use 19 |\n\nA bowline holds." in whole
        for words, place in {"bowline": "A bowline", "hitch": "A hitch"}.items():
            near = text_of(call("get_doc_page", path="knots.md", near=words))
            assert f"section_id: knots]\n\n{place}" in near

    @pytest.mark.parametrize(("paragraphs", "is_begun"), [(5_000, True), (1_700, False)])
    def test_a_section_that_no_piece_holds_is_begun_behind_a_short_one(
        self, call: CallTool, collection: Collection, paragraphs: int, is_begun: bool
    ) -> None:
        """A section of 6,800 tokens is left for the next piece, which has it whole."""
        put(
            collection,
            {"long.md": f"# Long\n\n{'Few words. ' * 700}\n\n## Most of it\n\n" + "One paragraph.\n\n" * paragraphs},
        )
        text = text_of(call("get_doc_page", path="long.md"))
        assert ("One paragraph." in text) is is_begun
        assert (estimate_tokens(text) > 7_000) is is_begun

    def test_it_says_how_a_long_page_goes_on(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"long.md": "# One\n\n" + "One paragraph.\n\n" * 5000})
        text = text_of(call("get_doc_page", path="long.md"))
        assert estimate_tokens(text) <= 8_000
        assert 'next: get_doc_page(path="long.md", cursor="' in text

    def test_it_refuses_a_cursor_of_another_page_or_caller(self, call: CallTool, collection: Collection) -> None:
        put(
            collection,
            {"long.md": "# One\n\n" + "One paragraph.\n\n" * 5000, "other.md": "# Two\n\n" + "More.\n\n" * 5000},
        )
        stranger = make_principal(collection)
        cursor = data_of(call("get_doc_page", path="long.md", format="json"))["next_cursor"]
        assert not call("get_doc_page", path="long.md", cursor=cursor).get("isError")
        for other in (
            call("get_doc_page", path="other.md", cursor=cursor),
            call("get_doc_page", principal=stranger, path="long.md", cursor=cursor),
        ):
            assert error_of(other)["code"] == "INVALID_PARAMETER"

    def test_it_names_close_paths_for_one_that_is_not_there(self, call: CallTool) -> None:
        error = error_of(call("get_doc_page", path="start/giude.md"))
        assert error["code"] == "DOCUMENT_NOT_FOUND"
        assert "start/guide.md" in error["message"]

    def test_it_lists_the_collections_that_share_a_path(self, call: CallTool, collection: Collection) -> None:
        put(make_collection("other", tenant=collection.tenant), {"faq.md": "# Other\n\nWords.\n"})
        error = error_of(call("get_doc_page", path="faq.md"))
        assert error["code"] == "INVALID_PARAMETER"
        assert error["details"]["paths"] == ["manual:faq.md", "other:faq.md"]
        assert "# Other" in text_of(call("get_doc_page", path="other:faq.md"))

    def test_it_does_not_find_a_document_removed_meanwhile(self, call: CallTool, collection: Collection) -> None:
        from collections_app.ingest import remove_documents

        remove_documents(collection, [Document.objects.get(path="faq.md").pk])
        assert error_of(call("get_doc_page", path="faq.md"))["code"] == "DOCUMENT_NOT_FOUND"


CODE = "".join(f"    line_{n} = call({n})\n" for n in range(900))
ROWS = "".join(f"| row {n} | what it says |\n" for n in range(900))


class TestPieces:
    def read(self, call: CallTool, path: str, max_tokens: int = 1_000) -> list[str]:
        """The bodies of the answers in Markdown, by their cursors to the last one; each within the budget."""
        bodies: list[str] = []
        cursor = None
        while True:
            text = text_of(call("get_doc_page", path=path, max_tokens=max_tokens, cursor=cursor))
            assert estimate_tokens(text) <= max_tokens
            following = re.search(r"\n\n\[the page goes on; next: get_doc_page\(.*, cursor=\"(.*)\"\)\]\Z", text)
            body = text.partition("\n\n")[2]
            bodies.append(body[: following.start() - len(text)] if following else body)
            if following is None:
                return bodies
            cursor = following[1]

    @pytest.mark.parametrize(
        ("opening", "closing"), [("```python", "```"), ("~~~~", "~~~~"), ("> ```sh", "> ```"), ("- ```py", "  ```")]
    )
    @pytest.mark.parametrize("max_tokens", [200, 1_000])
    def test_each_is_markdown_by_itself_where_code_is_cut(
        self, call: CallTool, collection: Collection, opening: str, closing: str, max_tokens: int
    ) -> None:
        mark = closing.rstrip("`~")
        code = "".join(f"{mark}{line}\n" for line in CODE.splitlines())
        put(collection, {"code.md": f"# Code\n\nBefore.\n\n{opening}\n{code}{closing}\n\nAfter.\n"})
        bodies = self.read(call, "code.md", max_tokens)
        assert len(bodies) > 4
        for body in bodies:
            assert find_open_fence(body) == ""
        assert all(body.startswith(f"{mark}{opening[len(mark) :]}\n") for body in bodies[1:-1])
        assert re.findall(r"line_(\d+) = call\(\d+\)", "\n".join(bodies)) == [str(n) for n in range(900)]
        data = iter_data(call, "get_doc_page", path="code.md", max_tokens=max_tokens)
        assert "".join(each["content"] for each in data) == Document.objects.get(path="code.md").content

    def test_each_has_the_head_of_a_table_that_is_cut(self, call: CallTool, collection: Collection) -> None:
        head = "| name | meaning |\n|---|:-:|\n"
        put(collection, {"table.md": f"# Table\n\n{head}{ROWS}\nAfter.\n"})
        bodies = self.read(call, "table.md")
        assert len(bodies) > 3
        assert all(body.startswith(head) for body in bodies[1:])
        assert re.findall(r"row (\d+)", "\n".join(bodies)) == [str(n) for n in range(900)]

    def test_none_ends_in_a_heading_that_has_nothing_below_it(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(f"## Part {n}\n\n### Detail {n}\n\n{'some words ' * (20 + n)}\n\n" for n in range(90))
        put(collection, {"long.md": f"# Long\n\n{parts}", "one.md": f"# One\n\n## Two\n\n{'word ' * 3_000}\n"})
        for path in ("long.md", "one.md"):
            for body in self.read(call, path, 300):
                assert not body.rstrip().splitlines()[-1].startswith("#")

    def test_sections_end_before_such_a_heading_too(self, call: CallTool, collection: Collection) -> None:
        parts = "".join(f"### Detail {n}\n\n{'some words ' * (20 + n)}\n\n" for n in range(90))
        put(collection, {"long.md": f"# Long\n\n## Part\n\n{parts}"})
        for max_tokens in range(200, 400, 20):
            text = text_of(call("read_sections", path="long.md", section_ids=["long/part"], max_tokens=max_tokens))
            assert not text.rpartition("\n\n[cut after")[0].splitlines()[-1].startswith("#")

    def test_the_notice_of_cut_sections_stands_outside_their_code(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"code.md": f"# Code\n\n```python\n{CODE}```\n"})
        text = text_of(call("read_sections", path="code.md", section_ids=["code"], max_tokens=500))
        assert estimate_tokens(text) <= 500
        assert "\n```\n\n[cut after" in text


class TestCursors:
    def test_one_is_refused_beside_sections(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"long.md": LONG})
        cursor = data_of(call("get_doc_page", path="long.md", format="json"))["next_cursor"]
        error = error_of(call("get_doc_page", path="long.md", sections=["one"], cursor=cursor))
        assert error["code"] == "INVALID_PARAMETER"
        assert "without sections" in error["message"]

    @pytest.mark.parametrize("tool", ["get_doc_page", "table_of_contents"])
    def test_one_of_an_older_version_is_refused_with_what_to_call(
        self, call: CallTool, collection: Collection, tool: str
    ) -> None:
        put(collection, {"long.md": LONG})
        cursor = data_of(call(tool, path="long.md", format="json"))["next_cursor"]
        put(collection, {"long.md": f"{LONG}More.\n"})
        error = error_of(call(tool, path="long.md", cursor=cursor))
        assert error["code"] == "INVALID_PARAMETER"
        assert "long.md has changed since this cursor was made" in error["message"]
        assert f'Begin again: {tool}(path="long.md")' in error["message"]

    def test_the_next_call_keeps_the_budget(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"long.md": LONG})
        text = text_of(call("get_doc_page", path="long.md", max_tokens=500))
        assert 'next: get_doc_page(path="long.md", max_tokens=500, cursor="' in text


class TestSmallBudgets:
    @pytest.mark.parametrize("max_tokens", [100, 110, 130])
    def test_there_is_text_below_the_heading_where_the_words_are(
        self, call: CallTool, collection: Collection, max_tokens: int
    ) -> None:
        part = f"## Pinning a package to one of the indexes\n\nA package can be pinned. {'some words ' * 900}"
        put(collection, {"guide/concepts/indexes.md": f"---\ntitle: Package indexes\n---\n# All\n\nWords.\n\n{part}\n"})
        text = text_of(
            call("get_doc_page", path="guide/concepts/indexes.md", near="pinning package", max_tokens=max_tokens)
        )
        assert estimate_tokens(text) <= max_tokens
        assert "## Pinning a package to one of the indexes\n\nA package can" in text


class TestFragments:
    @pytest.mark.parametrize("tool", ["get_doc_page", "table_of_contents"])
    def test_one_that_the_page_does_not_have_is_told(self, call: CallTool, tool: str) -> None:
        text = text_of(call(tool, path="start/guide.md#guide/instal"))
        assert '[there is no section "guide/instal" here; the closest: guide/install' in text
        assert ('table_of_contents(path="start/guide.md") lists those there are]' in text) == (tool == "get_doc_page")
        assert ("Configure" in text) == (tool == "table_of_contents")
        data = data_of(call(tool, path="start/guide.md#guide/instal", format="json"))
        assert (data["missing_section"], data["close_sections"][0]) == ("guide/instal", "guide/install")

    def test_a_section_called_so_on_another_page_is_told(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"server.md": "# Server\n\n## server.proxy\n\nWhere to.\n\n## Usage\n\nRun it.\n"})
        put(
            collection, {f"{name}.md": f"# {name.title()}\n\n## Usage\n\nWords.\n" for name in ("tide", "wind", "sail")}
        )
        told = "on another page: server.md#server-proxy"
        assert told in text_of(call("get_doc_page", path="empty.md#server-proxy"))
        data = data_of(call("get_doc_page", path="empty.md#server-proxy", format="json"))
        assert data["elsewhere"] == ["server.md#server-proxy"]
        assert "Where to." in text_of(call("get_doc_page", path=data["elsewhere"][0]))
        assert "on another page" not in text_of(call("get_doc_page", path="empty.md#usage"))

    @pytest.mark.parametrize("max_tokens", [100, 200, 400])
    @pytest.mark.parametrize("form", ["markdown", "json"])
    @pytest.mark.parametrize("fragment", ["x", "guide/instal", "長" * 300, "a b" * 300])
    def test_that_stays_within_the_budget(
        self, call: CallTool, collection: Collection, fragment: str, form: str, max_tokens: int
    ) -> None:
        put(collection, {"long.md": LONG})
        result = call("get_doc_page", path=f"long.md#{fragment}", max_tokens=max_tokens, format=form)
        assert not result.get("isError")
        assert estimate_tokens(result["content"][0]["text"]) <= max_tokens

    @pytest.mark.parametrize(
        ("fragment", "words", "section_id"),
        [
            ("confval-addopts", "addopts", "settings/options/addopts"),
            ("std-confval-log_level", "log_level", "settings/options"),
            ("cmdoption-tool-maxfail", "maxfail", "settings/flags/maxfail-num"),
            ("cmdoption-import-mode", "import-mode", "settings/flags/import-mode-mode"),
            ("tool.Config.getini", "getini", "settings/flags"),
            ("reading-ini-files", "reading-ini-files", "settings/flags"),
        ],
    )
    def test_one_that_no_section_is_called_by_is_looked_for_by_its_words(
        self, call: CallTool, collection: Collection, fragment: str, words: str, section_id: str
    ) -> None:
        options = "## Options\n\n- **log_level**: how much.\n\n### `addopts`\n\nMore, such as `--maxfail`.\n\n"
        flags = "## Flags\n\nCall `getini` for reading of ini files.\n\n### --maxfail=NUM\n\nStop.\n\n### --import-mode=MODE\n\nHow.\n"
        put(collection, {"settings.md": f"# Settings\n\nWords.\n\n{options}{flags}"})
        path = f"settings.md#{fragment}"
        text = text_of(call("get_doc_page", path=path))
        found = f'this is where "{words}" stands, in section_id: {section_id}; the whole page: get_doc_page(path="settings.md")]'
        assert f'[there is no section "{fragment}" here; {found}' in text
        data = data_of(call("get_doc_page", path=path, format="json"))
        assert (data["missing_section"], data["near"], data["from_section"]) == (fragment, words, section_id)
        assert "Words." not in data["content"]

    @pytest.mark.parametrize("tool", ["get_doc_page", "table_of_contents"])
    @pytest.mark.parametrize(
        "fragment", ["L20", "L20-L30", "L3C5-L4C1", "L20-30", "lines-20:30", "content", "Main", "top", "readme"]
    )
    def test_lines_of_its_source_and_the_beginning_of_any_page_are_none(
        self, call: CallTool, tool: str, fragment: str
    ) -> None:
        assert text_of(call(tool, path=f"start/guide.md#{fragment}")) == text_of(call(tool, path="start/guide.md"))

    @pytest.mark.parametrize("fragment", ["L2", "content"])
    def test_a_section_may_be_called_so(self, call: CallTool, collection: Collection, fragment: str) -> None:
        put(collection, {"cache.md": "# Cache\n\nWords.\n\n## L2\n\nShared.\n\n## Content\n\nAll.\n"})
        data = data_of(call("get_doc_page", path=f"cache.md#{fragment}", format="json"))
        assert data["from_section"] == f"cache/{fragment.lower()}"

    @pytest.mark.parametrize(
        ("fragment", "beginning"),
        [
            (":~:text=the%20package%20manager", "Use the package manager."),
            (":~:text=Use%20the-,package%20manager,-.", "Use the package manager."),
            (":~:text=package%20manager,Configure&text=Write", "Use the package manager."),
            ("gone:~:text=package%20manager", "Use the package manager."),
            ("configure:~:text=package%20manager", "## Configure"),
            (":~:text=nowhere", "# Guide"),
            (":~:text=", "# Guide"),
            (":~:", "# Guide"),
        ],
    )
    def test_words_that_a_browser_would_look_for_are_looked_for(
        self, call: CallTool, fragment: str, beginning: str
    ) -> None:
        path = f"start/guide.md#{fragment}"
        data = data_of(call("get_doc_page", path=path, format="json"))
        assert data["content"].startswith(beginning)
        assert "missing_section" not in data
        assert "there is no section" not in text_of(call("table_of_contents", path=path))

    def test_words_that_stand_apart_are_not_what_it_names(self, call: CallTool, collection: Collection) -> None:
        put(collection, {"apart.md": f"# Apart\n\nThe first.\n\n## B\n\n{'x ' * 900}\n\n## C\n\nThe second.\n"})
        assert data_of(call("get_doc_page", path="apart.md#first-second", format="json"))["content"] == ""

    def test_the_contents_of_a_page_lead_to_the_one_that_its_address_names(self, call: CallTool) -> None:
        text = text_of(call("table_of_contents", path="start/guide.md#linux"))
        assert 'Next: read_sections(path="start/guide.md", section_ids=["guide/install/linux"])' in text

    @pytest.mark.parametrize(
        ("fragment", "section"),
        [
            ("pool_disconnects", "pooling/disconnects"),
            ("pool-disconnects", "pooling/disconnects"),
            ("pool_recycle", "pooling/pool-recycle"),
            ("kept_as_it_is", "pooling/kept"),
        ],
    )
    def test_a_label_is_known_with_underscores_too(
        self, call: CallTool, collection: Collection, fragment: str, section: str
    ) -> None:
        parts = "".join(f"## {name}\n\n{name} it.\n\n" for name in ("Disconnects {#pool-disconnects}", "pool_recycle"))
        put(
            collection,
            {"pooling.md": f"# Pooling\n\nWords.\n\n{parts}## Kept {{#kept_as_it_is}}\n\n## kept as it is\n"},
        )
        path = f"pooling.md#{fragment}"
        assert data_of(call("get_doc_page", path=path, format="json"))["from_section"] == section
        assert section in text_of(call("table_of_contents", path=path)).rpartition("Next: ")[2]
        assert f"[section_id: {section}" in text_of(call("read_sections", path="pooling.md", section_ids=[path]))

    @pytest.mark.parametrize(
        "address", ["pooling/", "/pooling/", "pooling/?x=1", "pooling/index.html", "pooling.html", "pooling"]
    )
    def test_it_is_known_behind_each_way_of_calling_a_page(
        self, call: CallTool, collection: Collection, address: str
    ) -> None:
        put(collection, {"pooling.mdx": "# Pooling\n\nWords.\n\n## Kept\n\nIt is kept.\n"})
        assert data_of(call("get_doc_page", path=f"{address}#kept", format="json"))["from_section"] == "pooling/kept"
        assert 'there is no section "gone"' in text_of(call("get_doc_page", path=f"{address}#gone"))

    def test_the_link_of_a_schema_in_an_api_leads_to_it(self, call: CallTool, collection: Collection) -> None:
        schemas = "Pet: {description: Barks.}, Box: {properties: {pet: {$ref: '#/components/schemas/Pet'}}}"
        put(
            collection, {"api.yaml": f"openapi: 3.0.0\ninfo: {{title: Pets}}\ncomponents: {{schemas: {{{schemas}}}}}\n"}
        )
        text = text_of(call("read_sections", path="api.yaml", section_ids=["pets/schemas/box"]))
        (link,) = re.findall(r"\[`Pet`\]\((#[^)]+)\)", text)
        assert "### Pet\n\nBarks." in text_of(call("get_doc_page", path=f"api.yaml{link}"))
        assert "Barks." in text_of(call("read_sections", path="api.yaml", section_ids=[link[1:]]))

    def test_the_anchor_of_a_heading_in_html_is_known(self, call: CallTool, collection: Collection) -> None:
        html = (
            "<html><body><main><h1>Page</h1><p>First.</p><h2 id='x-1'>The second</h2><p>Words.</p></main></body></html>"
        )
        put(collection, {"page.html": html})
        assert data_of(call("get_doc_page", path="page.html#x-1", format="json"))["from_section"] == "page/the-second"
        assert "Words." in text_of(call("read_sections", path="page.html", section_ids=["#x-1"]))


blocks = st.sampled_from(
    [
        "Some words of it.\n\n",
        "word " * 60 + "\n\n",
        "```python title=x\n" + "a = 1\n\n" * 30 + "```\n\n",
        "- point\n\n  ~~~~\n" + "  b\n" * 40 + "  ~~~~\n\n",
        "> ```\n" + "> c\n" * 40 + "> ```\n\n",
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 30 + "\n",
        "## Part\n\n",
        "### Detail\n\n",
        "全文検索の設定" * 20 + "\n\n",
    ]
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(blocks, min_size=1, max_size=15), max_tokens=st.sampled_from([150, 250, 400]))
def test_whatever_stands_in_a_page_its_pieces_are_within_the_budget_and_whole(
    call: CallTool, collection: Collection, parts: list[str], max_tokens: int
) -> None:
    content = "# Page\n\n" + "".join(parts)
    put(collection, {"page.md": content})
    data = iter_data(call, "get_doc_page", path="page.md", max_tokens=max_tokens)
    assert "".join(each["content"] for each in data) == content
    for body in TestPieces().read(call, "page.md", max_tokens):
        assert find_open_fence(body) == ""


SETTINGS = (
    "# Settings\n\n## Variables\n\n"
    + "".join(f"- `ship.sail{n}`: how many of sail {n} there are.\n\n  The default is {n}.\n\n" for n in range(1500))
    + "- `ship.anchor.depth`: how deep it goes.\n\n  The default depth is 40.\n\n"
    + "".join(f"- `ship.oar{n}`: another one.\n\n" for n in range(1500))
    + "## Other\n\nThe anchor of other ships.\n"
)

LOAD = """# Loads

## Kinds

By default a `LoadTimeRule` has a load-time or a loadtime; see `LOAD_TIME`.

## SPARE_LOAD_TIME

The default is that of LOAD_TIME.

## LOAD_TIME

Default: 40.

## Rigging 2.10

### Changes

The keel. What changes in 2.1 is below.

## Rigging 2.1

### Changes

The boom.
"""


class TestNear:
    @pytest.fixture(autouse=True)
    def settings(self, collection: Collection) -> None:
        put(collection, {"settings.md": SETTINGS, "short.md": "# Short\n\nA sail.\n"})

    @pytest.mark.parametrize(
        "words", ["ship.anchor.depth", "default anchor depth", "how deep does the ship.anchor.depth go"]
    )
    def test_it_begins_at_the_paragraph_with_the_words(self, call: CallTool, words: str) -> None:
        text = text_of(call("get_doc_page", path="settings.md", near=words, max_tokens=500))
        assert f'[from where "{words}" stands on, in section_id: settings/variables]\n\n- `ship.anchor.depth`' in text
        assert "The default depth is 40." in text

    @pytest.mark.parametrize(
        ("words", "heading"),
        [
            ("LOAD_TIME", "## LOAD_TIME"),  # not the name that it is part of, nor one with more of its spellings
            ("LOAD_TIME default", "## LOAD_TIME"),
            ("what is the default of `LOAD_TIME`?", "## LOAD_TIME"),
            ("SPARE_LOAD_TIME", "## SPARE_LOAD_TIME"),
            ("Rigging 2.1 changes", "### Changes\n\nThe boom"),  # by the heading above
            ("changes of 2.10", "### Changes\n\nThe keel"),
        ],
    )
    def test_a_section_that_is_called_so_comes_first(
        self, collection: Collection, call: CallTool, words: str, heading: str
    ) -> None:
        put(collection, {"load.md": LOAD})
        text = text_of(call("get_doc_page", path="load.md", near=words))
        assert f"]\n\n{heading}" in text
        assert "not here" not in text

    def test_a_section_that_is_called_so_is_read_from_its_heading_on(
        self, collection: Collection, call: CallTool
    ) -> None:
        parts = "The program ends with a number other than zero.\n\n" * 4 + "This is the exit code.\n\n" * 9
        put(collection, {"run.md": f"# Run\n\nx\n\n## Exit code\n\n{parts}"})
        text = text_of(call("get_doc_page", path="run.md", near="exit code", max_tokens=100))
        assert "]\n\n## Exit code\n\nThe program ends" in text

    @pytest.mark.parametrize(
        "entry",
        [
            "- **rig.jib**: Which jib.",
            "  - `rig.jib`, `rig.j`: Which jib.",
            "| rig.jib | Which jib. |",
            "**`rig.jib`**\n  Which jib.",
            "- rig.jib (text): Which jib.",
            "> 1. *Rig.Jib* = Which jib.",
            "rig.jib <name> [ <size> ]\n  Which jib.",
            "no rig.jib\nrig.jib <name>\n  Which jib.",
            "rig.jib(<n>)\nrig0.jib\nrig1.jib\nrig2.jib\n  Which jib.",
            "rig.jib (a text)\n: Which jib.",
        ],
    )
    def test_an_entry_that_is_called_so_comes_before_mentions(
        self, collection: Collection, call: CallTool, entry: str
    ) -> None:
        mentions = "If `rig.jib` is set, `rig.jib` counts.\n\n- `rig.jib=4` is fast.\n\n| a | b |\n|---|---|\n| x | rig.jib: |\n"
        mentions += "\nThere are\n  - rig.jib\n  - rig.jibs\n"
        others = "\n".join(f"- **rig.other{number}**: Another one." for number in range(300))
        put(collection, {"rig.md": f"# Rig\n\n{mentions}\n{others}\n\n## More\n\n{entry}\n\nThe end.\n"})
        text = text_of(call("get_doc_page", path="rig.md", near="rig.jib", max_tokens=200))
        assert f"section_id: rig/more]\n\n{entry}" in text

    @pytest.mark.parametrize("entry", ["- rig_jib(<size>) [4 bytes]\n  Which jib.", "rig_jib(<size>)\n  Which jib."])
    @pytest.mark.parametrize("words", ["rig_jib(<size>)", "rig_jib(size)", "rig_jib()"])
    def test_of_a_name_with_arguments_the_name_is_looked_for(
        self, collection: Collection, call: CallTool, entry: str, words: str
    ) -> None:
        put(
            collection,
            {"rig.md": f"# Rig\n\nA size is a number.\n\n## Sails\n\nSet rig_jib().\n\n## More\n\n{entry}\n"},
        )
        assert f"section_id: rig/more]\n\n{entry}" in text_of(call("get_doc_page", path="rig.md", near=words))

    @pytest.mark.parametrize(
        ("words", "entry"),
        [
            ("rig.jib default value", "- **rig.jib**: Which jib."),
            ("what is the default of rigJib?", "- **rig.jib**: Which jib."),
            ("which sheet bend does a sail have by default", "Sheet bend (of a sail)\n: Which knot."),
            ("the default of sheet bend", "Sheet bend (of a sail)\n: Which knot."),
        ],
    )
    def test_of_a_question_about_an_entry_it_is_the_entry(
        self, collection: Collection, call: CallTool, words: str, entry: str
    ) -> None:
        others = "\n".join(f"- **rig.other{number}**: The default is another value." for number in range(60))
        mentions = (
            f"Each sail has a default value, and {'so on ' * 80}rig.jib and a sheet bend have a default value too."
        )
        put(collection, {"rig.md": f"# Rig\n\n{mentions}\n\n{others}\n\n{entry}\n\n{others}\n"})
        text = text_of(call("get_doc_page", path="rig.md", near=words, max_tokens=300))
        assert f"]\n\n{entry}" in text

    @pytest.mark.parametrize(
        ("part", "begins"),
        [
            ("## More\n\n- **rig.jib**: Which jib.\n", "- **rig.jib**: Which jib."),
            ("## rig.jib\n\nWhich jib.\n", "## rig.jib"),
        ],
    )
    def test_of_several_sections_it_is_the_one_that_describes_a_name_of_the_question(
        self, collection: Collection, call: CallTool, part: str, begins: str
    ) -> None:
        general = "## Values\n\nThe default value of rig.jib and others is a number.\n\n" * 3
        put(collection, {"rig.md": f"# Rig\n\nText.\n\n{general}{part}\n{general}"})
        text = text_of(call("get_doc_page", path="rig.md", near="rig.jib default value", max_tokens=300))
        assert f"]\n\n{begins}" in text
        words = "why is the default value of rig.jib and others a number"
        assert "]\n\nThe default value of" in text_of(call("get_doc_page", path="rig.md", near=words, max_tokens=300))

    def test_what_explains_much_more_of_the_question_comes_before_an_entry(
        self, collection: Collection, call: CallTool
    ) -> None:
        others = "\n".join(f"- **rig.other{number}**: Another." for number in range(60))
        told = "Reefing in a storm shortens the sail, and frees the halyard of rig.jib."
        put(collection, {"rig.md": f"# Rig\n\n- **rig.jib**: Which.\n\n{others}\n\n{told}\n"})
        words = "does reefing in a storm free the halyard of rig.jib"
        assert f"]\n\n{told}" in text_of(call("get_doc_page", path="rig.md", near=words, max_tokens=300))

    def test_other_sections_that_have_the_entry_are_named(self, collection: Collection, call: CallTool) -> None:
        parts = [
            f"## The foremost sail of the ship {number}\n\nOf it.\n\n- `enabled`: Sail {number} is set.\n"
            for number in range(8)
        ]
        put(collection, {"rig.md": "\n".join(["# Rig\n\nIt is enabled.\n", *parts])})
        text = text_of(call("get_doc_page", path="rig.md", near="enabled"))
        named = ", ".join([*(f"rig/the-foremost-sail-of-the-ship-{number}" for number in range(1, 6)), "…"])
        assert (
            f"in section_id: rig/the-foremost-sail-of-the-ship-0; others of that name: {named}]\n\n- `enabled`: Sail 0"
            in text
        )
        data = data_of(call("get_doc_page", path="rig.md", near="enabled", format="json"))
        assert data["namesakes"] == named.split(", ")
        small = text_of(call("get_doc_page", path="rig.md", near="enabled", max_tokens=160))
        assert "others of that name: 7 sections]" in small
        assert "others of that name" not in text_of(call("get_doc_page", path="rig.md", near="sail 3 set"))

    def test_the_head_of_a_long_table_is_no_place(self, collection: Collection, call: CallTool) -> None:
        rows = "\n".join(f"| sail {number} | canvas | {number} m |" for number in range(60))
        table = f"| Name | Cloth | Size |\n| --- | --- | --- |\n{rows}\n| jib | silk | 3 m |\n{rows}\n"
        put(collection, {"sails.md": f"# Sails\n\n{table}"})
        begins = "| Name | Cloth | Size |\n| --- | --- | --- |\n"
        text = text_of(call("get_doc_page", path="sails.md", near="name and size of the jib", max_tokens=300))
        assert f"]\n\n{begins}| jib | silk | 3 m |" in text
        text = text_of(call("get_doc_page", path="sails.md", near="name and size", max_tokens=300))
        assert f"]\n\n{begins}| sail 0 |" in text or "]\n\n# Sails" in text

    def test_such_an_entry_comes_before_the_heading_that_has_a_word_of_it(
        self, collection: Collection, call: CallTool
    ) -> None:
        others = "\n".join(f"- **rig.other{number}**: Another one." for number in range(300))
        put(collection, {"rig.md": f"# Rig.jib and others\n\nSet rig.jib.\n\n{others}\n- **rig.jib**: Which jib.\n"})
        text = text_of(call("get_doc_page", path="rig.md", near="rig.jib", max_tokens=200))
        assert "]\n\n- **rig.jib**: Which jib." in text

    @pytest.mark.parametrize(
        ("before", "text"),
        [
            ("The hull is old. " * 50, "A keel is below it."),
            ("A line of ropes.\n" * 50, "Of these a keel is below."),
            ("word " * 300, "keel below it."),
            ("船体は古い。" * 100, "下の keel は below です。"),
        ],
    )
    def test_it_begins_so_near_that_a_small_answer_has_the_words(
        self, collection: Collection, call: CallTool, before: str, text: str
    ) -> None:
        put(collection, {"hull.md": f"# Hull\n\n{before}{text}\n"})
        assert f"]\n\n{text}" in text_of(call("get_doc_page", path="hull.md", near="keel below", max_tokens=150))

    def test_words_of_asking_are_not_looked_for(self, collection: Collection, call: CallTool) -> None:
        text = "# Work\n\n## Stamps\n\nA chord. Each is different.\n\n## Kinds\n\nA chord and a group.\n"
        put(collection, {"work.md": text})
        answer = text_of(call("get_doc_page", path="work.md", near="What is the difference of chord and group"))
        assert "section_id: work/kinds]" in answer

    def test_of_sections_with_as_many_of_the_words_it_is_the_one_that_was_asked_for(
        self, collection: Collection, call: CallTool
    ) -> None:
        text = "# Work\n\n## Kinds\n\nA chord and a group.\n\n### Group\n\nNo chord is a group.\n"
        put(collection, {"work.md": text})
        asked = {"path": "work.md", "near": "chord or group"}
        assert "section_id: work/kinds]" in text_of(call("get_doc_page", sections=["kinds"], **asked))
        assert "section_id: work/kinds/group]" in text_of(call("get_doc_page", **asked))

    @pytest.mark.parametrize("words", ["mooring lines", "Mooring-line", "the `mooring` lines"])
    def test_of_sections_with_as_many_of_the_words_it_is_the_one_where_they_stand_as_asked(
        self, collection: Collection, call: CallTool, words: str
    ) -> None:
        others = "Lines for a mooring. A mooring has lines. Mooring. Lines.\n\n" * 9
        own = f"{others}{'Ropes are long. ' * 90}\n\nThrow the _mooring_ lines\nfirst.\n"
        put(collection, {"work.md": f"# Work\n\n## Ropes\n\n{others}## Land\n\n{own}\n## More\n\n{others}"})
        text = text_of(call("get_doc_page", path="work.md", near=words, max_tokens=200))
        assert "section_id: work/land]\n\nThrow the _mooring_ lines\nfirst." in text

    def test_a_heading_that_has_a_word_of_them_is_begun_with_where_it_is_near(
        self, collection: Collection, call: CallTool
    ) -> None:
        text = f"# Work\n\n## Late acks\n\n{'Something else. ' * 40}\n\nThey are enabled.\n\nBy late acks they are enabled.\n"
        put(collection, {"work.md": text})
        asked = {"path": "work.md", "near": "late acks enabled"}
        assert "]\n\n## Late acks" in text_of(call("get_doc_page", **asked))
        assert "]\n\nBy late acks" in text_of(call("get_doc_page", **asked, max_tokens=300))

    def test_a_table_of_contents_has_none_of_them(self, collection: Collection, call: CallTool) -> None:
        text = "# Queues\n\n- [Jobs](#jobs)\n- [Delay](#delay)\n\n## Jobs\n\nOne.\n\n## Delay\n\nA job may have one.\n"
        put(collection, {"queues.md": text})
        assert "section_id: queues/delay]" in text_of(call("get_doc_page", path="queues.md", near="delay a job"))

    @pytest.mark.parametrize(
        ("words", "place"),
        [
            ("--hoist", "run/second]\n\nUse `--hoist`"),
            ("hoist", "run/first]"),
            ("@Moored", "run/second]"),
            ("$moored", "run/second]"),
            ("${moored}", "run/second]"),
            ("#each", "run/third]"),
            ("rows of #each", "run/third]"),
        ],
    )
    def test_a_name_with_a_sigil_is_where_it_is_written_so_or_else_without_it(
        self, call: CallTool, collection: Collection, words: str, place: str
    ) -> None:
        text = "# Run\n\nOf each.\n\n## First\n\nHoist.\n\n## Second\n\nUse `--hoist` to be moored.\n\n## Third\n\nAn `#each` of rows.\n"
        put(collection, {"sigils.md": text})
        assert f"section_id: {place}" in text_of(call("get_doc_page", path="sigils.md", near=words, max_tokens=200))

    def test_words_that_are_not_there_are_told(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="short.md", near="what is the sail of SHIP_TIMES"))
        assert (
            '[from where most of "what is the sail of SHIP_TIMES" stands on, in section_id: short; not here: ship_times]'
            in text
        )
        data = data_of(call("get_doc_page", path="short.md", near="sail of the SHIP_TIMES", format="json"))
        assert (data["from_section"], data["missing_words"]) == ("short", ["ship_times"])

    def test_words_of_the_headings_above_are_there(self, collection: Collection, call: CallTool) -> None:
        put(collection, {"hull.md": "# Hull\n\n## Keel\n\nIt is of oak.\n"})
        data = data_of(call("get_doc_page", path="hull.md", sections=["keel"], near="hull oak", format="json"))
        assert "missing_words" not in data

    @pytest.mark.parametrize(
        ("words", "text", "missing"),
        [
            ("0x80070105", "- 0x80070105: fails in step 105", []),
            ("0x8007FFFF sail", "Of every sail", ["0x8007ffff"]),
            ("confidential sail", "Of every sail", ["confidential"]),
        ],
    )
    def test_what_only_begins_like_a_word_is_not_it(
        self, collection: Collection, call: CallTool, words: str, text: str, missing: list[str]
    ) -> None:
        codes = "\n".join(f"- 0x80070{number:03}: fails in step {number}" for number in range(1, 200))
        put(collection, {"codes.md": f"# Codes\n\nOf every sail. Configure the ship first.\n\n{codes}\n"})
        data = data_of(call("get_doc_page", path="codes.md", near=words, format="json"))
        assert data["content"].lstrip().startswith(text)
        assert data.get("missing_words", []) == missing

    def test_of_many_words_the_first_that_say_something_are_looked_for(self, call: CallTool) -> None:
        words = f"{'of the ' * 20}{' '.join(f'rope{number:02}' for number in range(19))} sail anchor"
        data = data_of(call("get_doc_page", path="short.md", near=words, format="json"))
        assert data["from_section"] == "short"
        assert data["missing_words"] == [f"rope{number:02}" for number in range(19)]

    def test_a_page_that_has_them_everywhere_is_looked_through_in_part(
        self, collection: Collection, call: CallTool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(word_search, "MAX_PLACES", 100)
        put(collection, {"sails.md": "# Sails\n\n" + "## Sail\n\nsail sail\n\n" * 90 + "## End\n\nA sail and a jib.\n"})
        text = text_of(call("get_doc_page", path="sails.md", near="jib sail"))
        assert "not here" not in text  # nobody looked
        assert "\n\n## Sail" in text

    def test_a_heading_above_many_sections_is_looked_at_once(
        self, collection: Collection, call: CallTool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked_at: list[str] = []

        def split_words(text: str) -> list[str]:
            looked_at.append(text)
            return text.lower().split()

        put(collection, {"deep.md": "# Hull\n\n" + "".join(f"## Part {n}\n\nA keel.\n\n" for n in range(50))})
        monkeypatch.setattr(word_search, "split_words", split_words)
        call("get_doc_page", path="deep.md", near="hull keel")
        assert looked_at.count("Hull") == 1
        assert len(looked_at) < 60

    def test_words_that_say_nothing_are_looked_for_where_there_are_no_others(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="settings.md", near="how many of", max_tokens=500))
        assert "- `ship.sail0`: how many of sail 0 there are." in text

    def test_a_text_without_blanks_is_found_by_its_pairs(self, collection: Collection, call: CallTool) -> None:
        put(collection, {"ja.md": "# 索引\n\n## 概要\n\n本文です。\n\n## 検索\n\n文書の検索方法です。\n"})
        assert "]\n\n文書の" in text_of(call("get_doc_page", path="ja.md", near="文書の検索方法"))

    def test_it_goes_on_from_there_to_the_end_of_what_was_asked_for(self, call: CallTool) -> None:
        asked = {"sections": ["variables"], "near": "ship.anchor.depth"}
        data = data_of(call("get_doc_page", path="settings.md", format="json", **asked))
        pieces = [data["content"]]
        while cursor := data["next_cursor"]:
            data = data_of(call("get_doc_page", path="settings.md", cursor=cursor, format="json"))
            pieces.append(data["content"])
        assert "".join(pieces) == SETTINGS[SETTINGS.index("- `ship.anchor.depth`") : SETTINGS.index("## Other")]

    def test_it_says_in_json_where_it_begins(self, call: CallTool) -> None:
        data = data_of(call("get_doc_page", path="settings.md", near="depths of anchors", format="json"))
        assert data["from_section"] == "settings/variables"
        assert data["content"].startswith("- `ship.anchor.depth`")

    def test_words_that_are_nowhere_are_told(self, call: CallTool) -> None:
        text = text_of(call("get_doc_page", path="short.md", near="rudder"))
        assert '[none of the words "rudder" stands here: from the beginning]\n\n# Short' in text
        assert data_of(call("get_doc_page", path="short.md", near="rudder", format="json"))["from_section"] is None

    def test_a_cursor_knows_its_place(self, call: CallTool) -> None:
        assert "not both" in error_of(call("get_doc_page", path="short.md", near="sail", cursor="x"))["message"]
