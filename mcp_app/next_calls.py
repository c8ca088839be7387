"""What an error tells its caller to do next: for each remedy, the tool that has it, if the caller has that tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collections_app.exceptions import DocsError, Offer, Remedy
from collections_app.text.control_characters import make_tellable
from mcp_app.entries import Tool
from mcp_app.rendering import NEAR_TOKENS, format_call

# Sentences by the name of the tool, in order of preference; {call} becomes a call with the path and the words of the offer.
SENTENCES: Mapping[Remedy, Mapping[str, str]] = {
    Remedy.COLLECTIONS: {"list_collections": "list_collections describes them."},
    Remedy.PATHS: {"list_doc_pages": "list_doc_pages gives the paths there are."},
    Remedy.PAGES_BY_WORDS: {
        "search_docs": "search_docs finds pages by their titles and words.",
        "search": "search finds pages by their titles and words.",
    },
    Remedy.FRAGMENT: {"get_doc_page": "With its fragment: {call}."},
    Remedy.WORDS: {"get_doc_page": "Its text has these words: {call}."},
    Remedy.SECTIONS: {"table_of_contents": "{call} lists those there are."},
    Remedy.OTHER_PAGE: {"get_doc_page": "Another page has one: {call}."},
    Remedy.INGESTION: {"ingestion_status": "{call} tells more."},
    Remedy.OTHER_STATUSES: {"list_doc_pages": "list_doc_pages lists others, for scope write."},
}


def tell_error(error: DocsError, tools: Iterable[Tool]) -> str:
    """The error's message, and a sentence for each offer that one of the tools can keep."""
    names = {tool.name for tool in tools}
    told = (write(offer, names) for offer in error.offers)
    return make_tellable(" ".join(filter(None, [error.message, *told])))


def write(offer: Offer, names: set[str]) -> str:
    name, sentence = next(((name, said) for name, said in SENTENCES[offer.remedy].items() if name in names), ("", ""))
    near = {"near": offer.words, "max_tokens": NEAR_TOKENS} if offer.words else {}
    return sentence.format(call=format_call(name, path=offer.path, **near))
