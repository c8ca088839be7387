"""The playground: asks a question through the tools' own code, and shows what an agent gets, and why. Editors can pin hits and add
synonyms from there.

What is tried counts against the person's request limit, but appears in no key's history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from collections_app.access.authentication import make_user_principal
from collections_app.access.principal import Principal
from collections_app.access.roles import Role, has_role
from collections_app.activity.audit import record
from collections_app.admin.pages import get_posted_collection, show_page
from collections_app.admin.site import admin_page
from collections_app.catalog.visible import get_visible_collections
from collections_app.curating import add_pin, add_synonym
from collections_app.exceptions import DocsError
from collections_app.limits.requests import count_request
from collections_app.models import Collection, User
from collections_app.search import Hit, Mode, SearchOptions
from collections_app.search.explain import Explained, Explanation, explain_search
from mcp_app.admin.playground_forms import PlaygroundForm
from mcp_app.arguments import coerce_arguments
from mcp_app.entries import Call
from mcp_app.protocol.revisions import MODERN_REVISIONS
from mcp_app.tools.parameters import get_search_reach
from mcp_app.tools.search_docs import SEARCH_DOCS, SearchParams
from mcp_app.trial import Trial, try_tool

# What a link to the playground may ask (GET): looking costs nothing and changes nothing.
ASKED = ("question", "collection", "mode", "limit", "max_tokens", "category", "code", "version", "filters", "key")
# Web servers accept addresses of some 4,000 characters; a question that is longer is answered where it was sent.
MAX_ADDRESS = 3_000


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit, and the collection in which an editor may pin it; None for a person who is not an editor there."""

    number: int
    hit: Hit
    why: Explanation
    collection: Collection | None


@admin_page("playground/", name="playground")
def show_playground(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    collections = get_visible_collections(make_user_principal(user))
    action = request.POST.get("action", "") if request.method == "POST" else ""
    if action in CURATIONS:
        return curate(request, action)
    data = request.POST if request.method == "POST" else request.GET
    form = PlaygroundForm(user, collections, data if "question" in data else None)
    if (
        request.method == "POST"
        and action != "ask"
        and form.is_valid()
        and len(address := name_question(request)) <= MAX_ADDRESS
    ):
        return HttpResponseRedirect(address)
    found = try_question(form, user, collections, asks=action == "ask") if form.is_valid() else {}
    response = show_page(
        request,
        "admin/playground/playground.html",
        title="Playground",
        form=form,
        has_collections=bool(collections),
        **found,
    )
    response["Cache-Control"] = "no-store, private"
    return response


def try_question(form: PlaygroundForm, user: User, collections: Sequence[Collection], *, asks: bool) -> dict[str, Any]:
    """The template's variables for an answer."""
    usage = count_request(make_user_principal(user))
    if usage and usage.is_exceeded:
        return {"refusal": usage.make_error().message}
    principal = form.get_principal()
    tool, arguments = ("ask_docs", form.make_ask()) if asks else ("search_docs", form.make_search())
    trial = try_tool(tool, principal, arguments)
    if trial is None:
        return {"refusal": f"An agent with this key has no {tool}: the key lacks its scope.", "tool": tool}
    explained = None if asks or trial.is_error else find_explanation(principal, form)
    editable = [each for each in collections if has_role(user, each.tenant_id, Role.EDITOR)]
    return {
        "tool": tool,
        "trial": trial,
        "explained": explained,
        "shown": make_shown(explained, editable) if explained else [],
        "columns": make_columns(explained) if explained else [],
        "editable": editable,
        "asked": {name: form.cleaned_data.get(name) for name in ("question", "collection")},
        "state": describe_state(trial),
    }


def describe_state(trial: Trial) -> str:
    if trial.is_error:
        return "an error, which the agent can read"
    return "remembered from a moment ago" if trial.is_cached else "found anew"


def find_explanation(principal: Principal, form: PlaygroundForm) -> Explained | None:
    """None where the ranking cannot be explained; the answer is shown all the same."""
    config = settings.DOCSMCP
    try:
        params = cast(SearchParams, coerce_arguments(SEARCH_DOCS, form.make_search()))
        reach = get_search_reach(Call(principal, MODERN_REVISIONS[-1]), params.collection, params.version)
        return explain_search(
            params.query,
            reach.chosen,
            SearchOptions(
                limit=params.limit or config.mcp_max_search_results,
                snippet_length=config.mcp_snippet_length,
                mode=Mode(params.mode or config.mcp_default_mode),
                category=params.category,
                filters=params.filters,
                code=params.code,
            ),
            visible=reach.visible,
        )
    except DocsError:
        return None


def make_shown(explained: Explained, editable: Sequence[Collection]) -> list[Shown]:
    named = {(each.tenant.slug, each.slug): each for each in editable}
    return [
        Shown(number, hit, why, named.get((hit.tenant, hit.collection)))
        for number, (hit, why) in enumerate(explained.hits, 1)
    ]


def make_columns(explained: Explained) -> list[tuple[Mode, list[tuple[Hit, int | None]]]]:
    """Each mode's hits, with their places in the mode that was asked for."""
    places = {(hit.document_id, hit.section_id): place for place, (hit, _) in enumerate(explained.hits, 1)}
    return [
        (mode, [(hit, places.get((hit.document_id, hit.section_id))) for hit in hits])
        for mode, hits in explained.by_mode.items()
    ]


def curate(request: HttpRequest, action: str) -> HttpResponse:
    """Does what an editor asks for (a pin or synonyms), and asks the question again."""
    collection = get_posted_collection(request, "in", Role.EDITOR)
    try:
        messages.success(request, CURATIONS[action](collection, request))
    except DocsError as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(name_question(request))


def name_question(request: HttpRequest) -> str:
    """The address that asks what was sent, so that it can be opened again and returned to."""
    asked = {name: value for name in ASKED if (value := request.POST.get(name))}
    return f"{reverse('admin:playground')}?{urlencode(asked)}"


def pin(collection: Collection, request: HttpRequest) -> str:
    sent = request.POST
    row = add_pin(collection, sent.get("question", ""), sent.get("path", ""), sent.get("section_id", ""))
    record(request, "add", row)
    return f"Pinned: “{row.question}” is answered by {row.path} first."


def join_words(collection: Collection, request: HttpRequest) -> str:
    sent = request.POST
    row = add_synonym(collection, sent.get("term", ""), sent.get("synonym", ""), is_mutual="is_mutual" in sent)
    record(request, "add", row)
    return f"Added to {collection.slug}: {row}"


CURATIONS = {"pin": pin, "synonym": join_words}
