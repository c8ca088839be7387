"""Everything that the conformance suite calls, in place of the product's own. Served by settings.py beside it alone."""

from mcp_app.registry import Registry
from tests.conformance import content, rounds

REGISTRY = Registry(
    content.TOOLS + rounds.TOOLS,
    resources=content.RESOURCES,
    templates=content.TEMPLATES,
    prompts=content.PROMPTS + rounds.PROMPTS,
    logging=True,
    subscribe=True,
)
