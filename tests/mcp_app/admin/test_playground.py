"""The playground shows what an agent gets and why, as the person or as one of its keys, and lets an editor mend it."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collections_app.access.principal import Scope
from collections_app.models import ApiKey, AuditEvent, Collection, Membership, Pin, SearchEvent, Synonym, Tenant, User
from mcp_app.trial import Trial
from tests.factories import find_paths, make_collection, make_tenant, put

pytestmark = pytest.mark.django_db

TEXTS = {
    "llama.md": "# Llamas\n\nA llama is tall.\n",
    "alpaca.md": "# Alpacas\n\nAn alpaca is no llama.\n\n## Wool\n\nThe wool of it.\n",
}


@pytest.fixture(autouse=True)
def forget() -> None:
    cache.clear()


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("guide")
    put(collection, TEXTS)
    return collection


@pytest.fixture
def theirs() -> Collection:
    collection = make_collection("theirs")
    put(collection, {"secret.md": "# Secret\n\nA llama of theirs.\n"})
    return collection


def sign_in(tenant: Tenant | None, role: str = "viewer") -> Client:
    user = User.objects.create_user(f"{role}-{User.objects.count()}")
    if tenant:
        Membership.objects.create(tenant=tenant, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def ask(client: Client, question: str = "llama", action: str = "search", **fields: Any) -> Any:
    given = {"question": question, "action": action, **fields}
    return client.post(reverse("admin:playground"), given, follow=action == "search")


def get_trial(response: Any) -> Trial:
    trial = response.context["trial"]
    assert isinstance(trial, Trial)
    return trial


def read(response: Any) -> str:
    return html.unescape(response.content.decode())


def test_it_opens_for_everybody_who_belongs_to_a_tenant(docs: Collection) -> None:
    for role in ("viewer", "editor", "owner"):
        assert "Playground" in read(sign_in(docs.tenant, role).get(reverse("admin:playground")))
    assert sign_in(None).get(reverse("admin:playground")).status_code == 302


def test_a_search_has_an_address_of_its_own(docs: Collection) -> None:
    client = sign_in(docs.tenant)
    answer = ask(client, "llama wool", limit="3")
    assert answer.redirect_chain == [(f"{reverse('admin:playground')}?question=llama+wool&limit=3", 302)]
    assert ask(client, "лама" * 200).redirect_chain == [], "What is too long for an address is answered at once"
    assert ask(client, "").redirect_chain == [], "So is what cannot be asked"


def test_it_tells_a_newcomer_what_to_do_first() -> None:
    assert "There is nothing to ask yet" in read(sign_in(make_tenant()).get(reverse("admin:playground")))


def test_it_shows_the_agents_text_and_why_each_hit_stands_where_it_does(docs: Collection) -> None:
    response = ask(sign_in(docs.tenant))
    trial = get_trial(response)
    shown = read(response)
    assert trial.text in shown
    assert "found anew" in shown
    assert [each.hit.path for each in response.context["shown"]] == ["llama.md", "alpaca.md"]
    for each in response.context["shown"]:
        assert f"score {each.hit.score:.2f}" in trial.text
        assert each.why.score == pytest.approx(each.hit.score, abs=1e-4)
    assert "Rank by words" in shown


def test_asked_again_it_says_that_it_was_remembered(docs: Collection) -> None:
    client = sign_in(docs.tenant)
    ask(client)
    assert "remembered from a moment ago" in read(ask(client))


def test_nothing_is_kept_of_what_was_tried(docs: Collection) -> None:
    ask(sign_in(docs.tenant))
    assert not SearchEvent.objects.exists()


def test_a_link_may_ask(docs: Collection) -> None:
    client = sign_in(docs.tenant)
    response = client.get(reverse("admin:playground"), {"question": "llama", "collection": f"{docs.tenant.slug}/guide"})
    assert "llama.md" in get_trial(response).text


def test_a_link_writes_no_answer(docs: Collection) -> None:
    client = sign_in(docs.tenant)
    response = client.get(reverse("admin:playground"), {"question": "llama", "action": "ask"})
    assert response.context["tool"] == "search_docs"


def test_an_answer_is_asked_for(docs: Collection) -> None:
    response = ask(sign_in(docs.tenant), action="ask")
    assert response.context["tool"] == "ask_docs"
    assert "A llama is tall." in get_trial(response).text


def test_options_reach_the_tool(docs: Collection) -> None:
    response = ask(sign_in(docs.tenant), limit="1", mode="keyword", max_tokens="200")
    assert len(response.context["shown"]) == 1
    assert "mode keyword" in get_trial(response).text
    assert get_trial(response).tokens <= 200


def test_filters_narrow_the_answer_and_its_explanation(docs: Collection) -> None:
    response = ask(sign_in(docs.tenant), filters='{"path": "alpaca.md"}')
    assert [each.hit.path for each in response.context["shown"]] == ["alpaca.md"]
    assert "llama.md" not in get_trial(response).text


def test_an_agents_error_is_shown_as_it_is(docs: Collection) -> None:
    response = ask(sign_in(docs.tenant), code="?!")
    assert get_trial(response).is_error
    assert "is no language" in read(response)


@pytest.mark.parametrize("question", ["", "x" * 1001])
def test_a_question_that_is_none_is_refused_in_the_form(docs: Collection, question: str) -> None:
    response = ask(sign_in(docs.tenant), question)
    assert response.status_code == 200
    assert "trial" not in response.context


def test_what_is_tried_counts_against_the_persons_limit(docs: Collection, settings: Any) -> None:
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"mcp_rate_limit_requests": 1})
    client = sign_in(docs.tenant)
    ask(client)
    assert "The limit of 1 requests" in read(ask(client))


class TestTenants:
    def test_a_person_searches_its_own_collections_only(self, docs: Collection, theirs: Collection) -> None:
        response = ask(sign_in(docs.tenant))
        assert "secret.md" not in read(response)
        assert "theirs" not in read(response)

    def test_another_tenants_collection_is_no_choice(self, docs: Collection, theirs: Collection) -> None:
        client = sign_in(docs.tenant)
        real, none = (ask(client, collection=name) for name in (f"{theirs.tenant.slug}/theirs", "no/where"))
        assert "trial" not in real.context
        assert [str(each.context["form"].errors["collection"]).count("valid choice") for each in (real, none)] == [1, 1]


class TestAsAKey:
    def issue(self, docs: Collection, **options: Any) -> ApiKey:
        return ApiKey.objects.issue(tenant=docs.tenant, name="agent", **options)[0]

    def test_an_owner_sees_what_a_key_sees(self, docs: Collection) -> None:
        other = make_collection("other", tenant=docs.tenant)
        put(other, {"other.md": "# Other\n\nThe other llama.\n"})
        key = self.issue(docs, collections=[other])
        client = sign_in(docs.tenant, "owner")
        assert "llama.md" in get_trial(ask(client)).text
        text = get_trial(ask(client, key=key.pk)).text
        assert "other.md" in text
        assert "llama.md" not in text

    def test_a_tool_that_the_key_has_not_is_not_there(self, docs: Collection) -> None:
        key = self.issue(docs, scopes=[Scope.READ])
        assert "no ask_docs" in read(ask(sign_in(docs.tenant, "owner"), action="ask", key=key.pk))

    def test_it_is_no_use_of_the_key(self, docs: Collection) -> None:
        key = self.issue(docs)
        ask(sign_in(docs.tenant, "owner"), key=key.pk)
        key.refresh_from_db()
        assert key.last_used is None
        assert not SearchEvent.objects.exists()

    def test_an_editor_is_offered_no_key(self, docs: Collection) -> None:
        key = self.issue(docs)
        shown = read(ask(sign_in(docs.tenant, "editor"), key=key.pk))
        assert key.prefix not in shown

    def test_another_tenants_key_is_no_choice(self, docs: Collection, theirs: Collection) -> None:
        self.issue(docs)
        key = self.issue(theirs)
        response = ask(sign_in(docs.tenant, "owner"), key=key.pk)
        assert "trial" not in response.context
        assert "secret.md" not in read(response)


class TestMending:
    def pin(self, client: Client, collection: Collection, **fields: Any) -> Any:
        sent = {"in": collection.pk, "path": "alpaca.md", "section_id": "alpacas/wool", **fields}
        return ask(client, action="pin", **sent)

    def join(self, client: Client, collection: Collection) -> Any:
        sent = {"in": collection.pk, "term": "cria", "synonym": "llama", "is_mutual": "on"}
        return ask(client, "cria", action="synonym", **sent)

    def test_an_editor_pins_a_hit_and_sees_it_first(self, docs: Collection) -> None:
        client = sign_in(docs.tenant, "editor")
        response = self.pin(client, docs)
        assert response.status_code == 302
        shown = client.get(response["Location"])
        assert shown.context["shown"][0].hit.section_id == "alpacas/wool"
        assert "People pinned this section" in read(shown)
        assert AuditEvent.objects.filter(tenant=docs.tenant).count() == 1

    def test_an_editor_adds_a_synonym_and_sees_what_it_finds(self, docs: Collection) -> None:
        client = sign_in(docs.tenant, "editor")
        assert find_paths(docs, "cria") == []
        shown = client.get(self.join(client, docs)["Location"])
        assert shown.context["shown"][0].hit.path == "llama.md"

    def test_what_cannot_work_is_refused(self, docs: Collection) -> None:
        client = sign_in(docs.tenant, "editor")
        shown = client.get(self.pin(client, docs, path="gone.md")["Location"])
        assert "gone.md" in read(shown)
        assert not Pin.objects.exists()

    def test_a_viewer_may_not(self, docs: Collection) -> None:
        client = sign_in(docs.tenant)
        assert "Pin it to this question" not in read(ask(client))
        assert self.pin(client, docs).status_code == self.join(client, docs).status_code == 403
        assert not Pin.objects.exists()
        assert not Synonym.objects.exists()

    def test_many_collections_cost_no_more_queries(self, docs: Collection) -> None:
        client = sign_in(docs.tenant, "editor")

        def count(number: int) -> int:
            for _ in range(number):
                make_collection(tenant=docs.tenant)
            cache.clear()
            with CaptureQueriesContext(connection) as queries:
                assert len(ask(client, collection=f"{docs.tenant.slug}/guide").context["editable"]) > number
            return len(queries)

        first = count(0)
        assert count(5) <= first

    @pytest.mark.parametrize("place", ["theirs", "nowhere", "x", "", "9" * 5_000])
    def test_another_tenants_collection_is_not_found(self, docs: Collection, theirs: Collection, place: str) -> None:
        client = sign_in(docs.tenant, "owner")
        pk = {"theirs": theirs.pk, "nowhere": 999_999}.get(place, place)
        sent: dict[str, Any] = {"in": pk, "path": "secret.md", "term": "a", "synonym": "b"}
        for action in ("pin", "synonym"):
            assert ask(client, action=action, **sent).status_code == 404
        assert not Pin.objects.exists()
