"""How a reference to a schema appears in the text: as its name, linked to the section that describes it if the description has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from collections_app.naming.slugs import make_slug
from collections_app.parsing.headings.text import clean_heading
from collections_app.parsing.openapi.values import Object, escape_key, get_object, get_reference_name, get_text, to_text

UNTITLED = "API"
SCHEMAS = "Schemas"

Links = Mapping[str, str]
"""References (`#/components/schemas/Pet`) → Markdown with their names."""


class Schema(NamedTuple):
    place: str
    name: str
    value: Object


def make_links(description: Object) -> Links:
    """Links to all schemas that have sections. The ids of these are made as in sections.py."""
    title = get_text(get_object(description, "info"), "title") or UNTITLED
    above = "/".join(make_slug(clean_heading(heading)) for heading in (title, SCHEMAS))
    links: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for schema in list_schemas(description):
        slug = make_slug(clean_heading(schema.name))
        taken[slug] += 1
        number = f"-{taken[slug]}" if taken[slug] > 1 else ""
        links[schema.place] = f"[`{schema.name}`](#{above}/{slug}{number})"
    return links


def list_schemas(description: Object) -> list[Schema]:
    """The schemas of OpenAPI 3, then those of Swagger 2, each name once."""
    places = {
        "#/components/schemas/": get_object(get_object(description, "components"), "schemas"),
        "#/definitions/": get_object(description, "definitions"),
    }
    found = {
        name: Schema(f"{place}{escape_key(to_text(name))}", to_text(name), get_object(schemas, name))
        for place, schemas in places.items()
        for name in schemas
    }
    return list(found.values())


def name_reference(reference: str, links: Links) -> str:
    return links.get(reference) or f"`{get_reference_name(reference)}`"
