"""`docsmcp ingest_path`: what it writes, what it says, how it ends."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from collections_app import parsing
from collections_app.models import Collection, Document, FileOutcome, IngestJob, Source
from collections_app.parsing.documents import RawDocument
from tests.factories import find_paths, make_tenant
from tests.held_lock import held_lock

pytestmark = pytest.mark.django_db

Output = tuple[int, str, str]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command on a folder; gives exit code, standard output and standard error."""

    def run(*arguments: str, path: Path | None = None) -> Output:
        with pytest.raises(SystemExit) as ended:
            call_command("ingest_path", str(path or tmp_path), "--collection", "docs", *arguments)
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def paths() -> list[str]:
    return list(Document.objects.filter(status="success").values_list("path", flat=True))


def test_it_makes_the_collection_and_fills_it(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\nllamas\n", "sub/b.md": "# B\n\nalpacas\n", "image.png": b"\x89PNG"})
    code, out, _ = run()
    assert code == 0
    assert "2 indexed" in out
    assert paths() == ["a.md", "sub/b.md"]
    assert find_paths(Collection.objects.get(slug="docs"), "alpacas") == ["sub/b.md"]


def test_files_that_fail_for_one_reason_are_named_a_few_times_and_counted(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {f"bad{number}.md": "---\ntitle: [\n---\n" for number in range(9)})
    write(tmp_path, {"koi8.md": "# Привет".encode("koi8-r")})
    lines = run()[2].splitlines()
    assert len([line for line in lines if ".md: PARSE_ERROR front matter" in line]) == 5
    assert len([line for line in lines if "koi8.md: PARSE_ERROR" in line]) == 1
    assert lines[-1].startswith("4 more failed: PARSE_ERROR front matter")


def test_it_does_nothing_twice(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    run()
    before = Document.objects.get().indexed
    code, out, _ = run()
    assert (code, Document.objects.get().indexed) == (0, before)
    assert "1 unchanged" in out


def test_what_has_another_name_now_is_told_until_it_is_pruned(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"deploy.md": "# Deploy\n", "a.md": "# A\n"})
    assert "Not found any more" not in run()[1]
    (tmp_path / "deploy.md").rename(tmp_path / "rollout.md")
    told = "Not found any more, and kept: 1 (deploy.md). --prune removes what is gone or was moved."
    assert told in run("--dry-run")[1]
    assert told in run()[1]
    assert json.loads(run("--json")[1])["unfound"] == ["deploy.md"]
    assert "Not found any more" not in run("--prune")[1]
    assert paths() == ["a.md", "rollout.md"]


def test_a_page_is_read_again_when_a_file_that_it_includes_changes(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\n{* b.py *}\n", "b.py": "llamas\n", "c.md": "# C\n\n{* d.py *}\n"})
    run()
    collection = Collection.objects.get(slug="docs")
    assert find_paths(collection, "llamas") == ["a.md"]
    assert "{* d.py *}" in Document.objects.get(path="c.md").warnings[0]
    write(tmp_path, {"b.py": "alpacas\n", "d.py": "vicunas\n"})
    assert "2 indexed" in run()[1]
    assert find_paths(collection, "alpacas vicunas") != []
    assert find_paths(collection, "llamas") == []
    assert Document.objects.get(path="c.md").warnings == []
    assert "2 unchanged" in run()[1]


def test_it_names_each_file_that_failed_and_why(run: Any, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "good.md": "# Good\n",
            "bad.md": "---\ntitle: [\n---\n",
            "koi8.md": "# Привет".encode("koi8-r"),
            "bin.md": b"\0" * 5000,
        },
    )
    code, out, err = run()
    assert code == 1
    lines = err.splitlines()
    assert any("bad.md: PARSE_ERROR front matter, line" in line for line in lines)
    assert any("koi8.md: PARSE_ERROR" in line and "UTF-8" in line for line in lines)
    assert any("bin.md: UNSUPPORTED_FORMAT" in line for line in lines)
    assert "good.md" not in err
    assert str(tmp_path) not in err + out


def test_it_refuses_a_file_over_the_limit(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"small.md": "# S\n", "large.md": "# L\n" + "x" * 5000})
    code, _, err = run("--max-file-bytes", "1000")
    assert code == 1
    assert "large.md: FILE_TOO_LARGE" in err
    assert paths() == ["small.md"]
    assert Document.objects.get(path="large.md").error_code == "FILE_TOO_LARGE"


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
def test_it_does_nothing_without_a_folder_of_documents(run: Any, tmp_path: Path, kind: str) -> None:
    target = tmp_path / kind
    if kind == "file":
        target.write_text("# A\n")
    elif kind == "empty":
        target.mkdir()
    code, out, err = run(path=target)
    assert code == 2
    assert out + err
    assert not Document.objects.exists()
    assert "Traceback" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_it_says_what_it_may_not_read(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    (tmp_path / "b.md").chmod(0)
    code, _, err = run()
    assert code == 1
    assert "b.md: " in err


def test_it_takes_what_is_included_and_not_what_is_excluded(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "guide/b.md": "# B\n", "guide/draft/c.md": "# C\n"})
    run("--include", "guide/**", "--exclude", "**/draft/**")
    assert paths() == ["guide/b.md"]


def test_it_removes_vanished_documents_only_when_told(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    run()
    (tmp_path / "b.md").unlink()
    run()
    assert paths() == ["a.md", "b.md"]
    code, out, _ = run("--prune")
    assert code == 0
    assert "1 removed" in out
    assert paths() == ["a.md"]


def test_it_removes_nothing_when_a_folder_could_not_be_listed(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections_app.exceptions import FetchError
    from collections_app.sources import RefusedFile, directory

    write(tmp_path, {"a.md": "# A\n", "sub/b.md": "# B\n"})
    run()
    list_all = directory.list_directory

    def list_without_sub(*arguments: Any) -> Any:
        yield from (entry for entry in list_all(*arguments) if not entry.path.startswith("sub/"))
        yield RefusedFile("sub/", FetchError("It may not be read."))

    monkeypatch.setattr(directory, "list_directory", list_without_sub)
    code, _, err = run("--prune")
    assert code == 1
    assert "sub/: FETCH_ERROR It may not be read." in err
    assert paths() == ["a.md", "sub/b.md"]


@pytest.mark.parametrize("rehearsal", [[], ["--dry-run"]])
def test_it_says_that_nothing_was_removed_since_not_all_was_seen(
    run: Any, tmp_path: Path, rehearsal: list[str]
) -> None:
    write(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    run()
    (tmp_path / "b.md").unlink()
    unreadable = os.fsencode(tmp_path) + b"/folder\xff"
    os.mkdir(unreadable)  # noqa: PTH102  a name that is no text
    code, out, _ = run("--prune", *rehearsal)
    assert (code, "not removed: this run did not see all" in out) == (1, True)
    assert json.loads(run("--prune", "--json", *rehearsal)[1])["unpruned"]
    assert paths() == ["a.md", "b.md"]
    os.rmdir(unreadable)  # noqa: PTH106
    assert "not removed" not in run("--prune", *rehearsal)[1]


def test_it_does_not_empty_a_collection_because_its_folder_is_empty(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    run()
    (tmp_path / "a.md").unlink()
    code, _, _ = run("--prune")
    assert code == 2
    assert paths() == ["a.md"]


def test_a_dry_run_says_what_pruning_would_remove(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    run()
    (tmp_path / "b.md").unlink()
    code, out, _ = run("--dry-run", "--prune")
    assert code == 0
    assert "1 removed, 1 unchanged" in out
    assert "\nNot found any more, and to be removed: 1 (b.md)\n" in out
    assert json.loads(run("--dry-run", "--prune", "--json")[1])["to_remove"] == ["b.md"]
    assert json.loads(run("--dry-run", "--json")[1])["to_remove"] == []
    assert paths() == ["a.md", "b.md"]


def test_a_dry_run_says_what_has_moved_as_the_run_does(run: Any, tmp_path: Path) -> None:
    lines = "".join(f"Step {number} of the whole.\n\n" for number in range(9))
    write(tmp_path, {"a.md": "# A\n", "faq.md": f"# Questions\n\n{lines}", "b.md": "# B\n", "gone.md": "# Gone\n"})
    run()
    write(tmp_path, {"begin.md": "# A\n", "help/faq.md": f"# Answers\n\n{lines}More.\n", "b.md": "# Gone\n"})
    for path in ("a.md", "faq.md", "gone.md"):
        (tmp_path / path).unlink()
    told = "\nMoved, of what is to be removed: 3 (a.md → begin.md, gone.md → b.md, faq.md → help/faq.md)\n"
    assert told in run("--dry-run", "--prune")[1]
    foreseen, done = (json.loads(run(*options, "--prune", "--json")[1]) for options in (["--dry-run"], []))
    assert foreseen["moved"] == done["moved"] == {"a.md": "begin.md", "faq.md": "help/faq.md", "gone.md": "b.md"}
    assert foreseen["outcomes"] == done["outcomes"] == {"indexed": 3, "removed": 3}


def test_a_dry_run_sees_duplicates_as_the_run_does(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a file in an earlier batch, and of a document that is there."""
    monkeypatch.setattr("collections_app.ingest.batches.BATCH_DOCUMENTS", 2)
    write(tmp_path, {"a.md": "# A\n", "b.md": "# A\n", "c.md": "# C\n", "d.md": "# A\n"})
    for outcomes in ({"duplicate": 2, "indexed": 2}, {"duplicate": 1, "indexed": 1, "unchanged": 4}):
        for option in ("--dry-run", "--json"):
            assert json.loads(run(option, *({"--json"} - {option}))[1])["outcomes"] == outcomes
        write(tmp_path, {"e.md": "# C\n", "f.md": "# F\n"})


def test_nothing_is_made_for_a_folder_without_documents(run: Any, tmp_path: Path) -> None:
    code, _, _ = run()
    assert code == 2
    assert not Collection.objects.exists()
    assert not IngestJob.objects.exists()


def test_it_counts_documents_with_warnings(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"b.md": "# B\n"})
    (tmp_path / "a.html").write_bytes(b"<meta charset=utf-8><p>caf\xe9</p>")
    _, out, said = run("--dry-run")
    assert out.endswith("With warnings: 1\n")
    assert "warning: a.html: " in said
    _, out, said = run()
    assert "warning:" not in said
    assert f"With warnings: 1 (`docsmcp jobs show {IngestJob.objects.get().pk}` tells them)" in out


def test_pages_of_several_versions_are_told(run: Any, tmp_path: Path) -> None:
    write(
        tmp_path,
        {f"{folder}/p{number}.md": f"# {folder} {number}\n" for folder in ("1.0", "2.0") for number in range(10)},
    )
    told = "10 pages are older versions of others: 1.0 (10). Searches put the newest first"
    assert told in run("--dry-run")[1]
    assert told in run()[1]
    assert json.loads(run("--json")[1])["older_versions"] == {"1.0": 10}
    out = run("--exclude", "1.0/**")[1]
    assert "older versions" not in out


def test_pages_of_several_languages_are_told(run: Any, tmp_path: Path) -> None:
    write(
        tmp_path, {f"{folder}p{number}.md": f"# {folder} {number}\n" for folder in ("", "fr/") for number in range(10)}
    )
    told = "10 pages are translations of others: fr (10)."
    assert told in run("--dry-run")[1]
    assert told in run()[1]
    assert json.loads(run("--json")[1])["translations"] == {"fr": 10}
    assert "translations" not in run("--exclude", "fr/**")[1]


def test_it_counts_documents_that_text_was_taken_out_of(run: Any, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.md": "# A\n\nlla\u200b\u200b\u202emas\n",
            "b.md": "# B\n",
            "d.md": "# D\n\nSea. <!-- Ask Ada which sails she means. They may be red, and then all of this has to be "
            "written anew, says Bob, who has sailed them for years. -->\n",
        },
    )
    told = "With text taken out: 2 (comments of 1, invisible characters of 1; their pages in the admin quote it)"
    assert told in run()[1]
    write(tmp_path, {"c.md": "# C\n\nvicu\u200b\u200b\u202enas\n"})
    assert json.loads(run("--json")[1])["cleaned"] == 1
    assert "cleaned" not in json.loads(run("--json", "--dry-run")[1])


def test_it_says_how_many_unchanged_documents_are_worth_a_look(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\nlla\u200b\u200b\u202emas\n", "b.md": "# B\n"})
    write(tmp_path, {"a.html": b"<meta charset=utf-8><p>caf\xe9</p>"})
    assert "Unchanged, and worth a look" not in run()[1]
    show = f"docsmcp jobs show {IngestJob.objects.get().pk + 1}"
    told = f"1 with warnings, 1 with text taken out (`{show}` tells warnings, pages in the admin the rest)"
    assert f"\nUnchanged, and worth a look: {told}\n" in run()[1]
    report = json.loads(run("--json")[1])
    assert (report["warned"], report["still_warned"], report["still_cleaned"]) == (0, 1, 1)
    write(tmp_path, {"a.html": "<p>café</p>", "a.md": "# A\n"})
    assert "Unchanged, and worth a look" not in run()[1]


def test_it_says_what_it_left_out_and_what_to_do(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.org": "* A\n", "b.org": "* B\n"})
    for option in ((), ("--dry-run",)):
        _, out, _ = run(*option)
        assert "No document was found" in out
        assert "Left out: 2 × `.org`: Convert it to Markdown or HTML" in out
        assert "(a.org, b.org)" in out
    write(tmp_path, {"c.md": "# C\n"})
    assert (
        "No file has a path like --include x/** *.rst. A pattern with a slash"
        in run("--include", "x/**", "--include", "*.rst")[1]
    )
    code, out, _ = run()
    assert (code, out.partition("(")[0]) == (0, "1 indexed ")
    assert "Left out: 2 × `.org`" in out
    assert [list(job.left_out.values()) for job in IngestJob.objects.all()] == [[2]]
    assert list(json.loads(run("--json")[1])["left_out_paths"].values()) == [["a.org", "b.org"]]


def test_it_says_that_documents_are_in_an_archive_or_have_no_extension(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"manual.zip": b"PK\x03\x04", "NOTES": "Llamas\n"})
    code, out, _ = run()
    assert code == 2
    assert "Left out: 1 × `.zip`: Unpack it, or upload" in out
    assert "Files are taken by their extension, of those without one only README. --include says which" in out
    assert run("--include", "NOTES")[0] == 0


def test_a_dry_run_writes_nothing(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "bad.md": "---\n: [\n---\n"})
    code, out, err = run("--dry-run")
    assert code == 1
    assert "1 failed, 1 indexed" in out
    assert "bad.md" in err
    counts = [model.objects.count() for model in (Document, Collection, Source, IngestJob)]
    assert counts == [0, 0, 0, 0]


def test_it_reports_as_one_line_of_json(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "bad.md": "---\n: [\n---\n"})
    code, out, _ = run("--json")
    report = json.loads(out)
    assert code == 1
    assert report["outcomes"] == {"failed": 1, "indexed": 1}
    assert report["failures"][0]["path"] == "bad.md"
    assert report["failures"][0]["code"] == "PARSE_ERROR"


def test_symbolic_links_do_not_lead_out(run: Any, tmp_path: Path) -> None:
    docs, outside = tmp_path / "docs", tmp_path / "outside"
    write(outside, {"secret.md": "# Secret\n", "more/x.md": "# X\n"})
    write(docs, {"a.md": "# A\n"})
    (docs / "link.md").symlink_to(outside / "secret.md")
    (docs / "folder").symlink_to(outside / "more")
    (docs / "loop").symlink_to(docs)
    run(path=docs)
    assert paths() == ["a.md"]


def test_it_keeps_a_true_record_of_the_run(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n", "bad.md": "---\n: [\n---\n"})
    run()
    job = IngestJob.objects.get()
    assert (job.state, job.done, job.total) == ("partial", 2, 2)
    assert job.finished is not None
    assert dict(FileOutcome.objects.values_list("path", "outcome")) == {"a.md": "indexed", "bad.md": "failed"}


def test_it_takes_categories_from_the_navigation(run: Any, tmp_path: Path) -> None:
    summary = "# Summary\n\n## Basics\n\n- [Start](intro/start.md)\n\n## Reference\n\n- [Options](intro/options.md)\n"
    write(
        tmp_path,
        {
            "SUMMARY.md": summary,
            "intro/start.md": "# S\n",
            "intro/options.md": "---\ncategory: Own\n---\n# O\n",
            "intro/other.md": "# X\n",
        },
    )
    run()
    categories = dict(Document.objects.values_list("path", "category"))
    assert categories == {
        "SUMMARY.md": "",
        "intro/start.md": "Basics",
        "intro/options.md": "Own",
        "intro/other.md": "intro",
    }
    write(tmp_path, {"SUMMARY.md": summary.replace("Basics", "First steps")})
    run()
    assert Document.objects.get(path="intro/start.md").category == "First steps"
    assert Document.objects.get(path="intro/options.md").category == "Own"


def test_a_moved_folder_takes_its_documents_along(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "v1", {"a.md": "# A\n", "b.md": "# B\n"})
    run(path=tmp_path / "v1")
    (tmp_path / "v1").rename(tmp_path / "v2")
    (tmp_path / "v2" / "b.md").unlink()
    run(path=tmp_path / "v2")
    assert run("--prune", path=tmp_path / "v2")[0] == 0
    assert paths() == ["a.md", "b.md"]  # b.md was never seen in v2


def test_an_interrupted_run_tells_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from collections_app.ingest import batch_parser, batches

    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 1)
    parse, seen = parsing.parse, []

    def stop_at_the_third(raw: RawDocument, *policy: Any) -> object:
        seen.append(raw)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return parse(raw, *policy)

    monkeypatch.setattr(batch_parser, "parse", stop_at_the_third)
    write(tmp_path, {f"{n}.md": f"# {n}\n" for n in range(5)})
    with pytest.raises(KeyboardInterrupt):
        call_command("ingest_path", str(tmp_path), "--collection", "docs")
    job = IngestJob.objects.get()
    assert job.state == "cancelled"
    outcomes = Counter(FileOutcome.objects.values_list("outcome", flat=True))
    assert outcomes == {"indexed": job.done, "cancelled": 5 - job.done}
    assert job.done == Document.objects.count() > 0


def test_it_wants_a_tenant_that_exists(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    code, _, err = run("--tenant", "nobody")
    assert code == 2
    assert "There is no tenant 'nobody'" in err
    make_tenant("acme")
    assert run("--tenant", "acme")[0] == 0
    assert Collection.objects.get().tenant.slug == "acme"


def test_it_refuses_a_name_that_is_no_slug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    with pytest.raises(SystemExit) as ended:
        call_command("ingest_path", str(tmp_path), "--collection", "../up")
    assert ended.value.code == 2
    assert "is no name for a collection" in capsys.readouterr().err


def test_it_refuses_a_size_that_is_none(tmp_path: Path) -> None:
    with pytest.raises((CommandError, SystemExit)):
        call_command("ingest_path", str(tmp_path), "--collection", "docs", "--max-file-bytes", "0")


def test_a_second_run_at_the_same_time_is_refused(run: Any, tmp_path: Path, transactional_db: None) -> None:

    from collections_app.jobs.lifecycle import RUN_LOCK

    write(tmp_path, {"a.md": "# A\n"})
    run()
    with held_lock(RUN_LOCK, Source.objects.get().pk):
        code, _, err = run()
    assert code == 2
    assert "being ingested already" in err
    assert run()[0] == 0


def test_a_job_whose_process_died_is_closed_by_the_next(run: Any, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n"})
    run()
    IngestJob.objects.update(state="running", finished=None)
    assert run()[0] == 0
    assert list(IngestJob.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "succeeded"]
