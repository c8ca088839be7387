"""R Markdown and Quarto: code that pages do not show is no text, and links to R's help are their words."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.knitr import drop_hidden_chunks, write_help_links
from tests.growth import assert_linear

HIDDEN = [
    "```{r, include = FALSE}\nsetup()\n```",
    "```{r setup, echo=F, fig.cap='a}'}\nsetup()\n```",
    "```{r include=FALSE}\nsetup()\n```",
    "  ```{python}\n  #| label: setup\n  #| echo: false\n  setup()\n  ```",
    "```{r}\n#| include: FALSE\nsetup()\n```",
    "```{r}\n#| fig.cap = 'a', echo = FALSE\nsetup()\n```",
    "~~~~{ojs}\n//| echo: false\n```\n~~~~",
]

SHOWN = [
    "```{r}\nboat()\n```",
    "```{r, eval = FALSE, message=FALSE}\nboat()\n```",
    "```{r, echo = TRUE}\nboat(echo = FALSE)\n```",
    "```{r, fig.cap = 'with echo = FALSE'}\nboat()\n```",
    "```{r, echo = FALSE_ALARM}\nboat()\n```",
    "```r\nboat(include = FALSE)\n```",
    "```{r}\n#| label: boat\nboat()\n#| echo: false\n```",
    "````markdown\n```{r, echo = FALSE}\nboat()\n```\n````",
    "```{{r, echo = FALSE}}\nboat()\n```",
    "```{r, echo = FALSE}\nnever closed",
    "> ```{r, echo = FALSE}\n> boat()\n> ```",
]


@pytest.mark.parametrize("chunk", HIDDEN)
@pytest.mark.parametrize("path", ["boats.Rmd", "boats.qmd"])
def test_chunks_that_are_not_shown_are_left_out(chunk: str, path: str) -> None:
    before, behind = "# Boats\n\n", "\n\ntext\n\n```{r}\nboat()\n```\n"
    written = drop_hidden_chunks(f"{before}{chunk}{behind}", path)
    assert written == f"{before}{chr(10) * chunk.count(chr(10))}{behind}"
    assert "setup" not in parse(RawDocument(path, f"{before}{chunk}{behind}".encode())).content


@pytest.mark.parametrize("chunk", SHOWN)
def test_other_chunks_stay(chunk: str) -> None:
    assert drop_hidden_chunks(chunk, "boats.Rmd") == chunk


@pytest.mark.parametrize("chunk", HIDDEN)
def test_in_other_files_chunks_are_examples(chunk: str) -> None:
    assert drop_hidden_chunks(chunk, "boats.md") == chunk


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("See [`row()`][sea::row()], [oars][oar()].", "See `row()`, oars."),
        ("[`oar(.by = )`][sea::oar] and [the `row` verb][row()]", "`oar(.by = )` and the `row` verb"),
        ("Use [row_all()] or [`sea::row()`] of [sea::boats].", "Use `row_all()` or `sea::row()` of `sea::boats`."),
        (
            "* [`row()`][sea::row]: with oars\n* [row_all()]: all of them",
            "* `row()`: with oars\n* `row_all()`: all of them",
        ),
    ],
)
@pytest.mark.parametrize("path", ["vignettes/sea.Rmd", "sea.qmd", "NEWS.md"])
def test_links_to_help_are_their_words(text: str, written: str, path: str) -> None:
    assert write_help_links(text, path) == written
    assert parse(RawDocument(path, text.encode())).content == written


@pytest.mark.parametrize(
    "text",
    [
        "`x[row()]`, `[row()]`",
        "x[row()] and x[[row()]]",
        "```\n[row()]\n```",
        "[row()](https://sea.example)",
        "[row()]: https://sea.example",
        "[row()]: /row 'Rowing with oars'",
        "\\[row()]",
        "[boats][sea]",
        "[row]",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert write_help_links(text + "\n\n()] ::", "a.Rmd") == text + "\n\n()] ::"


def test_other_pages_mean_something_else() -> None:
    assert write_help_links("[row()] [a][sea::row]", "guide.md") == "[row()] [a][sea::row]"


def test_a_link_that_the_page_defines_leads_there() -> None:
    text = "See [row()].\n\n[row()]: https://sea.example/row\n"
    assert parse(RawDocument("a.Rmd", text.encode())).content == "See [row()](https://sea.example/row).\n"


@pytest.mark.parametrize("part", ["[a()", "[`a", "[a][b::", "[`a()`]", "a.", "[a()][", "`[", "a::"])
def test_links_take_linear_time(part: str) -> None:
    assert_linear(lambda text: write_help_links(text, "a.Rmd"), f"()]::[{part * 10_000}")


@pytest.mark.parametrize(
    "part", ["```{r}\n", "```{r, echo=FALSE}\n```\n", "```{r, ", "#| a\n", "'", " echo=", "~~~\n```\n"]
)
def test_chunks_take_linear_time(part: str) -> None:
    assert_linear(lambda text: drop_hidden_chunks(text, "a.Rmd"), f"```{{r}}\n{part * 10_000}\n```")
