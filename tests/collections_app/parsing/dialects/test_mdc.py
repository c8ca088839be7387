"""Components in Markdown as Nuxt Content has them."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.mdc import write_mdc
from tests.growth import assert_linear


def read(text: str) -> str:
    return parse(RawDocument("page.md", text.encode())).content


def list_lines(text: str) -> list[str]:
    return [line.rstrip() for line in read(text).split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("opening", "shown"),
    [
        ('::card{title="Start" to=\'/start\' icon="i-flag"}', ["[**Start**](/start)"]),
        ("::card\n---\ntitle: Start\nto: /start\nui:\n  title: small\n---", ["[**Start**](/start)"]),
        ('::card\n---\ntitle: "It\'s a start"\n---', ["**It's a start**"]),
        ("::u-page-card{title=Start}", ["**Start**"]),
        ("::warning", ["**Warning:**"]),
        ('::callout{icon="i-lucide-alert" color="warning"}', ["**Warning:**"]),
        ('::callout{color="error"}', ["**Danger:**"]),
        ('::callout{color="primary"}', []),
        ('::field{name="limit" type="number" required}', ["`limit` `number` (required)"]),
        ('::tabs-item{label="Linux"}', ["**Linux**"]),
        ("::badge[New]{color=info}", ["New"]),
        ("::steps", []),
    ],
)
def test_of_a_component_is_kept_what_readers_see(opening: str, shown: list[str]) -> None:
    assert list_lines(f"# Sails\n\n{opening}\nHoist [it](a.md).\n::\n\nMore.\n") == [
        "# Sails",
        *shown,
        "Hoist [it](a.md).",
        "More.",
    ]


def test_entries_that_are_given_as_properties_are_text() -> None:
    far = "  - label: 'How far?'\n    icon: i-flag\n    content: To [Reef](a.md).\n"
    text = f"::faq\n---\nitems:\n{far}  - label: When?\n    content: Now.\n---\n::\n"
    assert list_lines(text) == ["**How far?**", "To [Reef](a.md).", "**When?**", "Now."]


def test_no_line_moves() -> None:
    text = "# Sails\n\n::card\n---\ntitle: Start\n---\nHoist it.\n\n#footer\nDone.\n::\n\n## More\n"
    assert read(text).split("\n") == [
        "# Sails",
        "",
        "**Start**",
        "",
        "",
        "",
        "Hoist it.",
        "",
        "",
        "Done.",
        "",
        "",
        "## More",
        "",
    ]


def test_children_are_moved_to_the_margin() -> None:
    tab = "  :::div{label=Linux}\n    Hoist it.\n\n    ```sh\n    hoist\n      --up\n    ```\n  :::\n"
    assert list_lines(f"::::tabs\n{tab}::::\n\n::a\n::\n") == [
        "**Linux**",
        "Hoist it.",
        "```sh",
        "hoist",
        "  --up",
        "```",
    ]
    same = '::tabs\n  ::div{label="Linux"}\n  Hoist it.\n  ::\n\n  ::div{label="macOS"}\n  Lower it.\n  ::\n::\n\n    hoist()\n'
    assert list_lines(same) == ["**Linux**", "Hoist it.", "**macOS**", "Lower it.", "    hoist()"]


def test_the_line_of_a_component_that_leads_somewhere_is_a_link() -> None:
    assert list_lines('::callout{icon="i-book" to="/sails"}\nRead on about sails.\n::\n') == [
        "[Read on about sails.](/sails)"
    ]
    assert list_lines('::callout{to="/sails"}\nRead [on](a.md).\n::\n') == ["Read [on](a.md)."]
    assert list_lines('::callout{to="/sails"}\nRead on.\n\nAnd on.\n::\n') == ["Read on.", "And on."]
    assert list_lines('::callout{to="/sails"}\n**Sails**  \nRead on.\n::\n') == ["[**Sails**](/sails)", "Read on."]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('Press :kbd{value="meta"} to sail.', "Press meta to sail."),
        ('Made by :product-link{product="oars"}.', "Made by oars."),
        (':icon{name="flag"} Sails', " Sails"),
        ('Click :icon{name="material-symbols:add"} in a column', "Click `add` in a column"),
        ('Drag them by :icon{name="i-lucide-grip" title="the grip"}.', "Drag them by `the grip`."),
        ('Start :icon{name="flag"} Here', "Start  Here"),
        ('A :badge[new]{color="info"} sail', "A new sail"),
        (':terminal{command="npm install oars"}', "`npm install oars`"),
        (':video-embed{video-id="04ff"}', ""),
        (':note-card{title="Mind it" to="/mind"}', "[**Mind it**](/mind)"),
        (":home-features", ""),
        ('Call `sail()`{lang="ts"} and `hoist`{.sail}.', "Call `sail()` and `hoist`."),
        ('Write `:kbd{value="meta"}` for it.', 'Write `:kbd{value="meta"}` for it.'),
        ("Sail at 10:30, as :smile: or ::before say.", "Sail at 10:30, as :smile: or ::before say."),
    ],
)
def test_within_a_line(line: str, shown: str) -> None:
    assert read(f"::note\nMind it.\n::\n\n{line}\n").split("\n")[4].rstrip() == shown


def test_a_line_for_a_component_alone_tells_such_a_page() -> None:
    assert list_lines('- :icon{name="flag"} Sails\n\nPress :kbd{value="meta"}.\n') == ["-  Sails", "Press meta."]
    assert list_lines('# Sails\n\n:video-embed{video-id="04ff"}\n\nPress :kbd{value="meta"}.\n') == [
        "# Sails",
        "Press meta.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        ":::tip\nMind it.\n:::\n",
        ":::note[Mind it]\nIt sails.\n:::\n",
        '::::tabs\n:::div{label="Linux"}\nHoist it.\n:::\n::::\n',
        "::youtube[A video]{#04ff}\n\nMore.\n",
        "Sail :abbr[HTML]{title=Hyper}.\n",
        "Term\n: What it means\n",
        '```md\n::card{title="Start"}\nHoist it.\n::\n:icon{name=flag}\n```\n',
        "- `a::b`\n\n:smile:\n\n:ship\n",
        "::card\nIt is never closed.\n",
        'node:cpu:sum{mode="idle"} is a query.\n',
    ],
)
def test_what_is_none_stays(text: str) -> None:
    assert write_mdc(text) == text


def test_a_component_that_is_never_closed_moves_nothing() -> None:
    text = '::tabs\n  ::div{label="Linux"}\n    Hoist it.\n  ::\n\n- One\n\n  Two\n'
    assert list_lines(text) == ["  **Linux**", "Hoist it.", "- One", "  Two"]


@pytest.mark.parametrize(
    "line",
    ["::a", "::", ":::a{b=c}", "---", ":a[", ":a{", ":a{b='", "`{lang=", ":a[]{" + "b=c " * 20 + "}", "::a\n---\nb: c"],
)
def test_long_pages_are_read_in_linear_time(line: str) -> None:
    assert_linear(write_mdc, "::a\n" + f"{line}\n" * 10_000 + "::\n")


@pytest.mark.parametrize("closing", ["::", ":::"])
def test_deeply_nested_components_are_read_in_linear_time(closing: str) -> None:
    assert_linear(write_mdc, '::a{to="/b"}\n' * 10_000 + f"{closing}\n" * 10_000)


@pytest.mark.parametrize("sign", [":a", "::a{", ":a[", ":a{b=", ":a-", "`{.", " "])
def test_long_lines_are_read_in_linear_time(sign: str) -> None:
    assert_linear(write_mdc, f"::a\n::\n{sign * 900}\n" * 20 + sign * 50_000)
