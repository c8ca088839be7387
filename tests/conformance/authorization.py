"""The official suite's scenarios for authorization servers, with a person who consents when it asks for one."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from threading import Timer

import httpx

from tests.clients import node
from tests.consenting import allow
from tests.free_ports import find_free_port
from tests.running_server import RunningServer, running_server

CONSENT = re.compile(r"http://\S+/oauth/authorize\S+")


def run_authorization() -> tuple[bool, str]:
    """Whether it passed, and what it said."""
    with running_server({}, OAUTH_ENABLED="true") as server, tempfile.TemporaryDirectory() as home:
        issuer, port = server.oauth_url.removesuffix("/mcp"), find_free_port()
        arguments = ["--url", issuer, "--client-id", register(issuer, port), "--resource", server.oauth_url]
        command = [*node.make_command(node.CONFORMANCE), "authorization", *arguments, "--port", str(port)]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=node.make_environment(Path(home)),
        ) as suite:
            deadline = Timer(node.DEADLINE_SECONDS, suite.kill)
            deadline.start()
            output = "".join(consent_when_asked(line, server) for line in suite.stdout or ())
            deadline.cancel()
    return suite.returncode == 0, output


def register(issuer: str, port: int) -> str:
    about = {"redirect_uris": [f"http://127.0.0.1:{port}/callback"], "token_endpoint_auth_method": "none"}
    found: str = httpx.post(f"{issuer}/register", json=about, trust_env=False).json()["client_id"]
    return found


def consent_when_asked(line: str, server: RunningServer) -> str:
    if asked := CONSENT.search(line):
        httpx.get(allow(asked[0], server.admin_user, server.admin_password), trust_env=False).raise_for_status()
    return line
