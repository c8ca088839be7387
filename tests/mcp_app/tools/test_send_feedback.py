from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from collections_app.access.principal import Principal, Scope
from collections_app.models import ApiKey, Collection, Feedback
from collections_app.tasks import forget_old_events
from mcp_app.dispatching.dispatcher import get_dispatcher
from tests.factories import make_collection, make_principal, put
from tests.mcp_app.tools.conftest import CallTool, data_of, error_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def asker(collection: Collection) -> Principal:
    return make_principal(collection, scopes=[Scope.READ, Scope.ASK])


def test_it_takes_down_what_did_not_help(call: CallTool, collection: Collection, asker: Principal) -> None:
    told = {"question": "how to unpack", "path": "start/guide", "comment": " No word of zip. "}
    assert "Noted" in text_of(call("send_feedback", asker, helpful=False, **told))
    row = Feedback.objects.get()
    assert (row.tenant, row.api_key_id, row.collection) == (collection.tenant, asker.api_key_id, collection)
    assert (row.question, row.path, row.comment) == ("how to unpack", "start/guide.md", "No word of zip.")
    assert not row.helpful


def test_it_gives_the_same_as_data(call: CallTool, asker: Principal) -> None:
    assert data_of(call("send_feedback", asker, helpful=True, question="q", format="json")) == {"noted": True}


def test_it_says_which_page_it_was_noted_for(call: CallTool, asker: Principal) -> None:
    """Where none is called so."""
    told = {"helpful": False, "path": "https://manual.org/en/guide"}
    assert text_of(call("send_feedback", asker, **told)).endswith("\n[taken for manual:start/guide.md]")
    assert data_of(call("send_feedback", asker, **told, format="json"))["taken_for"] == "manual:start/guide.md"
    assert Feedback.objects.latest("pk").path == "start/guide.md"
    assert "taken for" not in text_of(call("send_feedback", asker, helpful=False, path="start/guide"))


def test_it_is_for_keys_that_may_ask(collection: Collection) -> None:
    for scopes, has_it in (([Scope.READ], False), ([Scope.READ, Scope.WRITE], False), ([Scope.ASK], True)):
        listed = get_dispatcher().registry.visible_tools(make_principal(collection, scopes=scopes))
        assert ("send_feedback" in [tool.name for tool in listed]) is has_it


def test_it_says_that_it_writes() -> None:
    tool = get_dispatcher().registry.find_tool("send_feedback", Principal(scopes=frozenset(Scope)))
    assert tool is not None
    assert tool.describe()["annotations"]["readOnlyHint"] is False


def test_it_has_to_be_about_something(call: CallTool, asker: Principal) -> None:
    for arguments in ({}, {"question": "  "}, {"path": "", "comment": "bad"}):
        assert error_of(call("send_feedback", asker, helpful=False, **arguments))["code"] == "INVALID_PARAMETER"
    assert not Feedback.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({"path": "plans.md"}, "DOCUMENT_NOT_FOUND"), ({"question": "q", "collection": "plans"}, "COLLECTION_NOT_FOUND")],
)
def test_what_the_key_cannot_see_is_not_there(
    call: CallTool, asker: Principal, arguments: dict[str, Any], code: str
) -> None:
    foreign = make_collection("plans")
    put(foreign, {"plans.md": "# Plans\n\nSecret.\n"})
    absent = {name: value.replace("plans", "nopes") for name, value in arguments.items()}
    answers = [error_of(call("send_feedback", asker, helpful=False, **each)) for each in (arguments, absent)]
    assert [answer["code"] for answer in answers] == [code, code]
    assert answers[0]["message"].replace("plans", "nopes") == answers[1]["message"]
    assert not Feedback.objects.exists()


def test_a_collection_that_was_not_granted_is_not_there(call: CallTool, collection: Collection) -> None:
    put(make_collection("other", tenant=collection.tenant), {"other.md": "# Other\n\nText.\n"})
    key, _ = ApiKey.objects.issue(
        tenant=collection.tenant, name="k", scopes=[Scope.READ, Scope.ASK], collections=[collection]
    )
    answer = call("send_feedback", key.make_principal(), helpful=False, path="other.md")
    assert error_of(answer)["code"] == "DOCUMENT_NOT_FOUND"


def test_the_same_said_again_takes_the_place_of_what_was_said(call: CallTool, asker: Principal) -> None:
    for comment in ("first", "second"):
        call("send_feedback", asker, helpful=False, question="q", comment=comment)
    call("send_feedback", asker, helpful=True, question="another")
    assert sorted(Feedback.objects.values_list("question", "comment")) == [("another", ""), ("q", "second")]


def test_another_keys_word_is_its_own(call: CallTool, collection: Collection, asker: Principal) -> None:
    for caller in (asker, make_principal(collection, scopes=[Scope.READ, Scope.ASK])):
        call("send_feedback", caller, helpful=False, question="q")
    assert Feedback.objects.count() == 2


def test_without_a_key_it_is_of_the_tenant(call: CallTool, collection: Collection) -> None:
    operator = Principal(frozenset({Scope.READ, Scope.ASK}), tenant_id=collection.tenant_id, all_collections=True)
    call("send_feedback", operator, helpful=False, question="q")
    assert (Feedback.objects.get().tenant, Feedback.objects.get().api_key) == (collection.tenant, None)


def test_what_a_person_tries_out_is_no_feedback(call: CallTool, asker: Principal) -> None:
    call("send_feedback", replace(asker, is_trial=True), helpful=False, question="q")
    assert not Feedback.objects.exists()


def test_what_is_too_long_is_refused(call: CallTool, asker: Principal) -> None:
    answer = call("send_feedback", asker, helpful=False, question="q", comment="x" * 1001)
    assert error_of(answer)["code"] == "INVALID_PARAMETER"


def test_feedback_past_its_retention_goes(call: CallTool, asker: Principal, settings: Any) -> None:
    for question in ("old", "new"):
        call("send_feedback", asker, helpful=True, question=question)
    past = timezone.now() - timedelta(days=settings.DOCSMCP.feedback_retention_days, minutes=1)
    Feedback.objects.filter(question="old").update(created=past)
    assert forget_old_events() == 1
    assert Feedback.objects.get().question == "new"
