"""Where a file of a repository can be looked at in a browser, for the forges whose addresses are known. It asks nobody."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

_TAGS = "refs/tags/"


def make_file_url(repository_url: str, ref: str, path: str) -> str:
    """The file's page at `ref` (`refs/heads/main`); the repository's own address where the forge is not known."""
    base = repository_url.rstrip("/").removesuffix(".git")
    place = _find_place(urlsplit(base).hostname or "", ref)
    if not place:
        return repository_url
    return f"{base}/{place}/{quote(ref.split('/', 2)[-1])}/{quote(path)}"


def _find_place(host: str, ref: str) -> str:
    """What stands between repository and branch."""
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
