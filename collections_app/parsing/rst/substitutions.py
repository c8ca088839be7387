"""Prepares a text's substitutions before docutils applies them: defines and replaces some, and checks how far they expand, since a few
lines could produce billions of words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import states

from collections_app.exceptions import ParseError

MAX_SUBSTITUTED_CHARACTERS = 5_000_000

_MAX_NAMED, _MAX_NAME_CHARACTERS = 10, 100
_LOOKS = frozenset(["br", "nbsp"])
_EMOJI = re.compile(r":[\w+-]+:")
_CHARACTERS = re.compile(r"^\.\. \|([^|\n]+)\| +unicode:: ((?:U\+[0-9A-F]+ ?)+)", re.MULTILINE)


def define_characters(document: nodes.document) -> None:
    """Define the substitutions of docutils' own files that the text includes. Definitions in the text take precedence."""
    for file in document.settings.character_files:
        for name, text in _read_characters(file).items():
            if name not in document.substitution_defs:
                document.note_substitution_def(nodes.substitution_definition("", nodes.Text(text), names=[name]), name)


@lru_cache(maxsize=64)
def _read_characters(file: str) -> Mapping[str, str]:
    path = Path(states.__file__).with_name("include") / f"{file}.txt"
    found = _CHARACTERS.findall(path.read_text("utf-8")) if path.is_file() else []
    return {name: "".join(chr(int(code, 16)) for code in codes.replace("U+", "").split()) for name, codes in found}


def forget_names_of_pictures(document: nodes.document) -> None:
    """Docutils uses a substitution's name as the alt text of a picture without one. Keep only names that are words (`|yes|`), not
    `|img_32|`.
    """
    for name, definition in document.substitution_defs.items():
        for picture in definition.findall(nodes.image):
            if picture.get("alt") == name and not name.isalpha():
                del picture["alt"]


def break_lines(document: nodes.document) -> None:
    """Replace `|br|` and `|nbsp|` with a blank, unless the text defines them: by custom, a configuration defines them for the
    page's look.
    """
    for reference in list(document.findall(nodes.substitution_reference)):
        if reference["refname"].lower() in _LOOKS and reference["refname"].lower() not in document.substitution_names:
            reference.replace_self(nodes.Text(" "))


def name_emoji(document: nodes.document) -> None:
    """Replace `|:tada:|`, a picture that Sphinx's extension for emoji defines, with its name between the colons, unless the text defines
    it.
    """
    for reference in list(document.findall(nodes.substitution_reference)):
        if _EMOJI.fullmatch(reference["refname"]) and reference["refname"] not in document.substitution_defs:
            reference.replace_self(nodes.Text(reference.astext()))


def keep_undefined(document: nodes.document) -> None:
    """Keep undefined references in definitions as written, and report an error, because docutils would fail on them."""
    for definition in document.substitution_defs.values():
        for reference in list(definition.findall(nodes.substitution_reference)):
            if reference["refname"].lower() not in document.substitution_names:
                document.reporter.error(
                    f'Undefined substitution referenced: "{reference["refname"]}".', base_node=definition
                )
                reference.replace_self(nodes.Text(f"|{reference.astext()}|"))


def describe_undefined(names: Collection[str]) -> Sequence[str]:
    """A warning about substitutions that nothing defines; none without names."""
    if not names:
        return ()
    more = [f"{len(names) - _MAX_NAMED} more"] if len(names) > _MAX_NAMED else []
    named = ", ".join([*(f"|{name[:_MAX_NAME_CHARACTERS]}|" for name in sorted(names)[:_MAX_NAMED]), *more])
    usually = (
        "Such names are usually defined in `rst_prolog` or `rst_epilog` of Sphinx's conf.py, which is not in what is read, or defines them "
        "by more than plain texts."
    )
    return (f"Nothing defines these substitutions: {named}. They stay as they are written. {usually}",)


def check_substitutions(document: nodes.document) -> None:
    """Raises ParseError if substitutions expand to more than MAX_SUBSTITUTED_CHARACTERS, and RecursionError for a thousand nested ones."""
    definitions, names = document.substitution_defs, document.substitution_names
    sizes: dict[str, int] = {}

    def measure(name: str) -> int:
        key = name if name in definitions else names.get(nodes.fully_normalize_name(name), "")
        if key not in definitions:
            return 0
        if key not in sizes:
            sizes[key] = 0  # in a circle, which docutils refuses
            sizes[key] = len(definitions[key].astext()) + measure_all(definitions[key])
        return sizes[key]

    def measure_all(node: nodes.Element) -> int:
        return sum(measure(reference["refname"]) for reference in node.findall(nodes.substitution_reference))

    if measure_all(document) > MAX_SUBSTITUTED_CHARACTERS:
        raise ParseError(
            f"Its substitutions come to more than {MAX_SUBSTITUTED_CHARACTERS:,} characters; write less of them out."
        )
