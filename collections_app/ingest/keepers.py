"""Which documents a source must leave alone, because another source keeps them."""

from __future__ import annotations

from django.db.models import Q

from collections_app.models import Collection, Source


def find_keepers(collection: Collection, source: Source) -> dict[int, str]:
    """The collection's other sources that keep their documents, by id, and what each is called: uploads, and those that are read again by
    themselves.

    Documents of a source that is read only when somebody says so are taken over: a directory may have moved.
    """
    others = Source.objects.in_collections([collection]).exclude(pk=source.pk)
    lasting = others.filter(Q(kind=Source.Kind.UPLOAD) | Q(auto_index=True, refresh_interval_seconds__gt=0))
    return {pk: _describe(kind, location) for pk, kind, location in lasting.values_list("pk", "kind", "location")}


def _describe(kind: str, location: str) -> str:
    """For whoever may write to the collection, who is not to know the server's directories."""
    match kind:
        case Source.Kind.UPLOAD:
            return "An upload"
        case Source.Kind.DIRECTORY:
            return "A directory that is read regularly"
        case _:
            return f"{location}, which is read regularly,"
