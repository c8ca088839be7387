"""What processes count is in the rows when they have ended, whichever of them was asked."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from collections_app.models import ApiKey, DailyUsage, Document, DocumentRead
from collections_app.provisioning import get_tenant
from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.end_to_end.test_rate_limits import CALL, REQUESTS, ask_at_once, serving
from tests.factories import make_collection, make_tenant, put
from tests.mcp_app.fake_tools import make_message
from tests.worker_environment import make_worker_environment

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_SECONDS = 240


def test_every_request_to_several_web_servers_is_counted_once() -> None:
    key, secret = ApiKey.objects.issue(tenant=make_tenant(), name="counted")
    with serving(WEB_WORKERS="2", MCP_RATE_LIMIT_REQUESTS="1000000") as port:
        assert ask_at_once(port, CALL, {"Authorization": f"Bearer {secret}"}) == {(200, False): REQUESTS}
    rows = DailyUsage.objects.filter(api_key=key)
    assert {row.call for row in rows} == {"list_collections"}
    counted = [
        (row.requests, row.errors, sum(row.latencies)) for row in rows
    ]  # two of them where a day ended meanwhile
    assert tuple(map(sum, zip(*counted, strict=True))) == (REQUESTS, 0, REQUESTS)


def test_what_a_client_of_standard_input_read_is_counted() -> None:
    collection = make_collection("manual", tenant=get_tenant())
    put(collection, {"a.md": "# A\n\nLlamas.\n"})
    call = make_message("tools/call", {"name": "get_doc_page", "arguments": {"path": "a.md"}})
    subprocess.run(
        [sys.executable, "manage.py", "mcp_stdio"],
        input=json.dumps(call).encode(),
        cwd=PROJECT_ROOT,
        env=make_worker_environment(),
        check=True,
        capture_output=True,
        timeout=DEADLINE_SECONDS,
    )
    row = DailyUsage.objects.get()
    assert (row.tenant, row.api_key_id, row.call, row.requests) == (collection.tenant, None, "get_doc_page", 1)
    assert DocumentRead.objects.get().document == Document.objects.get()
