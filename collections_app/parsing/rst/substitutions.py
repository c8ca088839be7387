"""A text's substitutions before docutils makes them: what they come to, since a few lines could stand for billions of words, and those
that docutils cannot make.
"""

from __future__ import annotations

from docutils import nodes

from collections_app.exceptions import ParseError

MAX_SUBSTITUTED_CHARACTERS = 5_000_000


def keep_undefined(document: nodes.document) -> None:
    """What a definition names and the text does not define stays as it is written, with an error: docutils fails on it."""
    for definition in document.substitution_defs.values():
        for reference in list(definition.findall(nodes.substitution_reference)):
            if reference["refname"].lower() not in document.substitution_names:
                document.reporter.error(
                    f'Undefined substitution referenced: "{reference["refname"]}".', base_node=definition
                )
                reference.replace_self(nodes.Text(f"|{reference.astext()}|"))


def check_substitutions(document: nodes.document) -> None:
    """Raises ParseError beyond MAX_SUBSTITUTED_CHARACTERS, and RecursionError for substitutions within a thousand others."""
    definitions, names = document.substitution_defs, document.substitution_names
    sizes: dict[str, int] = {}

    def measure(name: str) -> int:
        key = name if name in definitions else names.get(nodes.fully_normalize_name(name), "")
        if key not in definitions:
            return 0
        if key not in sizes:
            sizes[key] = 0  # of a circle, which docutils refuses
            sizes[key] = len(definitions[key].astext()) + measure_all(definitions[key])
        return sizes[key]

    def measure_all(node: nodes.Element) -> int:
        return sum(measure(reference["refname"]) for reference in node.findall(nodes.substitution_reference))

    if measure_all(document) > MAX_SUBSTITUTED_CHARACTERS:
        raise ParseError(
            f"Its substitutions come to more than {MAX_SUBSTITUTED_CHARACTERS:,} characters; write less of them out."
        )
