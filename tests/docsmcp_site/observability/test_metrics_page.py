"""What Prometheus reads: what happened is counted, by names of ours only."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from collections_app.models import ApiKey, IngestJob, Source
from docsmcp_site.observability import metrics_directory, metrics_page
from docsmcp_site.observability.gauges import read_gauges
from docsmcp_site.observability.metrics_page import GAUGES
from tests.factories import make_collection, put
from tests.meeting import Meeting, do_at_once

HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    """As something on this machine asks."""
    return Client(headers={"host": "127.0.0.1:8001"})


def read(client: Client, name: str) -> dict[tuple[str, ...], float]:
    """The samples of this name, by the values of their labels in the labels' order of the alphabet."""
    text = client.get("/metrics").content.decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {tuple(sample.labels.values()): sample.value for sample in samples if sample.name == name}


def call(client: Client, method: str, **params: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    client.post("/mcp", body, content_type="application/json", headers=HEADERS)


def grow(client: Client, metric: str, labels: tuple[str, ...], method: str, **params: Any) -> float:
    before = read(client, metric).get(labels, 0)
    call(client, method, **params)
    return read(client, metric).get(labels, 0) - before


def test_it_counts_calls_by_method_and_tool(client: Client) -> None:
    assert grow(client, "docsmcp_calls_total", ("tools/list", "false"), "tools/list") == 1
    arguments = {"name": "list_collections", "arguments": {}}
    assert grow(client, "docsmcp_calls_total", ("list_collections", "false"), "tools/call", **arguments) == 1
    assert grow(client, "docsmcp_call_seconds_count", ("tools/list",), "tools/list") == 1


def test_it_counts_what_clients_make_up_together(client: Client) -> None:
    assert grow(client, "docsmcp_calls_total", ("other", "true"), "made/up-by-a-client") == 1
    assert not any("made" in label for labels in read(client, "docsmcp_calls_total") for label in labels)


def test_it_counts_requests_by_surface_and_status(client: Client) -> None:
    before = read(client, "docsmcp_http_requests_total")
    client.get("/nowhere/at/all")
    client.get("/")
    client.post("/oauth/mcp")
    after = read(client, "docsmcp_http_requests_total")
    assert after["4xx", "other"] - before.get(("4xx", "other"), 0) == 1
    assert after["4xx", "oauth"] - before.get(("4xx", "oauth"), 0) == 1
    assert after["2xx", "root"] - before.get(("2xx", "root"), 0) == 1


def test_it_counts_searches_by_mode_and_cache(client: Client) -> None:
    make_collection("guide", is_public=True)
    arguments = {"name": "search_docs", "arguments": {"query": "anything", "collection": "guide"}}
    assert grow(client, "docsmcp_searches_total", ("false", "keyword"), "tools/call", **arguments) == 1
    assert grow(client, "docsmcp_searches_total", ("true", "keyword"), "tools/call", **arguments) == 1


def test_it_times_the_stages_of_a_search(client: Client) -> None:
    put(make_collection("guide", is_public=True), {"a.md": "# Guide\n\nAnything goes.\n"})
    arguments = {"name": "search_docs", "arguments": {"query": "anything", "mode": "keyword"}}
    before = read(client, "docsmcp_search_stage_seconds_count")
    call(client, "tools/call", **arguments)
    after = read(client, "docsmcp_search_stage_seconds_count")
    ran = {stage for (stage,) in after if after[stage,] > before.get((stage,), 0)}
    assert ran == {"question", "terms", "words", "hits"}


def test_it_tells_jobs_by_state_and_how_long_the_oldest_waits(client: Client) -> None:
    collection = make_collection("guide")
    source = Source.objects.create(tenant=collection.tenant, collection=collection, kind=Source.Kind.UPLOAD)
    IngestJob.objects.create(tenant=collection.tenant, collection=collection, source=source)
    told = {metric.name: metric.samples for metric in read_gauges()}
    assert {s.labels["state"]: s.value for s in told["docsmcp_jobs"]}["queued"] == 1
    assert [sample.value for sample in told["docsmcp_nearly_full_tenants"]] == [0]
    assert told["docsmcp_oldest_queued_job_seconds"][0].value >= 0
    assert {s.labels["upstream"]: s.value for s in told["docsmcp_circuit_open"]} == {
        "language model": 0,
        "embedding server": 0,
        "reranking server": 0,
    }


@pytest.mark.parametrize(
    ("state", "only", "is_late"),
    [("succeeded", None, False), ("partial", None, False), ("failed", None, True), ("succeeded", ["a.md"], True)],
)
def test_a_source_is_late_until_all_of_it_was_read_with_success(
    state: str, only: list[str] | None, is_late: bool
) -> None:
    collection = make_collection("guide")
    source = Source.objects.create(
        tenant=collection.tenant,
        collection=collection,
        kind=Source.Kind.SITE,
        auto_index=True,
        refresh_interval_seconds=60,
    )
    now = timezone.now()
    Source.objects.update(created=now - timedelta(days=2))
    IngestJob.objects.create(
        tenant=collection.tenant, collection=collection, source=source, state=state, only=only, finished=now
    )
    told = {metric.name: metric.samples for metric in read_gauges()}
    assert (told["docsmcp_source_lateness_seconds"][0].value > 86_400) == is_late


@pytest.mark.parametrize(
    ("what", "absent"),
    [("get_broker", "docsmcp_queue_tasks"), ("connection", "docsmcp_jobs"), ("get_circuit", "docsmcp_circuit_open")],
)
def test_what_cannot_be_read_is_absent_by_itself(monkeypatch: pytest.MonkeyPatch, what: str, absent: str) -> None:
    def fail(*_: object) -> None:
        raise redis.ConnectionError("away")

    complete = {metric.name for metric in read_gauges()}
    stand_in = SimpleNamespace(cursor=fail) if what == "connection" else fail
    monkeypatch.setattr(f"docsmcp_site.observability.gauges.{what}", stand_in)
    left = {metric.name for metric in read_gauges()}
    assert absent in complete - left
    assert left


def test_no_label_names_a_tenant_a_collection_or_a_key(client: Client) -> None:
    collection = make_collection("unmistakable-collection")
    key, secret = ApiKey.objects.issue(tenant=collection.tenant, name="tests")
    client.post(
        "/mcp",
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "search_docs", "arguments": {"query": "unmistakable-word"}},
            }
        ),
        content_type="application/json",
        headers=HEADERS | {"authorization": f"Bearer {secret}"},
    )
    text = client.get("/metrics").content.decode()
    for secretive in ("unmistakable", key.prefix, collection.tenant.slug + '"'):
        assert secretive not in text


def test_gauges_are_read_once_however_often_they_are_asked_for(django_assert_num_queries: Any) -> None:
    list(GAUGES.collect())
    with django_assert_num_queries(0):
        list(GAUGES.collect())


def test_nothing_is_read_while_the_counts_of_a_process_that_ended_are_merged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(metrics_directory.VARIABLE, str(tmp_path))
    using = Meeting()
    monkeypatch.setattr(metrics_directory, "merge_files", using.visit)
    monkeypatch.setattr(metrics_page, "generate_latest", using.visit)
    do_at_once(partial(metrics_directory.merge_dead, 1), metrics_page.read_counts)
    assert (using.visits, using.has_met) == (2, False)
