"""Pages of other sites in a page: each becomes a link, unless it is hidden."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.normalising.embedded_frames import write_frames_as_links

_ALLOWS = 'allow="autoplay; encrypted-media" allowfullscreen'
_LINK = "[Video on YouTube](https://www.youtube.com/watch?v=r33f-Kn0t)"


def convert(text: str, path: str = "a.md") -> str:
    return (
        parse(RawDocument(path=path, content=f"# Knots\n\n{text}\n".encode()))
        .content.removeprefix("# Knots\n\n")
        .strip()
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f'<iframe width="5" src="https://www.youtube.com/embed/r33f-Kn0t" {_ALLOWS}></iframe>', _LINK),
        (
            '<iframe src="https://www.youtube-nocookie.com/embed/r33f-Kn0t?si=a&amp;start=90" title="YouTube video player"></iframe>',
            _LINK.replace(")", "&t=90)"),
        ),
        (
            '<iframe title="How to reef" src="https://youtube.com/embed/r33f-Kn0t"></iframe>',
            _LINK.replace("Video on YouTube", "How to reef"),
        ),
        ("<iframe src='//films.example/embed/7'>\n</iframe>", "[films.example](https://films.example/embed/7)"),
        (
            '<div style="position: relative; height: 0;"><iframe src="https://films.example/7" style="top: 0; width: 100%"></iframe></div>',
            "[films.example](https://films.example/7)",
        ),
        (
            'See <iframe src="https://films.example/7"></iframe> first.',
            "See [films.example](https://films.example/7) first.",
        ),
    ],
)
def test_a_frame_of_another_site_is_a_link(source: str, expected: str) -> None:
    assert convert(source) == expected


def test_a_frame_in_mdx_may_end_itself_and_keeps_its_lines() -> None:
    text = 'One\n\n<iframe\n  src="https://films.example/7"\n  frameBorder="0"\n/>\n\nTwo'
    assert convert(text, "a.mdx") == "One\n\n[films.example](https://films.example/7)\n\n\n\n\nTwo"


@pytest.mark.parametrize(
    "text",
    [
        '<iframe src="https://films.example/7" hidden></iframe>',
        '<iframe src="https://films.example/7" style="display: none"></iframe>',
        '<div style="display:none"><iframe src="https://films.example/7"></iframe></div>',
        '<iframe src="https://films.example/7" width="0" height="0"></iframe>',
    ],
)
def test_a_hidden_frame_is_no_link(text: str) -> None:
    assert "](" not in convert(f"Before.\n\n{text}\n\nBehind.")


@pytest.mark.parametrize(
    "text",
    [
        '```html\n<iframe src="https://films.example/7"></iframe>\n```',
        '`<iframe src="https://films.example/7"></iframe>`',
        '<iframe src="demos/knot.html"></iframe>',
        '<iframe src="javascript:moor()"></iframe>',
        '<iframe src="https://films.example/7">No frames here.</iframe>',
    ],
)
def test_other_frames_stay_as_they_are_written(text: str) -> None:
    assert convert(text) == text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<video src="b.mp4" controls></video>', "[Video](b.mp4)"),
        ('A\n<video title="How to reef"><source src="/b.webm"/>No video?</video>', "A\n[How to reef](/b.webm)"),
        ('<video>\n<source src="b.webm">\n<img src="b.png"\n  alt="A reef\nis taken [in]">\n</video>', "[A reef is taken in](b.webm)"),
        ('<figure>\n  <video>\n    <source src="b.webm">\n  </video>\n</figure>', "[Video](b.webm)"),
        (
            '<figure class="wide">\n<video src="b.webm">\n</video>\n<figcaption>How to <b>reef</b>.</figcaption>\n</figure>',
            "[Video](b.webm)\n\nHow to **reef**.",
        ),
        ('<video width="9">\n<track src="c.vtt">\n<source src="https://films.example/7">\n</video>', "[Video](https://films.example/7)"),
    ],
)  # fmt: skip
def test_a_video_is_a_link(source: str, expected: str) -> None:
    assert convert(source) == expected


@pytest.mark.parametrize(
    "text",
    [
        '<video src="b.mp4" hidden></video>',
        '<video src="javascript:b"></video>',
        "<video></video>",
        '```\n<video src="b.mp4"></video>\n```',
        '<video src="b.mp4"><p>Text</p></video>',
        '<figure hidden>\n<video src="b.mp4"></video>\n</figure>',
    ],
)
def test_another_video_is_no_link(text: str) -> None:
    assert "](" not in convert(text)


def test_videos_without_an_end_take_linear_time() -> None:
    for piece in (
        "<video ",
        "<video>",
        "<video><source ",
        "<video> a ",
        "<video>" + "<source >" * 9,
        "<figure> <video></video> <figcaption>",
    ):
        assert "](" not in convert(piece * 2_000)


def test_a_tag_whose_sign_is_text_is_no_video() -> None:
    text = 'Write \\<video src="b.mp4"></video>.'
    assert write_frames_as_links(text) == text
