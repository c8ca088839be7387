"""Inline styles that hide, in whatever way they are written, and styles that do not."""

from __future__ import annotations

import pytest

from collections_app.parsing.safety.hiding_styles import is_hiding_style
from tests.ends import ends


@pytest.mark.parametrize(
    "style",
    [
        "display:none", "DISPLAY : None !important", "display:none;display:x", "d\\69splay:none", "d\\000069 splay:none",
        "display:/**/none", "/* a */display:none", "visibility:hidden", "content-visibility:hidden", "opacity:0", "opacity:.01",
        "opacity:0%",
        "opacity:9.5%", "filter:opacity(0)", "font-size:0", "font-size:1px", "font-size:0.01em", "font-size:0!important", "font:0/0 a",
        "height:0;overflow:hidden", "overflow-y:clip;max-height:0px", "width:1px;height:1px;overflow:hidden", "color:transparent",
        "color:rgba(0,0,0,0)", "color:rgb(0 0 0 / 0%)", "color:#0000", "color:#12345600", "-webkit-text-fill-color:transparent",
        "color:#fff", "color:white;background:#ffffff", "clip-path:inset(100%)", "clip-path:inset(0 0 0 100%)", "clip:rect(0,0,0,0)",
        "transform:scale(0)", "transform:rotate(3deg) scaleX(0)", "scale:0", "transform:translateX(-9999px)", "translate:-9999px",
        "translate: 0 -9999px", "text-indent:-9999px",
        "position:absolute;left:-9999px", "{{display: 'none'}}", "{{ fontSize: 0 }}", "{{left: -9999, position: \"absolute\"}}",
    ],
)  # fmt: skip
def test_it_knows_what_hides(style: str) -> None:
    assert is_hiding_style(style)


@pytest.mark.parametrize(
    "style",
    [
        "", "display:block", "opacity:0.5", "opacity:50%", "opacity:.5", "opacity:1", "font-size:0.9em", "font-size:10px", "font-size:90%",
        "font:12px Arial", "overflow:hidden", "width:0", "height:10px;overflow:hidden", "width:100%;overflow:hidden",
        "height:0;padding-bottom:56.25%;overflow:hidden", "color:rgb(255,0,0)", "color:rgba(0,0,0,1)", "color:rgba(0,0,0,.5)",
        "color:#000", "color:#123000", "color:#fff;background:#000", "color:transparent;-webkit-background-clip:text",
        "clip-path:inset(10%)", "transform:scale(.5)", "transform:scale(1)", "left:-10px", "{{display: 'flex'}}", "{{fontSize: 14}}",
        "dis/**/play:none", "translate:-50%",
    ],
)  # fmt: skip
def test_it_leaves_what_readers_see(style: str) -> None:
    assert not is_hiding_style(style)


@pytest.mark.parametrize("start", ["", "{", "transform:", "color:", "clip-path:"])
@pytest.mark.parametrize(
    "filling", ["a", "a:", "/*", "\\6", "'", "(", "0,", "0 ", "scale(", "rect(0", "translate(-", ";a:b"]
)
def test_a_long_style_is_read_in_linear_time(start: str, filling: str) -> None:
    with ends():
        is_hiding_style(start + filling * 50_000)
