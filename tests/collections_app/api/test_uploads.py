"""Uploads over REST: what is taken is stored before the answer, and each file that is not has its reason."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client

from collections_app.api import uploads
from collections_app.data_requests import request_deletion_of_collection
from collections_app.intake import make_open_upload
from collections_app.limits.quotas import get_storage
from collections_app.models import Collection, IngestJob, Tenant, Upload
from tests.collections_app.api.conftest import Caller, code_of, make_member
from tests.factories import put

UPLOADS = "collections/manual/uploads"


def send_files(caller: Caller, *files: tuple[str, bytes], **fields: Any) -> tuple[int, Any]:
    form = {"file": [SimpleUploadedFile(name, content) for name, content in files], **fields}
    response = caller.client.post(f"/api/{UPLOADS}", form)
    return response.status_code, response.json()


def get_uploads() -> dict[str, bytes]:
    return {upload.path: bytes(upload.content or b"") for upload in Upload.objects.all()}


class TestFiles:
    def test_many_are_stored_with_one_job(self, writer: Caller, collection: Collection) -> None:
        status, answer = send_files(writer, ("a.md", b"# A\n"), ("b.html", b"<h1>B</h1>"), ("c.zip", b"PK"))
        assert status == 202
        assert get_uploads() == {"a.md": b"# A\n", "b.html": b"<h1>B</h1>", "c.zip": b"PK"}
        job = IngestJob.objects.get()
        assert answer == {
            "job_id": job.pk,
            "state": "queued",
            "files": [
                {"path": name, "accepted": True, "code": "", "reason": ""} for name in ("a.md", "b.html", "c.zip")
            ],
        }
        assert job.only == ["a.md", "b.html", "c.zip"]

    def test_paths_and_metadata_go_with_the_files(self, writer: Caller, collection: Collection) -> None:
        send_files(
            writer, ("a.md", b"a"), ("b.md", b"b"), path=["x/a.md", "y/b.md"], metadata=json.dumps({"category": "x"})
        )
        assert get_uploads() == {"x/a.md": b"a", "y/b.md": b"b"}
        assert {upload.metadata["category"] for upload in Upload.objects.all()} == {"x"}

    def test_each_refused_one_is_named_and_the_others_are_taken(
        self, writer: Caller, collection: Collection, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": 5})
        files = [("a.md", b"12345"), ("b.md", b"123456"), ("c.md", b"1"), ("d.md", b"1"), ("big.zip", b"1234567")]
        paths = ["a.md", "b.md", "../c.md", "a.md", "big.zip"]
        status, answer = send_files(writer, *files, path=paths)
        assert status == 202
        assert [(file["path"], file["accepted"], file["code"]) for file in answer["files"]] == [
            ("a.md", True, ""),
            ("b.md", False, "FILE_TOO_LARGE"),
            ("../c.md", False, "INVALID_PARAMETER"),
            ("a.md", False, "INVALID_PARAMETER"),
            ("big.zip", True, ""),
        ]
        assert all(file["accepted"] or file["reason"] for file in answer["files"])
        assert set(get_uploads()) == {"a.md", "big.zip"}

    def test_what_no_parser_reads_is_refused_by_its_content_or_its_name(
        self, writer: Caller, collection: Collection
    ) -> None:
        picture = b"\x89PNG\r\n\x1a\n"
        answer = send_files(writer, ("tea.md", picture))
        assert code_of(answer) == (415, "UNSUPPORTED_FORMAT")
        assert "a picture" in answer[1]["error"]["message"]
        files = [
            ("a.md", b"# A\n"),
            ("old.doc", b"x"),
            ("make.py", b"x"),
            ("api.yaml", b"openapi: 3.0.0"),
            ("b.zip", picture),
        ]
        status, answer = send_files(writer, *files)
        assert (status, [file["accepted"] for file in answer["files"]]) == (202, [True, False, False, True, True])
        assert ".docx" in answer["files"][1]["reason"]
        assert get_uploads() == {"a.md": b"# A\n", "api.yaml": b"openapi: 3.0.0", "b.zip": picture}

    def test_what_the_tenant_has_no_room_for_is_refused_at_the_door(
        self, writer: Caller, collection: Collection
    ) -> None:
        put(collection, {"a.md": "# A"})
        stored = get_storage(collection.tenant_id)
        Tenant.objects.update(max_bytes=stored.size_bytes + 7, max_documents=stored.documents + 1)
        answer = send_files(writer, ("b.md", b"1" * 8))
        assert code_of(answer) == (413, "QUOTA_EXCEEDED")
        assert answer[1]["error"]["details"] == {
            "size_bytes": 8,
            "stored_bytes": stored.size_bytes,
            "max_bytes": stored.size_bytes + 7,
        }
        status, answer = send_files(writer, ("a.md", b"12"), ("b.md", b"1" * 8), ("c.md", b"1"), ("d.zip", b"1" * 20))
        assert (status, [file["code"] for file in answer["files"]]) == (202, ["", "", "QUOTA_EXCEEDED", ""])
        assert set(get_uploads()) == {"a.md", "b.md", "d.zip"}

    def test_a_url_is_refused_where_no_document_may_come(self, writer: Caller, collection: Collection) -> None:
        put(collection, {"a.md": "# A"})
        Tenant.objects.update(max_documents=get_storage(collection.tenant_id).documents)
        assert code_of(writer.post(UPLOADS, {"url": "https://docs.example.com/b.html"})) == (413, "QUOTA_EXCEEDED")
        assert writer.post(UPLOADS, {"path": "a.md", "content": "# Longer"})[0] == 202

    def test_when_none_is_taken_that_is_an_error_with_all_reasons(
        self, writer: Caller, collection: Collection, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_file_bytes": 1})
        assert code_of(send_files(writer, ("a.md", b"12"))) == (413, "FILE_TOO_LARGE")
        answer = send_files(writer, ("a.md", b"12"), ("b.md", b"12"))
        assert code_of(answer) == (400, "INVALID_PARAMETER")
        assert [file["code"] for file in answer[1]["error"]["details"]["files"]] == ["FILE_TOO_LARGE"] * 2
        assert not IngestJob.objects.exists()

    @pytest.mark.parametrize(
        ("files", "fields"),
        [
            ([], {}),
            ([("a.md", b"a")], {"path": ["x", "y"]}),
            ([("a.md", b"a")], {"metadata": "title"}),
            ([("a.md", b"a")], {"metadata": "[]"}),
            ([("a.md", b"a")], {"metadata": "[" * 100_000}),
            ([("a.md", b"a")], {"metadata": '{"a": "\\u0000"}'}),
            ([("a.md", b"a")], {"metadata": '{"a": "\\ud800"}'}),
            ([("a.md", b"a")], {"metadata": '{"a": 1e999}'}),
            ([("a.md", b"a")], {"folder": "x"}),
        ],
    )
    def test_a_form_that_is_not_understood_is_refused(
        self, writer: Caller, collection: Collection, files: list[tuple[str, bytes]], fields: dict[str, Any]
    ) -> None:
        assert code_of(send_files(writer, *files, **fields)) == (400, "INVALID_PARAMETER")
        assert not Upload.objects.exists()

    def test_large_ones_are_kept_on_disk_until_they_are_stored(
        self, writer: Caller, collection: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kinds: list[type] = []

        def note(path: str, file: Any, metadata: Any) -> Any:
            kinds.append(type(file))
            return make_open_upload(path, file, metadata)

        monkeypatch.setattr(uploads, "make_open_upload", note)
        send_files(writer, ("a.txt", b"x" * 3_000_000))
        assert kinds == [TemporaryUploadedFile]
        assert get_uploads() == {"a.txt": b"x" * 3_000_000}

    def test_more_than_an_upload_may_have_is_refused_unread(
        self, writer: Caller, collection: Collection, settings: Any
    ) -> None:
        settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"max_upload_bytes": 1000})
        assert code_of(send_files(writer, ("a.md", b"x" * 1001))) == (413, "FILE_TOO_LARGE")
        for length in ("10737418240", "9" * 30):
            answer = writer.client.post(
                f"/api/{UPLOADS}", b"", content_type="multipart/form-data; boundary=b", CONTENT_LENGTH=length
            )
            assert answer.status_code == 413

    def test_a_body_in_chunks_is_asked_for_its_length(self, writer: Caller, collection: Collection) -> None:
        headers = {"transfer-encoding": "chunked"}
        answer = writer.client.post(f"/api/{UPLOADS}", {"file": SimpleUploadedFile("a.md", b"a")}, headers=headers)
        assert answer.status_code == 411

    @pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=b"])
    def test_a_packed_body_is_refused_in_words(self, writer: Caller, collection: Collection, content_type: str) -> None:
        packed = gzip.compress(b'{"path": "a.md", "content": "# A"}')
        headers = {"content-encoding": "gzip"}
        answer = writer.client.post(f"/api/{UPLOADS}", packed, content_type=content_type, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
        assert "not packed" in answer.json()["error"]["message"]

    def test_a_broken_form_is_refused(self, writer: Caller, collection: Collection) -> None:
        for content_type in ("multipart/form-data", "multipart/form-data; boundary=b"):
            answer = writer.client.post(f"/api/{UPLOADS}", b"--b\r\nnonsense", content_type=content_type)
            assert answer.status_code == 400

    def test_more_files_than_a_form_may_have_are_refused(
        self, writer: Caller, collection: Collection, settings: Any
    ) -> None:
        settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
        assert code_of(send_files(writer, *[(f"{n}.md", b"x") for n in range(3)])) == (400, "INVALID_PARAMETER")


class TestJson:
    def test_a_text_is_stored(self, writer: Caller, collection: Collection) -> None:
        status, answer = writer.post(UPLOADS, {"path": "notes", "content": " # N\n", "metadata": {"title": "T"}})
        assert (status, answer["files"][0]["path"]) == (202, "notes.md")
        assert get_uploads() == {"notes.md": b" # N\n"}
        assert Upload.objects.get().metadata == {"title": "T"}

    def test_a_url_is_left_for_the_job(self, writer: Caller, collection: Collection) -> None:
        status, _ = writer.post(UPLOADS, {"url": "https://docs.example.com/a.html", "path": "a.html"})
        upload = Upload.objects.get()
        assert (status, upload.path, upload.url, upload.content) == (
            202,
            "a.html",
            "https://docs.example.com/a.html",
            None,
        )

    def test_the_same_path_replaces_what_was_uploaded(self, writer: Caller, collection: Collection) -> None:
        for content in ("one", "two"):
            writer.post(UPLOADS, {"path": "a.md", "content": content})
        assert get_uploads() == {"a.md": b"two"}

    @pytest.mark.parametrize(
        ("given", "status", "code"),
        [
            ({}, 400, "INVALID_PARAMETER"),
            ({"path": "a.md"}, 400, "INVALID_PARAMETER"),
            ({"content": "a"}, 400, "INVALID_PARAMETER"),
            ({"path": "a.md", "content": "a", "url": "https://example.com"}, 400, "INVALID_PARAMETER"),
            ({"path": "a.md", "content": "a", "file_path": "/etc/passwd"}, 400, "INVALID_PARAMETER"),
            ({"path": "/a.md", "content": "a"}, 400, "INVALID_PARAMETER"),
            ({"path": "a.md", "content": "a\0"}, 400, "INVALID_PARAMETER"),
            ({"path": "a.md", "content": "a", "metadata": {"x": "\ud800"}}, 400, "INVALID_PARAMETER"),
            ({"url": "http://169.254.169.254/latest"}, 422, "FETCH_ERROR"),
            ({"url": "file:///etc/passwd"}, 422, "FETCH_ERROR"),
        ],
    )
    def test_what_is_no_document_is_refused(
        self, writer: Caller, collection: Collection, given: dict[str, Any], status: int, code: str
    ) -> None:
        assert code_of(writer.post(UPLOADS, given)) == (status, code)
        assert not Upload.objects.exists()

    @pytest.mark.parametrize(
        "body", [b"", b"{", b"NaN", b"[]", b"7", b'"x"', b"[" * 200_000, b"\xff", b'{"a": ' * 50_000]
    )
    def test_what_is_no_json_is_refused(self, writer: Caller, collection: Collection, body: bytes) -> None:
        answer = writer.client.post(f"/api/{UPLOADS}", body, content_type="application/json")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "INVALID_PARAMETER")

    def test_more_than_a_mebibyte_is_for_a_form(self, writer: Caller, collection: Collection) -> None:
        assert code_of(writer.post(UPLOADS, {"path": "a.md", "content": "x" * 2**20})) == (413, "FILE_TOO_LARGE")

    def test_another_kind_of_body_is_refused(self, writer: Caller, collection: Collection) -> None:
        answer = writer.client.post(f"/api/{UPLOADS}", b"a: b", content_type="application/yaml")
        assert (answer.status_code, answer.json()["error"]["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


class TestWhoMay:
    def test_a_key_that_only_reads_may_not(self, reader: Caller, collection: Collection) -> None:
        assert code_of(reader.post(UPLOADS, {"path": "a.md", "content": "a"})) == (403, "FORBIDDEN")

    def test_nobody_without_a_key_may(self, anybody: Caller, collection: Collection) -> None:
        Collection.objects.update(is_public=True)
        assert code_of(anybody.post(UPLOADS, {"path": "a.md", "content": "a"})) == (403, "FORBIDDEN")

    @pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("editor", 202), ("owner", 202)])
    def test_members_may_by_their_role(self, collection: Collection, role: str, status: int) -> None:
        caller = make_member(collection.tenant, role)
        assert caller.post(UPLOADS, {"path": "a.md", "content": "a"})[0] == status

    def test_a_session_needs_a_csrf_token(self, collection: Collection) -> None:
        member = make_member(collection.tenant, "editor")
        strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
        strict.cookies = member.client.cookies
        caller = Caller(strict)
        assert caller.get("collections")[0] == 200
        assert code_of(caller.post(UPLOADS, {"path": "a.md", "content": "a"})) == (403, "FORBIDDEN")
        assert code_of(send_files(caller, ("a.md", b"a"))) == (403, "FORBIDDEN")
        assert not Upload.objects.exists()


def test_a_collection_that_is_being_deleted_takes_nothing(writer: Caller, collection: Collection) -> None:
    request_deletion_of_collection(collection, "owner")
    answer = writer.post(UPLOADS, {"path": "a.md", "content": "# A"})
    assert code_of(answer) == (409, "INVALID_PARAMETER")
    assert "is being deleted" in answer[1]["error"]["message"]
    assert get_uploads() == {}
