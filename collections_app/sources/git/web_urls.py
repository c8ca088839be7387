"""Where to look at a repository's file in a browser, for known forges. Makes no requests."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

_TAGS = "refs/tags/"


def make_file_url(repository_url: str, ref: str, path: str) -> str:
    """The file's page at `ref` (`refs/heads/main`); the repository's own address if the forge is not known."""
    base = repository_url.rstrip("/").removesuffix(".git")
    place = _find_place(urlsplit(base).hostname or "", ref)
    if not place:
        return repository_url
    return f"{base}/{place}/{quote(ref.split('/', 2)[-1])}/{quote(path)}"


def _find_place(host: str, ref: str) -> str:
    """The part of the address between repository and branch."""
    labels = host.split(".")
    if host == "github.com":
        return "blob"
    if "gitlab" in labels:
        return "-/blob"
    if host == "bitbucket.org":
        return "src"
    if host == "codeberg.org" or not {"gitea", "forgejo"}.isdisjoint(labels):
        return "src/tag" if ref.startswith(_TAGS) else "src/branch"
    return ""
