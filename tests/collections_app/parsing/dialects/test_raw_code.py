"""Code on pages of Jekyll is without the tags that keep Liquid from it; code about these tags stays."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.template_tags.raw_code import drop_raw_tags, has_raw_code
from tests.growth import assert_linear

CODE = '```json\n{% raw %}\n{"boat": "{{ boat }}"}{% endraw %}\n```\n'
SHOWN = '```json\n\n{"boat": "{{ boat }}"}\n```\n'
JEKYLL = {"layout": "default"}


@pytest.mark.parametrize(
    ("text", "metadata", "shown"),
    [
        (CODE, JEKYLL, SHOWN),
        (CODE, {"nav_order": 3}, SHOWN),
        (f"{{% include copy.html %}}\n\n{CODE}", {}, f"{{% include copy.html %}}\n\n{SHOWN}"),
        ("Use `{%- raw -%}{{ boat }}{%- endraw -%}` here.", JEKYLL, "Use `{{ boat }}` here."),
        ("`{% raw %}{% raw %}{% endraw %}`", JEKYLL, "`{% raw %}`"),
        (f"{{% raw %}}\n`{{{{ a }}}}`\n{{% endraw %}}\n{CODE}", {}, f"{{% raw %}}\n`{{{{ a }}}}`\n{{% endraw %}}\n{SHOWN}"),
    ],
)  # fmt: skip
def test_it_is_as_readers_see_it(text: str, metadata: dict[str, Any], shown: str) -> None:
    assert has_raw_code(text, metadata)
    assert drop_raw_tags(text) == shown


@pytest.mark.parametrize(
    ("text", "metadata"),
    [
        (CODE, {}),
        (CODE, {"layout": "home", "title": "Templates"}),
        (f"{{% hint %}}\n{CODE}", {}),
        ("`{% raw %}` begins it.\n\n`{% if a %}`\n", JEKYLL),
        ("{% raw %}\n```liquid\n{% raw %}\n```\n{% endraw %}\n", JEKYLL),
    ],
)
def test_all_else_stays(text: str, metadata: dict[str, Any]) -> None:
    assert not has_raw_code(text, metadata) or drop_raw_tags(text) == text


def test_captured_code_is_so_too() -> None:
    page = "{% capture a %}\nrow {% raw %}{{ boat }}{% endraw %}\n{% endcapture %}\n{% include code.html text=a %}\n"
    assert parse(RawDocument("a.md", page.encode())).content == "```\nrow {{ boat }}\n```\n\n"


@pytest.mark.parametrize(
    "part", ["`{% raw %}` ", "{% raw ", "`{% raw %}{% endraw %}`\n", "```\n{% endraw %}{% raw %}\n"]
)
def test_it_takes_linear_time(part: str) -> None:
    assert_linear(lambda text: (has_raw_code(text, {}), drop_raw_tags(text)), part * 4_000 + "{% endraw %}")


@pytest.mark.parametrize("layout", [["a", "b"], {"a": 1}, None, 7])
def test_a_layout_that_is_no_name_is_none_of_jekyll_s(layout: object) -> None:
    assert not has_raw_code(CODE, {"layout": layout})
