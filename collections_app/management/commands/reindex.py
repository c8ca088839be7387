"""`docsmcp reindex (--collection SLUG [--language NAME] | --all [--all-tenants])`: make the index of collections anew from their stored
sections.

Searches and ingests go on meanwhile. A run that was stopped goes on where it was when it is started again.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from collections_app.clients.embeddings import NoEmbedder
from collections_app.exceptions import DocsError, InvalidParameter
from collections_app.indexing import embedding, fulltext, languages, reindexing
from collections_app.management.command_base import (
    DONE,
    NOTHING_DONE,
    SOME_FAILED,
    DocsCommand,
    add_json_argument,
    add_tenants_argument,
    choose_collections,
    name_collection,
)
from collections_app.management.progress import CountProgress
from collections_app.models import Collection

Part = Callable[["Command", Collection, dict[str, Any]], dict[str, int]]


class Command(DocsCommand):
    help = "Make the index of collections anew from their stored sections, while they are searched and written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--collection", metavar="SLUG")
        chosen.add_argument("--all", action="store_true", help="every collection of the tenant")
        add_tenants_argument(parser)
        parser.add_argument(
            "--language", metavar="NAME", help="index by this language from now on, as german; with --collection"
        )
        parser.add_argument(
            "--vectors", action="store_true", help="only the search vectors, and the statistics of their terms"
        )
        parser.add_argument(
            "--statistics", action="store_true", help="only count the terms anew and mend what is wrong"
        )
        parser.add_argument(
            "--embeddings", action="store_true", help="only embed what the current model has not embedded"
        )
        parser.add_argument(
            "--restart", action="store_true", help="from the first document, whatever an earlier run did"
        )
        add_json_argument(parser)

    def act(self, options: dict[str, Any]) -> int:
        collections = choose_collections(options)
        if options["language"] is not None:
            self.change_language(collections, options)
        reports = [self.reindex(collection, options) for collection in collections]
        if options["json"]:
            self.say_json({"collections": reports})
        failed = sum("error" in report for report in reports)
        if failed == len(reports):
            return NOTHING_DONE
        return SOME_FAILED if failed else DONE

    def change_language(self, collections: Sequence[Collection], options: dict[str, Any]) -> None:
        if options["all"]:
            raise InvalidParameter("--language is of one collection: name it by --collection.")
        for collection in collections:
            if languages.change_language(collection, options["language"].lower()):
                self.tell(options, f"{collection.slug}: {collection.language} from now on.")

    def reindex(self, collection: Collection, options: dict[str, Any]) -> dict[str, Any]:
        """What was done to one collection; that another process is at it stops none of the others."""
        report: dict[str, Any] = {"tenant": collection.tenant.slug, "collection": collection.slug}
        try:
            for part in choose_parts(options):
                report |= part(self, collection, options)
        except DocsError as error:
            where = f"{collection.told_with_tenant}: " if options["all_tenants"] else ""
            self.stderr.write(f"{where}{error.message}")
            report["error"] = {"code": error.code, "message": error.message}
        return report

    def rebuild_vectors(self, collection: Collection, options: dict[str, Any]) -> dict[str, int]:
        done = self.follow(reindexing.rebuild_vectors(collection, restart=options["restart"]), collection, options)
        self.tell(options, f"{name_collection(collection, options)}: {done:,} documents indexed anew.")
        return {"documents": done}

    def mend_statistics(self, collection: Collection, options: dict[str, Any]) -> dict[str, int]:
        mended = fulltext.recount_terms(collection)
        name = name_collection(collection, options)
        self.tell(options, f"{name}: {mended:,} terms were counted wrong and are mended.")
        return {"mended_terms": mended}

    def embed(self, collection: Collection, options: dict[str, Any]) -> dict[str, int]:
        """A server without an embedder has the other parts all the same."""
        try:
            done = self.follow(embedding.embed_collection(collection, anew=options["restart"]), collection, options)
        except NoEmbedder as error:
            if options["embeddings"]:
                raise
            self.tell(options, error.message)
            return {}
        embedding.forget_other_models(collection)
        name = name_collection(collection, options)
        self.tell(options, f"{name}: the sections of {done:,} documents embedded.")
        return {"embedded_documents": done}

    def follow(self, counts: Iterable[int], collection: Collection, options: dict[str, Any]) -> int:
        """Show how many of the collection's documents are done, as `counts` tells; how many were."""
        total, done = reindexing.get_indexed_documents(collection).count(), 0
        name = name_collection(collection, options)
        try:
            with CountProgress(self.stderr, name, "documents", is_quiet=options["verbosity"] == 0) as progress:
                for done in counts:
                    progress.show_count(done, total)
        except KeyboardInterrupt:
            goes_on = "" if options["restart"] else "; the same command goes on there"
            self.say(f"{name}: stopped after {done:,} of {total:,} documents{goes_on}.")
            raise
        return done


# In the order in which they are done. Each is an option of its own; with none of them given, all are done.
PARTS: dict[str, Part] = {
    "vectors": Command.rebuild_vectors,
    "statistics": Command.mend_statistics,
    "embeddings": Command.embed,
}


def choose_parts(options: dict[str, Any]) -> list[Part]:
    return [part for name, part in PARTS.items() if options[name]] or list(PARTS.values())
