"""Fixtures that answer at once: each kind of content, resources and prompts. Named as the conformance suite calls them."""

from __future__ import annotations

import base64
import time
from collections.abc import Generator, Mapping
from typing import Any

from mcp_app.entries import Call, Prompt, PromptArgument, Resource, ResourceTemplate, Tool, ToolParams
from mcp_app.protocol.answers import (
    Block,
    Content,
    LogMessage,
    Notice,
    Progress,
    make_audio,
    make_embedded_resource,
    make_image,
    make_text,
)

# One red pixel, and a RIFF header over no samples.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"
PAUSE_SECONDS = 0.05

NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "additionalProperties": False}

# What the suite sends for this tool must come back from tools/list word by word.
KEPT_SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

Arguments = Mapping[str, Any]
Steps = Generator[Notice | None, None, Content]


def say(text: str) -> Content:
    return Content([make_text(text)])


def make_tool(name: str, run: Any, schema: Mapping[str, Any] = NO_ARGUMENTS) -> Tool:
    return Tool(
        name, name.replace("_", " ").capitalize(), "A fixture of the conformance suite.", ToolParams, run, schema=schema
    )


def answer_with(*blocks: Block, is_error: bool = False) -> Any:
    """A tool's function that always says the same."""
    return lambda call, arguments: Content(blocks, is_error=is_error)


def report_progress(call: Call, arguments: Arguments) -> Steps:
    for progress in (0, 50, 100):
        yield Progress(progress, 100)
        time.sleep(PAUSE_SECONDS)
    return say("Done.")


def report_log(call: Call, arguments: Arguments) -> Steps:
    for sentence in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        yield LogMessage("info", sentence)
        time.sleep(PAUSE_SECONDS)
    return say("Done.")


TOOLS = (
    make_tool("test_simple_text", answer_with(make_text("This is a simple text response for testing."))),
    make_tool("test_image_content", answer_with(make_image(PNG, "image/png"))),
    make_tool("test_audio_content", answer_with(make_audio(WAV, "audio/wav"))),
    make_tool(
        "test_embedded_resource",
        answer_with(
            make_embedded_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
        ),
    ),
    make_tool(
        "test_multiple_content_types",
        answer_with(
            make_text("Multiple content types test:"),
            make_image(PNG, "image/png"),
            make_embedded_resource(
                "test://mixed-content-resource", "application/json", '{"test": "data", "value": 123}'
            ),
        ),
    ),
    make_tool(
        "test_error_handling",
        answer_with(make_text("This tool intentionally returns an error for testing."), is_error=True),
    ),
    make_tool("test_tool_with_progress", report_progress),
    make_tool("test_tool_with_logging", report_log),
    make_tool("test_logging_tool", report_log),
    make_tool("json_schema_2020_12_tool", answer_with(make_text("The schema is what matters.")), KEPT_SCHEMA),
)

RESOURCES = (
    Resource(
        "test://static-text",
        "static-text",
        lambda call: "This is the content of the static text resource.",
        description="A text.",
        mime_type="text/plain",
    ),
    Resource("test://static-binary", "static-binary", lambda call: PNG, description="An image.", mime_type="image/png"),
    Resource(
        "test://watched-resource",
        "watched-resource",
        lambda call: "Nothing changes here.",
        description="May be subscribed to.",
        mime_type="text/plain",
    ),
)

TEMPLATES = (
    ResourceTemplate(
        "test://template/{id}/data",
        "template",
        lambda call, values: f'{{"id": "{values["id"]}", "data": "Data for ID: {values["id"]}"}}',
        description="Data by id.",
        mime_type="application/json",
    ),
)


def say_arguments(call: Call, given: Mapping[str, str]) -> str:
    return f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"


def embed_resource(call: Call, given: Mapping[str, str]) -> list[dict[str, Any]]:
    embedded = make_embedded_resource(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return make_messages(embedded, make_text("Please process the embedded resource above."))


def make_messages(*blocks: Block) -> list[dict[str, Any]]:
    return [{"role": "user", "content": block} for block in blocks]


def complete_argument(call: Call, typed: str, others: Mapping[str, str]) -> list[str]:
    return [value for value in ("paris", "park", "party") if value.startswith(typed)]


PROMPTS = (
    Prompt(
        "test_simple_prompt", "A prompt without arguments.", lambda call, given: "This is a simple prompt for testing."
    ),
    Prompt(
        "test_prompt_with_arguments",
        "A prompt with two arguments.",
        say_arguments,
        arguments=(
            PromptArgument("arg1", "First test argument", completer=complete_argument),
            PromptArgument("arg2", "Second test argument"),
        ),
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "A prompt that embeds a resource.",
        embed_resource,
        arguments=(PromptArgument("resourceUri", "The URI of the resource"),),
    ),
    Prompt(
        "test_prompt_with_image",
        "A prompt with an image.",
        lambda call, given: make_messages(make_image(PNG, "image/png"), make_text("Please analyze the image above.")),
    ),
)
