"""Which files a page may include, and the language of each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from collections_app.parsing.file_names import MARKDOWN_EXTENSIONS, get_extension
from collections_app.parsing.formats import Format

_MARKDOWN_TEXTS = frozenset({*MARKDOWN_EXTENSIONS, ".mdoc", ".mdx", ".qmd", ".rmd", ".txt"})
# Of addresses and substitutions that all pages of a site include.
_DEFINITIONS = (".def", ".defs", ".links", ".ref", ".refs", ".substitutions")
_TEXTS: Mapping[Format, frozenset[str]] = {
    Format.MARKDOWN: _MARKDOWN_TEXTS,
    Format.MDX: _MARKDOWN_TEXTS,
    Format.RESTRUCTURED_TEXT: frozenset({".rst", ".rest", ".txt", ".inc", *_DEFINITIONS}),
    Format.ASCIIDOC: frozenset({".adoc", ".asciidoc", ".asc", ".ad", ".txt"}),
}

# fmt: off
_LANGUAGES: Mapping[str, str] = {
    **{f".{name}": name for name in (
        "astro", "awk", "bnf", "c", "cmake", "cpp", "css", "csv", "cue", "cypher", "d", "dart", "diff", "dot", "elm", "fish", "glsl", "go",
        "graphql", "groovy", "hcl", "html", "http", "ini", "java", "jinja", "json", "json5", "jsonc", "jsonnet", "jsx", "kdl", "lean",
        "less", "liquid", "lua", "mdx", "mermaid", "nim", "nix", "php", "prisma", "properties", "proto", "r", "rego", "rst",
        "scala", "scss", "sql", "svelte", "swift", "tcl", "thrift", "toml", "tsx", "twig", "vue", "wgsl", "xml", "yaml", "zig",
    )},
    ".adb": "ada", ".ads": "ada", ".bazel": "python", ".bzl": "python", ".cr": "crystal", ".cu": "cuda", ".el": "lisp", ".f90": "fortran",
    ".lisp": "lisp", ".mli": "ocaml", ".mll": "ocaml", ".mly": "ocaml", ".pas": "pascal", ".purs": "purescript", ".pxd": "cython",
    ".res": "rescript", ".rkt": "racket", ".sbt": "scala", ".scm": "scheme", ".sol": "solidity", ".sv": "systemverilog",
    ".topic": "xml", ".vhd": "vhdl", ".xsd": "xml", ".xsl": "xml",
    ".feature": "gherkin", ".hbs": "handlebars", ".gradle": "groovy", ".graphqls": "graphql",
    ".ad": "asciidoc", ".adoc": "asciidoc", ".asc": "asciidoc", ".asciidoc": "asciidoc",
    ".bash": "bash", ".bat": "batch", ".cc": "cpp", ".cfg": "ini", ".cjs": "javascript", ".clj": "clojure",
    ".cmd": "batch", ".conf": "text", ".cs": "csharp", ".cts": "typescript", ".cxx": "cpp", ".erl": "erlang", ".ex": "elixir",
    ".exs": "elixir", ".fs": "fsharp", ".gql": "graphql", ".h": "c", ".hh": "cpp", ".hpp": "cpp", ".hs": "haskell", ".htm": "html",
    ".inc": "text", ".j2": "jinja", ".jl": "julia", ".js": "javascript", ".kt": "kotlin", ".kts": "kotlin", ".log": "text",
    ".m": "objectivec", ".markdown": "markdown", ".md": "markdown", ".mdown": "markdown", ".mjs": "javascript", ".mkd": "markdown",
    ".ml": "ocaml", ".mts": "typescript", ".out": "text", ".pl": "perl", ".ps1": "powershell", ".psd1": "powershell",
    ".psm1": "powershell", ".py": "python", ".pyi": "python", ".pyx": "cython", ".qmd": "markdown", ".rb": "ruby", ".rest": "rst",
    ".rmd": "markdown", ".rs": "rust", ".sh": "bash", ".svg": "xml", ".t": "text", ".tex": "latex", ".text": "text", ".tf": "terraform",
    **dict.fromkeys(_DEFINITIONS, "text"),
    ".ts": "typescript", ".tsv": "text", ".txt": "text", ".vb": "vb", ".xaml": "xml", ".yml": "yaml", ".zsh": "zsh",
}
# Hidden folders for shared files: GitBook's, and those generated for Svelte's documentation.
_SHARED = re.compile(r"(?:^|/)\.(?:gitbook/includes|generated)(?=/|$)")
_NAMES: Mapping[str, str] = {
    "brewfile": "ruby", "build": "python", "caddyfile": "text", "changelog": "text",
    "cmakelists.txt": "cmake", "containerfile": "dockerfile",
    "dockerfile": "dockerfile", "dune": "lisp",
    "dune-project": "lisp", "dune-workspace": "lisp", "gemfile": "ruby",
    "jenkinsfile": "groovy", "justfile": "just", "license": "text", "makefile": "makefile", "podfile": "ruby", "procfile": "text",
    "rakefile": "ruby", "readme": "text", "snakefile": "python", "tiltfile": "python", "vagrantfile": "ruby", "workspace": "python",
}
# fmt: on
# Also with what they are for behind a dot: `Dockerfile.alpine`. A text of such a name may be a key: `license.pem`.
_PROGRAMS = {name: language for name, language in _NAMES.items() if language != "text"}


def find_language(path: str) -> str | None:
    """The name of the file's language on a code fence; None if no page may include the file."""
    folders, _, name = path.rpartition("/")
    if any(folder.startswith(".") for folder in _SHARED.sub("", folders).split("/")):
        return None
    named = name.lower()
    return _NAMES.get(named) or _LANGUAGES.get(get_extension(path)) or _PROGRAMS.get(named.partition(".")[0])


def is_text(path: str, format: Format) -> bool:
    """Whether the file is text in the page's own format, so that it becomes part of the page's text."""
    return get_extension(path) in _TEXTS[format]
