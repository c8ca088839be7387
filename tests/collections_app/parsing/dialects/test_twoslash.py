"""Code that a site has compiled before it shows it: what only the compiler needs is not shown."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.twoslash import drop_hidden_code
from tests.growth import assert_linear


def read(text: str, path: str = "page.md") -> str:
    return parse(RawDocument(path, text.encode())).content


def compile_code(code: str, info: str = "ts twoslash") -> str:
    """The code as it is shown."""
    text = read(f"# Sails\n\n```{info}\n{code}\n```\n\nMore.\n")
    assert text.split("\n").index("More.") == code.count("\n") + 6
    return text.partition("\n```" + info + "\n")[2].partition("\n```")[0]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("declare const sea: any;\n// ---cut---\nsail(sea);", "sail(sea);"),
        ("const sea = 1;\n// ---cut-before---\nsail(sea);\n//---cut-after---\nexport {};", "sail(sea);"),
        ("hoist();\n// ---cut-start---\nconst knots = 3;\n// ---cut-end---\nlower();", "hoist();\nlower();"),
        ("// @target: esnext\n// @noErrors\n// @errors: 2322\nsail();", "sail();"),
        ("// @filename: sea.ts\nsail();", "// @filename: sea.ts\nsail();"),
        ("sail();\n// @log: It sails\n", "sail();\n// @log: It sails\n"),
        ("const boat = sail();\n//    ^?\nboat.\n  // ^|", "const boat = sail();\nboat."),
        ("// @see the harbour\n// @ts-expect-error\nsail(); // ---cut---", None),
        ("// ---cut---", None),
    ],
)
@pytest.mark.parametrize("info", ["ts twoslash", 'tsx title="sail.ts" twoslash {1,3}'])
def test_what_only_the_compiler_needs_is_not_shown(code: str, shown: str | None, info: str) -> None:
    assert compile_code(code, info) == (code if shown is None else shown)


@pytest.mark.parametrize("info", ["ts", 'ts title="twoslash"', "ts title='my twoslash.ts'", "ts no-twoslash"])
def test_other_code_stays(info: str) -> None:
    code = "// @target: esnext\n// ---cut---\nsail();"
    assert compile_code(code, info) == code


def test_an_example_of_such_code_stays() -> None:
    example = "````md\n```ts twoslash\nsea();\n// ---cut---\nsail();\n```\n````\n"
    assert read(example) == example


BASE = "```ts twoslash include base\nconst sea = 1;\n```\n\n"


def test_a_block_that_others_only_compile_is_not_shown() -> None:
    text = read(f"# Sails\n\n{BASE}```ts twoslash\n// @include: base\n// ---cut---\nsail(sea);\n```\n")
    assert "const sea" not in text
    assert "```ts twoslash\nsail(sea);\n```" in text


def test_a_block_that_others_show_stays() -> None:
    page = f"# Sails\n\n{BASE}```ts twoslash\n// @include: base\nsail(sea);\n```\n"
    assert read(page) == page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "> ```ts twoslash\n> a();\n> // ---cut---\n> b();\n> ```\n> More.\n",
            "> ```ts twoslash\n> b();\n> ```\n>\n>\n> More.\n",
        ),
        (
            "- One\n\n  ```ts twoslash\n  a();\n  // ---cut---\n  b();\n  ```\n- Two\n",
            "- One\n\n  ```ts twoslash\n  b();\n  ```\n\n\n- Two\n",
        ),
    ],
)
def test_a_quote_and_a_list_go_on_below_such_code(text: str, shown: str) -> None:
    assert read(text) == shown


def test_mdx_has_such_code_in_components() -> None:
    block = "      ```ts twoslash\n      a();\n      // ---cut---\n      b();\n      ```\n"
    text = read(f"# Sails\n\n<Tabs>\n{block}</Tabs>\n", "page.mdx")
    assert "a();" not in text
    assert "b();" in text


@pytest.mark.parametrize("line", ["// ---cut---", "// @include: base", "```ts twoslash", "// @x: " + " " * 50])
def test_long_pages_are_read_in_linear_time(line: str) -> None:
    assert_linear(drop_hidden_code, "```ts twoslash\n" + f"{line}\n" * 20_000 + "```\n")


@pytest.mark.parametrize("line", ["//", "// @x:", "// @", ">"])
def test_long_lines_are_read_in_linear_time(line: str) -> None:
    assert_linear(drop_hidden_code, f"```ts twoslash\n{line}{' ' * 200_000}x\n```\n")
