"""Of the same code in several languages that of one."""

from __future__ import annotations

import pytest

from collections_app.exceptions import InvalidParameter
from collections_app.text.markdown.code_choice import keep_language, list_alternatives, read_language

TABS = """## Hoisting

Call it once:

**Go**

```go
sail.Hoist()
```

**C#**

```cs
sail.Hoist();
```

Python:
```py
sail.hoist()
```

It prints

```json
{"go": true}
```

```sh
sail status
```
"""


def test_other_languages_go_with_their_labels_and_the_rest_stays() -> None:
    assert keep_language(TABS, "python") == (
        "## Hoisting\n\nCall it once:\n\nPython:\n```py\nsail.hoist()\n```\n\n"
        'It prints\n\n```json\n{"go": true}\n```\n\n```sh\nsail status\n```\n'
    )
    assert "sail.Hoist()\n" in keep_language(TABS, "go")
    assert "Python" not in keep_language(TABS, "csharp")


def test_without_code_in_the_language_the_text_stays() -> None:
    assert keep_language(TABS, "ruby") is TABS
    assert keep_language("Use ```go``` here.\n", "python") == "Use ```go``` here.\n"


def test_what_is_no_label_of_the_code_stays() -> None:
    text = "**Example**\n\n```go\na()\n```\n\n```python\nb()\n```\n\n# Go\n\n```go\nc()\n```\n"
    assert keep_language(text, "python") == "**Example**\n\n```python\nb()\n```\n\n# Go\n"


def test_code_in_code_is_no_code_of_its_own() -> None:
    text = "````python\ntext = '''\n```go\nx\n```\n'''\n````\n\n```go\ny\n```\n"
    assert keep_language(text, "python") == "````python\ntext = '''\n```go\nx\n```\n'''\n````\n"


def test_code_that_is_not_closed_ends_with_the_text() -> None:
    assert keep_language("```python\na\n```\n\n```go\nb\n", "python") == "```python\na\n```\n"


@pytest.mark.parametrize(
    "label",
    [
        "**Go**",
        "__Go__",
        "**Go** ",
        "Go:",
        "**Go:**",
        "**Node.js**",
        "**.NET**",
        "**Java (sync)**",
        "Java 11:",
        "Java SDK",
    ],
)
def test_a_label_is_a_line_that_only_names_the_language(label: str) -> None:
    others = "```go\n1\n```\n```js\n2\n```\n```cs\n3\n```\n"
    text = f"Read:\n\n{label}\n\n```java\n0\n```\n\n{others}\n**Python**\n\n```python\nx\n```\n"
    assert keep_language(text, "python") == "Read:\n\n**Python**\n\n```python\nx\n```\n"


@pytest.mark.parametrize(
    "sentence",
    ["Go to the console:", "**Go to the console**", "Go and Python:", "C is taken, too.", "The same in\nGo:"],
)
def test_a_sentence_above_code_stays_whatever_word_it_begins_or_ends_with(sentence: str) -> None:
    text = f"Read.\n\n{sentence}\n\n```go\na\n```\n\n```c\nb\n```\n\n```python\nx\n```\n"
    assert keep_language(text, "python") == f"Read.\n\n{sentence}\n\n```python\nx\n```\n"
    assert keep_language(text.replace("go", "c"), "python") == f"Read.\n\n{sentence}\n\n```python\nx\n```\n"


def test_a_label_may_stand_right_below_code_or_a_heading() -> None:
    text = "# Hoist\nGo:\n```go\na\n```\nPython:\n```python\nb\n```\nC:\n```c\nc\n```\n"
    assert keep_language(text, "python") == "# Hoist\nPython:\n```python\nb\n```\n"


def test_three_languages_in_a_section_are_alternatives() -> None:
    assert list_alternatives(TABS) == ["csharp", "go", "python"]
    assert list_alternatives("```js\na\n```\n```py\nb\n```\n```sh\nc\n```\n```json\nd\n```\n") == []


def test_a_language_has_many_names_and_some_texts_are_none() -> None:
    assert [read_language(name) for name in ("Py", "c++", "golang", None, "")] == ["python", "cpp", "go", "", ""]
    with pytest.raises(InvalidParameter, match="is no language"):
        read_language("text")
