"""What callers may use instead of a path: the document's id, a page's name on its site, or a path that is nearly the same. PURE."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import nlargest, nsmallest
from itertools import takewhile
from urllib.parse import unquote

from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import OSA

SUGGESTIONS = 5
# How similar (0 to 100) a path must be to be suggested; at 70, `nats-connect` would stand for `kafka-connect`.
CLOSE_PATH = 75
NAME_SHARE = 0.95
MIN_NAME_CHARACTERS = 3
MAX_COMPARED_CHARACTERS = 300
WORD = re.compile(r"[^\W_]+")
QUERY_OR_FRAGMENT = re.compile(r"[?#]")
# An ending begins with a letter, so `release-4.2` has none.
ENDING = re.compile(r"(?:(?:\.html)?\.(?:md|markdown)\.erb|\.[A-Za-z][A-Za-z0-9]{0,9})$")
# Endings that a page's site, or a link on another page, leaves out; the likelier ones first.
PAGE_ENDINGS = (".md", ".mdx", ".rst", ".adoc", ".html", ".ipynb", ".txt", ".html.md.erb", ".md.erb")
INDEX_NAMES = (
    *("README.md", "index.md", "_index.md", "index.mdx", "index.rst", "index.adoc", "index.html"),
    *("index.html.md.erb", "index.md.erb", "index.yml"),
)
SITE_ENDING = re.compile(r"\.html?$")
# What orders files in their folder: many generators leave it out of a page's address (`01-setup.md`, `2.guide/0.index.md`).
ORDER = r"[0-9]{1,3} *[-_.]+ *"
ORDERED = re.compile(rf"{ORDER}(?=[^\W\d_])")
# Pages that go by the name of their folder.
FOLDER_NAMES = ("index", "_index", "readme")
# Links are also pasted without `https://`: `github.com/…` is one, but not `next.js/…`.
BARE_HOST = r"(?=(?:[A-Za-z0-9-]+\.)+(?!js/)[A-Za-z]{2,6}/)"
WITH_HOST = re.compile(
    rf"(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//|{BARE_HOST})(?:[^/?#@]*@)?([^/?#:]*)[^/?#]*(.*)", re.DOTALL
)
# The index page at the top of a repository: it does not go by the name of its folder, which is the branch.
REPOSITORY_ROOT = re.compile(r"/blob/[^/]+/(?:index|_index|readme)(?:\.\w+)?$", re.IGNORECASE)
# Labels that many sites have, and what projects append to their names for a domain: djangoproject.com, nextjs.org.
COMMON_LABELS = ("www", "docs", "doc")
BEHIND_NAMES = ("", "project", "js", "lang", "docs", "db", "mq", "hq", "software")
# A former address that ends so stands for all that are below it; its target has this for the rest of them.
ALL_BELOW = "/*"
REST = "/:splat"
# No path with `://` is looked up, and no collection has such a name.
ID = re.compile(r"id://(\d{1,18})", re.ASCII)


def compose(name: str) -> str:
    """In Unicode's composed form (NFC), as documents' paths are: file systems and archives of macOS decompose names."""
    return unicodedata.normalize("NFC", name)


def name_by_id(document_id: int) -> str:
    """`id://1515`, which means this document whatever paths there are or will be."""
    return f"id://{document_id}"


def read_id(name: str) -> int | None:
    match = ID.fullmatch(name)
    return int(match[1]) if match else None


def iter_files(name: str) -> Iterator[str]:
    """The files that a page with this name on its site or in a link may be, likeliest first: `guide/start`, `guide/start.html` and
    `guide/start/index.html` may be guide/start.md, guide/start.rst, … or guide/start/index.md."""
    named = SITE_ENDING.sub("", name.rstrip("/"))
    for page in filter(None, dict.fromkeys((named, named.removesuffix("/index")))):
        yield from (f"{page}{ending}" for ending in PAGE_ENDINGS)
        yield from (f"{page}/{index}" for index in INDEX_NAMES)


def list_names(path: str) -> set[str]:
    """The names for which iter_files() yields this file, and its path."""
    folder, _, file = path.rpartition("/")
    pages = {path.removesuffix(ending) for ending in PAGE_ENDINGS if path.endswith(ending)}
    pages |= {folder, f"{folder}/"} if folder and file in INDEX_NAMES else set()
    pages |= {f"{page}/index" for page in pages}
    return {path, *pages, *(f"{page}.html" for page in pages)}


def split_address(asked: str) -> tuple[str, list[tuple[str, ...]]]:
    """The host (empty if none is named), and the possible names of the page (as list_parts() returns them): its last dot may or may not
    begin an ending."""
    match = WITH_HOST.match(asked)
    host, path = match.groups() if match else ("", asked)
    path = compose(unquote(cut_address(path)[:MAX_COMPARED_CHARACTERS])).replace("\0", "")
    if host and REPOSITORY_ROOT.search(path):
        path = ""
    return host.lower(), list(dict.fromkeys((list_parts(strip_ending(path)), list_parts(path))))


def list_parts(page: str) -> tuple[str, ...]:
    """Folders and name of a page, without its ending, in lower case, with hyphens for blanks, as sites write them; an index page goes by
    the name of its folder."""
    parts = [part.strip().lower().replace(" ", "-") for part in page.split("/") if part.strip(" .")]
    return tuple(parts[:-1] if parts and leave_order(parts[-1]) in FOLDER_NAMES else parts)


def spell_file(path: str) -> str:
    """A file's path as former addresses are kept: its parts joined by slashes; empty for an index page at the top."""
    return "/".join(list_parts(strip_ending(path)))


def spell_address(asked: str) -> str:
    """The same for the path of an address as sites write it. Without a scheme it has no host: its first folder may have dots."""
    _, spellings = split_address(asked if "://" in asked else f"/{asked.lstrip('/')}")
    return "/".join(spellings[0])


def count_common(asked: Sequence[str], parts: Sequence[str]) -> int:
    """How many of their last parts are the same; those of the page may have a number before them that orders files."""
    pairs = zip(reversed(asked), reversed(parts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] in (pair[1], leave_order(pair[1])), pairs))


def leave_order(part: str) -> str:
    """A part of a page's path as it is on sites that do not show what orders files."""
    order = ORDERED.match(part)
    return part[order.end() :] if order else part


def is_of_host(name: str, host: str) -> bool:
    """Whether the site has this name: rabbitmq for www.rabbitmq.com, whose first and last labels say nothing."""
    name = "".join(filter(str.isalnum, name))
    words = [word for label in host.split(".")[:-1] if label not in COMMON_LABELS for word in label.split("-")]
    return bool(name) and any(word == f"{name}{behind}" for word in words for behind in BEHIND_NAMES)


def cut_address(asked: str) -> str:
    """The address without what may follow its path: a query, a fragment, a final slash."""
    return QUERY_OR_FRAGMENT.split(asked, maxsplit=1)[0].rstrip("/")


def choose_close(asked: str, paths: Sequence[str]) -> list[str]:
    """Similar paths, at most SUGGESTIONS, closest first: compares whole paths, and file names alone, which count a little less; endings and
    punctuation do not count. Then those that choose_with_words() adds."""
    stems = [strip_ending(path) for path in paths]
    names = [stem.rpartition("/")[2] for stem in stems]
    stem = strip_ending(asked[:MAX_COMPARED_CHARACTERS])
    name = get_name(asked)
    scores: dict[int, float] = defaultdict(float)
    for wanted, choices, share in ((stem, stems, 1.0), (name, names, NAME_SHARE)):
        alike = process.extract(
            wanted,
            choices,
            scorer=fuzz.ratio,
            processor=utils.default_process,
            limit=SUGGESTIONS,
            score_cutoff=CLOSE_PATH / share,
        )
        for _, score, index in alike:
            scores[index] = max(scores[index], score * share)
    if len(name) >= MIN_NAME_CHARACTERS:  # one wrong letter is close however short the name is
        slips = process.extract(name.lower(), names, scorer=OSA.distance, limit=SUGGESTIONS, score_cutoff=1)
        scores.update({index: CLOSE_PATH for _, _, index in slips if index not in scores})
    similar = nlargest(SUGGESTIONS, scores, key=scores.__getitem__)
    return [paths[index] for index in dict.fromkeys([*similar, *choose_with_words(asked, paths)])][:SUGGESTIONS]


def choose_close_titles(asked: str, titles: Sequence[str]) -> list[int]:
    """The indexes of titles similar to what was given instead of a path; closest first."""
    alike = process.extract(
        get_name(asked),
        titles,
        scorer=fuzz.token_sort_ratio,
        processor=utils.default_process,
        limit=SUGGESTIONS,
        score_cutoff=CLOSE_PATH,
    )
    return [index for _, _, index in alike]


def choose_with_words(asked: str, paths: Sequence[str]) -> list[int]:
    """The indexes of paths whose name has each word of the asked page's, or one that begins so (`env-and-mode` for `env`): first those in a
    folder of the same name, of these first those that begin with it, then the shortest."""
    _, [parts, *_] = split_address(asked)
    words = WORD.findall(parts[-1]) if parts else []
    if len("".join(words)) < MIN_NAME_CHARACTERS:
        return []
    alike = []
    for index, path in enumerate(paths):
        if all(word in path.lower() for word in words):  # few of them get further
            own = list_parts(strip_ending(path)) or ("",)
            if all(is_begun(WORD.findall(own[-1]), word) for word in words):
                is_elsewhere = own[:-1][-1:] != parts[:-1][-1:]
                alike.append((is_elsewhere, not own[-1].startswith(words[0]), len(own[-1]), index))
    return [index for *_, index in nsmallest(SUGGESTIONS, alike)]


def is_begun(words: Sequence[str], beginning: str) -> bool:
    """Whether one of the words begins so; a beginning of few letters must be the whole word."""
    return beginning in words or (
        len(beginning) >= MIN_NAME_CHARACTERS and any(word.startswith(beginning) for word in words)
    )


def get_name(path: str) -> str:
    """The file's own name, without its ending."""
    return strip_ending(path[:MAX_COMPARED_CHARACTERS]).rpartition("/")[2]


def strip_ending(path: str) -> str:
    return ENDING.sub("", path)
