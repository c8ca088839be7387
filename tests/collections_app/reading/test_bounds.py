"""Pages built against the renderer end. What decides is how often the clock is looked at, and how much is read between: never the time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pygments.token import Token

from collections_app.reading import highlighting, markup
from collections_app.reading.allowance import Allowance, AllowanceSpent
from collections_app.reading.highlighting import (
    LANGUAGES,
    MAX_BLANK_CHARACTERS,
    MAX_HIGHLIGHTED_CHARACTERS,
    MAX_LINE_CHARACTERS,
    get_lexer_names,
    highlight_code,
    lexing,
)
from collections_app.reading.markup import MAX_HTML_CHARACTERS, MAX_REOPENED, Renderer, clean_html, count_reopened
from tests.collections_app.reading.allowances import Looks, make_endless
from tests.collections_app.reading.inert import assert_inert

PAGE = 100_000
SECONDS = 50
# Each of them is read again and again from one of its signs to the end of the rest.
QUADRATIC_BLOCKS = ["-\n", "-\n> -\n", "- a\n-\n", "  -\n-\n", "> -\n-\n", "- >\n-\n"]
QUADRATIC_TEXTS = ["![", "`a`[a1)\\", "![![", "-![<!--", "[a", "---[a`a`", ">![-->"]


def repeat(text: str, size: int = PAGE) -> str:
    return text * (size // len(text))


@pytest.fixture
def short_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "PAGE_SECONDS", SECONDS)
    monkeypatch.setattr(markup, "COLOURS_SECONDS", SECONDS)


def test_an_allowance_is_spent_when_its_seconds_are_over() -> None:
    looks = Looks()
    allowance = Allowance(3, clock=looks)
    for _ in range(3):
        allowance.check()
    with pytest.raises(AllowanceSpent):
        allowance.check()


@pytest.mark.usefixtures("short_page")
@pytest.mark.parametrize("text", QUADRATIC_BLOCKS)
def test_a_page_that_takes_too_long_is_shown_plain(text: str) -> None:
    looks = Looks()
    page = repeat(text)
    html = Renderer(make_allowance=looks.make_allowance).render(page)
    assert html == markup.render_plain(page)
    assert looks.count <= SECONDS + 10


@pytest.mark.parametrize("text", QUADRATIC_BLOCKS)
def test_the_clock_is_looked_at_for_each_block(text: str) -> None:
    """Of which the longest has an underline."""
    looks = Looks()
    page = repeat(text, 2_000)
    Renderer(make_allowance=lambda seconds: looks.make_allowance(PAGE)).render(page)
    assert looks.count >= page.count("\n") / 2


@pytest.mark.usefixtures("short_page")
def test_what_comes_after_the_time_is_over_is_plain_too() -> None:
    looks = Looks()
    renderer = Renderer(make_allowance=looks.make_allowance)
    assert renderer.render("*before*") == "<p><em>before</em></p>"
    renderer.render(repeat("-\n"))
    assert renderer.render("*after*") == "<pre>*after*</pre>"


@pytest.mark.parametrize("beginning", ["# ", "> # ", "- # ", "- ", "> ", "| a | b |\n|---|---|\n| "])
@pytest.mark.parametrize("text", QUADRATIC_TEXTS)
def test_no_inline_pattern_reads_a_text_that_is_too_long(beginning: str, text: str) -> None:
    looks = Looks()
    html = Renderer(make_allowance=lambda seconds: looks.make_allowance(PAGE)).render(beginning + repeat(text))
    assert repeat(text, 200).replace("<", "&lt;").replace(">", "&gt;")[:100] in html
    assert looks.count < 50


def test_a_heading_that_is_too_long_stays_a_heading() -> None:
    renderer = Renderer(make_allowance=make_endless)
    assert renderer.render(f"# {'*a* ' * 1_501}").startswith("<h2>*a* *a*")
    assert renderer.render(f"# {'*a* ' * 1_400}").startswith("<h2><em>a</em> <em>a</em>")


REOPENING = ["<b c={}>", "<font color={}>", "<i\nd={}>", "<code/e={}>", '<b c="<{}">']


@pytest.mark.parametrize("tag", REOPENING)
def test_what_is_left_open_is_not_opened_again_without_end(tag: str) -> None:
    tags = "".join(tag.format(number) for number in range(3_000))
    html = Renderer(make_allowance=make_endless).render(f"<div><p>{tags}{'<p>a' * 10_000}")
    assert count_reopened(html) <= MAX_REOPENED
    safe = clean_html(html, lambda tag, address: None)
    assert_inert(safe)
    assert len(safe) < PAGE * 10


def test_tags_that_are_closed_keep_their_attributes_until_there_are_too_many() -> None:
    html = Renderer(make_allowance=make_endless).render('<p>\n<font color="red">a</font>\n</p>\n')
    assert 'color="red"' in html
    rows = Renderer(make_allowance=make_endless).render(f"<p>{'<code class=x>a</code><br>' * 3_000}</p>")
    assert clean_html(rows, lambda tag, address: None).count("<code>a</code>") == 3_000


def test_a_long_address_is_not_repeated_without_end() -> None:
    address = f"https://example.com/{'a' * 1_900}"
    renderer = Renderer({"a": (address, "")}, make_endless)
    shown = [renderer.render("[a] " * 100 + "\n\n") for _ in range(200)]
    assert 'href="https' in shown[0]
    assert shown[-1].startswith("<pre>[a] [a]")
    assert sum(map(len, shown)) < MAX_HTML_CHARACTERS + PAGE


# Pygments' lexers for them take from half a second to minutes for 2,000 characters made for it.
@pytest.mark.parametrize(
    "language", ["autohotkey", "mcschema", "xpp", "easytrieve", "gherkin", "autoit", "fan", "nemerle"]
)
def test_lexers_that_nobody_has_tried_are_not_asked(language: str) -> None:
    assert language not in get_lexer_names()
    assert highlight_code("x\n\n<y>\n", language, make_endless()) == "x\n\n&lt;y&gt;\n"


def test_every_language_is_one_of_pygments() -> None:
    assert get_lexer_names() >= LANGUAGES
    assert {"py", "js", "sh", "yml", "c#"} <= get_lexer_names()


class EndlessLexer:
    """Its tokens are no end; and it tells whether another thread could ask a lexer meanwhile."""

    def __init__(self) -> None:
        self.given = 0
        self.was_alone = True

    def get_tokens(self, code: str) -> Iterator[tuple[object, str]]:
        while True:
            self.given += 1
            self.was_alone = self.was_alone and lexing.locked()
            yield Token, ""


@pytest.fixture
def endless_lexer(monkeypatch: pytest.MonkeyPatch) -> EndlessLexer:
    lexer = EndlessLexer()
    monkeypatch.setattr(highlighting, "find_lexer", lambda language: lexer)
    return lexer


def test_code_that_takes_too_long_is_plain(endless_lexer: EndlessLexer) -> None:
    allowance = Looks().make_allowance(100)
    assert highlight_code("a < b", "python", allowance) == "a &lt; b"
    given = endless_lexer.given
    assert given <= 100
    # A single token may take long.
    assert highlight_code("a < b", "python", allowance) == "a &lt; b"
    assert endless_lexer.given == given


def test_lexers_are_asked_by_one_thread_at_a_time(endless_lexer: EndlessLexer) -> None:
    highlight_code("a", "python", Looks().make_allowance(10))
    assert endless_lexer.given
    assert endless_lexer.was_alone
    assert not lexing.locked()


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n" * (MAX_HIGHLIGHTED_CHARACTERS // 6 + 1),
        f"x = {'1' * MAX_LINE_CHARACTERS}\n",
        "x" + " \n" * MAX_BLANK_CHARACTERS + "y\n",
    ],
)
def test_long_code_long_lines_and_long_gaps_are_not_given_to_a_lexer(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(highlighting, "find_lexer", asked.append)
    assert highlight_code(code, "python", make_endless()) == code
    assert asked == []


@pytest.mark.usefixtures("short_page")
def test_code_without_colours_leaves_the_page_its_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "COLOURS_SECONDS", 10)
    renderer = Renderer(make_allowance=Looks().make_allowance)
    html = renderer.render("```python\n" + "x = 1\n" * 100 + "```\n\n*a*")
    assert "<span" not in html
    assert "<em>a</em>" in html
