"""Tabs: every panel is read, below the label of its tab."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import parse_html


def convert(body: str) -> str:
    return parse_html(RawDocument("x.html", f"<main>{body}</main>".encode())).content


@pytest.mark.parametrize(
    ("tabs", "panels"),
    [
        (
            '<div><ul role="tablist"><li role="tab">Pot<li role="tab">Cup</ul>',
            '<div><div role="tabpanel">a</div><div role="tabpanel" hidden>b</div></div></div>',
        ),
        (
            '<nav role="tablist"><button role="tab">Pot</button><button role="tab">Cup</button></nav>',
            '<div class="tab-content"><div class="tab-pane">a</div><div class="tab-pane">b</div></div>',
        ),
        (
            '<input id="1"><input id="2"><div class="tabbed-labels"><label for="1">Pot</label><label for="2">Cup</label></div>',
            '<div class="tabbed-content"><div class="tabbed-block">a</div><div class="tabbed-block">b</div></div>',
        ),
        (
            '<div class="tablist"><ul><li class="tab"><p>Pot</p></li><li class="tab"><p>Cup</p></li></ul></div>',
            '<div class="tabpanel"><p>a</p></div><div class="tabpanel"><p>b</p></div>',
        ),
    ],
)
def test_the_label_stands_above_its_panel(tabs: str, panels: str) -> None:
    assert convert(tabs + panels) == "**Pot**\n\na\n\n**Cup**\n\nb\n"


def test_a_panel_may_say_its_label_itself() -> None:
    panel = '<div class="tabs__content" data-gtm="tab" data-title="{}"><p>{}</p></div>'
    body = f'<div class="tabs">{panel.format("Pot", "a")}{panel.format("Cup", "b")}</div><p>c</p>'
    assert convert(body) == "**Pot**\n\na\n\n**Cup**\n\nb\n\nc\n"


@pytest.mark.parametrize(("outer", "panel"), [("tabbed-set", "tabbed-content"), ("sd-tab-set", "sd-tab-content")])
def test_a_label_may_stand_right_before_its_panel(outer: str, panel: str) -> None:
    tabs = "".join(
        f'<label>{label}</label><div class="{panel}">{text}</div>' for label, text in [("Pot", "a"), ("Cup", "b")]
    )
    assert convert(f'<div class="{outer}">{tabs}</div>') == "**Pot**\n\na\n\n**Cup**\n\nb\n"


def test_the_labels_of_a_group_of_code_stand_before_their_blocks() -> None:
    labels = "".join(f'<input type="radio" id="{name}"><label for="{name}">{name}</label>' for name in ("Pot", "Cup"))
    blocks = "".join(f'<div class="language-sh"><pre><code>{code}</code></pre></div>' for code in "ab")
    group = f'<div class="vp-code-group"><div class="tabs">{labels}</div><div class="blocks">{blocks}</div></div>'
    assert convert(f"{group}<p>After</p>") == "**Pot**\n\n```sh\na\n```\n\n**Cup**\n\n```sh\nb\n```\n\nAfter\n"


@pytest.mark.parametrize(
    ("tab", "panel"),
    [
        ('aria-controls="b"', 'id="b"'),
        ('href="#b"', 'id="b"'),
        ('data-bs-target="#b"', 'id="b"'),
        ('id="t"', 'aria-labelledby="t"'),
    ],
)
def test_ids_count_before_order(tab: str, panel: str) -> None:
    tabs = f'<div role="tablist"><a role="tab">Pot</a><a role="tab" {tab}>Cup</a></div>'
    assert convert(f'{tabs}<div role="tabpanel" {panel}>b</div>') == "**Cup**\n\nb\n"


def test_tabs_within_a_panel_have_labels_of_their_own() -> None:
    inner = '<div role="tablist"><a role="tab">Lid</a></div><div role="tabpanel">a</div><p>b</p>'
    body = (
        '<div role="tablist"><a role="tab">Pot</a><a role="tab">Cup</a></div>'
        f'<div role="tabpanel">{inner}</div><div role="tabpanel">c</div><div role="tabpanel">d</div>'
    )
    assert convert(body) == "**Pot**\n\n**Lid**\n\na\n\nb\n\n**Cup**\n\nc\n\nd\n"


def test_the_label_of_a_form_is_text() -> None:
    assert convert("<p>Choose <label>a cup</label></p>") == "Choose a cup\n"
