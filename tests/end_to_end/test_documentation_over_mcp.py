"""The main job: a folder goes in by command, an agent with a key finds its paragraphs with the official client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from mcp import Client, MCPError
from mcp_types import ResourceTemplateReference, TextResourceContents

from collections_app.models import Collection
from tests.end_to_end.test_python_sdk import MODES, find_refusal, read_text, run_session

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = {
    "index.md": "# Handbook\n\nHow we run the boiler.\n",
    "boiler/start.md": (
        "# Starting the boiler\n\n## Before\n\nCheck the valve.\n\n## Ignition\n\nTurn the key until the pilot flame burns.\n"
    ),
    "boiler/faults.md": "# Faults\n\nError E17 means that the pressure is too low.\n",
}


@pytest.fixture
def key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A key for the collection `handbook`, ingested from a folder."""
    for path, text in PAGES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with pytest.raises(SystemExit) as ended:
        call_command("ingest_path", str(tmp_path), collection="handbook")
    assert ended.value.code == 0
    capsys.readouterr()
    with pytest.raises(SystemExit):
        call_command("issue_api_key", "agent", collections=["handbook"])
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_finds_and_reads_the_paragraph(server_url: str, key: str, mode: str) -> None:
    async def use(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names[0] == "search_docs"
        found = await client.call_tool("search_docs", {"query": "how do I ignite the pilot flame", "format": "json"})
        hit = (found.structured_content or {})["results"][0]
        assert (hit["path"], hit["section_id"]) == ("boiler/start.md", "starting-the-boiler/ignition")
        contents = read_text(await client.call_tool("table_of_contents", {"path": hit["path"]}))
        assert "starting-the-boiler/before" in contents
        text = read_text(
            await client.call_tool("read_sections", {"path": hit["path"], "section_ids": [hit["section_id"]]})
        )
        assert "Turn the key until the pilot flame burns." in text
        assert "Check the valve." not in text
        page = read_text(await client.call_tool("get_doc_page", {"path": "boiler/faults"}))
        assert "pressure is too low" in page

    run_session(server_url, mode, use, key)


@pytest.mark.parametrize("mode", MODES)
def test_a_person_finds_pages_and_prompts(server_url: str, key: str, mode: str) -> None:
    async def use(client: Client) -> None:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris[2:] == ["docs://handbook"]
        [template] = (await client.list_resource_templates()).resource_templates
        ref = ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
        found = await client.complete(ref, {"name": "path", "value": "boiler/f"}, {"collection": "handbook"})
        assert found.completion.values == ["boiler/faults.md"]
        [page] = (await client.read_resource("docs://handbook/boiler/faults.md")).contents
        assert isinstance(page, TextResourceContents)
        assert page.text.startswith("# Faults\n")
        with pytest.raises(MCPError, match="Resource not found"):
            await client.read_resource("docs://handbook/nope.md")
        assert "summarise_page" in [prompt.name for prompt in (await client.list_prompts()).prompts]
        [message] = (await client.get_prompt("summarise_page", {"path": "boiler/faults"})).messages
        assert "boiler/faults.md" in message.content.text  # type: ignore[union-attr]

    run_session(server_url, mode, use, key)


def test_a_key_learns_nothing_of_collections_that_it_was_not_granted(server_url: str, key: str) -> None:
    handbook = Collection.objects.get(slug="handbook")
    Collection.objects.create(tenant=handbook.tenant, slug="secret", name="Secret")

    async def use(client: Client) -> Any:
        return await client.call_tool("list_collections", {"format": "json"})

    data = run_session(server_url, "auto", use, key).structured_content
    assert [collection["slug"] for collection in data["collections"]] == ["handbook"]
    assert "secret" not in json.dumps(data)


def test_a_revoked_key_is_told_so(server_url: str, key: str) -> None:
    from collections_app.models import ApiKey

    ApiKey.objects.get(name="agent").revoke()

    async def use(client: Client) -> Any:
        return await client.list_tools()

    with pytest.raises(ExceptionGroup) as refused:
        run_session(server_url, "auto", use, key)
    error = find_refusal(refused.value)
    assert error is not None
    assert "API key" in error.message
