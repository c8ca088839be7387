"""The site with fake tools and one good key, for a WSGI server in a process of its own. A database is only asked whether it has tables."""

from django.conf import settings

from docsmcp_site.wsgi import application  # before models are imported

# isort: split
from collections_app.limits import admission
from mcp_app.transports import views
from tests.mcp_app.conftest import MEMORY_CACHES, authenticate
from tests.mcp_app.fake_tools import DISPATCHER

settings.CACHES = MEMORY_CACHES
admission.authenticate = authenticate  # type: ignore[attr-defined]
views.McpView.dispatcher = DISPATCHER

__all__ = ["application"]
