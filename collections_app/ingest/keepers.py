"""Which documents a source must leave alone, because another source keeps them."""

from __future__ import annotations

from collections_app.models import Collection, Source


def find_keepers(collection: Collection, source: Source) -> dict[int, str]:
    """Id → name of the collection's other sources that keep their documents: uploads, and sources that are refreshed regularly.

    Documents of a source that is only read on demand are taken over: a directory may have moved.
    """
    others = Source.objects.in_collections([collection]).exclude(pk=source.pk)
    lasting = others.filter(kind=Source.Kind.UPLOAD) | others.polled()
    return {pk: _describe(kind, location) for pk, kind, location in lasting.values_list("pk", "kind", "location")}


def _describe(kind: str, location: str) -> str:
    """The source's name for people who may write to the collection; they are not to know the server's directories."""
    match kind:
        case Source.Kind.UPLOAD:
            return "An upload"
        case Source.Kind.DIRECTORY:
            return "A directory that is read regularly"
        case _:
            return f"{location}, which is read regularly,"
