"""In which language a collection is indexed: found out from its first documents, or chosen, and changed while everything goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from collections_app import jobs
from collections_app.exceptions import InvalidParameter
from collections_app.indexing import fulltext, languages, reindexing
from collections_app.jobs.summary import Summary
from collections_app.models import Collection, Document, Reindexing
from collections_app.provisioning import DEFAULT_TENANT, ensure_collection, get_tenant
from tests.collections_app.text.test_languages import ENGLISH, GERMAN, POLISH
from tests.factories import find_paths, make_collection, put
from tests.index_check import count_terms, get_statistics
from tests.other_thread import start, wait_until_it_waits

GERMAN_PAGES = {
    "eins.md": f"# Verbindungen\n\nDie Verbindungen werden jede Woche geprüft.\n\n{GERMAN * 4}",
    "zwei.md": f"# Berge\n\nAuf den Bergen liegt Schnee.\n\n{GERMAN * 4}",
    "drei.md": f"# Täler\n\nIn den Tälern ist es warm.\n\n{GERMAN * 4}",
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "docs"
    folder.mkdir()
    before = settings.DOCSMCP
    settings.DOCSMCP = before.model_copy(update={"allowed_roots": (tmp_path,)})
    yield folder
    settings.DOCSMCP = before


@pytest.fixture
def unsettled(db: None) -> Collection:
    """As commands make one."""
    return ensure_collection(get_tenant(DEFAULT_TENANT), "handbuch")


@pytest.fixture
def german(db: None) -> Collection:
    """German pages, indexed as English."""
    collection = make_collection()
    put(collection, GERMAN_PAGES)
    assert find_paths(collection, "Verbindung") == []
    return collection


def run(collection: Collection, folder: Path, texts: dict[str, str]) -> Summary:
    for path, text in texts.items():
        (folder / path).write_text(text)
    _, summary = jobs.run_source(jobs.ensure_directory_source(collection, folder))
    collection.refresh_from_db()
    return summary


def test_it_is_found_out_from_the_first_documents(unsettled: Collection, folder: Path) -> None:
    assert run(unsettled, folder, GERMAN_PAGES).language == "german"
    assert (unsettled.language, unsettled.is_language_settled) == ("german", True)
    assert find_paths(unsettled, "Verbindung") == ["eins.md"]
    assert get_statistics(unsettled) == count_terms(unsettled)
    assert not Reindexing.objects.exists()


def test_english_is_what_it_begins_with(unsettled: Collection, folder: Path) -> None:
    assert run(unsettled, folder, {"lift.md": ENGLISH * 8}).language == ""
    assert (unsettled.language, unsettled.is_language_settled) == ("english", True)


def test_what_postgresql_has_no_rules_for_stays_english(unsettled: Collection, folder: Path) -> None:
    assert run(unsettled, folder, {"raz.md": POLISH * 8}).language == ""
    assert (unsettled.language, unsettled.is_language_settled) == ("english", True)


def test_it_is_not_guessed_from_a_few_words(unsettled: Collection, folder: Path) -> None:
    run(unsettled, folder, {"eins.md": "# Verbindungen\n\nDie Verbindungen werden jede Woche geprüft.\n"})
    assert not unsettled.is_language_settled
    assert run(unsettled, folder, GERMAN_PAGES).language == "german"


def test_what_somebody_chose_stays(folder: Path, db: None) -> None:
    chosen = make_collection(language="english")
    assert run(chosen, folder, GERMAN_PAGES).language == ""
    assert chosen.language == "english"


def test_once_found_it_is_not_looked_for_again(unsettled: Collection, folder: Path) -> None:
    run(unsettled, folder, {"lift.md": ENGLISH * 8})
    assert run(unsettled, folder, GERMAN_PAGES).language == ""
    assert unsettled.language == "english"


def test_a_change_holds_for_what_is_there_once_it_is_indexed_anew(german: Collection) -> None:
    assert languages.change_language(german, "german")
    assert languages.rebuild(german)
    assert find_paths(german, "Verbindung") == ["eins.md"]
    assert get_statistics(german) == count_terms(german)
    assert not languages.change_language(german, "german")
    assert not Reindexing.objects.exists()


def test_a_change_holds_at_once_for_what_is_written_by_whoever_does_not_know_it(german: Collection) -> None:
    earlier = Collection.objects.get(pk=german.pk)
    languages.change_language(german, "german")
    assert earlier.language == "english"
    put(earlier, {"vier.md": "# Seile\n\nDie Seile werden geschmiert.\n"})
    assert find_paths(german, "Seil") == ["vier.md"]


def test_answers_that_are_remembered_are_no_longer_true(german: Collection) -> None:
    before = Collection.objects.get(pk=german.pk).index_version
    languages.change_language(german, "german")
    assert Collection.objects.get(pk=german.pk).index_version > before


def test_the_queue_indexes_anew_what_nobody_else_does(german: Collection) -> None:
    languages.change_language(german, "german")
    assert languages.rebuild_due() == 1
    assert find_paths(german, "Verbindung") == ["eins.md"]
    assert languages.rebuild_due() == 0


def test_the_queue_leaves_alone_what_an_operator_has_stopped(german: Collection) -> None:
    Reindexing.objects.create(tenant=german.tenant, collection=german)
    assert languages.rebuild_due() == 0
    assert Reindexing.objects.exists()


def test_whoever_breaks_off_leaves_the_rest_to_the_queue(german: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_DOCUMENTS", 1)
    languages.change_language(german, "german")

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        languages.rebuild(german, stop)
    assert Reindexing.objects.get().done == 1
    assert languages.rebuild_due() == 1
    assert find_paths(german, "Tal") == ["drei.md"]


def test_a_rebuild_under_way_begins_anew(german: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_DOCUMENTS", 1)
    rebuilding = reindexing.rebuild_vectors(german)
    assert [next(rebuilding), next(rebuilding)] == [1, 2]
    languages.change_language(german, "german")
    assert list(rebuilding) == [1, 2, 3]
    assert find_paths(german, "Verbindung") == ["eins.md"]


@pytest.mark.usefixtures("transactional_db")
def test_a_change_waits_for_what_is_being_written() -> None:
    """Else a document that comes in behind the rebuild would keep the earlier language."""
    collection = make_collection()
    put(collection, GERMAN_PAGES)
    with transaction.atomic():
        document = Document.objects.get(path="zwei.md")
        fulltext.index_stored(collection, [document])
        change = start(lambda: languages.change_language(Collection.objects.get(), "german"))
        wait_until_it_waits(change)
        assert not change.done()
        assert Collection.objects.get().language == "english"
    assert change.result()
    assert Collection.objects.get().language == "german"


def test_there_are_so_many_languages(german: Collection) -> None:
    with pytest.raises(InvalidParameter, match="'klingon' is no language that can be indexed"):
        languages.change_language(german, "klingon")
    assert not Reindexing.objects.exists()


def test_of_many_documents_some_are_looked_at(german: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "SAMPLE_DOCUMENTS", 2)
    monkeypatch.setattr(languages, "SAMPLE_CHARACTERS", 20)
    assert [len(text) for text in languages.iter_sample(german)] == [20, 20]
