"""A whole page, by whatever name, and in pieces where it is long."""

from __future__ import annotations

import pytest

from collections_app.models import Collection, Document
from collections_app.parsing.tokens import estimate_tokens
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, iter_data, text_of

pytestmark = pytest.mark.django_db


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
