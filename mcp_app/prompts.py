"""The prompts that help a person start. Each is a task in words that names the tools to use; none contains document text."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_app.completion import complete_collection, complete_path
from mcp_app.entries import Call, Prompt, PromptArgument
from mcp_app.rendering import format_call
from mcp_app.tools.opening import open_page
from mcp_app.tools.parameters import get_reach

COLLECTION = PromptArgument(
    "collection",
    "Only this collection (its slug); default: all",
    title="Collection",
    required=False,
    completer=complete_collection,
)


def answer_from_docs(call: Call, arguments: Mapping[str, str]) -> str:
    """Raises CollectionNotFound."""
    collection = arguments.get("collection")
    get_reach(call, collection)
    search = format_call("search_docs", query="…", collection=collection)
    return (
        f"Answer this question from the documentation, not from memory:\n\n{arguments['question']}\n\n"
        f"Search with {search}, in more than one wording if the first finds little. Read the sections that matter with "
        "read_sections. After each statement cite where it stands, as [path#section_id]. Quote names, commands and "
        "options exactly. If the documentation does not say it, say so, and name the closest that it has."
    )


def summarise_page(call: Call, arguments: Mapping[str, str]) -> str:
    """Raises DocumentNotFound with the closest paths, CollectionNotFound."""
    page = name_page(call, arguments["path"], arguments.get("collection"))
    return (
        f"Summarise the documentation page {page}.\n\n"
        f"Look at {format_call('table_of_contents', path=page)} first, then read it with "
        f"{format_call('get_doc_page', path=page)}, to its end. Give what it is for in one sentence, then its main "
        "points, then what a reader must not overlook (limits, defaults, warnings), each with its section_id."
    )


def compare_pages(call: Call, arguments: Mapping[str, str]) -> str:
    """Raises DocumentNotFound with the closest paths, CollectionNotFound."""
    first = name_page(call, arguments["first"], arguments.get("collection"))
    second = name_page(call, arguments["second"], arguments.get("collection"))
    return (
        f"Compare the documentation pages {first} and {second}.\n\n"
        f"Look at {format_call('table_of_contents', path=first)} and {format_call('table_of_contents', path=second)}, "
        "then read with read_sections what both speak of. Say what they agree on, where they differ or contradict each "
        "other, and what only one of them has; cite each point as [path#section_id]."
    )


def name_page(call: Call, path: str, collection: str | None) -> str:
    """A path that means this page and no other, whichever collections the caller sees."""
    reach = get_reach(call, collection)
    document = open_page(call, reach, path).document
    one = len(reach.visible) == 1
    return document.path if one else f"{reach.name(document.collection)}:{document.path}"


PROMPTS = (
    Prompt(
        "answer_from_docs",
        "Answer a question from the documentation, with citations.",
        answer_from_docs,
        title="Answer from the documentation",
        arguments=(PromptArgument("question", "What you want to know", title="Question"), COLLECTION),
    ),
    Prompt(
        "summarise_page",
        "Summarise one page of the documentation.",
        summarise_page,
        title="Summarise a page",
        arguments=(PromptArgument("path", "The page's path", title="Path", completer=complete_path), COLLECTION),
    ),
    Prompt(
        "compare_pages",
        "Compare two pages of the documentation.",
        compare_pages,
        title="Compare two pages",
        arguments=(
            PromptArgument("first", "One page's path", title="First page", completer=complete_path),
            PromptArgument("second", "The other page's path", title="Second page", completer=complete_path),
            COLLECTION,
        ),
    ),
)
