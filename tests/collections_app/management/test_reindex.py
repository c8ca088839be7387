"""`docsmcp reindex`; what it does to the index is in test_reindexing.py."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from collections_app.clients.embeddings import EmbeddingFailed
from collections_app.indexing import reindexing
from collections_app.models import Collection, EmbeddingModel, SectionEmbedding, SectionVector, TermStatistic
from collections_app.provisioning import get_tenant
from tests.collections_app.management.conftest import Run
from tests.factories import find_paths, make_collection, make_tenant, put
from tests.fake_embedder import FakeEmbedder, using
from tests.held_lock import held_lock


@pytest.fixture
def filled(collection: Collection) -> Collection:
    put(collection, {"a.md": "# Llamas\n", "b.md": "# Alpacas\n"})
    return collection


def test_it_mends_vectors_and_statistics(run: Run, filled: Collection) -> None:
    SectionVector.objects.filter(document__path="a.md").delete()
    code, out, _ = run("reindex", "--collection", "docs")
    assert code == 0
    assert "docs: 2 documents indexed anew." in out
    assert find_paths(filled, "llamas") == ["a.md"]
    assert TermStatistic.objects.get(term="llama").sections == 1


def test_it_does_one_part_alone(run_json: Any, filled: Collection) -> None:
    TermStatistic.objects.filter(term="llama").update(sections=9)
    assert run_json("reindex", "--collection", "docs", "--statistics") == (
        0,
        {"collections": [{"tenant": "default", "collection": "docs", "mended_terms": 1}]},
    )
    assert run_json("reindex", "--collection", "docs", "--vectors")[1] == {
        "collections": [{"tenant": "default", "collection": "docs", "documents": 2}]
    }


@pytest.mark.usefixtures("needs_pgvector")
def test_it_embeds_by_the_current_model_and_drops_what_others_made(run_json: Any, filled: Collection) -> None:
    with using(FakeEmbedder("older")):
        assert run_json("reindex", "--all", "--embeddings")[1]["collections"][0]["embedded_documents"] == 2
    with using(FakeEmbedder("newer")):
        assert run_json("reindex", "--all", "--embeddings")[1]["collections"][0]["embedded_documents"] == 2
        assert run_json("reindex", "--all", "--embeddings")[1]["collections"][0]["embedded_documents"] == 0
    assert [model.name for model in EmbeddingModel.objects.all()] == ["newer"]
    assert SectionEmbedding.objects.count() == 2


@pytest.mark.usefixtures("needs_pgvector")
def test_an_embedder_that_is_away_is_this_collection_s_error(run_json: Any, filled: Collection) -> None:
    with using(FakeEmbedder()) as embedder:
        embedder.error = EmbeddingFailed("It is away.")
        code, report = run_json("reindex", "--all", "--embeddings")
    assert code == 2
    assert report["collections"][0]["error"] == {"code": "UPSTREAM_UNAVAILABLE", "message": "It is away."}


def test_a_server_without_an_embedder_has_its_other_parts_mended(
    run: Run, run_json: Any, filled: Collection, settings: Any
) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"embeddings_kind": "none"})
    code, out, _ = run("reindex", "--all")
    assert code == 0
    assert "EMBEDDINGS_KIND is none." in out
    assert run_json("reindex", "--all", "--embeddings")[0] == 2


def test_it_does_every_collection_of_the_tenant(run_json: Any, filled: Collection) -> None:
    make_collection("more", tenant=get_tenant())
    make_collection("foreign")
    _, report = run_json("reindex", "--all")
    assert [done["collection"] for done in report["collections"]] == ["docs", "more"]


def test_it_does_every_collection_of_every_tenant(run: Run, run_json: Any, filled: Collection) -> None:
    for slug in ("acme", "zebra"):
        put(make_collection("docs", tenant=make_tenant(slug)), {"a.md": "# Llamas\n"})
    SectionVector.objects.all().delete()
    code, out, _ = run("reindex", "--all", "--all-tenants", "--vectors")
    assert (code, out.splitlines()) == (
        0,
        [
            "acme/docs: 1 documents indexed anew.",
            "default/docs: 2 documents indexed anew.",
            "zebra/docs: 1 documents indexed anew.",
        ],
    )
    assert SectionVector.objects.count() == 4
    _, report = run_json("reindex", "--all", "--all-tenants", "--vectors")
    assert [done["tenant"] for done in report["collections"]] == ["acme", "default", "zebra"]


def test_a_collection_is_named_of_one_tenant(run: Run, filled: Collection) -> None:
    code, _, err = run("reindex", "--collection", "docs", "--all-tenants")
    assert (code, "--tenant" in err) == (2, True)
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("reindex", "--all", "--tenant", "acme", "--all-tenants")


def test_which_tenant_s_collection_is_busy_is_told(run: Run, filled: Collection) -> None:
    other = make_collection("docs", tenant=make_tenant("acme"))
    with held_lock(reindexing.LOCK, other.pk):
        code, out, err = run("reindex", "--all", "--all-tenants", "--vectors", "-v", "0")
    assert (code, out) == (1, "default/docs: 2 documents indexed anew.\n")
    assert err.startswith("acme/docs: ")


@pytest.mark.usefixtures("transactional_db")
def test_a_collection_that_is_busy_stops_no_other(run_json: Any, filled: Collection) -> None:
    make_collection("more", tenant=get_tenant())
    with held_lock(reindexing.LOCK, filled.pk):
        code, report = run_json("reindex", "--all")
        assert run_json("reindex", "--collection", "docs")[0] == 2
    assert code == 1
    assert "being reindexed already" in report["collections"][0]["error"]["message"]
    assert report["collections"][1].items() >= {"collection": "more", "documents": 0, "mended_terms": 0}.items()


def test_an_interrupted_run_says_that_it_can_go_on(
    filled: Collection, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reindexing, "BATCH_DOCUMENTS", 1)
    rebuild, turns = reindexing.rebuild, iter(["done", "interrupted"])

    def interrupt(*arguments: Any) -> int:
        if next(turns) == "interrupted":
            raise KeyboardInterrupt
        return rebuild(*arguments)

    monkeypatch.setattr(reindexing, "rebuild", interrupt)
    with pytest.raises(KeyboardInterrupt):
        call_command("reindex", "--collection", "docs")
    assert "stopped after 1 of 2 documents" in capsys.readouterr().err


def test_it_indexes_by_another_language_from_now_on(run: Run, filled: Collection) -> None:
    put(filled, {"c.md": "# Die Verbindungen\n"})
    assert find_paths(filled, "Verbindung") == []
    code, out, _ = run("reindex", "--collection", "docs", "--language", "German")
    assert code == 0
    assert "docs: german from now on.\ndocs: 3 documents indexed anew." in out
    assert find_paths(filled, "Verbindung") == ["c.md"]
    assert "from now on" not in run("reindex", "--collection", "docs", "--language", "german")[1]


def test_a_language_is_one_that_there_is_and_of_one_collection(run: Run, filled: Collection) -> None:
    code, _, err = run("reindex", "--collection", "docs", "--language", "klingon")
    assert code == 2
    assert "'klingon' is no language that can be indexed. There are: arabic, " in err
    code, _, err = run("reindex", "--all", "--language", "german")
    assert code == 2
    assert "name it by --collection" in err
    assert Collection.objects.get().language == "english"


@pytest.mark.parametrize("arguments", [[], ["--collection", "docs", "--all"]])
def test_it_wants_to_know_which(arguments: list[str]) -> None:
    with pytest.raises((CommandError, SystemExit)):
        call_command("reindex", *arguments)
