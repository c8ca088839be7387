"""What people decide about a collection's search is written here: a synonym, a pinned answer, or that there is one no more.

Refuses, by InvalidParameter or DocumentNotFound, what could not work. search/curation.py reads it. The collection's version comes first in
each transaction: who writes at the same time waits for it, and holds nothing that the other needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from collections_app.documents import find_close_paths, find_near_paths, get_document, get_sections, iter_spellings
from collections_app.exceptions import DocumentNotFound, InvalidParameter, SectionNotFound
from collections_app.indexing.index_version import bump_index_version
from collections_app.models import Collection, Document, Pin, Synonym
from collections_app.search.curation import normalise

MAX_TERM_CHARACTERS = 100
MAX_QUESTION_CHARACTERS = 200
SHOWN_COLLECTIONS = 3


@transaction.atomic
def add_synonym(collection: Collection, term: str, synonym: str, *, is_mutual: bool = True) -> Synonym:
    """From now on a question with the term finds the synonym too, and with `is_mutual` the other way round."""
    term, synonym = check_synonym(term, synonym)
    bump_index_version(collection)
    row, _ = Synonym.objects.update_or_create(
        tenant_id=collection.tenant_id,
        collection=collection,
        term=term,
        synonym=synonym,
        defaults={"is_mutual": is_mutual},
    )
    return row


@transaction.atomic
def add_pin(collection: Collection, question: str, path: str, section_id: str = "") -> Pin:
    """From now on the page, or the section of it, is the first that the question finds, before other pins. Both must be there."""
    question, path, section = check_pin(collection, question, path, section_id)
    bump_index_version(collection)
    own = Pin.objects.in_collections([collection]).filter(question=question)
    own.exclude(path=path).update(position=F("position") + 1)
    row, _ = own.update_or_create(
        tenant_id=collection.tenant_id,
        collection=collection,
        question=question,
        path=path,
        defaults={"section_id": section, "position": 0},
    )
    return row


def check_synonym(term: str, synonym: str) -> tuple[str, str]:
    """Both as they are kept. Raises InvalidParameter."""
    term, synonym = check_words("term", term, MAX_TERM_CHARACTERS), check_words("synonym", synonym, MAX_TERM_CHARACTERS)
    if normalise(term) == normalise(synonym):
        raise InvalidParameter("The synonym has to be another word than the term: case and accents make no difference.")
    return term, synonym


def check_pin(collection: Collection, question: str, path: str, section_id: str) -> tuple[str, str, str]:
    """The question, the path and the section id as they are kept. Raises InvalidParameter."""
    question = check_words("question", question, MAX_QUESTION_CHARACTERS)
    document, section = find_answer(collection, path.replace("\0", ""), section_id.replace("\0", ""))
    return question, document.path, section


def find_answer(collection: Collection, path: str, section_id: str) -> tuple[Document, str]:
    """The page, and the id of its section, empty where none is named. What is said of others is for people: agents have tools to ask."""
    if not path.strip():
        raise InvalidParameter("Name the page that answers the question by its path, such as guide/install.md.")
    try:
        document = get_document([collection], path)
        return document, get_sections(document, [section_id])[0].section_id if section_id.strip() else ""
    except DocumentNotFound:
        raise DocumentNotFound(
            f"{collection} has no page {path[:200]!r}.{hint_at_pages(collection, path)}{hint_at_others(collection, path)}"
        ) from None
    except SectionNotFound as error:
        close = error.details.get("suggestions") or []
        raise SectionNotFound(f"{path[:200]} has no section {section_id[:200]!r}.{hint_at(close)}") from None


def hint_at_pages(collection: Collection, path: str) -> str:
    """Those that may be meant. Any others, such as the first there are, help nobody."""
    close = find_close_paths([collection], path) or find_near_paths([collection], path, [collection])
    return hint_at(close) or " Nothing there is called nearly so: copy the path from the list of documents."


def hint_at(close: Sequence[str]) -> str:
    return f" The closest: {', '.join(close)}." if close else ""


def hint_at_others(collection: Collection, path: str) -> str:
    """Which other collections of the tenant have the page: the first of several is chosen easily."""
    own = Document.objects.filter(tenant=collection.tenant_id, path__in=set(iter_spellings(path)))
    slugs = own.exclude(collection=collection).order_by("collection__slug").values_list("collection__slug", flat=True)
    found = list(slugs.distinct()[:SHOWN_COLLECTIONS])
    return f" It is in {', '.join(found)}: choose that collection." if found else ""


@transaction.atomic
def remove_curation(row: Synonym | Pin) -> None:
    bump_index_version(row.collection)
    row.delete()


def check_words(name: str, text: str, max_characters: int) -> str:
    text = " ".join(text.replace("\0", "").split())
    if not normalise(text).strip():
        raise InvalidParameter(f"The {name} needs a word.")
    if len(text) > max_characters:
        raise InvalidParameter(f"The {name} may have {max_characters} characters at most.")
    return text
