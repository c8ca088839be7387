"""What holds for every path under /api/: who is let in, what another tenant sees, errors in one form, the schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collections_app.access.principal import Scope
from collections_app.api import collections
from collections_app.jobs import accept_uploads, ensure_git_source
from collections_app.jobs.uploads import NewUpload
from collections_app.models import ApiKey, Collection, Document, IngestJob, Source
from collections_app.sources.git import GitOptions
from tests.collections_app.api.conftest import Caller, code_of, make_caller, make_member

SCHEMA = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
OPERATIONS = [(method, path) for path, methods in SCHEMA["paths"].items() for method in methods]
GUARDED = [operation for operation in OPERATIONS if "/hooks/" not in operation[1]]
OF_A_ROW = [operation for operation in GUARDED if "{" in operation[1]]
BODIES: dict[str, Any] = {
    "/api/collections/{collection}/uploads": {"path": "x.md", "content": "x"},
    "/api/collections/{collection}/sources": {"kind": "site", "location": "https://docs.example.com/"},
}


def fill(path: str, collection: Collection) -> str:
    """The path of an operation with this collection's own rows in it."""
    source = Source.objects.get(collection=collection, kind="git")
    job = IngestJob.objects.get(collection=collection)
    values = {"collection": collection.slug, "path": "plan.md", "source_id": source.pk, "job_id": job.pk}
    return path.removeprefix("/api/").format(**values)


def count_rows() -> list[int]:
    return [model.objects.count() for model in (Collection, Document, IngestJob, Source)]


@pytest.fixture
def full(strange: Collection) -> Collection:
    """Another tenant's collection, with a document, a source and a job."""
    ensure_git_source(strange, "https://git.example.com/docs.git", GitOptions())
    accept_uploads(strange, [NewUpload("a.md", b"a")])
    return strange


class TestIsolation:
    @pytest.mark.parametrize(("method", "path"), OF_A_ROW)
    def test_what_another_tenant_has_is_not_found(
        self, collection: Collection, full: Collection, method: str, path: str
    ) -> None:
        before = count_rows()
        strangers = [make_caller(collection.tenant, Scope), make_member(collection.tenant, "owner")]
        for caller in strangers:
            query = "?q=plan" if path.endswith("search") else ""
            status, answer = caller.ask(
                method, fill(path, full) + query, BODIES.get(path, {}) if method != "get" else None
            )
            assert status == 404
            assert "plan" not in json.dumps(answer).replace(fill(path, full), "")
        assert count_rows() == before

    @pytest.mark.parametrize("path", ["collections", "jobs", "search?q=archive"])
    def test_it_is_in_no_list(self, collection: Collection, full: Collection, path: str) -> None:
        for caller in (make_caller(collection.tenant, Scope), make_member(collection.tenant, "owner")):
            status, page = caller.get(path)
            assert status == 200
            assert "secrets" not in json.dumps(page)

    @pytest.mark.parametrize(("method", "path"), OF_A_ROW)
    def test_a_key_for_other_collections_finds_nothing_either(self, full: Collection, method: str, path: str) -> None:
        caller = make_caller(full.tenant, Scope, collections=[])
        query = "?q=plan" if path.endswith("search") else ""
        assert caller.ask(method, fill(path, full) + query, BODIES.get(path, {}) if method != "get" else None)[0] == 404


class TestWhoIsLetIn:
    @pytest.mark.parametrize(("method", "path"), GUARDED)
    def test_a_bad_key_is_refused_everywhere(self, full: Collection, method: str, path: str) -> None:
        for headers in ({"authorization": "Bearer dmcp_wrong"}, {"x-api-key": ""}, {"authorization": "Bearer"}):
            caller = Caller(Client(headers=headers, raise_request_exception=False))
            response = caller.send(method, fill(path, full), BODIES.get(path, {}) if method != "get" else None)
            assert (response.status_code, response.json()["error"]["code"]) == (401, "UNAUTHENTICATED")
            assert response["WWW-Authenticate"] == 'Bearer realm="api"'

    @pytest.mark.parametrize(("method", "path"), GUARDED)
    def test_nobody_comes_in_without_a_key_where_one_is_required(
        self, full: Collection, anybody: Caller, settings: Any, method: str, path: str
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
        Collection.objects.update(is_public=True)
        answer = anybody.ask(method, fill(path, full), BODIES.get(path, {}) if method != "get" else None)
        assert code_of(answer) == (401, "UNAUTHENTICATED")

    def test_a_key_may_come_as_x_api_key(self, collection: Collection) -> None:
        _, secret = ApiKey.objects.issue(tenant=collection.tenant, name="other")
        assert Caller(Client(headers={"x-api-key": secret})).get("collections/manual")[0] == 200


class TestErrors:
    @pytest.mark.parametrize(
        "path", ["", "nothing", "collections/", "collections/a/b/c", "jobs/x", "hooks/x", "v1/search"]
    )
    @pytest.mark.parametrize("method", ["get", "post", "delete", "put", "options"])
    def test_an_unknown_path_is_told_in_json(self, anybody: Caller, method: str, path: str) -> None:
        response = anybody.send(method, path)
        assert (response.status_code, response["Content-Type"]) == (404, "application/json")
        assert response.json()["error"]["code"] == "NOT_FOUND"

    def test_a_method_that_there_is_not_is_told(self, writer: Caller, collection: Collection) -> None:
        response = writer.send("put", "collections")
        assert (response.status_code, response.json()["error"]["code"]) == (405, "METHOD_NOT_ALLOWED")
        assert "POST" in response["Allow"]

    @pytest.mark.parametrize(("address", "allowed"), [("jobs?state=x", "cancelled"), ("search?q=a&mode=x", "hybrid")])
    def test_a_value_that_there_is_not_is_refused_with_those_there_are(
        self, writer: Caller, address: str, allowed: str
    ) -> None:
        message = writer.get(address)[1]["error"]["message"]
        assert "'x' is not allowed" in message
        assert allowed in message

    def test_what_nobody_foresaw_is_logged_and_not_told(
        self, reader: Caller, collection: Collection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail(*args: object) -> None:
            raise RuntimeError("secret detail at /etc/secret")

        monkeypatch.setattr(collections, "get_collection", fail)
        answer = reader.get("collections/manual")
        assert code_of(answer) == (500, "INTERNAL_ERROR")
        assert answer[1]["error"]["details"] == {"retryable": False}
        assert "secret" not in str(answer)


class TestSchema:
    def test_it_is_valid_and_complete(self, tmp_path: Any) -> None:
        call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))

    def test_it_is_served_without_a_key(self, anybody: Caller, settings: Any) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_auth_required": True})
        response = anybody.send("get", "schema", accept="application/json")
        assert response.status_code == 200
        paths = json.loads(response.content)["paths"]
        assert "/api/collections/{collection}/uploads" in paths
        assert all(path.startswith("/api/") for path in paths)

    def test_every_operation_says_how_it_fails(self) -> None:
        assert all("default" in SCHEMA["paths"][path][method]["responses"] for method, path in OPERATIONS)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["slug", "name", "kind", "location", "options", "path", "content", "url", "metadata", "language", "include"]
)
TEXTS = st.text(max_size=20) | st.sampled_from(["manual", "..", "%00", "\0", "../..", "a:b", "🙂", "9" * 40])


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    operation=st.sampled_from(OPERATIONS),
    values=st.tuples(TEXTS, TEXTS),
    query=st.dictionaries(
        st.sampled_from(["q", "limit", "cursor", "status", "collection", "state"]), TEXTS, max_size=2
    ),
    body=st.dictionaries(NAMES, JSON_VALUES | TEXTS, max_size=4) | JSON_VALUES,
)
def test_no_request_breaks_the_server(
    collection: Collection, operation: tuple[str, str], values: tuple[str, str], query: dict[str, str], body: Any
) -> None:
    caller = make_caller(collection.tenant, Scope)
    method, template = operation
    text, path = values
    numbers = {"source_id": text, "job_id": text}
    where = template.format(collection=text if "?" not in text else "manual", path=path, **numbers)
    sent = json.dumps(body)
    response = caller.client.generic(method.upper(), where, sent, content_type="application/json", query_params=query)
    assert response.status_code < 500, response.content
    if response.status_code >= 400:
        assert set(response.json()) == {"error"}
