"""What configurations of sites say: where pages have moved to, and of which files no pages are made."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from collections_app.parsing.site_settings import SiteSettings, read_site_settings
from collections_app.sources.selection import Selection
from collections_app.sources.site_settings import compile_excluded, find_unbuilt
from tests.growth import assert_linear

DOCUSAURUS = """
export default {
  presets: [['classic', {docs: {path: 'guides', exclude: ['drafts/**', '**/*.old.md'], sidebar: './s.js'}}]],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      {
        redirects: [
          // {from: '/never', to: '/was'},
          {from: '/start', to: '/intro/begin'},
          {to: `/faq`, from: ["/questions", "/help/faq"]},
        ],
      },
    ],
  ],
};
"""
TOLD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "site/mkdocs.yml": (
        "plugins:\n  - redirects:\n      redirect_maps:\n        old/a.md: new/a.md#part\n        b.md: https://example.org/b\n",
        {"old/a.md": "site/docs/new/a.md#part", "b.md": "https://example.org/b"},
    ),
    "docusaurus.config.ts": (
        DOCUSAURUS,
        {"/start": "/intro/begin", "/questions": "/faq", "/help/faq": "/faq"},
    ),
    "static/_redirects": (
        (
            "# old ones\n/a /b 301!\n/b /c\n/app/* /index.html 200\n/x/:id /y\n/find id=:id /found\n/d /e#f 302\n/g /h 200\n"
            "/o/* /n/:splat\n/en/* /:splat#a\n/p/* /p/404\n/v2/* https://v2.example.org/:splat\n/*/i /:splat\n"
        ),
        {"/a": "/c", "/b": "/c", "/d": "/e#f", "/o/*": "/n/:splat"},
    ),
    "netlify.toml": (
        '[[redirects]]\nfrom = "/a"\nto = "/b"\n[[redirects]]\nfrom = "/p"\nto = "/q"\nstatus = 200\n',
        {"/a": "/b"},
    ),
    "vercel.json": (
        json.dumps(
            {"redirects": [{"source": "/a", "destination": "/b"}, {"source": "/a/:x*", "destination": "/b/:x"}]}
        ),
        {"/a": "/b", "/a/*": "/b/:splat"},
    ),
    "docs.json": (json.dumps({"redirects": [{"source": "/a", "destination": "/b"}]}), {"/a": "/b"}),
    ".gitbook.yaml": ("root: ./docs/\nredirects:\n  help/me: ./faq/README.md\n", {"help/me": "docs/faq/README.md"}),
    "docs/conf.py": (
        'redirects: dict[str, str] = {\n    "guide/old": "new.html",  # "not": "this"\n    "top": "guide/new.html",\n}\n',
        {"guide/old": "docs/guide/new.html", "top": "docs/guide/new.html"},
    ),
    "manual/conf.py": ('rediraffe_redirects = "moved.txt"\n', {"a.rst": "manual/b.rst", "c d.rst": "manual/e.rst"}),
}
EXCLUDED = {
    "_config.yml": (
        "exclude: [README.md, vendor/, '*.draft.md', docs/inner/*, old*]\ninclude: [docs/inner/kept.md]\n",
        ["README.md", "vendor/a.md", "docs/a.draft.md", "docs/inner/b.md", "old-1/a.md"],
        ["docs/README.md", "docs/vendors.md", "docs/draft.md", "docs/inner/kept.md", "docs/old.md"],
    ),
    "hugo.toml": (
        "ignoreFiles = ['\\.draft\\.md$', '^(a|b)+$']\n",
        ["content/x/a.draft.md"],
        ["content/a.md", "a.draft.md"],
    ),
    "w/config/_default/hugo.yaml": (
        "baseURL: https://a\nignoreFiles: ['\\.draft\\.md$']\n",
        ["w/archetypes/default.md", "w/content/a.draft.md"],
        ["w/content/archetypes/a.md", "archetypes/a.md"],
    ),
    "w/hugo.json": (
        '{\n  "ignoreFiles": ["\\\\.draft\\\\.md$"]\n}\n',
        ["w/content/x/a.draft.md"],
        ["w/content/a.md", "a.draft.md"],
    ),
    "config.yaml": ("port: 80\n", [], ["archetypes/a.md"]),
    "docusaurus.config.js": (DOCUSAURUS, ["guides/drafts/a.md", "guides/x/b.old.md"], ["guides/a.md", "drafts/a.md"]),
    "w/mkdocs.yml": (
        "exclude_docs: |\n  # none of these\n  *.old.md\n  /drafts/\n  !kept.old.md\n",
        ["w/docs/x/a.old.md", "w/docs/drafts/b.md"],
        ["w/docs/kept.old.md", "w/docs/x/drafts/b.md", "w/a.old.md"],
    ),
    "docs/conf.py": (
        "exclude_patterns = ['_build', 'old/*.rst', '**/inner', join('all', 'x')]\nif x:\n    exclude_patterns += ['all']\n",
        ["docs/_build/a.rst", "docs/old/a.rst", "docs/b/inner/c.rst"],
        ["docs/a.rst", "docs/old/deeper/a.rst", "docs/b/_build/a.rst", "docs/all/a.rst"],
    ),
}


def read(path: str, text: str, others: Mapping[str, bytes] | None = None) -> SiteSettings:
    files = {path: text.encode(), **(others or {})}
    return read_site_settings([path], files.get)


@pytest.mark.parametrize("path", TOLD)
def test_pages_that_have_moved(path: str) -> None:
    text, moved = TOLD[path]
    assert read(path, text, {"manual/moved.txt": b'a.rst b.rst\n"c d.rst" "e.rst"\n'}).moved == moved


@pytest.mark.parametrize("path", EXCLUDED)
def test_files_of_which_no_page_is_made(path: str) -> None:
    text, excluded, built = EXCLUDED[path]
    is_excluded = compile_excluded(read(path, text))
    assert [each for each in [*excluded, *built] if is_excluded(each)] == excluded


def test_what_a_site_excludes_may_be_of_another_site() -> None:
    """It counts neither for the pages of a site below, nor for the folder that is asked for, nor where little else would be left."""
    files = {"_config.yml": b"exclude: [docs, guide, x]\n", "docs/conf.py": b"", "mkdocs.yml": b"docs_dir: guide/en\n"}
    settings = read_site_settings(files, files.get)
    paths = ["docs/a.md", "guide/en/a.md", "guide/fr/a.md", "x/docs/a.md", "b.md"]
    found = {folder: [*filter(compile_excluded(settings, folder), paths)] for folder in ("", "x/docs")}
    assert found == {"": ["guide/fr/a.md", "x/docs/a.md"], "x/docs": ["guide/fr/a.md"]}
    left_out = [
        find_unbuilt(Selection(), some, settings) for some in (["x/a.md", "b.md"], ["x/a.md", "x/b.md", "c.md"])
    ]
    assert left_out == [{"x/a.md"}, ()]


def test_hostile_code_takes_linear_time() -> None:
    for piece in ("/*", "'", '\\"', "{from:", "from:[", "redirects: [", "exclude: ["):
        assert_linear(
            lambda text: read("docusaurus.config.js", f"plugin-client-redirects exclude {{{text}}}"), piece * 20_000
        )
    for piece in ("/:a", "/*", "a/"):
        assert_linear(lambda text: read("_redirects", f"/{text}/* /{text}/:splat\n"), piece * 20_000)
    for piece in ("\nredirects={", "\nexclude_patterns=['", "'", '\\"', "\nredirects:"):
        assert_linear(lambda text: read("conf.py", text), piece * 20_000)


def test_addresses_have_no_signs_that_no_text_can_hold() -> None:
    told = json.dumps({"redirects": [{"source": "/a\0", "destination": "/b\ud800"}]})
    assert read("vercel.json", told).moved == {"/a": "/b?"}


def test_patterns_that_nobody_writes_exclude_nothing() -> None:
    patterns = ["a" * 501, "**/" * 6 + "a", *(f"a{number}" for number in range(3_000))]
    assert len(read("conf.py", f"exclude_patterns = {patterns}").excluded) == 1_000


def test_what_is_broken_says_nothing() -> None:
    for path, text in (
        ("vercel.json", "{"),
        ("mkdocs.yml", "plugins: ["),
        ("netlify.toml", "[["),
        ("_config.yml", "a"),
    ):
        told = read(path, text)
        assert (told.moved, told.excluded) == ({}, [])
