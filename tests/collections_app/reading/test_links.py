import pytest

from collections_app.reading.addresses import quote_markdown, quote_page
from collections_app.reading.links import Linker

BASE = "/docs/acme/docs/"
PATHS = [
    "guide.md",
    "ref/api.md",
    "ref/README.md",
    "page.html",
    "with space.md",
    "rope/index.rst",
    "rope/knots.rst",
    "notes",
    "https://docs.example/ref/api",
]
KNOWN = {path: path for path in PATHS[:-1]} | {PATHS[-1]: "ref/api.md"}
WEB = Linker("ref/index.md", "https://docs.example/ref/index", BASE, KNOWN)
LOCAL = Linker("ref/index.md", "", BASE, KNOWN)


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("api.md", "ref/api"),
        ("./api.md#get", "ref/api#get"),
        ("api", "ref/api"),
        ("../guide.md", "guide"),
        ("/guide.md", "guide"),
        ("/guide", "guide"),
        ("../guide.html", "guide"),
        ("../page.html", "page.html"),
        ("../with%20space.md", "with%20space"),
        ("../ref/", "ref/README"),
        (".", "ref/README"),
        ("../notes", "notes"),
        ("../rope", "rope/index.rst"),
        ("../rope/knots", "rope/knots.rst"),
        ("/rope/knots.html#reef", "rope/knots.rst#reef"),
        ("https://docs.example/ref/api#get", "ref/api#get"),
        ("https://docs.example/ref/api/", "ref/api"),
    ],
)
def test_links_to_documents_of_the_collection_lead_to_their_pages(address: str, page: str) -> None:
    assert WEB.resolve("a", address) == BASE + page


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("missing.md", "https://docs.example/ref/missing.md"),
        ("/other", "https://docs.example/other"),
        ("?query=1", "https://docs.example/ref/index?query=1"),
        ("https://elsewhere.example/x", "https://elsewhere.example/x"),
        ("//elsewhere.example/x", "https://elsewhere.example/x"),
        ("mailto:ann@example.com", "mailto:ann@example.com"),
        ("#on-this-page", "#on-this-page"),
    ],
)
def test_other_links_lead_to_the_source(address: str, there: str) -> None:
    assert WEB.resolve("a", address) == there


@pytest.mark.parametrize("address", ["missing.md", "../../../etc/passwd", "/other", ""])
def test_relative_links_lead_nowhere_where_the_source_is_not_on_the_web(address: str) -> None:
    assert LOCAL.resolve("a", address) is None


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "java\tscript:x",
        "\x01javascript:x",
        "http://[",
        "x" * 5_000,
    ],
)
def test_addresses_of_other_kinds_lead_nowhere(address: str) -> None:
    assert WEB.resolve("a", address) is None
    assert WEB.resolve("img", address) is None


def test_images_are_shown_from_the_sources_own_host_only() -> None:
    assert WEB.resolve("img", "../logo.png") == "https://docs.example/logo.png"
    assert WEB.resolve("img", "https://docs.example/logo.png") == "https://docs.example/logo.png"
    assert WEB.resolve("img", "https://tracker.example/pixel.gif") is None
    assert LOCAL.resolve("img", "logo.png") is None


def test_images_of_a_repository_are_the_files_not_the_pages_about_them() -> None:
    linker = Linker("a.md", "https://git.example/o/r/blob/main/a.md", BASE)
    assert linker.resolve("img", "logo.png") == "https://git.example/o/r/raw/main/logo.png"


def test_what_to_look_up_is_asked_for_once_and_bounded() -> None:
    targets = WEB.find_targets(
        ["api.md", "javascript:x", "#x", "https://docs.example/ref/api", "https://elsewhere.example/"]
    )
    assert set(targets.paths) == {"api.md"}
    assert "https://docs.example/ref/api" in targets.urls
    assert len(WEB.find_targets(f"{number}.md" for number in range(10_000)).paths) == 2_000


@pytest.mark.parametrize(
    ("path", "page", "markdown"),
    [
        ("guide.md", "guide", "guide.md"),
        ("a b.md", "a%20b", "a%20b.md"),
        ("page.html", "page.html", "page.html.md"),
        ("x/.md", "x/.md", "x/.md"),
        ("llms.txt.md", "llms.txt.md", "llms.txt.md"),
        ("ü?#.md", "%C3%BC%3F%23", "%C3%BC%3F%23.md"),
    ],
)
def test_a_page_has_its_documents_path_for_an_address(path: str, page: str, markdown: str) -> None:
    assert quote_page(path) == page
    assert quote_markdown(path) == markdown


GIT = "https://github.com/Sea/winch"


def link_in_repository(
    address: str, ref: str = "v2.0", path: str = "docs/guide/start.md", folder: str = ""
) -> str | None:
    names = {"rope.md": "rope.md", "a%20b.md": "a b.md"}
    urls = {f"{GIT}/blob/{ref}/{folder}docs/{quoted}": f"docs/{name}" for quoted, name in names.items()}
    return Linker(path, f"{GIT}/blob/{ref}/{folder}{path}", BASE, urls).resolve("a", address)


@pytest.mark.parametrize("ref", ["v2.0", "release/2.x", "main"])
@pytest.mark.parametrize("folder", ["", "site/"])
def test_links_to_the_newest_version_of_the_repository_lead_to_pages_of_the_same(ref: str, folder: str) -> None:
    for branch in ("main", "master", "HEAD"):
        address = f"{GIT.lower()}/blob/{branch}/{folder}docs"
        assert link_in_repository(f"{address}/rope.md#knots", ref, folder=folder) == f"{BASE}docs/rope#knots"
        assert link_in_repository(f"{address}/a b.md", ref, folder=folder) == f"{BASE}docs/a%20b"


@pytest.mark.parametrize(
    "address",
    [
        f"{GIT}/blob/v1.0/docs/rope.md",
        f"{GIT}/edit/main/docs/rope.md",
        f"{GIT}/blob/main/docs/missing.md",
        f"{GIT}/blob/main/docs/rope.md?plain=1",
        "https://github.com/sea/other/blob/main/docs/rope.md",
        "https://gitlab.com/sea/winch/-/blob/main/docs/rope.md",
        f"{GIT}/blob/main",
    ],
)
def test_other_addresses_of_repositories_stay(address: str) -> None:
    assert link_in_repository(address) == address


def test_gitlab_shows_files_elsewhere() -> None:
    project = "https://gitlab.com/sea/boats/winch/-/blob"
    linker = Linker("start.md", f"{project}/v2/start.md", BASE, {f"{project}/v2/rope.md": "rope.md"})
    assert linker.resolve("a", f"{project}/main/rope.md") == f"{BASE}rope"


def test_a_page_whose_address_is_not_that_of_its_file_tells_no_repository() -> None:
    linker = Linker("start.md", f"{GIT}/blob/v2/other.md", BASE, {f"{GIT}/blob/v2/rope.md": "rope.md"})
    assert linker.resolve("a", f"{GIT}/blob/main/rope.md") == f"{GIT}/blob/main/rope.md"
