"""No secret stands in the tree: neither a key of ours nor one of the services that people paste keys of."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest

from docsmcp_site.configuration.config import PROJECT_ROOT

# Built from parts, so that this file is not found itself.
PATTERNS = {
    "an API key of docsmcp": r"dmcp_[0-9a-f]{8}_" + r"[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])",
    "a private key": r"-----BEGIN (?:[A-Z]+ )?" + r"PRIVATE KEY-----",
    "a key of AWS": r"\b(?:AKIA|ASIA)" + r"[0-9A-Z]{16}\b",
    "a token of GitHub": r"\bgh[pousr]_" + r"[A-Za-z0-9]{36,}|\bgithub_pat_" + r"[A-Za-z0-9_]{60,}",
    "a token of GitLab": r"\bglpat-" + r"[A-Za-z0-9_-]{20}\b",
    "a key of OpenAI or Anthropic": r"\bsk-(?:proj-|ant-)?" + r"[A-Za-z0-9_-]{40,}",
    "a key of Google": r"\bAIza" + r"[0-9A-Za-z_-]{35}\b",
    "a token of Slack": r"\bxox[abprs]-" + r"[0-9A-Za-z-]{20,}",
    "a password in an address": r"\b(?:postgres(?:ql)?|redis|https?)://[^\s:/@'\"<>{}$]+:" + r"[^\s/@'\"<>{}$*.]{12,}@",
}


def list_files() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],  # noqa: S607
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("this is no checkout")
    return [name for name in done.stdout.split("\0") if name]


def iter_secrets(text: str) -> Iterator[str]:
    for what, pattern in PATTERNS.items():
        if re.search(pattern, text):
            yield what


def test_no_file_has_a_secret() -> None:
    found = [
        f"{name}: {what}"
        for name in list_files()
        if (path := PROJECT_ROOT / name).is_file()
        for what in iter_secrets(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "KEY=dmcp_0a1b2c3d_" + "x" * 43,
        "-----BEGIN RSA " + "PRIVATE KEY-----",
        "AKIA" + "A1B2" * 4,
        "ghp_" + "a1" * 18,
        "sk-proj-" + "a1" * 24,
        "postgres://docs:" + "correcthorse" + "@db/docs",
    ],
)
def test_the_search_finds_one(text: str) -> None:
    assert list(iter_secrets(f"first line\n{text}\nlast line"))
