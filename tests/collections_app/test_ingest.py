"""Ingest: idempotent, all or nothing per document, and the statistics always those of the index."""

from __future__ import annotations

from collections import Counter
from threading import Event, Thread, current_thread, main_thread
from typing import Any
from urllib.parse import quote

import pytest
from django.db.models import RestrictedError

from collections_app.exceptions import ParseError
from collections_app.indexing.vector_texts import VectorText
from collections_app.ingest import IngestedFile, ingest, remove_documents
from collections_app.models import Collection, Document, Section, SectionVector, Source, TermStatistic
from collections_app.parsing.documents import ParsedDocument, RawDocument
from tests.factories import find_paths, make_collection, put
from tests.index_check import count_terms, get_statistics

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def outcomes(files: list[IngestedFile]) -> dict[str, int]:
    return Counter(str(file.outcome) for file in files)


def test_it_stores_a_document_with_its_sections(collection: Collection) -> None:
    put(
        collection,
        {"guide/a.md": "---\ntitle: Start\nkeywords: [x, y]\nowner: us\n---\n# Start\n\nHello.\n\n## Next\n\nBye.\n"},
    )
    document = Document.objects.get(collection=collection)
    assert (document.title, document.keywords, document.metadata) == ("Start", ["x", "y"], {"owner": "us"})
    assert (document.status, document.category, document.format) == ("success", "guide", "markdown")
    sections = list(Section.objects.filter(document=document))
    assert [s.section_id for s in sections] == ["start", "start/next"]
    assert "".join(s.content for s in sections) == document.content
    assert sections[0].character_count == len(document.content)


def test_it_keeps_headings_with_the_signs_of_arrays_and_of_copies(collection: Collection) -> None:
    headings = ['a "b", c', "{x, y}", "C:\\new\\table", "NULL", "\\N", "a, , b", "it's; 100 %(x)s"]
    put(
        collection,
        {"a.md": "".join(f"{'#' * (n + 1)} {heading}\n\nText.\n\n" for n, heading in enumerate(headings[:6]))},
    )
    put(collection, {"b.md": f"# {headings[6]}\n\nText.\n"})
    deepest = Section.objects.filter(document__path="a.md").latest("level")
    assert deepest.heading_path == headings[:6]
    assert Section.objects.get(document__path="b.md").heading_path == headings[6:]


def test_it_leaves_an_unchanged_document_alone(collection: Collection) -> None:
    put(collection, {"a.md": "# A\n\nText.\n"})
    before = (
        Document.objects.get(),
        list(Section.objects.values_list("pk", flat=True)),
        Collection.objects.get().index_version,
    )
    files = put(collection, {"a.md": "# A\n\nText.\n"})
    after = (
        Document.objects.get(),
        list(Section.objects.values_list("pk", flat=True)),
        Collection.objects.get().index_version,
    )
    assert outcomes(files) == {"unchanged": 1}
    assert before[0].indexed == after[0].indexed
    assert before[1:] == after[1:]


def test_it_replaces_a_changed_document(collection: Collection) -> None:
    put(collection, {"a.md": "# A\n\nOld words about llamas.\n"})
    first = Document.objects.get()
    put(collection, {"a.md": "# A\n\nNew words about alpacas.\n\n## More\n\nText.\n"})
    document = Document.objects.get()
    assert document.pk == first.pk
    assert document.created == first.created
    assert find_paths(collection, "llamas") == []
    assert find_paths(collection, "alpacas") == ["a.md"]
    assert Section.objects.count() == 2


def test_it_keeps_the_statistics_true_through_changes_and_removals(collection: Collection) -> None:
    put(collection, {f"{n}.md": f"# Page {n}\n\nshared words {'even ' * (n % 2)} unique{n}\n" for n in range(20)})
    assert get_statistics(collection) == count_terms(collection)
    put(collection, {f"{n}.md": f"# Page {n}\n\nshared other words\n\n## Sub\n\nmore{n}\n" for n in range(10)})
    assert get_statistics(collection) == count_terms(collection)
    remove_documents(collection, list(Document.objects.filter(path__in=["3.md", "15.md"]).values_list("pk", flat=True)))
    assert get_statistics(collection) == count_terms(collection)
    assert get_statistics(collection)[""] == SectionVector.objects.count() == 9 * 2 + 9


def test_it_does_not_let_a_document_leave_without_its_index(collection: Collection) -> None:
    put(collection, {"a.md": "# A\n\nText.\n"})
    with pytest.raises(RestrictedError):
        Document.objects.get().delete()


def test_it_lets_a_collection_leave_with_everything(collection: Collection) -> None:
    put(collection, {"a.md": "# A\n\nText.\n"})
    collection.delete()
    counts = [model.objects.count() for model in (Document, Section, SectionVector, TermStatistic)]
    assert counts == [0, 0, 0, 0]


def test_it_keeps_a_file_that_cannot_be_read_as_failed_with_the_reason(collection: Collection) -> None:
    files = put(collection, {"bad.md": "---\ntitle: [unclosed\n---\n# X\n", "good.md": "# Good\n\nText.\n"})
    assert outcomes(files) == {"failed": 1, "indexed": 1}
    bad = Document.objects.get(path="bad.md")
    assert (bad.status, bad.error_code) == ("failed", "PARSE_ERROR")
    assert "line" in bad.error_message
    assert find_paths(collection, "good text") == ["good.md"]


def test_it_keeps_serving_the_version_before_a_broken_one(collection: Collection) -> None:
    put(collection, {"a.md": "# A\n\nWords about llamas.\n"})
    assert outcomes(put(collection, {"a.md": b"# A\n\nbroken \x81 text\n"})) == {"failed": 1}
    document = Document.objects.get()
    assert (document.status, document.error_code) == ("success", "PARSE_ERROR")
    assert find_paths(collection, "llamas") == ["a.md"]
    assert outcomes(put(collection, {"a.md": "# A\n\nWords about llamas.\n"})) == {"unchanged": 1}
    assert Document.objects.get().error_code == ""


def test_it_mends_a_failed_document_by_a_good_one(collection: Collection) -> None:
    put(collection, {"a.md": "---\n: [\n---\n"})
    put(collection, {"a.md": "# A\n\nText.\n"})
    document = Document.objects.get()
    assert (document.status, document.error_code, document.error_message) == ("success", "", "")


def test_it_does_not_keep_what_is_no_document(collection: Collection) -> None:
    files = put(collection, {"a.bin": b"\0\1\2", "b.md": b"\0\1\2\3" * 500})
    assert outcomes(files) == {"unsupported": 2}
    assert not Document.objects.exists()


@pytest.mark.parametrize("language", ["english", "simple", "german"])
def test_it_indexes_two_hundred_thousand_different_words_in_one_section(collection: Collection, language: str) -> None:
    collection.language = language
    words = [f"w{n:x}q" for n in range(200_000)]
    files = put(collection, {"many.md": "# Many\n\n" + " ".join(words)})
    assert outcomes(files) == {"indexed": 1}
    assert SectionVector.objects.filter(section__document__path="many.md").count() > 1
    for word in (words[0], words[100_000], words[-1]):
        assert find_paths(collection, word) == ["many.md"]


def test_it_indexes_one_line_of_five_megabytes(collection: Collection) -> None:
    files = put(collection, {"long.md": "# Long\n\n" + "word " * 1_000_000 + "needle", "solid.md": "x" * 5_000_000})
    assert outcomes(files) == {"indexed": 2}
    assert find_paths(collection, "needle") == ["long.md"]


def test_it_indexes_twenty_thousand_headings(collection: Collection) -> None:
    text = "".join(f"# Heading\n\nText {n}.\n\n" for n in range(20_000))
    assert outcomes(put(collection, {"h.md": text})) == {"indexed": 1}
    assert Section.objects.count() == 20_000
    assert Section.objects.values("section_id").distinct().count() == 20_000


def test_it_takes_a_heading_of_five_megabytes(collection: Collection) -> None:
    assert outcomes(put(collection, {"h.md": "# " + "long " * 1_000_000 + "\n\n## Child\n\nText.\n"})) == {"indexed": 1}


def test_it_indexes_han_text_of_any_size(collection: Collection) -> None:
    import random

    characters = random.Random(1).choices([chr(code) for code in range(0x4E00, 0x9F00)], k=400_000)
    text = "".join(characters)
    assert outcomes(put(collection, {"han.md": f"# Han\n\n{text}\n"})) == {"indexed": 1}
    assert find_paths(collection, text[-12:]) == ["han.md"]


def test_it_finds_a_phrase_far_down(collection: Collection) -> None:
    words = " ".join(f"word{n}" for n in range(25_000))
    put(collection, {"long.md": f"# Long\n\n{words} zebra crossing\n"})
    assert find_paths(collection, '"zebra crossing"') == ["long.md"]


def test_the_same_path_in_two_batches_is_the_last_one(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    from collections_app.ingest import batches, ingest

    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    files = [RawDocument("a.md", b"# First\n\nllamas\n"), RawDocument("a.md", b"# Second\n\nalpacas\n")]
    assert outcomes(list(ingest(collection, None, files))) == {"indexed": 2}
    assert find_paths(collection, "llamas") == []
    assert find_paths(collection, "alpacas") == ["a.md"]
    assert get_statistics(collection) == count_terms(collection)


def test_the_last_file_of_a_path_counts_also_where_it_is_the_one_that_was_stored_before(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections_app.ingest import batches, ingest

    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    first, second = RawDocument("a.md", b"# First\n\nllamas\n"), RawDocument("a.md", b"# Second\n\nalpacas\n")
    list(ingest(collection, None, [second]))
    list(ingest(collection, None, [first, second]))
    assert (find_paths(collection, "llamas"), find_paths(collection, "alpacas")) == ([], ["a.md"])


def test_a_document_belongs_to_the_source_that_had_it_last(collection: Collection) -> None:
    from collections_app.ingest import ingest

    sources = [
        Source.objects.create(tenant=collection.tenant, collection=collection, kind="directory", location=location)
        for location in ("/v1", "/v2")
    ]
    for source in sources:
        list(ingest(collection, source, [RawDocument("a.md", b"# A\n")]))
    assert Document.objects.get().source == sources[1]


@pytest.mark.parametrize(("text", "outcome"), [(b"# A\n\nllamas\n", "indexed"), (b"---\ntitle: [\n---\n", "failed")])
def test_it_leaves_out_an_address_that_is_too_long_to_be_kept(
    collection: Collection, text: bytes, outcome: str
) -> None:
    from collections_app.ingest import ingest

    url = "https://example.org/" + quote("вики/" * 100)
    assert len(url) > 2000
    assert outcomes(list(ingest(collection, None, [RawDocument("a.md", text, source_url=url)]))) == {outcome: 1}
    assert Document.objects.get().source_url == ""


def test_it_replaces_nul_characters(collection: Collection) -> None:
    text = "# Title\n\n" + "plain text " * 200 + "a\0b\n"
    assert outcomes(put(collection, {"nul.md": text})) == {"indexed": 1}
    assert "\0" not in Document.objects.get().content


def test_it_writes_the_others_when_the_database_refuses_one(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections_app.indexing import vector_texts

    make = vector_texts.make_vector_texts

    def make_too_much(parsed: ParsedDocument, path: str) -> list[VectorText]:
        texts = make(parsed, path)
        if path != "refused.md":
            return texts
        too_many = " ".join(f"w{n}" for n in range(300_000))
        return [text._replace(body=too_many) for text in texts]

    monkeypatch.setattr(vector_texts, "make_vector_texts", make_too_much)
    files = put(collection, {"a.md": "# A\n\nfirst\n", "refused.md": "# R\n\ntext\n", "z.md": "# Z\n\nlast\n"})
    assert {file.path: str(file.outcome) for file in files} == {
        "a.md": "indexed",
        "refused.md": "failed",
        "z.md": "indexed",
    }
    assert find_paths(collection, "last") == ["z.md"]
    assert get_statistics(collection) == count_terms(collection)


def test_it_reports_a_fault_of_the_parser_as_that_files_failure(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections_app import parsing
    from collections_app.ingest import batch_parser

    parse = parsing.parse

    def fail(raw: RawDocument, *policy: Any) -> object:
        if raw.path == "a.md":
            raise RecursionError
        return parse(raw, *policy)

    monkeypatch.setattr(batch_parser, "parse", fail)
    assert outcomes(put(collection, {"a.md": "# A\n", "b.md": "# B\n\nText.\n"})) == {"failed": 1, "indexed": 1}


def test_it_leaves_the_old_version_whole_when_writing_breaks_off(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections_app.indexing import fulltext

    put(collection, {"a.md": "# A\n\nWords about llamas.\n"})

    def break_off(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fulltext, "replace_in_index", break_off)
    with pytest.raises(KeyboardInterrupt):
        put(collection, {"a.md": "# A\n\nWords about alpacas.\n"})
    assert find_paths(collection, "llamas") == ["a.md"]
    assert "llamas" in Document.objects.get().content
    assert get_statistics(collection) == count_terms(collection)


def test_who_breaks_off_waits_for_no_parser_and_nothing_more_is_parsed(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BrokenOff(Exception):
        pass

    parsing, may_end, threads = Event(), Event(), list[Thread]()
    parsed: list[str] = []

    def parse_slowly(raw: RawDocument, policy: object) -> object:
        threads.append(current_thread())
        parsed.append(raw.path)
        parsing.set()
        may_end.wait()
        raise ParseError("no")

    def break_off() -> None:
        if current_thread() is main_thread() and parsing.is_set():
            raise BrokenOff

    monkeypatch.setattr("collections_app.ingest.batch_parser.parse", parse_slowly)
    files = [RawDocument(f"{name}.md", b"# A\n") for name in ("one", "two")]
    with pytest.raises(BrokenOff):
        list(ingest(collection, None, files, check=break_off))
    [thread] = threads
    assert thread.is_alive()
    assert thread.daemon  # the process may end too
    may_end.set()
    thread.join()
    assert parsed == ["one.md"]
