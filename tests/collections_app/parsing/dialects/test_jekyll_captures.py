"""Texts that Liquid captures: code for an include is fenced where it stands, other texts are shown there; all else stays as written."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.template_tags.jekyll_captures import write_captures
from tests.growth import assert_linear

CODE = """\
{% capture one_rest %}
GET /boats
{% endcapture %}
{% capture one_python %}


# All boats
boats = harbour.boats()

{% endcapture %}

{% include code-block.html
    rest=one_rest
    python=one_python %}

Sail.
"""
FENCED = """\
```
GET /boats
```


```python
# All boats
boats = harbour.boats()
```






Sail.
"""


def test_code_for_an_include_is_fenced_and_its_lines_stay() -> None:
    assert write_captures(CODE) == FENCED
    document = parse(RawDocument("boats.md", f"# Boats\n\n{CODE}".encode()))
    assert [section.heading for section in document.sections] == ["Boats"]


def test_names_may_be_used_again_for_another_text() -> None:
    assert write_captures(CODE + CODE) == FENCED + FENCED


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "{% capture wind %}\nMind *it*.\n{% endcapture %}\n\n{% include note.html content=wind %}",
            "**Note:** \nMind *it*.\n\n\n",
        ),
        (
            '{%- capture wind -%}\nMind it.\n{%- endcapture -%}\n{% include box.html content=wind type="tip" %}',
            "**Tip:** \nMind it.\n\n",
        ),
        ("{% capture flat %}\n\n## Flat\n\nSea.\n{% endcapture %}\n{{ flat }}\n", "\n\n## Flat\n\nSea.\n\n\n"),
        (
            "- Row\n  {% capture a %}\n  row\n  {% endcapture %}\n  {% include code.html text=a %}",
            "- Row\n  ```\n  row\n  ```\n",
        ),
        (
            "{% capture a %}\nputs 1\n{% endcapture %}\n{% include tabs.html dotnet='x' ruby=a %}",
            "```ruby\nputs 1\n```\n",
        ),
        (
            "{% capture a %}\n```c\nrow();\n```\n{% endcapture %}\n{% include snippet.html text=a %}",
            "\n```c\nrow();\n```\n\n",
        ),
        ("{% capture a %}\nrow\n{% endcapture %}\n{% include code.html dotnet=a %}", "```csharp\nrow\n```\n"),
    ],
)  # fmt: skip
def test_what_is_shown_once_stands_where_it_was_captured(text: str, written: str) -> None:
    assert write_captures(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "{% capture a %}\nSea.\n{% endcapture %}\n{{ a }}\n\n{{ a }}",
        "{% capture a %}\nSea.\n{% endcapture %}\nThe {{ a }}",
        "{% capture a %}\nSea.\n{% endcapture %}\n{% if a %}\n{{ a }}\n{% endif %}",
        "{% capture a %}\nSea.\n{% endcapture %}\n{% include list.html items=a %}",
        "{% capture a %}\nSea.\n{% endcapture %}\n{% include code.html text=a python=page.code %}",
        "{% include code.html text=a %}\n{% capture a %}\nSea.\n{% endcapture %}",
        "```liquid\n{% capture a %}\nSea.\n{% endcapture %}\n{{ a }}\n```",
        "{% capture a %}Sea.{% endcapture %}\n{{ a }}",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert write_captures(text) == text


@pytest.mark.parametrize(
    "text",
    [CODE * 500, "{% capture a %}\n" * 5_000, "{% capture a %}\n{% endcapture %}\n" + "{% include code.html" * 5_000,
     "{% capture a %}\n{% endcapture %}\n" + "{% include code.html" + " a=b" * 10_000],
)  # fmt: skip
def test_it_takes_linear_time(text: str) -> None:
    assert_linear(write_captures, text)
