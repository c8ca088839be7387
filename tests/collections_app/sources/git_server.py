"""Git repositories, and servers that give them out over HTTP on loopback: dulwich's own, and Git's where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo
from dulwich.server import BackendRepo, DictBackend
from dulwich.web import make_wsgi_chain

FILE, LINK, SUBMODULE = 0o100644, 0o120000, 0o160000
HTTP_BACKEND = "/usr/lib/git-core/git-http-backend"
HAS_GIT = shutil.which("git") is not None and Path(HTTP_BACKEND).exists()

Content = str | bytes | tuple[int, bytes]
"""A file's text or bytes, or a mode and what it points to."""


def make_commit(repo: Repo, files: Mapping[str, Content], branch: str = "main") -> str:
    """A commit with exactly these files, as the branch's newest. Its id."""
    ref = Ref(f"refs/heads/{branch}".encode())
    commit = Commit()
    commit.tree = _add_tree(repo, files)
    commit.parents = [repo.refs[ref]] if ref in repo.refs else []
    commit.author = commit.committer = b"Test <test@example.org>"
    commit.author_time = commit.commit_time = 0
    commit.author_timezone = commit.commit_timezone = 0
    commit.message = b"test"
    repo.object_store.add_object(commit)
    repo.refs[ref] = commit.id
    return commit.id.decode()


def _add_tree(repo: Repo, files: Mapping[str, Content]) -> ObjectID:
    tree = Tree()
    folders: dict[str, dict[str, Content]] = {}
    for path, content in files.items():
        folder, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(folder, {})[rest] = content
        else:
            tree.add(path.encode(), *_add_file(repo, content))
    for folder, below in folders.items():
        tree.add(folder.encode(), 0o040000, _add_tree(repo, below))
    repo.object_store.add_object(tree)
    return tree.id


def _add_file(repo: Repo, content: Content) -> tuple[int, ObjectID]:
    if isinstance(content, tuple) and content[0] == SUBMODULE:
        return SUBMODULE, ObjectID(content[1])
    mode, data = content if isinstance(content, tuple) else (FILE, content)
    blob = Blob.from_string(data.encode() if isinstance(data, str) else data)
    repo.object_store.add_object(blob)
    return mode, blob.id


@dataclass
class Served:
    """A server of one repository. `requests` are what it was asked (method, path, headers); `token` is what it wants."""

    url: str
    repo: Repo
    token: str = ""
    redirects: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[str, dict[str, str], bytes]] = field(default_factory=dict)
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def serve(root: Path, *, with_git: bool = False) -> Iterator[Served]:
    """Serve a new repository, at `/docs.git`."""
    repo = Repo.init_bare(root / "docs.git", mkdir=True)
    repo.refs.set_symbolic_ref(Ref(b"HEAD"), Ref(b"refs/heads/main"))
    repositories: dict[str, BackendRepo] = {"/docs.git": repo}
    application = _make_git_application(root) if with_git else make_wsgi_chain(DictBackend(repositories))

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        return _answer(served, application, environ, start_response)

    with make_server("127.0.0.1", 0, answer, handler_class=_QuietHandler) as server:
        served = Served(f"http://127.0.0.1:{server.server_port}/docs.git", repo)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
            repo.close()


def _answer(served: Served, application: Any, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    headers = {name[5:]: value for name, value in environ.items() if name.startswith("HTTP_")}
    served.requests.append((environ["REQUEST_METHOD"], path, headers))
    if path in served.redirects:
        start_response("302 Found", [("Location", served.redirects[path])])
        return [b""]
    if path in served.answers:
        status, extra, body = served.answers[path]
        start_response(status, list(extra.items()))
        return [body]
    if served.token and headers.get("AUTHORIZATION") != served.token:
        start_response("401 Unauthorized", [("WWW-Authenticate", "Basic")])
        return [b""]
    answer: Iterable[bytes] = application(environ, start_response)
    return answer


def _make_git_application(root: Path) -> Any:
    """Git's own CGI program as a WSGI application."""
    settings = {"uploadpack.allowFilter": "true", "http.uploadpack": "true", "safe.directory": "*"}
    variables = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_PROJECT_ROOT": str(root), "GIT_HTTP_EXPORT_ALL": "1"}
    variables["PATH"] = os.environ["PATH"]
    for number, (name, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        cgi = {name: value for name, value in environ.items() if isinstance(value, str)}
        done = subprocess.run([HTTP_BACKEND], input=body, env=cgi | variables, capture_output=True, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        start_response(headers.pop("Status", "200 OK"), list(headers.items()))
        return [content]

    return application
