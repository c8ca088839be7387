"""The webhook: who is believed, and what happens then."""

from __future__ import annotations

import json
import re
import subprocess
import time
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from collections_app.jobs import ensure_git_source, start_job
from collections_app.models import Collection, IngestJob, Source
from collections_app.sources.git import GitOptions
from collections_app.webhooks import sign
from tests.collections_app.api.conftest import Caller
from tests.collections_app.test_webhooks import make_hex, make_standard

PUSH = json.dumps({"ref": "refs/heads/main", "repository": {"default_branch": "main"}}).encode()


@pytest.fixture
def source(collection: Collection) -> Source:
    return ensure_git_source(collection, "https://git.example.com/docs.git", GitOptions())


@pytest.fixture
def hook(writer: Caller, source: Source) -> dict[str, Any]:
    """The source's secret, the hook's url, and examples."""
    status, made = writer.post(f"sources/{source.pk}/webhook")
    assert status == 201
    return dict(made)


def deliver(url: str, body: bytes, **headers: str) -> Any:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    client = Client(raise_request_exception=False)
    return client.post(url, body, content_type="application/json", headers=names)


def deliver_github(hook: dict[str, Any], body: bytes = PUSH, event: str = "push") -> Any:
    signature = f"sha256={make_hex(hook['secret'], body)}"
    return deliver(hook["url"], body, X_GitHub_Event=event, X_Hub_Signature_256=signature)


def read(response: HttpResponse) -> tuple[int, str]:
    return response.status_code, json.loads(response.content)["status"]


class TestSigned:
    def test_a_push_starts_a_refresh(self, hook: dict[str, Any], source: Source) -> None:
        response = deliver_github(hook)
        job = IngestJob.objects.get()
        assert read(response) == (202, "accepted")
        assert response.json()["job_id"] == job.pk
        assert (job.source, job.state, job.requested_by) == (source, "queued", "webhook")

    def test_every_sender_is_understood(self, hook: dict[str, Any]) -> None:
        secret, url, now = hook["secret"], hook["url"], int(time.time())
        answers = [
            deliver(url, PUSH, X_Gitea_Event="push", X_Gitea_Signature=make_hex(secret, PUSH)),
            deliver(url, PUSH, X_Gitlab_Event="Push Hook", X_Gitlab_Token=secret),
            deliver(url, PUSH, **make_standard(secret, PUSH, now)),
            deliver(url, b"", X_Docsmcp_Signature=sign(secret, b"", now)),
        ]
        assert [read(answer) for answer in answers] == [(202, "accepted")] * 4

    @pytest.mark.parametrize(("followed", "expected"), [("stable", (202, "accepted")), ("", (200, "ignored"))])
    def test_a_pushed_tag_is_followed_by_the_sources_that_name_it(
        self, hook: dict[str, Any], source: Source, followed: str, expected: tuple[int, str]
    ) -> None:
        Source.objects.update(options=GitOptions(branch=followed).model_dump())
        body = json.dumps({"ref": "refs/tags/stable", "project": {"default_branch": "main"}}).encode()
        assert read(deliver_github(hook, body)) == expected
        tag_hook = deliver(hook["url"], body, X_Gitlab_Event="Tag Push Hook", X_Gitlab_Token=hook["secret"])
        assert read(tag_hook) == expected

    def test_the_shells_example_is_right(self, hook: dict[str, Any]) -> None:
        command = hook["examples"]["shell"].partition("curl ")[0] + 'printf %s "t=$t,v1=$s"'
        ran = subprocess.run(
            ["/bin/sh", "-c", command],
            env={"SECRET": hook["secret"], "PATH": "/usr/bin:/bin"},
            capture_output=True,
            check=True,
        )
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", ran.stdout.decode())
        assert read(deliver(hook["url"], b"", X_Docsmcp_Signature=ran.stdout.decode())) == (202, "accepted")

    def test_a_push_before_the_job_begins_is_read_by_it(self, hook: dict[str, Any]) -> None:
        assert deliver_github(hook).json()["job_id"] == deliver_github(hook).json()["job_id"]

    def test_a_push_during_a_run_is_not_lost(self, hook: dict[str, Any], source: Source) -> None:
        running = start_job(source)
        IngestJob.objects.update(state="running")
        response = deliver_github(hook)
        follower = IngestJob.objects.get(state="queued")
        assert read(response) == (202, "accepted")
        assert response.json()["job_id"] == follower.pk != running.pk

    def test_a_ping_is_answered(self, hook: dict[str, Any]) -> None:
        assert read(deliver_github(hook, b"{}", "ping")) == (200, "pong")
        assert not IngestJob.objects.exists()

    @pytest.mark.parametrize(
        ("body", "event"),
        [(PUSH, "issues"), (b'{"ref": "refs/heads/dev", "repository": {"default_branch": "main"}}', "push")],
    )
    def test_what_does_not_concern_the_source_is_ignored_with_a_word(
        self, hook: dict[str, Any], body: bytes, event: str
    ) -> None:
        response = deliver_github(hook, body, event)
        assert read(response) == (200, "ignored")
        assert response.json()["message"]
        assert not IngestJob.objects.exists()


class TestUnsigned:
    def test_bad_signatures_unknown_sources_and_such_without_secret_look_alike(
        self, hook: dict[str, Any], source: Source, collection: Collection
    ) -> None:
        unhooked = ensure_git_source(collection, "https://git.example.com/other.git", GitOptions())
        url = f"/api/hooks/{source.pk}"
        signature = make_hex(hook["secret"], PUSH)
        answers = [
            deliver(url, PUSH),
            deliver(url, PUSH + b" ", X_Gitea_Signature=signature),
            deliver(url, PUSH, X_Gitlab_Token="wrong"),
            deliver(url, PUSH, X_Docsmcp_Signature=sign(hook["secret"], PUSH, int(time.time()) - 1000)),
            deliver(f"/api/hooks/{unhooked.pk}", PUSH, X_Gitea_Signature=signature),
            deliver("/api/hooks/987654321", PUSH, X_Gitea_Signature=signature),
            deliver(f"/api/hooks/{'9' * 30}", PUSH, X_Gitea_Signature=signature),
        ]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
        assert not IngestJob.objects.exists()

    def test_a_new_secret_ends_the_old_one(self, writer: Caller, hook: dict[str, Any], source: Source) -> None:
        writer.post(f"sources/{source.pk}/webhook")
        assert deliver_github(hook).status_code == 404

    def test_a_key_is_no_signature(self, writer: Caller, hook: dict[str, Any], source: Source) -> None:
        assert writer.post(f"hooks/{source.pk}")[0] == 404

    def test_a_secret_under_another_server_key_signs_nothing(self, hook: dict[str, Any], settings: Any) -> None:
        settings.SECRET_KEY = "another one"
        assert deliver_github(hook).status_code == 404

    def test_a_large_body_is_refused_unread(self, hook: dict[str, Any]) -> None:
        assert deliver_github(hook, b" " * (2**20 + 1)).status_code == 413

    def test_it_takes_as_many_queries_whether_or_not_there_is_a_source(
        self, hook: dict[str, Any], django_assert_num_queries: Any
    ) -> None:
        for path in (hook["url"], "/api/hooks/987654321"):
            with django_assert_num_queries(2):
                deliver(path, PUSH)


def test_the_secret_is_shown_once_and_kept_encrypted(writer: Caller, hook: dict[str, Any], source: Source) -> None:
    source.refresh_from_db()
    assert hook["secret"] not in source.encrypted_webhook_secret
    [entry] = writer.get("collections/manual/sources")[1]["results"]
    assert entry["has_webhook"] is True
    assert hook["secret"] not in str(entry)
    assert hook["url"] == f"http://testserver/api/hooks/{source.pk}"
