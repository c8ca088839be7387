"""The product's settings, but with the conformance suite's fixtures served in place of the documentation."""

from docsmcp_site.settings import *  # noqa: F403

MCP_REGISTRY = "tests.conformance.registry.REGISTRY"
