"""`python -m tests.fuzz.parsers SECONDS [FORMAT…]`: what libFuzzer makes of the golden documents, given to the parsers themselves.

A parser may refuse a document, with an error of ours. Anything else that it raises, or two seconds of the processor for a small file, is
a finding. Each format runs in a process of its own, with the golden documents of that format as its first inputs, and with the words that
the rules for text to models and the readers of dialects look for; findings are kept in build/fuzz.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from collections_app.parsing.safety.rules import RULES
from docsmcp_site.configuration.config import PROJECT_ROOT

GOLDEN = PROJECT_ROOT / "tests" / "collections_app" / "parsing" / "golden"
BUNDLES = Path(__file__).with_name("bundles")
"""API descriptions with the files that they refer to, as parser_process.py takes them apart."""
FINDINGS = PROJECT_ROOT / "build" / "fuzz"
MAX_BYTES = 20_000
MAX_SECONDS = 30
"""By the clock, for what never ends; parser_process.py counts the processor's."""

ROWS = [sign * 32 for sign in "_-'`*.#=| "]
"""Long runs of what stands between words, in which a search may lose itself."""

SIGNS = [
    *("{{domxref(", "{{Compat}}", "{{< note >}}", "{{< /note >}}", "{% raw %}", "{% endraw %}", "{% comment %}", "{{a.b}}", "%a%"),
    *(":::row:::", ":::zone pivot=", "# [a](#tab/b)", "<xref:a>", "[!VIDEO a]", "<doc:a#b>", "@Comment {", "](@id a)", "](@ref)"),
    *("{kbd}`a`", "```{note}", ":::{list-table}", "(a)=\n", "{toctree}", "[](a.md)", "[AUTOTITLE](/a)", ".. docsmcp-targets::"),
    *("{: .a }", "{#a}", "[//]: # (title: a)", "[[a#b|c]]", "![[a]]", "%%a%%", "<head>\n<", "</head>", "<x-a>", "</x-a>", "<A b='c'>"),
    *('=== "a"\n    ', '!!! note "a"\n    ', "??? a\n    ", "/// a | b\n", "\n///\n", '@include "a.md"', ":material-a:", "[a][b.c]"),
    *('--8<-- "a"', "<Tab title='a'>", "</Tab>", "<CodeBlock>{`", "`}</CodeBlock>", "import A from './a.mdx'\n", "<A />", "{{#a}}"),
    *("$ref: ", "\n=== a.yaml\n", "#/", "~1", "<topic title='a'>", "<snippet id='a'>", "<include from='a.md'", "<code-block lang='a'>"),
    *("<tabs>\n<tab title='a'>", "<deflist>", "<def title='a'>", "<procedure>", "<step>", "<chapter title='a'>", "{id='a'}", "<![CDATA["),
    *("{% for a in b %}", "{% endfor %}", "{% if a and b %}", "{% else %}", "{% endif %}", "{% assign a = b %}", "{% set a %}"),
    *("{{ a | b: 'c' }}", "{% render 'a.md' %}", "{% capture a %}", "% a\n", "<%= a %>", "export const a = ", "{/* a */}"),
    *("\n+---+---+\n", "\n=== ===\n", ".. |a| replace::", ".. include:: a", "|===\n", "include::a[]", "ifdef::a[]", "{a}"),
]  # fmt: skip
"""Of what builders of sites add to a text; few of them come about by chance."""

ENDINGS = {
    "markdown": [".md"],
    "mdx": [".mdx"],
    "text": [".txt"],
    "html": [".html"],
    "rst": [".rst"],
    "asciidoc": [".adoc"],
    "rd": [".Rd"],
    "pdf": [".pdf"],
    "docx": [".docx"],
    "odt": [".odt"],
    "pptx": [".pptx"],
    "xlsx": [".xlsx"],
    "ods": [".ods"],
    "csv": [".csv"],
    "epub": [".epub"],
    "notebook": [".ipynb"],
    "openapi": [".yaml", ".json"],
    "bundle": [".yaml"],
}

PACKED = {
    "docx": "word/document.xml",
    "odt": "content.xml",
    "pptx": "ppt/slides/slide1.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
    "ods": "content.xml",
    "epub": "OEBPS/1.xhtml",
}
"""Of a zip file the part that is changed; parser_process.py packs it again."""


def main(seconds: int, formats: list[str]) -> int:
    """How many formats had a finding."""
    if unknown := set(formats) - ENDINGS.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: no such format. There are {', '.join(ENDINGS)}.")
    return sum(run(name, seconds) != 0 for name in formats or ENDINGS)


def run(name: str, seconds: int) -> int:
    found = FINDINGS / name
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="docsmcp-fuzz-") as folder:
        dictionary, corpus = Path(folder) / "words", Path(folder) / "corpus"
        dictionary.write_text("".join(f"{write_entry(word)}\n" for word in iter_words()))
        corpus.mkdir()
        for file in iter_first(name):
            (corpus / file.name).write_bytes(file.read_bytes())
            if name in PACKED:
                (corpus / f"{file.name}.xml").write_bytes(zipfile.ZipFile(file).read(PACKED[name]))
        options = [
            f"-max_total_time={seconds}",
            f"-max_len={MAX_BYTES}",
            f"-timeout={MAX_SECONDS}",
            f"-artifact_prefix={found}/",
            f"-dict={dictionary}",
            "-print_final_stats=1",
        ]
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.parser_process",
            name,
            str(corpus),
            *options,
            "-rss_limit_mb=4096",
            "-verbosity=0",
        ]
        return subprocess.run(command, cwd=PROJECT_ROOT, check=False).returncode


def iter_words() -> Iterator[str]:
    yield from ROWS
    yield from SIGNS
    for rule in RULES:
        yield from filter(None, [*rule.starts, rule.needed])


def write_entry(word: str) -> str:
    """In the form of libFuzzer's dictionaries."""
    return '"{}"'.format("".join(f"\\x{byte:02x}" for byte in word.encode()))


def iter_first(name: str) -> Iterator[Path]:
    """The documents that it begins with, of the golden ones without what is expected of them: that stands beside each, with `.json` behind
    its name."""
    for file in sorted((BUNDLES if name == "bundle" else GOLDEN).iterdir()):
        is_expectation = file.suffix == ".json" and file.with_suffix("").exists()
        if file.suffix in ENDINGS[name] and not is_expectation:
            yield file


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
