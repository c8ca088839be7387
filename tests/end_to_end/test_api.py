"""The REST API and the tools that ingest, over HTTP, with the web server and the queue that `up` starts."""

from __future__ import annotations

import http.client
import io
import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from collections_app.webhooks import sign
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.mcp_app.fake_tools import make_message
from tests.running_server import COLLECTION, RunningServer, make_environment, running_server

pytestmark = pytest.mark.embedded

DEADLINE_SECONDS = 240
PAGES = {"boiler.md": "# Boiler\n\nTurn the key until the pilot flame burns.\n"}
UNFINISHED = {"queued", "running"}


@dataclass(frozen=True)
class Site:
    server: RunningServer
    client: httpx.Client

    def wait_for_job(self, job_id: int) -> dict[str, Any]:
        """The job's report once it has ended."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            report: dict[str, Any] = self.client.get(f"/api/jobs/{job_id}").json()
            if report["state"] not in UNFINISHED:
                return report
            assert time.monotonic() < deadline, report
            time.sleep(0.1)

    def find_paths(self, query: str) -> list[str]:
        found = self.client.get("/api/search", params={"q": query, "mode": "keyword"}).json()
        return [hit["path"] for hit in found["results"]]

    def call_tool(self, name: str, arguments: dict[str, Any], token: str) -> list[Any]:
        """The messages of a call whose client asks for progress."""
        message = make_message("tools/call", {"name": name, "arguments": arguments, "_meta": {"progressToken": token}})
        response = self.client.post("/mcp", json=message, headers={"Accept": "application/json, text/event-stream"})
        assert response.headers["Content-Type"] == "text/event-stream"
        return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: ")]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_server(PAGES) as server:
        environment = make_environment(server.log.parent, {"DJANGO_SETTINGS_MODULE": "docsmcp_site.settings"})
        command = [sys.executable, str(PROJECT_ROOT / "manage.py"), "issue_api_key", "filler", "--scopes", "read,write"]
        issued = subprocess.run(
            command, env=environment, cwd=server.log.parent, capture_output=True, text=True, check=True
        )
        headers = {"Authorization": f"Bearer {issued.stdout.strip()}"}
        base = server.url.removesuffix("/mcp")
        with httpx.Client(base_url=base, headers=headers, timeout=DEADLINE_SECONDS, trust_env=False) as client:
            yield Site(server, client)
        assert "Traceback" not in server.log.read_text()


def make_zip(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return buffer.getvalue()


def test_uploaded_files_and_archives_are_found_by_their_words(site: Site) -> None:
    large = "# Large\n\n" + "Filling words of no meaning. " * 150_000 + "\n\n## End\n\nxylophone\n"
    files = [
        ("file", ("pumps.md", b"# Pumps\n\nThe impeller turns clockwise.\n")),
        ("file", ("valves.html", b"<html><body><main><h1>Valves</h1><p>A gatevalve closes.</p></main></body></html>")),
        ("file", ("more.zip", make_zip({"deep/gauges.md": "# Gauges\n\nRead the manometer.\n", "evil.exe": "MZ"}))),
        ("file", ("large.md", large.encode())),
        ("file", ("../up.md", b"# Up\n")),
    ]
    paths = ["pumps.md", "valves.html", "more.zip", "large.md", "../up.md"]
    response = site.client.post(f"/api/collections/{COLLECTION}/uploads", files=files, data={"path": paths})
    assert response.status_code == 202, response.text
    answer = response.json()
    assert [file["accepted"] for file in answer["files"]] == [True, True, True, True, False]
    report = site.wait_for_job(answer["job_id"])
    assert report["outcomes"]["indexed"] == 4, site.client.get(f"/api/jobs/{answer['job_id']}/files").text
    for query, path in (("impeller", "pumps.md"), ("gatevalve", "valves.html"), ("xylophone", "large.md")):
        assert site.find_paths(query) == [path]
    assert [path.rpartition("/")[2] for path in site.find_paths("manometer")] == ["gauges.md"]


def test_an_agent_sees_its_document_through(site: Site) -> None:
    arguments = {"path": "notes/heron", "content": "# Heron\n\nIt stands in the shallow water.\n", "wait": 25}
    *reports, answer = site.call_tool("ingest_document", arguments, "p")
    text = answer["result"]["content"][0]["text"]
    assert text.startswith(f"notes/heron.md in {COLLECTION}: indexed (job ")
    assert reports
    assert all(report["params"]["progressToken"] == "p" for report in reports)
    assert site.find_paths("shallow water") == ["notes/heron.md"]


def test_a_push_of_a_forge_has_the_source_looked_at_again(site: Site) -> None:
    [source] = site.client.get(f"/api/collections/{COLLECTION}/sources", params={"limit": 1}).json()["results"]
    assert source["kind"] == "directory"
    hook = site.client.post(f"/api/sources/{source['id']}/webhook").json()
    (site.server.log.parent / COLLECTION / "new.md").write_text("# New\n\nA quokka smiles.\n")
    headers = {"X-Docsmcp-Signature": sign(hook["secret"], b"", int(time.time()))}
    delivered = httpx.post(hook["url"], headers=headers, trust_env=False)
    assert (delivered.status_code, delivered.json()["status"]) == (202, "accepted")
    assert site.wait_for_job(delivered.json()["job_id"])["state"] == "succeeded"
    assert site.find_paths("quokka") == ["new.md"]


def test_ten_gigabytes_are_refused_before_they_are_sent(site: Site) -> None:
    where = urlsplit(str(site.client.base_url))
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=DEADLINE_SECONDS)
    connection.putrequest("POST", f"/api/collections/{COLLECTION}/uploads")
    connection.putheader("Authorization", site.client.headers["Authorization"])
    connection.putheader("Content-Type", "multipart/form-data; boundary=b")
    connection.putheader("Content-Length", str(10 * 2**30))
    connection.endheaders()
    response = connection.getresponse()
    assert response.status == 413
    assert json.loads(response.read())["error"]["code"] == "FILE_TOO_LARGE"
    connection.close()
