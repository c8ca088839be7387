"""API descriptions (OpenAPI 3.0 and 3.1, Swagger 2.0; JSON or YAML) → Markdown: a section per operation, by tag, and per schema.

References within the description become names. References to other files of the source are resolved beforehand (bundling.py). The
remaining ones are named, and nothing is fetched.
"""

from __future__ import annotations

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing.documents import NormalisedText, RawDocument
from collections_app.parsing.openapi.access import write_security, write_servers
from collections_app.parsing.openapi.bundling import list_files_referred_to
from collections_app.parsing.openapi.components import Components
from collections_app.parsing.openapi.loading import load_description
from collections_app.parsing.openapi.operations import Operation, iter_operations, write_operation
from collections_app.parsing.openapi.references import SCHEMAS, UNTITLED, list_schemas
from collections_app.parsing.openapi.schemas import write_schema
from collections_app.parsing.openapi.values import Object, get_object, get_objects, get_text
from collections_app.parsing.openapi.writing import Writer
from collections_app.text.shortening import shorten

__all__ = ["parse_openapi"]

_UNTAGGED = "Operations"
_MAX_SHOWN = 5
_SHOWN_CHARACTERS = 80
_MAX_MIB = 1  # for other files that pages include


def parse_openapi(raw: RawDocument) -> NormalisedText:
    """Raises ParseError (broken, too deep, beyond a limit) and UnsupportedFormat (binary, or no API description)."""
    description, warnings = load_description(raw.content)
    version = get_text(description, "openapi") or get_text(description, "swagger")
    if not version.startswith(("3.", "2.")):
        raise UnsupportedFormat("It is no API description that can be read: OpenAPI 3 or Swagger 2 is needed.")
    info = get_object(description, "info")
    writer = Writer()
    try:
        _write(writer, description)
    except RecursionError:
        raise ParseError("The description nests too deep. Flatten it.") from None
    return NormalisedText(
        format="openapi",
        content=writer.get_content(),
        title=" ".join(get_text(info, "title").split()),
        description=get_text(info, "summary") or get_text(info, "description").split("\n\n")[0],
        metadata={"openapi": version, "api_version": get_text(info, "version")},
        warnings=(*warnings, *_tell_files(description)),
    )


def _tell_files(description: Object) -> tuple[str, ...]:
    files = list(dict.fromkeys(list_files_referred_to(description)))
    if not files:
        return ()
    more = [f"{len(files) - _MAX_SHOWN} more"] if len(files) > _MAX_SHOWN else []
    shown = ", ".join([*(f"`{shorten(file, _SHOWN_CHARACTERS)}`" for file in files[:_MAX_SHOWN]), *more])
    where = f"Directories, Git sources and archives put in what files of theirs hold, of at most {_MAX_MIB} MiB each."
    outside = "For files outside of what is read, read a folder above, or bundle the description."
    return (f"What it refers to in other files is not in its text: {shown}. {where} {outside}",)


def _write(writer: Writer, description: Object) -> None:
    components = Components(description)
    _write_head(writer, description)
    write_security(writer, description)
    _write_operations(writer, description, components)
    _write_schemas(writer, description, components)


def _write_head(writer: Writer, description: Object) -> None:
    info = get_object(description, "info")
    writer.add_heading(1, get_text(info, "title") or UNTITLED)
    if version := get_text(info, "version"):
        writer.add(f"Version: {version}")
    write_servers(writer, description)
    writer.add_markdown(get_text(info, "description"))


def _write_operations(writer: Writer, description: Object, components: Components) -> None:
    """The operations by tag: tags in the order of their declaration, then in that of their first operations."""
    by_tag: dict[str, list[Operation]] = {get_text(tag, "name"): [] for tag in get_objects(description, "tags")}
    said = {get_text(tag, "name"): get_text(tag, "description") for tag in get_objects(description, "tags")}
    for operation in iter_operations(description, "paths", components):
        by_tag.setdefault(operation.tag, []).append(operation)
    by_tag["Webhooks"] = by_tag.get("Webhooks", []) + list(iter_operations(description, "webhooks", components))
    for tag, operations in by_tag.items():
        if operations:
            writer.add_heading(2, tag or _UNTAGGED)
            writer.add_markdown(said.get(tag, ""))
        for operation in operations:
            write_operation(writer, operation, components)


def _write_schemas(writer: Writer, description: Object, components: Components) -> None:
    schemas = list_schemas(description)
    if schemas:
        writer.add_heading(2, SCHEMAS)
    for schema in schemas:
        writer.add_heading(3, schema.name)
        write_schema(writer, schema.value, components.links)
