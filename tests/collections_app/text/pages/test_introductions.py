"""Which section of a start page introduces its product, and whether it introduces something else."""

from __future__ import annotations

import pytest

from collections_app.text.pages.introductions import (
    Introduction,
    find_first_sentence,
    find_introduction,
    split_sections,
)
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "section", "sentence"),
    [
        ("# Gate\n\nA gate lets boats in. More.\n", 0, "A gate lets boats in."),
        ("![logo](a.svg)\n\n# Gate\n\nA gate lets boats in.\n", 1, "A gate lets boats in."),
        ("# Gate\n\n[![b](b.svg)](b)\n\n## What is Gate?\n\nA gate lets boats in.\n", 1, "A gate lets boats in."),
        ("# Gate\n\n## Build\n\nTo build it say so.\n\n## Overview\n\nIt lets **boats** in.\n", 2, "It lets boats in."),
        ("# Gate\n\n## Build\n\nTo build it say so.\n", 0, ""),
        ("# Gate\n\nGate is a grammar of gates, with:\n\n- one\n", 0, "Gate is a grammar of gates, with:"),
        ("# Gate\n\nSee the following pages first:\n\nIt lets boats in.\n", 0, "It lets boats in."),
        ("# Gate\n\n```\n# About this and that.\n```\n\n## Build\n\nTo build it say so.\n", 0, ""),
        ("# Gate\n" + "\n## Build\n\nBuild.\n" * 3 + "\n## About\n\nIt lets boats in.\n", 0, ""),
        ("# Gate\n\nWelcome! Here we go. A gate lets boats in.\n", 0, "A gate lets boats in."),
        ("# Gate\n\nGate, a.k.a. Lock, lets boats in. More.\n", 0, "Gate, a.k.a. Lock, lets boats in."),
        ("# Gate\n\nA way in (e.g. Hoek) of Acme Inc. Boats.\n", 0, "A way in (e.g. Hoek) of Acme Inc. Boats."),
        ("Gate\n====\n\nA gate lets boats in.\n", 0, "A gate lets boats in."),
        ("Documentation of the Acme gate\n\nBuild\n=====\n\nTo build it say so.\n", 0, ""),
        ("Here is the Acme gate\n\n\n---\n\nA gate lets boats in.\n", 0, "A gate lets boats in."),
        ("", 0, ""),
    ],
)
def test_it_is_the_first_or_one_that_promises_to(text: str, section: int, sentence: str) -> None:
    assert find_introduction(split_sections(text)) == Introduction(section, sentence)


@pytest.mark.parametrize(
    ("sentence", "is_of_product"),
    [
        ("This repository generates the documentation of it.", False),
        ("The acme-website repository contains what users read.", False),
        ("This is the source for the Acme documentation.", False),
        ("The source code of the website.", False),
        ("This website is built with Acme.", False),
        ("These are Sphinx docs, automatically built and served.", False),
        ("Thank you for contributing to the docs.", False),
        ("PRs are merged to the main branch of this repo.", False),
        ("Renew opens pull requests to update what you use.", True),
        ("Acme is a local web server for PHP.", True),
        ("The repository pattern separates boats from land.", True),
        ("A gate keeps the source of boats in a repository.", True),
        ("Acme builds documentation.", True),
        ("", False),
    ],
)
def test_a_page_for_those_who_write_it_introduces_no_product(sentence: str, is_of_product: bool) -> None:
    assert Introduction(0, sentence).is_of_product is is_of_product


def test_greetings_take_linear_time() -> None:
    assert_linear(find_first_sentence, "Oh! " * 100_000)
