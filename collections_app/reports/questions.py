"""What was asked and how it went: the most frequent questions, those that found nothing, and feedback from agents.

Covers the last DAYS, and of those the newest MAX_EVENTS searches, so that no page waits for millions of rows. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from collections_app.models import Collection, Feedback, Pin, Synonym, Tenant
from collections_app.search.curation import normalise, occurs

DAYS = 30
MAX_EVENTS = 20_000
MAX_QUESTIONS = 10
MAX_FEEDBACK = 10
# How many synonyms and pins of each collection are searched for the words of a question.
MAX_CURATIONS = 2_000

# Uses the index to read the newest searches, and no more than are examined. Questions that differ only in case count as the same.
TOP = """
SELECT min(query), count(*) AS times, avg(hits), max(created)
FROM (SELECT query, hits, created FROM collections_app_searchevent
      WHERE tenant_id = %(tenant)s AND created >= %(since)s ORDER BY created DESC LIMIT %(most)s) AS recent
GROUP BY lower(query) ORDER BY times DESC, max(created) DESC, lower(query) LIMIT %(limit)s
"""
# With the collections of the last time. A search that only a filter left empty says nothing about missing documents.
IN_VAIN = """
SELECT query, times, last,
    (SELECT collections FROM collections_app_searchevent AS event
     WHERE tenant_id = %(tenant)s AND hits = 0 AND NOT is_narrowed AND created = last AND lower(event.query) = lower(asked.query)
     ORDER BY id DESC LIMIT 1)
FROM (SELECT min(query) AS query, count(*) AS times, max(created) AS last
      FROM (SELECT query, created FROM collections_app_searchevent
            WHERE tenant_id = %(tenant)s AND hits = 0 AND NOT is_narrowed AND created >= %(since)s
            ORDER BY created DESC LIMIT %(most)s) AS recent
      GROUP BY lower(query) ORDER BY times DESC, last DESC, lower(query) LIMIT %(limit)s) AS asked
ORDER BY times DESC, last DESC, lower(query)
"""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    times: int
    mean_hits: float
    last: datetime


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that found nothing, the collections that were searched, and what people have decided about its words since."""

    text: str
    times: int
    last: datetime
    collections: Sequence[Collection]
    synonyms: Sequence[Synonym] = ()
    pins: Sequence[Pin] = ()


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """`unhelpful`: the newest negative feedback, a few entries."""

    helpful_count: int
    unhelpful_count: int
    unhelpful: Sequence[Feedback]


def list_top_questions(tenant: Tenant) -> list[Question]:
    return [Question(text, times, float(hits), last) for text, times, hits, last in fetch(TOP, tenant)]


def list_unanswered(tenant: Tenant) -> list[Unanswered]:
    """Most frequent first."""
    rows = fetch(IN_VAIN, tenant)
    wanted = {pk for *_, ids in rows for pk in ids}
    own = Collection.objects.filter(tenant=tenant, pk__in=wanted).select_related("tenant").in_bulk()
    synonyms: list[Synonym] = list(
        select_first(Synonym.objects.filter(tenant=tenant, collection__in=own), "term", "synonym", "pk")
    )
    pins: list[Pin] = list(
        select_first(Pin.objects.filter(tenant=tenant, collection__in=own), "question", "position", "pk")
    )
    return [
        Unanswered(
            text,
            times,
            last,
            [own[pk] for pk in ids if pk in own],
            [row for row in synonyms if row.collection_id in ids and concerns(row, text)],
            [row for row in pins if row.collection_id in ids and normalise(row.question) == normalise(text)],
        )
        for text, times, last, ids in rows
    ]


def select_first(rows: QuerySet[Any], *order: str) -> QuerySet[Any]:
    """The first rows of each collection in this order, at most MAX_CURATIONS."""
    number = Window(RowNumber(), partition_by="collection", order_by=order)
    first: QuerySet[Any] = rows.annotate(number=number).filter(number__lte=MAX_CURATIONS)
    return first.select_related("collection").order_by(*order)


def concerns(synonym: Synonym, question: str) -> bool:
    words = normalise(question)
    return occurs(normalise(synonym.term), words) or (synonym.is_mutual and occurs(normalise(synonym.synonym), words))


def report_feedback(tenant: Tenant) -> FeedbackReport:
    recent = Feedback.objects.filter(tenant=tenant, created__gte=get_start())
    counts = recent.aggregate(good=Count("pk", filter=Q(helpful=True)), bad=Count("pk", filter=Q(helpful=False)))
    unhelpful = recent.filter(helpful=False).select_related("collection", "api_key").order_by("-created", "-pk")
    return FeedbackReport(counts["good"], counts["bad"], list(unhelpful[:MAX_FEEDBACK]))


def fetch(statement: str, tenant: Tenant) -> list[tuple[Any, ...]]:
    values: dict[str, Any] = {"tenant": tenant.pk, "since": get_start(), "most": MAX_EVENTS, "limit": MAX_QUESTIONS}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def get_start() -> datetime:
    return timezone.now() - timedelta(days=DAYS)
