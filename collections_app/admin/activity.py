"""What agents searched for, and what their answers cost: read only."""

from __future__ import annotations

from django.contrib import admin

from collections_app.admin.base import TenantAdmin
from collections_app.admin.pages import InfinitePaginator
from collections_app.models import AnswerUsage, SearchEvent


@admin.register(SearchEvent)
class SearchEventAdmin(TenantAdmin):
    list_display = ("query", "hits", "mode", "show_duration", "api_key", "tenant", "created")
    list_filter = ("tenant", "mode")
    list_select_related = ("tenant", "api_key")
    search_fields = ("query",)
    paginator = InfinitePaginator
    empty_text = "Nobody has searched yet. Issue an API key and connect an agent, or ask in the playground."

    @admin.display(description="Milliseconds", ordering="duration_ms")
    def show_duration(self, event: SearchEvent) -> str:
        return f"{event.duration_ms:.0f}"


@admin.register(AnswerUsage)
class AnswerUsageAdmin(TenantAdmin):
    list_display = ("day", "tenant", "api_key", "answers", "tokens_in", "tokens_out", "cost")
    list_filter = ("tenant", "day")
    list_select_related = ("tenant", "api_key")
    empty_text = (
        "No answers were asked for yet: ask_docs needs a key with the scope ask, and a language model (LLM_BASE_URL)."
    )
