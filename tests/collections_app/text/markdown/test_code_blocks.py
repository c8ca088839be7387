"""Which code a text has, as authors write their fences."""

from __future__ import annotations

import pytest

from collections_app.text.markdown import code_blocks
from collections_app.text.markdown.code_blocks import (
    find_code_languages,
    find_open_fence,
    iter_code_blocks,
    name_language,
)


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("Python title='a.py'", "python"),
        ("py3", "python"),
        ("{.python .numbered}", "python"),
        ("{code-block} pycon", "python"),
        ("python{1,3}", "python"),
        ("rust,ignore", "rust"),
        ("sh", "shell"),
        ("shell-session", "shell"),
        ("yml", "yaml"),
        ("ts", "typescript"),
        ("js", "javascript"),
        ("C++", "cpp"),
        ("c#", "csharp"),
        ("jldoctest; output = false", "julia"),
        ("julia-repl", "julia"),
        ("brainfuck", "brainfuck"),
        ('hl_lines="3 4"', ""),
        ('{linenums=1 title="my app.py" .toml}', "toml"),
        ("title='a.py' python", "python"),
        ("text", ""),
        ("", ""),
        ("!?", ""),
    ],
)
def test_a_language_has_one_name(info: str, language: str) -> None:
    assert name_language(info) == language


def test_a_very_long_line_behind_a_fence_takes_no_time() -> None:
    assert name_language("a" * 500_000 + "!") == "a" * 500_000


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("```py\nx\ny\n```\n", [("python", "x\ny")]),
        ("- ```py\n  x\n  ```\n", [("python", "  x")]),
        ("> ~~~sh\n> ls\n> ~~~\n", [("shell", "> ls")]),
        ("````md\n```js\n```\n````\n", [("markdown", "```js\n```")]),
        ("```go\nopen", [("go", "open")]),
        ("```\nplain\n```\n", [("", "plain")]),
        ("```py\r\nx\r\n```\r\n", [("python", "x\r")]),
        ("a ```py``` word\n``x``\n", []),
        ("```py\n```js\n```\n", [("python", "```js")]),
    ],
)
def test_it_finds_fenced_blocks(text: str, blocks: list[tuple[str, str]]) -> None:
    assert list(iter_code_blocks(text)) == blocks


def test_each_language_is_named_once_and_plain_text_is_none() -> None:
    assert find_code_languages("```js\n```\n```py\n```\n```python\n```\n```text\n```\n") == ["javascript", "python"]


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("Words.\n", ""),
        ("```py\nx\n```\n", ""),
        ("```py\nx\n", "```"),
        ("````md\n```py\nx\n```\n", "````"),
        ("~~~\nx\n```", "~~~"),
        ("- ```sh\n  x\n  ```\n\n> ```\n> y", "```"),
    ],
)
def test_the_fence_of_code_that_a_text_ends_in_is_known(text: str, fence: str) -> None:
    assert find_open_fence(text) == fence


def test_only_lines_with_the_fence_may_end_code(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(code_blocks, "ends_code", lambda line, fence: asked.append(line))
    assert find_code_languages("```go\nsail()\nfurl() // ```\n") == ["go"]
    assert asked == ["furl() // ```"]
