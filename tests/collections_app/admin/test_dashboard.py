"""The admin's first page: what it tells, to whom, and what it changes."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collections_app.access.roles import Role
from collections_app.activity.usage import COUNTERS, count_call, write_counts
from collections_app.admin.dashboard import make_latency_chart, make_request_chart
from collections_app.models import (
    ApiKey,
    Collection,
    DailyUsage,
    Document,
    DocumentRead,
    Feedback,
    IngestJob,
    Membership,
    MonthlyRequests,
    Pin,
    SearchEvent,
    Source,
    Synonym,
    Tenant,
    User,
)
from collections_app.reports.usage import UsageRow, get_today
from tests.factories import find_paths, make_collection, make_principal, make_tenant, put

pytestmark = pytest.mark.django_db

INDEX = "/admin/"


@pytest.fixture
def collection() -> Collection:
    collection = make_collection("manual")
    put(collection, {"guide.md": "# Guide\n\nInstall the lever.\n", "faq.md": "# FAQ\n\nThe mango of questions.\n"})
    return collection


def log_in(client: Client, tenant: Tenant | None, role: Role = Role.OWNER, name: str = "member") -> Client:
    user = User.objects.create_user(name, password="x")
    if tenant:
        Membership.objects.create(tenant=tenant, user=user, role=role)
    client.force_login(user)
    return client


@pytest.fixture
def owner(client: Client, collection: Collection) -> Client:
    return log_in(client, collection.tenant)


def show(client: Client, **query: str) -> str:
    answer = client.get(INDEX, query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def look(client: Client) -> Any:
    """What the page is made of."""
    return client.get(INDEX).context


def make_event(collection: Collection, query: str, hits: int = 0, days_ago: float = 0) -> None:
    event = SearchEvent.objects.create(
        tenant=collection.tenant, collections=[collection.pk], query=query, mode="keyword", hits=hits, duration_ms=1
    )
    SearchEvent.objects.filter(pk=event.pk).update(created=timezone.now() - timedelta(days=days_ago))


class TestWhoSeesWhat:
    def test_nobody_sees_it_without_signing_in(self, client: Client) -> None:
        assert client.get(INDEX).status_code == 302

    def test_another_tenants_things_are_not_told(self, owner: Client) -> None:
        foreign = make_collection("zebra")
        put(foreign, {"zebra.md": "# Zebra\n\nStripes.\n"})
        make_event(foreign, "zebra stripes")
        Feedback.objects.create(tenant=foreign.tenant, question="zebra gone", helpful=False)
        count_call(make_principal(foreign), "zebra_tool", 1, is_error=False)
        write_counts()
        assert "zebra" not in show(owner)

    def test_another_tenant_is_as_one_that_is_not_there(self, owner: Client) -> None:
        foreign = make_tenant("acme")
        told = [owner.get(INDEX, {"tenant": slug}) for slug in (foreign.slug, "nope")]
        assert [answer.status_code for answer in told] == [404, 404]

    def test_who_has_several_chooses(self, owner: Client, collection: Collection) -> None:
        second = make_collection("second").tenant
        Membership.objects.create(tenant=second, user=User.objects.get(), role=Role.VIEWER)
        page = show(owner, tenant=second.slug)
        assert f'value="{second.slug}" selected' in page
        assert f'value="{collection.tenant.slug}">' in page
        assert "db-chooser" in page

    def test_who_has_one_has_nothing_to_choose(self, owner: Client) -> None:
        assert "db-chooser" not in show(owner)

    def test_keys_are_the_owners_business(self, client: Client, collection: Collection) -> None:
        caller = make_principal(collection)
        count_call(caller, "search_docs", 1, is_error=False)
        write_counts()
        log_in(client, collection.tenant, Role.EDITOR)
        assert "By key" not in show(client)
        Membership.objects.update(role=Role.OWNER)
        assert caller.label in show(client)

    def test_a_superuser_sees_what_belongs_to_no_tenant(self, client: Client, collection: Collection) -> None:
        COUNTERS.begin()
        DailyUsage.objects.create(
            day=get_today(), call="tools/list", requests=4711, errors=0, total_ms=1, latencies=[0] * 12
        )
        client.force_login(User.objects.create_superuser("root", password="x"))
        assert "4,711 of callers without a tenant" in show(client)


class TestFirstSteps:
    def test_an_installation_without_a_tenant_says_what_to_do(self, client: Client) -> None:
        Tenant.objects.all().delete()
        client.force_login(User.objects.create_superuser("root", password="x"))
        assert "Create a tenant" in show(client)

    def test_a_newcomer_is_led_step_by_step(self, client: Client) -> None:
        tenant = make_tenant()
        log_in(client, tenant)
        assert [step.is_done for step in look(client)["steps"]] == [False] * 4
        assert all(step.url for step in look(client)["steps"])
        collection = make_collection(tenant=tenant)
        assert [step.is_done for step in look(client)["steps"]] == [True, False, False, False]
        put(collection, {"a.md": "# A\n\nText.\n"})
        make_principal(collection)
        assert [step.is_done for step in look(client)["steps"]] == [True, True, True, False]
        ApiKey.objects.update(last_used=timezone.now())
        assert look(client)["steps"] == []

    def test_a_viewer_is_told_to_ask_an_owner(self, client: Client) -> None:
        log_in(client, make_tenant(), Role.VIEWER)
        page = show(client)
        assert page.count("ask an owner") == 3
        assert reverse("admin:new_collection") not in page.partition("First steps")[2].partition("</section>")[0]


class TestUse:
    def test_requests_and_latency_are_told_by_day_tool_and_key(self, owner: Client, collection: Collection) -> None:
        caller = make_principal(collection)
        for duration_ms in (4, 40, 400):
            count_call(caller, "search_docs", duration_ms, is_error=False)
        count_call(caller, "read_sections", 4, is_error=True)
        write_counts()
        told = look(owner)
        assert (told["request_count"], told["error_count"]) == (4, 1)
        [(search, percent), (read, _)] = told["calls"]
        assert (search.name, search.requests, search.errors, percent) == ("search_docs", 3, 0, 100)
        assert (read.name, read.requests, read.errors) == ("read_sections", 1, 1)
        assert 25 < search.median_ms <= 50
        assert [row.requests for row, _ in told["keys"]] == [4]
        assert json.loads(told["request_chart"])["datasets"][0]["data"][-1] == 3

    def test_each_of_thirty_days_is_there_and_no_older_one(self, owner: Client, collection: Collection) -> None:
        for days_ago in (0, 29, 30):
            count_call(make_principal(collection), f"tool-{days_ago}", 1, is_error=False)
            write_counts()
            DailyUsage.objects.filter(call=f"tool-{days_ago}").update(day=get_today() - timedelta(days=days_ago))
        chart = json.loads(look(owner)["request_chart"])
        assert len(chart["labels"]) == 30
        assert chart["datasets"][0]["data"] == [1, *[0] * 28, 1]

    def test_days_without_errors_have_none_in_the_chart(self) -> None:
        good, errors = json.loads(make_request_chart([UsageRow("2026-11-20", 5, 2), UsageRow("2026-11-21")]))[
            "datasets"
        ]
        assert (good["data"], errors["data"]) == ([3, 0], [2, 0])

    def test_a_single_day_is_a_point_in_the_chart_of_times(self) -> None:
        chart = json.loads(make_latency_chart([UsageRow("2026-11-20"), UsageRow("2026-11-21", 5, 0, median_ms=12.0)]))
        points = [(line["data"][1], line["pointStyle"], line["pointRadius"] > 0) for line in chart["datasets"]]
        assert points == [(12.0, "circle", True), (None, "circle", True)]

    def test_the_month_is_held_against_the_quota(self, owner: Client, collection: Collection) -> None:
        assert "any number" in show(owner)
        Tenant.objects.filter(pk=collection.tenant_id).update(monthly_quota=200, monthly_answer_cost=10)
        MonthlyRequests.objects.create(tenant=collection.tenant, month=get_today().replace(day=1), requests=150)
        page = show(owner)
        assert "200 (75 % used)" in page
        assert "10.00 (0 % used)" in page

    def test_what_is_stored_is_held_against_what_may_be(self, owner: Client, collection: Collection) -> None:
        assert "Nearly full" not in show(owner)
        Tenant.objects.filter(pk=collection.tenant_id).update(max_documents=4)
        assert "Documents: 4 (50 % used)" in show(owner)
        Tenant.objects.filter(pk=collection.tenant_id).update(max_documents=2)
        assert "Nearly full" in show(owner)


class TestQuestions:
    def test_the_most_frequent_come_first_in_whatever_case(self, owner: Client, collection: Collection) -> None:
        for query in ("Lever", "lever", "faq"):
            make_event(collection, query, hits=4)
        make_event(collection, "ancient", hits=1, days_ago=31)
        assert [(each.times, each.mean_hits) for each in look(owner)["questions"]] == [(2, 4.0), (1, 4.0)]

    def test_what_found_nothing_stands_apart(self, owner: Client, collection: Collection) -> None:
        make_event(collection, "lever", hits=3)
        make_event(collection, "crowbar")
        make_event(collection, "ancient", days_ago=31)
        [question] = look(owner)["unanswered"]
        assert (question.text, question.times, question.collections) == ("crowbar", 1, [collection])

    def test_a_synonym_is_added_beside_it_and_search_finds_by_it(self, owner: Client, collection: Collection) -> None:
        make_event(collection, "crowbar")
        assert find_paths(collection, "crowbar") == []
        sent = {"collection": collection.pk, "term": "crowbar", "synonym": "lever"}
        answer = owner.post(reverse("admin:dashboard_add_synonym"), sent)
        assert answer.headers["Location"] == f"/admin/?tenant={collection.tenant.slug}#unanswered"
        assert find_paths(collection, "crowbar") == ["guide.md"]
        assert "crowbar ⇄ lever" in show(owner)
        assert owner.post(reverse("admin:dashboard_remove_synonym", args=[Synonym.objects.get().pk])).status_code == 302
        assert find_paths(collection, "crowbar") == []

    @pytest.mark.parametrize(("synonym", "is_told"), [("lever", False), ("anchor", True)])
    def test_a_synonym_that_finds_nothing_is_told(
        self, owner: Client, collection: Collection, synonym: str, is_told: bool
    ) -> None:
        given = {"collection": collection.pk, "term": "rudder", "synonym": synonym}
        page = owner.post(reverse("admin:dashboard_add_synonym"), given, follow=True).content.decode()
        assert Synonym.objects.filter(synonym=synonym).exists()
        assert ("Neither word is in its documents yet" in page) == is_told

    def test_a_page_is_pinned_beside_it_and_search_gives_it_first(self, owner: Client, collection: Collection) -> None:
        make_event(collection, "mango")
        sent = {"collection": collection.pk, "question": "mango", "path": "guide"}
        owner.post(reverse("admin:dashboard_add_pin"), sent)
        assert find_paths(collection, "mango")[0] == "guide.md"
        assert "Pinned: guide.md" in show(owner)
        owner.post(reverse("admin:dashboard_remove_pin", args=[Pin.objects.get().pk]))
        assert find_paths(collection, "mango") == ["faq.md"]

    @pytest.mark.parametrize(
        ("page", "sent", "told"),
        [
            ("dashboard_add_pin", {"question": "q", "path": "gone.md"}, "has no page"),
            ("dashboard_add_pin", {"question": "?!", "path": "guide.md"}, "The question needs a word"),
            ("dashboard_add_pin", {"question": "q", "path": "guide.md", "section_id": "zzz"}, "has no section"),
            ("dashboard_add_synonym", {"term": "", "synonym": "lever"}, "The term needs a word"),
            ("dashboard_add_synonym", {"term": "Lever", "synonym": "lever"}, "another word"),
        ],
    )
    def test_what_cannot_work_is_told(
        self, owner: Client, collection: Collection, page: str, sent: dict[str, str], told: str
    ) -> None:
        answer = owner.post(reverse(f"admin:{page}"), {"collection": collection.pk, **sent}, follow=True)
        assert told in answer.content.decode()
        assert not Pin.objects.exists()
        assert not Synonym.objects.exists()

    def test_a_viewer_changes_nothing_and_sees_no_form(self, client: Client, collection: Collection) -> None:
        log_in(client, collection.tenant, Role.VIEWER)
        make_event(collection, "crowbar")
        assert "Add a synonym" not in show(client)
        sent = {"collection": collection.pk, "term": "crowbar", "synonym": "lever"}
        assert client.post(reverse("admin:dashboard_add_synonym"), sent).status_code == 403
        assert not Synonym.objects.exists()

    @pytest.mark.parametrize("collection_id", ["", "x", "9" * 30, "-1", "999999"])
    def test_a_collection_that_is_not_there_is_not_found(self, owner: Client, collection_id: str) -> None:
        sent = {"collection": collection_id, "term": "crowbar", "synonym": "lever"}
        assert owner.post(reverse("admin:dashboard_add_synonym"), sent).status_code == 404

    def test_another_tenants_collection_is_not_there(self, owner: Client) -> None:
        foreign = make_collection()
        synonym = Synonym.objects.create(tenant=foreign.tenant, collection=foreign, term="a", synonym="b")
        pin = Pin.objects.create(tenant=foreign.tenant, collection=foreign, question="q", path="p")
        sent = {"collection": foreign.pk, "term": "x", "synonym": "y", "question": "q", "path": "p"}
        for url in (
            reverse("admin:dashboard_add_synonym"),
            reverse("admin:dashboard_add_pin"),
            reverse("admin:dashboard_remove_synonym", args=[synonym.pk]),
            reverse("admin:dashboard_remove_pin", args=[pin.pk]),
        ):
            assert owner.post(url, sent).status_code == 404
        assert (Synonym.objects.count(), Pin.objects.count()) == (1, 1)

    @pytest.mark.parametrize("page", ["dashboard_add_synonym", "dashboard_add_pin"])
    def test_a_link_changes_nothing(self, owner: Client, page: str) -> None:
        assert owner.get(reverse(f"admin:{page}")).status_code == 405

    def test_words_of_strangers_are_shown_inert(self, owner: Client, collection: Collection) -> None:
        make_event(collection, "<script>alert(1)</script>")
        Feedback.objects.create(tenant=collection.tenant, question="<img src=x>", comment="</p><b>", helpful=False)
        page = show(owner)
        assert "<script>alert" not in page
        assert "<img src=x>" not in page
        assert "</p><b>" not in page


class TestDocuments:
    def test_what_agents_did_not_like_is_told(self, owner: Client, collection: Collection) -> None:
        about = {"tenant": collection.tenant, "collection": collection}
        Feedback.objects.create(**about, question="how to lever", comment="Says nothing of force", helpful=False)
        Feedback.objects.create(**about, question="fine one", helpful=True)
        page = show(owner)
        assert "Says nothing of force" in page
        assert "fine one" not in page

    def test_documents_never_read_are_told(self, owner: Client, collection: Collection) -> None:
        Document.objects.update(created=timezone.now() - timedelta(days=15))
        assert [document.path for document in look(owner)["unread"].documents] == ["faq.md", "guide.md"]
        read = Document.objects.get(path="faq.md")
        DocumentRead.objects.create(tenant=read.tenant, document=read, last_read=timezone.now(), reads=1)
        assert [document.path for document in look(owner)["unread"].documents] == ["guide.md"]

    def test_what_came_lately_is_not_told_as_never_read(self, owner: Client, collection: Collection) -> None:
        assert not look(owner)["unread"].documents
        Document.objects.filter(path="guide.md").update(created=timezone.now() - timedelta(days=15))
        assert [document.path for document in look(owner)["unread"].documents] == ["guide.md"]
        assert "been here for 14 days" in show(owner)

    def test_documents_that_failed_are_told_with_the_reason(self, owner: Client) -> None:
        Document.objects.filter(path="faq.md").update(status="failed", error_message="Line 3 is broken.")
        Document.objects.filter(path="guide.md").update(status="quarantined")
        page = show(owner)
        assert "Line 3 is broken." in page
        assert "In quarantine" in page

    def test_a_source_whose_last_run_failed_is_told_with_the_reason(
        self, owner: Client, collection: Collection
    ) -> None:
        of = {"tenant": collection.tenant, "collection": collection}
        source = Source.objects.create(**of, kind="site", location="https://docs.example.org/")
        failed = {"state": "failed", "error_message": "The server cannot be reached."}
        IngestJob.objects.create(**of, source=source, **failed)
        page = show(owner)
        assert "Sources that could not be read" in page
        assert "https://docs.example.org/</a>" in page
        assert "The server cannot be reached." in page
        IngestJob.objects.create(**of, source=source, state="succeeded")
        assert "Sources that could not be read" not in show(owner)

    def test_a_source_whose_removals_are_held_is_told_until_a_run_has_looked_again(
        self, owner: Client, collection: Collection
    ) -> None:
        of = {"tenant": collection.tenant, "collection": collection}
        source = Source.objects.create(**of, kind="site", location="https://docs.example.org/")
        held = {"state": "partial", "error_code": "REMOVALS_HELD", "error_message": "No longer has 12: `docsmcp`."}
        job = IngestJob.objects.create(**of, source=source, prune=True, **held)
        IngestJob.objects.create(**of, source=source, state="succeeded", only=["a.html"])
        IngestJob.objects.create(**of, source=source, state="failed", prune=True)
        page = show(owner)
        assert "Removals that are held" in page
        assert f'{reverse("admin:collections_app_ingestjob_change", args=[job.pk])}">https://docs.example.org/' in page
        assert "No longer has 12: <code>docsmcp</code>." in page
        IngestJob.objects.create(**of, source=source, state="succeeded", prune=True)
        assert "Removals that are held" not in show(owner)

    def test_an_upload_of_a_broken_file_is_no_source_that_could_not_be_read(
        self, owner: Client, collection: Collection
    ) -> None:
        of = {"tenant": collection.tenant, "collection": collection}
        uploads = Source.objects.create(**of, kind="upload")
        IngestJob.objects.create(**of, source=uploads, state="failed", only=["broken.docx"])
        assert "Sources that could not be read" not in show(owner)

    def test_how_fresh_a_collection_is_and_what_the_queue_does(self, owner: Client, collection: Collection) -> None:
        source = Source.objects.create(
            tenant=collection.tenant, collection=collection, kind="directory", refresh_interval_seconds=300
        )
        about = {"tenant": collection.tenant, "collection": collection, "source": source}
        IngestJob.objects.create(**about, state="running", stage="reading", started=timezone.now())
        waiting = IngestJob.objects.create(**about, state="queued")
        IngestJob.objects.filter(pk=waiting.pk).update(created=timezone.now() - timedelta(minutes=7))
        told = look(owner)
        [fresh] = told["freshness"]
        assert (fresh.collection, fresh.documents) == (collection, 2)
        assert fresh.updated > collection.updated
        assert fresh.next_refresh
        assert (told["queue"].waiting, len(told["queue"].running)) == (1, 1)
        assert "waiting, the first for 7\xa0minutes" in show(owner)


def test_the_page_costs_a_fixed_number_of_statements(
    owner: Client, collection: Collection, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        make_event(collection, f"question {number}")
        make_event(collection, f"other {number}", hits=1)
        make_collection(tenant=collection.tenant)
    with django_assert_max_num_queries(40):
        show(owner)


def test_feedback_is_listed_for_members_and_deleted_by_owners(client: Client, collection: Collection) -> None:
    row = Feedback.objects.create(tenant=collection.tenant, question="mine", helpful=False)
    foreign = Feedback.objects.create(tenant=make_tenant(), question="theirs", helpful=False)
    log_in(client, collection.tenant, Role.EDITOR)
    page = client.get(reverse("admin:collections_app_feedback_changelist")).content.decode()
    assert "mine" in page
    assert "theirs" not in page
    delete = "admin:collections_app_feedback_delete"
    assert client.post(reverse(delete, args=[row.pk]), {"post": "yes"}).status_code == 403
    Membership.objects.update(role=Role.OWNER)
    assert client.post(reverse(delete, args=[foreign.pk]), {"post": "yes"}).status_code == 404
    assert client.post(reverse(delete, args=[row.pk]), {"post": "yes"}).status_code == 302
    assert Feedback.objects.get() == foreign
