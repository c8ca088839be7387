"""Which sections stand on a page, and under which ids."""

from __future__ import annotations

import re

import pytest

from collections_app.documents import get_outline
from collections_app.models import Collection, Document
from collections_app.reading import pages
from collections_app.reading.pages import Page, find_page_number, get_page, render_page
from tests.collections_app.reading.inert import assert_inert
from tests.factories import put

pytestmark = pytest.mark.django_db


def get_document(collection: Collection, path: str) -> Document:
    return Document.objects.select_related("collection__tenant").get(collection=collection, path=path)


def render(collection: Collection, text: str, number: int = 1) -> Page:
    put(collection, {"page.md": text})
    page = render_page(collection, get_document(collection, "page.md"), number)
    assert page
    return page


def get_ids(page: Page) -> list[str]:
    return [page.title_id] * bool(page.title_id) + [block.section_id for block in page.blocks if block.rank]


@pytest.mark.parametrize(
    "text",
    [
        "# Guide\n\n## Install\n\n### On Linux\n\n## Install\n",
        "Text first\n\n# Guide\n\n## `code` and *more* {#own-id}\n",
        "# Über uns\n\n## 日本語の見出し\n\n## C++ & C#\n",
        "\n\n# Page\n\ntext\n",
        "# One\n\n# Two\n\n# Two\n",
        "```\n# not a heading\n```\n\n# Heading ##\n\n- # in a list\n",
        "Setext\n======\n\n## ATX\n",
    ],
)
def test_every_section_stands_under_the_id_that_agents_know(docs: Collection, text: str) -> None:
    page = render(docs, text)
    outline = get_outline(get_document(docs, "page.md"))
    assert get_ids(page) == [entry.section_id for entry in outline.entries]


def test_a_first_heading_that_says_the_title_is_the_pages_own(docs: Collection) -> None:
    page = render(docs, "# Page\n\ntext\n\n## Sub\n")
    assert page.title_id == "page"
    assert [(block.heading, block.rank) for block in page.blocks] == [("Page", 0), ("Sub", 2)]
    assert "<h" not in page.blocks[0].html


def test_a_first_heading_that_says_something_else_is_shown(docs: Collection) -> None:
    page = render(docs, "---\ntitle: Title\n---\n# Other\n\ntext\n")
    assert page.title_id == ""
    assert [(block.heading, block.rank) for block in page.blocks] == [("Other", 2)]


def test_a_heading_is_also_found_by_the_names_that_links_use(docs: Collection) -> None:
    page = render(docs, "# Page\n\n## Install\n\n### On Linux\n\n## Other\n\n### On Linux\n")
    assert {block.section_id: block.aliases for block in page.blocks} == {
        "page": (),
        "page/install": ("install",),
        "page/install/on-linux": ("on-linux",),
        "page/other": ("other",),
        "page/other/on-linux": (),
    }


@pytest.mark.parametrize("text", [":::tip\n\n## Install\n\ntext\n\n:::\n", "!!! tip\n\n    text\n\n## Install\n"])
def test_a_heading_in_or_behind_a_box_keeps_its_id(docs: Collection, text: str) -> None:
    page = render(docs, f"# Page\n\n{text}\n\n### On Linux\n")
    assert get_ids(page) == ["page", "page/install", "page/install/on-linux"]
    assert "text" in "".join(block.html for block in page.blocks)


def test_no_alias_is_the_id_of_another_section(docs: Collection) -> None:
    page = render(docs, "# Page\n\n## Install\n\n# Install\n")
    ids = [name for block in page.blocks for name in (block.section_id, *block.aliases)]
    assert len(ids) == len(set(ids))


def test_link_definitions_count_in_every_section(docs: Collection) -> None:
    page = render(docs, "# Page\n\n[here][x]\n\n## Links\n\n[x]: https://example.com/x\n")
    assert 'href="https://example.com/x"' in page.blocks[0].html


def test_links_between_documents_lead_to_their_pages(docs: Collection) -> None:
    page = get_page(docs, get_document(docs, "guide.md"), 1)
    assert page
    html = "".join(block.html for block in page.blocks)
    assert 'href="/docs/acme/docs/ref/api#get-x"' in html
    assert "<a rel" in html  # the licence is no document, and has no source


def test_a_link_appears_as_soon_as_the_document_is_there(docs: Collection) -> None:
    before = render_page(docs, get_document(docs, "guide.md"), 1)
    put(docs, {"LICENSE": "Do what you like.\n"})
    docs.refresh_from_db()
    after = get_page(docs, get_document(docs, "guide.md"), 1)
    assert before
    assert after
    assert 'href="/docs/acme/docs/LICENSE"' not in before.blocks[0].html
    assert 'href="/docs/acme/docs/LICENSE"' in after.blocks[0].html


def test_a_page_is_rendered_once(docs: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    document = get_document(docs, "guide.md")
    first = get_page(docs, document, 1)
    monkeypatch.setattr(pages, "render_page", None)
    assert get_page(docs, document, 1) == first


def test_images_without_a_source_become_their_names(docs: Collection) -> None:
    page = render(docs, "# Page\n\n![The logo](logo.png) ![](x.png)\n")
    assert '<span class="image">Image: The logo</span>' in page.blocks[0].html
    assert '<span class="image">Image: not shown</span>' in page.blocks[0].html
    assert "<img" not in page.blocks[0].html


def test_a_long_document_has_pages_that_begin_with_sections(docs: Collection) -> None:
    sections = [f"## Section {number}\n\n{'Some words. ' * 400}\n\n" for number in range(100)]
    first = render(docs, "# Page\n\n" + "".join(sections))
    document = get_document(docs, "page.md")
    assert first.count > 3
    rendered = [render_page(docs, document, number) for number in range(1, first.count + 1)]
    assert [block.heading for page in rendered if page for block in page.blocks] == [
        "Page",
        *(f"Section {number}" for number in range(100)),
    ]
    assert not any(page.is_cut for page in rendered if page)
    assert [page.beginnings[page.number - 1] for page in rendered if page] == [
        page.blocks[0].heading for page in rendered if page
    ]
    assert render_page(docs, document, first.count + 1) is None
    assert render_page(docs, document, 0) is None


def test_the_page_of_a_section_is_found(docs: Collection) -> None:
    put(docs, {"page.md": "# Page\n\n" + "".join(f"## S{n}\n\n{'word ' * 10_000}\n\n" for n in range(10))})
    document = get_document(docs, "page.md")
    for position in range(11):
        page = render_page(docs, document, find_page_number(document, position))
        assert page
        assert ("Page", *(f"S{n}" for n in range(10)))[position] in [block.heading for block in page.blocks]


def test_a_section_of_five_megabytes_is_shown_in_pieces_of_which_none_is_lost(docs: Collection) -> None:
    lines = [f"line {number} {'x' * 80}" for number in range(55_000)]
    first = render(docs, "# Page\n\n" + "\n".join(lines))
    document = get_document(docs, "page.md")
    assert first.is_cut
    assert first.count > 40
    found: list[int] = []
    for number in (1, 2, 3, first.count):
        page = render_page(docs, document, number)
        assert page
        assert sum(len(block.html) for block in page.blocks) < 300_000
        found += [int(each) for block in page.blocks for each in re.findall(r"line (\d+) ", block.html)]
    assert found[:3_000] == list(range(3_000))
    assert found[-1] == 54_999


def test_a_line_of_five_megabytes_is_cut(docs: Collection) -> None:
    page = render(docs, "# Page\n\n" + "x" * 5_000_000)
    assert page.is_cut
    assert sum(len(block.html) for block in page.blocks) < 300_000


def test_twenty_thousand_headings_stand_on_pages_with_short_contents(docs: Collection) -> None:
    page = render(docs, "".join(f"## H{number}\n\n" for number in range(19_000)))
    assert page.count > 60
    assert len(page.blocks) <= 300
    assert len(page.entries) <= 300


def test_hostile_headings_are_text(docs: Collection) -> None:
    page = render(docs, '# Page\n\n## <script>alert(1)</script> "quoted" <img src=x onerror=alert(1)>\n\ntext\n')
    for block in page.blocks:
        assert_inert(block.html)


def test_an_empty_document_is_an_empty_page(docs: Collection) -> None:
    put(docs, {"empty.md": "---\ntitle: Empty\n---\n"})
    document = Document.objects.filter(collection=docs, path="empty.md").first()
    if document and document.status == Document.Status.SUCCESS:
        page = render_page(docs, document, 1)
        assert page
        assert page.blocks == ()
