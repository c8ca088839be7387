"""What `docsmcp up` prints when everything runs, for people and for programs. PURE: values in, text out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from docsmcp_site.processes.first_run import Credentials
from mcp_app.clients.client_configs import KEY_PLACEHOLDER, make_client_configs

MARGIN = "  "


@dataclass(frozen=True)
class Running:
    """`collections` are slugs of some that are served; `has_keys`: a key works, even if its secret is not known here."""

    base_url: str
    data_dir: Path
    credentials: Credentials
    collections: Sequence[str]
    is_mcp_enabled: bool
    has_keys: bool

    @property
    def url(self) -> str:
        return f"{self.base_url}/mcp"

    @property
    def admin_url(self) -> str:
        return f"{self.base_url}/admin/"

    def as_json(self) -> str:
        """One line."""
        return json.dumps(
            {
                "url": self.url,
                "admin_url": self.admin_url,
                "admin_user": self.credentials.admin_user,
                "admin_password": self.credentials.admin_password,
                "api_key": self.credentials.api_key,
                "collection": next(iter(self.collections), None),
            }
        )

    def as_text(self) -> str:
        endpoint = self.url if self.is_mcp_enabled else "off (MCP_ENABLED=false)"
        lines = [
            f"docsmcp is ready. Its data is in {self.data_dir}; Ctrl-C stops it.",
            "",
            f"{MARGIN}MCP endpoint  {endpoint}",
            f"{MARGIN}API key       {self._describe_key()}",
            f"{MARGIN}Admin         {self.admin_url}",
            f"{MARGIN}              {self._describe_admin()}",
            f"{MARGIN}Collection    {', '.join(self.collections) or 'none: `docsmcp up DIR` ingests a directory'}",
        ]
        for config in make_client_configs(self.url, self.credentials.api_key or KEY_PLACEHOLDER):
            lines += ["", f"{config.client} ({config.where}):", "", indent(config.text, MARGIN)]
        return "\n".join(lines)

    def _describe_key(self) -> str:
        if self.credentials.api_key:
            return self.credentials.api_key
        if not self.has_keys:
            return "none is valid any more: `docsmcp issue_api_key NAME` makes one"
        return (
            "the one that you have: no secret of it is kept here; `docsmcp api_keys list` tells which keys there are, "
            "`docsmcp api_keys rotate KEY` gives one a new secret"
        )

    def _describe_admin(self) -> str:
        user, password = self.credentials.admin_user, self.credentials.admin_password
        if user is None:
            return "the accounts that you made: `docsmcp createsuperuser` makes another one"
        return f"user {user}, password {password or f'as it was set, which is not kept here: `docsmcp changepassword {user}` sets another'}"
