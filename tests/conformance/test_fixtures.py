"""The fixtures are what the suite needs, and are served by their own settings only."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.utils.module_loading import import_string

from mcp_app.dispatching.dispatcher import get_dispatcher
from mcp_app.entries import Call
from mcp_app.registry import Registry
from tests.conformance.registry import REGISTRY
from tests.mcp_app.fake_tools import MODERN, WRITER


def list_names(registry: Registry) -> set[str]:
    """Of tools, prompts and templates, and URIs of static resources."""
    tools = [tool.name for tool in registry.visible_tools(WRITER)]
    prompts = [prompt.name for prompt in registry.visible_prompts(WRITER)]
    templates = [template.uri_template for template in registry.visible_templates(WRITER)]
    return {*tools, *prompts, *templates}


def test_there_is_one_of_everything_that_the_suite_calls() -> None:
    assert len(REGISTRY.visible_tools(WRITER)) == 20
    assert len(REGISTRY.visible_prompts(WRITER)) == 5
    assert [resource.uri for resource in REGISTRY.iter_resources(Call(WRITER, MODERN))] == [
        "test://static-text",
        "test://static-binary",
        "test://watched-resource",
    ]
    assert [template.uri_template for template in REGISTRY.visible_templates(WRITER)] == ["test://template/{id}/data"]


def test_the_product_serves_none_of_them() -> None:
    assert not list_names(get_dispatcher().registry) & list_names(REGISTRY)
    assert not get_dispatcher().registry.logging
    assert not get_dispatcher().registry.subscribe


def test_only_the_settings_beside_them_name_them() -> None:
    assert "conformance" not in str(getattr(settings, "MCP_REGISTRY", ""))
    named = import_module("tests.conformance.settings").MCP_REGISTRY
    assert import_string(named) is REGISTRY
