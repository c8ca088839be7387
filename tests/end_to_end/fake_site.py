"""The site with fake tools and one good key, for a WSGI server in a process of its own. Needs no database."""

from docsmcp_site.wsgi import application
from mcp_app import views
from tests.mcp_app.conftest import authenticate
from tests.mcp_app.fake_tools import DISPATCHER

views.authenticate = authenticate  # type: ignore[attr-defined]
views.McpView.dispatcher = DISPATCHER

__all__ = ["application"]
