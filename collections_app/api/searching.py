"""Search over REST, with the options of search_docs. `limit` keeps an answer small here; there are no token budgets."""

from __future__ import annotations

from dataclasses import asdict
from time import perf_counter
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.activity.history import record_search
from collections_app.api.base import ApiView, read_query
from collections_app.api.fields import ChoiceField, Input
from collections_app.cached_search import SearchRequest, search_cached
from collections_app.catalog.names import choose_collections
from collections_app.catalog.versions import choose_versions, explain_choice, find_passed_over
from collections_app.catalog.visible import get_visible_collections
from collections_app.search import Mode, SearchOptions, SearchResults


class FiltersField(serializers.JSONField):
    """JSON no deeper than Python can handle."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except RecursionError:
            self.fail("invalid")


class SearchQuery(Input):
    q = serializers.CharField(max_length=1000, help_text='Plain words; "exact phrase" requires, -word excludes')
    limit = serializers.IntegerField(min_value=1, max_value=50, required=False, help_text="Most sections to return")
    mode = ChoiceField([mode.value for mode in Mode], required=False)
    category = serializers.CharField(max_length=200, required=False, help_text="Only pages of this category")
    filters = FiltersField(
        binary=True, required=False, help_text='JSON such as {"keywords": {"$contains": "tls"}}; see docs/search.md'
    )
    code = serializers.CharField(max_length=50, required=False, help_text="Only sections with code in it: python")
    version = serializers.CharField(max_length=50, required=False, help_text="Of a library; default: the newest")

    def validate_filters(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise serializers.ValidationError("It must be a JSON object.")
        return value


class SearchEverywhereQuery(SearchQuery):
    collection = serializers.CharField(
        max_length=1000, required=False, help_text="Slug or tenant:slug, or several with commas; default: all"
    )


class HitSerializer(serializers.Serializer[Any]):
    tenant = serializers.CharField()
    collection = serializers.CharField()
    version = serializers.CharField()
    path = serializers.CharField()
    title = serializers.CharField()
    section_id = serializers.CharField()
    heading_path = serializers.ListField(child=serializers.CharField())
    start_line = serializers.IntegerField(
        help_text="In the source file, further down where HTML became Markdown of more lines"
    )
    page_number = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField()
    tokens = serializers.IntegerField(help_text="What reading the section costs, subsections included")
    snippet = serializers.CharField()
    source_url = serializers.CharField()
    indexed = serializers.DateTimeField(allow_null=True)
    is_pinned = serializers.BooleanField(help_text="Chosen by people for this question")
    code_languages = serializers.ListField(
        child=serializers.CharField(),
        help_text="Programming languages that its code may be the same in, three at least",
    )


class WordSerializer(serializers.Serializer[Any]):
    word = serializers.CharField()
    sections = serializers.IntegerField(help_text="In how many sections here it occurs")
    elsewhere = serializers.DictField(child=serializers.IntegerField(), help_text="The same of other collections")
    close = serializers.ListField(child=serializers.CharField())


class SearchResultsSerializer(serializers.Serializer[Any]):
    query = serializers.CharField()
    mode = serializers.CharField(help_text="The one that was used")
    notice = serializers.CharField(help_text="What was done in another way than asked for, and why")
    excluded = serializers.ListField(child=serializers.CharField())
    cached = serializers.BooleanField(help_text="Whether it was found a short while ago")
    results = HitSerializer(many=True)
    words = WordSerializer(
        many=True, help_text="When nothing was found: which words do occur; else those that no section here has"
    )
    pages = serializers.ListField(
        child=serializers.CharField(), help_text="When nothing was found: pages of nearly this name"
    )


class SearchView(ApiView):
    @extend_schema(parameters=[SearchEverywhereQuery], responses=SearchResultsSerializer)
    def get(self, request: Request) -> Response:
        given = read_query(request, SearchEverywhereQuery)
        return Response(answer(self, given.pop("collection", None), given))


class CollectionSearchView(ApiView):
    @extend_schema(parameters=[SearchQuery], responses=SearchResultsSerializer)
    def get(self, request: Request, collection: str) -> Response:
        return Response(answer(self, collection, read_query(request, SearchQuery), is_one=True))


def answer(view: ApiView, collection: str | None, given: dict[str, Any], *, is_one: bool = False) -> dict[str, Any]:
    """`is_one`: `collection` names one collection, not several separated by commas. Raises CollectionNotFound, InvalidQuery,
    InvalidParameter."""
    config = settings.DOCSMCP
    visible = get_visible_collections(view.principal)
    if is_one:
        choose_collections(visible, collection)
    chosen = choose_versions(visible, collection, given.get("version"))
    began = perf_counter()
    options = SearchOptions(
        limit=given.get("limit") or config.mcp_max_search_results,
        snippet_length=config.mcp_snippet_length,
        mode=Mode(given.get("mode") or config.mcp_default_mode),
        category=given.get("category"),
        filters=given.get("filters"),
        code=given.get("code"),
    )
    results = search_cached(SearchRequest(given["q"], chosen, visible, view.principal, "rest", options))
    record_search(view.principal, chosen, results, (perf_counter() - began) * 1000)
    passed_over, asked = find_passed_over(visible, collection, chosen), "" if given.get("version") else given["q"]
    return make_data(results.add_notice(explain_choice(visible, chosen, passed_over, asked, results.best_collection)))


def make_data(results: SearchResults) -> dict[str, Any]:
    return {
        "query": results.query,
        "mode": results.mode.value,
        "notice": results.notice,
        "excluded": results.excluded,
        "cached": results.cached,
        "results": HitSerializer(results.hits, many=True).data,
        "pages": results.pages,
        "words": [asdict(word) | {"elsewhere": dict(word.elsewhere)} for word in results.words],
    }
