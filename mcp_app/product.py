"""The product's registry: all its tools, resources and prompts. It is served unless the setting names another one."""

from __future__ import annotations

from collections_app.catalog.visible import get_visible_collections
from mcp_app.compat import PROFILES, Translation
from mcp_app.entries import Call, Subject
from mcp_app.prompts import PROMPTS
from mcp_app.registry import Registry
from mcp_app.rendering import join_facts, shorten_name
from mcp_app.resources import RESOURCES, TEMPLATES
from mcp_app.tools import TOOLS

# The room for the collection's name and description in each tool's description, so that tools/list stays small at a narrowed endpoint.
NAME_TOKENS = 8
DESCRIPTION_TOKENS = 28


def find_subject(call: Call) -> Subject | None:
    """The collection that the call's endpoint is narrowed to. Raises CollectionNotFound for one that the caller may not read."""
    if call.narrowed_to is None:
        return None
    collection = get_visible_collections(call.principal, call.narrowed_to)[0]
    name = shorten_name(join_facts([collection.name, collection.version]), NAME_TOKENS)
    return Subject(name, shorten_name(collection.description, DESCRIPTION_TOKENS).rstrip("."))


REGISTRY = Registry(
    TOOLS,
    resources=RESOURCES,
    templates=TEMPLATES,
    prompts=PROMPTS,
    profiles=PROFILES,
    older_names=Translation(),
    find_subject=find_subject,
)
