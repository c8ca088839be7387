"""send_feedback: an agent says whether an answer or a page helped. It may judge only what it can see, and changes no document by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from collections_app.access.principal import Scope
from collections_app.activity.feedback import record_feedback
from collections_app.exceptions import InvalidParameter
from mcp_app.entries import Call, Tool, ToolParams
from mcp_app.rendering import READ_TOKENS
from mcp_app.tools.opening import Opening, open_page
from mcp_app.tools.parameters import COLLECTION_ALIASES, PATH_ALIASES, CollectionName, OrAbsent, get_reach

THANKS = "Noted, for the people who keep the documentation. Nothing else is to be done."


class FeedbackParams(ToolParams):
    aliases: ClassVar = {
        **PATH_ALIASES,
        **COLLECTION_ALIASES,
        "query": "question",
        "q": "question",
        "useful": "helpful",
        "message": "comment",
        "reason": "comment",
    }

    helpful: bool
    question: Annotated[str | None, Field(max_length=1000, description="What was asked"), OrAbsent] = None
    path: Annotated[str | None, Field(max_length=2000, description="Or the page it concerns"), OrAbsent] = None
    comment: Annotated[str | None, Field(max_length=1000, description="What is missing or wrong"), OrAbsent] = None
    collection: CollectionName = None


@dataclass(frozen=True, slots=True)
class Thanks:
    """`opening`: the page that the feedback was noted for, and how the page was found."""

    opening: Opening | None

    def as_markdown(self) -> str:
        found = self.opening.describe(READ_TOKENS) if self.opening else ""
        return "\n".join(filter(None, [THANKS, found]))

    def as_json(self) -> dict[str, Any]:
        return {"noted": True, **(self.opening.make_data(READ_TOKENS) if self.opening else {})}


def run(call: Call, params: FeedbackParams) -> Thanks:
    """Raises InvalidParameter, CollectionNotFound, DocumentNotFound."""
    if params.question is None and params.path is None:
        raise InvalidParameter("Say what it is about: the question that was asked, or the path of a page, or both.")
    reach = get_reach(call, params.collection)
    opening = open_page(call, reach, params.path) if params.path else None
    record_feedback(
        call.principal,
        helpful=params.helpful,
        question=(params.question or "").strip(),
        document=opening.document if opening else None,
        collection=reach.chosen[0] if len(reach.chosen) == 1 else None,
        comment=(params.comment or "").strip(),
    )
    return Thanks(opening)


SEND_FEEDBACK = Tool(
    name="send_feedback",
    title="Report an answer",
    description="Say whether an answer or a page helped, once you know; always if it did not, so that people can fix the docs.",
    params=FeedbackParams,
    run=run,
    scope=Scope.ASK,
    read_only=False,
)
