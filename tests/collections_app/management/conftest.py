"""Commands as an operator runs them: arguments in; exit code, standard output and standard error out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from collections_app import jobs
from collections_app.models import Collection, Source
from collections_app.provisioning import get_tenant
from tests.collections_app.clients.loopback import HOST, LoopbackSite, links, page, serve_site
from tests.factories import make_collection

Output = tuple[int, str, str]
Run = Callable[..., Output]


@pytest.fixture
def run(db: None, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Output:
        with pytest.raises(SystemExit) as ended:
            call_command(*map(str, arguments))
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture
def run_json(run: Run) -> Callable[..., Any]:
    """Run the command with --json; gives the exit code and the one object that it prints."""

    def run_json(*arguments: object) -> tuple[int, Any]:
        code, out, _ = run(*arguments, "--json")
        assert len(out.splitlines()) == 1
        return code, json.loads(out)

    return run_json


@pytest.fixture
def collection(db: None) -> Collection:
    return make_collection("docs", tenant=get_tenant())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.md").write_text(f"# {name.upper()}\n\nllamas\n")
    return tmp_path


@pytest.fixture
def source(collection: Collection, folder: Path) -> Source:
    """A directory of three documents, not read yet."""
    return jobs.ensure_directory_source(collection, folder)


@pytest.fixture
def site(settings: Any) -> Iterator[LoopbackSite]:
    """A site of three pages below /docs/, one of them large, that may be fetched from."""
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"fetch_allowed_hosts": (HOST,)})
    with serve_site() as site:
        site.routes |= {
            "/docs/": page("<h1>Start</h1><p>llamas</p>" + links("/docs/one", "/docs/two", "/elsewhere")),
            "/docs/one": page("<h1>One</h1><p>alpacas</p>"),
            "/docs/two": page("<h1>Two</h1>" + "<p>vicunas</p>" * 1000),
        }
        yield site
