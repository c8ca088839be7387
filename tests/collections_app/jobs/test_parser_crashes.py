"""A file that ends the process that parses it is named with the reason, and the job goes on with the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collections_app import jobs
from collections_app.models import Document, FileOutcome
from collections_app.parsing import isolation
from tests.factories import make_collection

pytestmark = pytest.mark.django_db(transaction=True)

# Read by Python before anything else, also in the process that parses.
FRAGILE_PARSER = """
import os, signal
from collections_app.parsing import pipeline

parse_as = pipeline.parse_as

def parse_or_end(format, raw, policy):
    if b"fragile" in raw.content:
        {end}
    return parse_as(format, raw, policy)

pipeline.parse_as = parse_or_end
"""


@pytest.fixture(autouse=True)
def _fresh_processes() -> Iterator[None]:
    isolation._end_idle()
    yield
    isolation._end_idle()


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), signal.SIGSEGV)", "os.kill(os.getpid(), signal.SIGBUS)", "os._exit(0)", "os._exit(1)"]
)
def test_a_file_that_ends_its_parser_fails_alone(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages, docs = tmp_path / "packages", tmp_path / "docs"
    for folder in (packages, docs):
        folder.mkdir()
    (packages / "sitecustomize.py").write_text(FRAGILE_PARSER.format(end=end))
    monkeypatch.setenv("PYTHONPATH", str(packages))
    for name in ("a", "b", "c"):
        (docs / f"{name}.html").write_text(f"<h1>{name}</h1><p>{'fragile' if name == 'b' else 'words'}</p>")
    job, _ = jobs.run_source(jobs.ensure_directory_source(make_collection("manual"), docs))
    assert job.state == "partial"
    outcomes = FileOutcome.objects.filter(job=job).values_list("path", "outcome", "code").order_by("path")
    assert list(outcomes) == [
        ("a.html", "indexed", ""),
        ("b.html", "failed", "PARSE_ERROR"),
        ("c.html", "indexed", ""),
    ]
    assert "parser" in FileOutcome.objects.get(path="b.html").reason
    assert Document.objects.readable().count() == 2
