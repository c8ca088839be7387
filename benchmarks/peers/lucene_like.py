"""tantivy: a search library of Lucene's kind. Title, headings and text are fields of equal weight, with English stems."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy

from benchmarks.peers.sections import PeerSection
from benchmarks.retrieval import Found

FIELDS = ("title", "headings", "body")
MEMORY_BYTES = 100_000_000


class Tantivy:
    name = "tantivy"

    def __init__(self, sections: Sequence[PeerSection]) -> None:
        self.places = [Found(each.path, each.line) for each in sections]
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("number", stored=True)
        for field in FIELDS:
            schema.add_text_field(field, tokenizer_name="en_stem")
        self.index = tantivy.Index(schema.build())
        writer = self.index.writer(MEMORY_BYTES, 1)
        for number, each in enumerate(sections):
            writer.add_document(
                tantivy.Document(number=number, title=each.title, headings=each.headings, body=each.text)
            )
        writer.commit()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, text: str, limit: int) -> list[Found]:
        # Signs would be its query language.
        words = "".join(character if character.isalnum() else " " for character in text)
        query, _ = self.index.parse_query_lenient(words.lower(), list(FIELDS))
        hits = self.searcher.search(query, limit).hits
        return [self.places[self.searcher.doc(address)["number"][0]] for _, address in hits]
