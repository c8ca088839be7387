"""Another tenant's things, asked for in every way that there is, by everybody: not shown, not changed, not told from what is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from collections_app.access.principal import Scope
from collections_app.jobs import start_job
from collections_app.models import (
    ApiKey,
    Collection,
    DataRequest,
    IngestJob,
    Membership,
    Pin,
    Source,
    Synonym,
    Tenant,
    User,
)
from tests.collections_app.admin.conftest import make_person, make_rows
from tests.factories import make_collection, put
from tests.strangers import Request, Target, Unknown, fill, make_requests
from tests.web_login import signed_in_as_web_login

pytestmark = pytest.mark.django_db

HIDDEN, NOWHERE = "zanzibar", "quinzibo"
# In the hidden tenant, and in no request.
SECRET = "wombats"
NOT_THERE = 2_000_000_000

READ, ASK, WRITE = Scope.READ, Scope.ASK, Scope.WRITE
KEYS: dict[str, tuple[Scope, ...]] = {
    "key_to_read": (READ,),
    "key_to_ask": (ASK,),
    "key_to_write": (WRITE,),
    "key_to_do_all": (READ, ASK, WRITE),
}
PEOPLE = ("viewer", "editor", "owner")
# Where keys say nothing: these pages are for people.
ADMIN = ("/admin/", "/invitations/")


def make_target(word: str, tenant: Tenant | None = None) -> Target:
    """Rows of every kind, all of them named after the word; in the tenant, if it is given."""
    rows: dict[type[Model], Any] = dict(make_rows(word))
    collection: Collection = rows[Collection]
    put(collection, {f"{word}.md": f"# {word}\n\n{word} llamas\n\n## Hidden\n\nalpacas\n"})
    rows[DataRequest] = DataRequest.objects.create(
        tenant=rows[Tenant], kind=DataRequest.Kind.EXPORT, subject=word, requested_by=word, state="done",
        finished=timezone.now(), size_bytes=1,
    )  # fmt: skip
    of = {"tenant": rows[Tenant], "collection": collection}
    rows[Synonym] = Synonym.objects.create(**of, term=word, synonym="llama")
    rows[Pin] = Pin.objects.create(**of, question=word, path=f"{word}.md")
    return Target(word, rows[Tenant].slug, {model: row.pk for model, row in rows.items()})


def make_nowhere(like: Target, tenant: str = NOWHERE) -> Target:
    return Target(NOWHERE, tenant, {model: NOT_THERE + at for at, model in enumerate(like.ids)})


def make_client(who: str, own: Target) -> Client:
    tenant = Tenant.objects.get(pk=own.ids[Tenant])
    if who == "anonymous":
        return Client()
    if who in PEOPLE:
        return make_person(who, tenant)
    return make_key_client(ApiKey.objects.issue(tenant=tenant, name=who, scopes=KEYS[who])[1])


def make_key_client(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(
        update={"mcp_rate_limit_requests": 1_000_000, "mcp_rate_limit_window": 86_400}
    )


@pytest.fixture(autouse=True)
def apps_can_be_connected(settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"oauth_enabled": True})


@pytest.fixture(autouse=True)
def no_sign_in_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.admin.login.count_try", lambda *args, **options: 0)
    monkeypatch.setattr("collections_app.admin.joining.count_try", lambda *args, **options: 0)


def get_fingerprint(column: str, value: int) -> list[Any]:
    """Of all rows of a tenant, or of a collection: of each table their number, and a sum of their contents."""
    own = Tenant if column == "tenant_id" else Collection
    tables = {
        model._meta.db_table: f"{column} = {value:d}"
        for model in apps.get_app_config("collections_app").get_models()
        if column in {field.attname for field in model._meta.concrete_fields}
    }
    members = f"SELECT user_id FROM {Membership._meta.db_table} WHERE tenant_id = {value:d}"  # noqa: S608
    people = {User._meta.db_table: f"id IN ({members})"} if own is Tenant else {}
    conditions = {**tables, own._meta.db_table: f"id = {value:d}", **people}
    counts = [
        f"SELECT '{table}', count(*), sum(hashtext(t::text)::bigint) FROM {table} t WHERE {condition}"  # noqa: S608
        for table, condition in conditions.items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(counts) + " ORDER BY 1")
        return list(cursor.fetchall())


def send(client: Client, request: Request, look: Callable[[], None]) -> tuple[int, str, str]:
    """Status, where to, body. What it did is undone after a look at it."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        options = {"content_type": request.content_type} if request.content_type else {}
        response: Any = getattr(client, request.method)(request.path, request.data, **options)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        look()
        transaction.set_rollback(True)
    client.cookies = cookies
    return response.status_code, response.get("Location", ""), body.decode(errors="replace")


# What differs each time: secrets and tokens, times, and the ids of rows that were made and undone again.
PASSING = re.compile(
    r"(?P<token>\bdmcp_[\w-]+|(?<![\w/+-])[\w/+-]{32,}=?)"
    r"|\d[\d.]*(?P<time>(</b>)?[ \xa0](ms|seconds?|minutes?)\b)"
    r"|(?P<limit>(reset_seconds|remaining)\W+)\d+"
    r"|<td>\d+\.\d\d(?P<stage></td>)"
    r'|(?P<id>job_id\W+|"id": ?|Job |\bjob |/ingestjob/|/invitations/)\d+'
    r"|(?P<clock>\d{1,2}:\d\d(:\d\d(\.\d+)?)?)"
)


def level(text: str, nowhere: Target, hidden: Target) -> str:
    """Without what differs each time; what is nowhere bears the names and numbers of what is hidden."""
    for model, pk in nowhere.ids.items():
        text = text.replace(str(pk), str(hidden.ids[model]))
    return PASSING.sub(lambda match: f"<{match.lastgroup}>", text.replace(nowhere.word, hidden.word))


def walk(
    client: Client,
    own: Target,
    hidden: Target,
    nowhere: Target,
    chosen: Callable[[Request], bool],
    whose: tuple[str, type[Model]] = ("tenant_id", Tenant),
) -> list[str]:
    """What is wrong, each in a line. Nothing may happen to the rows of the hidden tenant, or collection."""
    column, key = whose[0], hidden.ids[whose[1]]
    before, faults = get_fingerprint(column, key), []
    changed: list[bool] = []

    def look() -> None:
        changed.append(get_fingerprint(column, key) != before)

    pairs = zip(make_requests(hidden, own), make_requests(nowhere, own), strict=True)
    for request, twin in ((request, twin) for request, twin in pairs if chosen(request)):
        changed.clear()
        answer = send(client, request, look)
        name = f"{request.method} {request.path} {str(request.data or '')[:200]}"
        if any(changed):
            faults.append(f"changed: {name}")
        if hidden.word in answer[2] + answer[1] and hidden.word not in request.text:
            faults.append(f"shown: {name}")
        if twin == request:  # names nothing, so that there is nothing to be told from
            continue
        other = send(client, twin, lambda: None)
        told, expected = (tuple(level(str(part), nowhere, hidden) for part in each) for each in (answer, other))
        if told != expected:
            faults.append(f"told from absence: {name}: {find_difference(told, expected)}")
    return faults


def find_difference(told: tuple[str, ...], expected: tuple[str, ...]) -> str:
    one, other = next((one, other) for one, other in zip(told, expected, strict=True) if one != other)
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(at - 40, 0) : at + 80]!r} instead of {other[max(at - 40, 0) : at + 80]!r}"


def is_for_programs(request: Request) -> bool:
    return not request.path.startswith(ADMIN)


def is_for_people(request: Request) -> bool:
    return not request.path.startswith("/mcp")  # which knows no sessions


# What each of them asks. An owner may do what the others do, and asks everything; viewers look, and editors send what viewers may not.
CHOSEN: dict[str, Callable[[Request], bool]] = {
    "anonymous": lambda request: True,
    "owner": lambda request: True,
    "viewer": lambda request: is_for_people(request) and request.method == "get",
    "editor": lambda request: is_for_people(request) and request.method != "get",
    **dict.fromkeys(KEYS, is_for_programs),
}

# Who may do most asks every statement there is, on whichever server; of the others one will do.
ALL_THE_SAME = [pytest.param(who, marks=pytest.mark.any_database) for who in ("viewer", "editor", *KEYS)]


@pytest.mark.parametrize("who", ["anonymous", "owner", *ALL_THE_SAME])
def test_what_is_another_tenants_is_as_what_is_not_there(who: str) -> None:
    ask_as(who, CHOSEN[who])


def ask_as(who: str, chosen: Callable[[Request], bool]) -> None:
    hidden, own = make_target(HIDDEN), make_target("own")
    faults = walk(make_client(who, own), own, hidden, make_nowhere(hidden), chosen)
    assert not faults, "\n".join(faults)


@pytest.fixture
def behind_the_wall(settings: Any) -> Iterator[None]:
    """Rows are kept apart by the database too, and it knows the web server by a login of its own."""
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_row_security": "on"})
    with signed_in_as_web_login():
        yield


@pytest.mark.parametrize(
    ("who", "chosen"), [("anonymous", is_for_programs), ("editor", is_for_people), ("key_to_do_all", is_for_programs)]
)
@pytest.mark.usefixtures("behind_the_wall")
def test_behind_the_wall_too_it_is_as_what_is_not_there(who: str, chosen: Callable[[Request], bool]) -> None:
    ask_as(who, chosen)


def list_with(cursor: str, hidden: Target) -> Iterator[Request]:
    """Every list that goes on at a cursor, over all that the caller sees and over what is hidden."""
    tools: dict[str, dict[str, Any]] = {
        "list_collections": {},
        "list_doc_pages": {},
        "get_doc_page": {"path": hidden.path, "collection": hidden.collection},
        "ingestion_status": {"job_id": hidden.ids[IngestJob]},
    }
    calls = [("tools/call", {"name": name, "arguments": given | {"cursor": cursor}}) for name, given in tools.items()]
    listed = [(f"{each}/list", {"cursor": cursor}) for each in ("resources", "resources/templates", "prompts")]
    for method, params in (*calls, *listed):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        yield Request("post", "/mcp", json.dumps(message), "application/json")
    own = hidden.collection.replace("/", ":")
    for path in (
        "/api/collections",
        "/api/jobs",
        f"/api/collections/{own}/documents",
        f"/api/collections/{own}/sources",
    ):
        yield Request("get", f"{path}?{urlencode({'cursor': cursor, 'limit': 1})}")


def find_cursors(client: Client, hidden: Target) -> set[str]:
    """What leads its own tenant from the first page of each list to the next."""
    found: set[str] = set()
    for name, arguments in (
        ("list_collections", {"limit": 1}),
        ("list_doc_pages", {"limit": 1}),
        ("get_doc_page", {"path": f"{SECRET}.md", "max_tokens": 200}),
    ):
        params = {"name": name, "arguments": arguments | {"format": "json"}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = client.post("/mcp", json.dumps(message), "application/json").json()
        found.add(answer["result"]["structuredContent"]["next_cursor"])
    for path in ("/api/collections", "/api/jobs", f"/api/collections/{hidden.word}/documents"):
        found.add(client.get(f"{path}?limit=1").json()["next_cursor"])
    assert None not in found
    return found


@pytest.mark.parametrize("who", ["anonymous", "key_to_do_all"])
def test_a_cursor_of_another_tenant_is_as_one_that_nobody_made(who: str) -> None:
    hidden, own = make_target(HIDDEN), make_target("own")
    collection = Collection.objects.get(pk=hidden.ids[Collection])
    tenant = collection.tenant
    make_collection(f"{HIDDEN}-2", tenant=tenant)
    put(collection, {f"{SECRET}.md": f"# {SECRET}\n\n" + f"{SECRET}\n\n" * 2_000})
    start_job(Source.objects.create(tenant=tenant, collection=collection, kind="site", location="https://a.example/"))
    client = make_client(who, own)
    for cursor in find_cursors(make_client("key_to_do_all", hidden), hidden):
        for request, twin in zip(list_with(cursor, hidden), list_with(cursor[::-1], hidden), strict=True):
            told, expected = send(client, request, lambda: None), send(client, twin, lambda: None)
            assert SECRET not in told[2]
            assert told == expected


def test_a_key_for_one_collection_finds_nothing_of_the_tenants_others() -> None:
    hidden = make_target(HIDDEN)
    tenant = Tenant.objects.get(pk=hidden.ids[Tenant])
    tenant.slug = tenant.name = "harbour"
    tenant.save()
    kiosk = make_collection("kiosk", tenant=tenant)
    put(kiosk, {"kept.md": "# Kept\n\nalpacas\n"})
    _, secret = ApiKey.objects.issue(tenant=tenant, name="narrow", scopes=(READ, ASK, WRITE), collections=[kiosk])
    hidden = Target(HIDDEN, "harbour", hidden.ids)
    own = Target("kiosk", "harbour", {**hidden.ids, Collection: kiosk.pk})
    client = make_key_client(secret)
    whose = ("collection_id", Collection)
    faults = walk(client, own, hidden, make_nowhere(hidden, "harbour"), is_for_programs, whose)
    assert not faults, "\n".join(faults)


def test_an_address_that_is_not_known_to_the_walk_fails_it() -> None:
    target = Target(HIDDEN, HIDDEN, {Tenant: 1})
    assert {fill("docs/<slug:tenant>/<slug:collection>/", target)[0]} == {f"docs/{HIDDEN}/{HIDDEN}/"}
    for route in ("admin/things/<int:pk>/", "docs/<slug:thing>", "docs/(?P<rest>.*)"):
        with pytest.raises(Unknown):
            fill(route, target)
