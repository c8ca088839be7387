"""R documentation is read as R shows it: sections in R's order, conditions decided for text, code as it is typed."""

from __future__ import annotations

import pytest

from collections_app.exceptions import ParseError, UnsupportedFormat
from collections_app.parsing import ParsedDocument, RawDocument, parse
from collections_app.parsing.rd.shown import get_words
from collections_app.parsing.rd.syntax import MAX_DEPTH, Macro, read_rd
from collections_app.parsing.rd.to_html import parse_rd
from tests.growth import assert_linear


def read(source: str) -> ParsedDocument:
    return parse(RawDocument("man/moor.Rd", source.encode()))


def read_details(text: str) -> str:
    """The Markdown of a text within a section."""
    content = read(f"\\name{{moor}}\n\\title{{Moor}}\n\\details{{\n{text}\n}}\n").content
    return content.partition("## Details\n\n")[2].rstrip("\n")


def read_example(code: str) -> str:
    content = read(f"\\name{{moor}}\n\\title{{Moor}}\n\\examples{{\n{code}\n}}\n\\note{{n}}\n").content
    assert "## Note\n\nn\n" in content
    return content.partition("```r\n")[2].rpartition("\n```")[0]


def test_the_title_is_that_of_the_page_and_names_are_found() -> None:
    document = read(
        "\\name{moor}\n\\alias{moor}\n\\alias{\\%m\\%}\n\\title{Moor a\n \\emph{boat}}\n\\concept{harbour}\n"
    )
    assert document.title == "Moor a boat"
    assert document.format == "rd"
    assert document.keywords == ("moor", "%m%", "harbour")
    assert document.content == "# Moor a boat\n\n`moor`, `%m%`\n"


def test_sections_are_in_the_order_of_pages() -> None:
    source = r"""
\name{moor}
\examples{moor()}
\section{Piers}{p}
\value{v}
\arguments{\item{x, y}{z}}
\description{What it does.}
\title{Moor}
\usage{moor()}
"""
    document = read(source)
    assert [section.heading for section in document.sections] == [
        "Moor",
        "Usage",
        "Arguments",
        "Value",
        "Piers",
        "Examples",
    ]
    assert "\n- **`x`, `y`**: z\n" in document.content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"A \code{\link[sea:boat]{boat()}} of \pkg{sea}, \bold{not} \emph{two}", "A `boat()` of sea, **not** *two*"),
        (r"50\% of \{a\} \\ b", "50% of {a} \\ b"),
        ("one % comment\n  % another\ntwo", "one two"),
        (r"\if{html}{a}\if{text}{b}\if{latex,text}{c}\ifelse{html}{d}{e}\ifelse{text}{f}{g}", "bcef"),
        (r"\Sexpr[results=rd]{stop('}')}a\out{<b>}\figure{a.png}{options: alt='Boat' width=1}", "aBoat"),
        (
            r"\href{https://a.example/b}{the \emph{rules}}, \url{https://c.example}",
            "[the *rules*](https://a.example/b), https://c.example",
        ),
        (r"\eqn{x_1}{x1} and \enc{Ö}{O}, \sQuote{q}, \R, \CRANpkg{sea}", "$x_1$ and Ö, ‘q’, R, sea"),
        (r"\itemize{\item a \item b \itemize{\item c}}", "- a\n- b\n  - c"),
        (r"\enumerate{\item a" + "\n\n" + r"b \item c}", "1. a\n\n   b\n2. c"),
        (r"\describe{\item{a_b}{c} \item{\code{d}:}{e}}", "- **a_b**: c\n- `d`: e"),
        (
            r"\tabular{ll}{\bold{a} \tab \bold{b} \cr c|d \tab \code{e} \cr}",
            "| **a** | **b** |\n| --- | --- |\n| c\\|d | `e` |",
        ),
        (r"\tabular{ll}{a \tab b \cr c \tab d}", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        (r"\unknown{a \alpha b}", "a b"),
        ("# no heading\n\n- no list\n\n<no tag>", "\\# no heading\n\n\\- no list\n\n\\<no tag>"),
        ("#ifdef windows\na\n#endif\nb", "a b"),
        (r"\newcommand{\boat}{Ark}a", "a"),
    ],
)
def test_macros_are_what_readers_see(text: str, expected: str) -> None:
    assert read_details(text) == expected


def test_code_of_a_known_language_has_it() -> None:
    block = (
        r"\if{html}{\out{<div class=\"sourceCode bash\">}}\preformatted{  ls \%a" + "\n" + r"}\if{html}{\out{</div>}}"
    )
    assert read_details(block.replace('\\"', '"')) == "```bash\nls %a\n```"
    assert read_details("\\preformatted{ls\n\n  a {b}}") == "```\nls\n\n  a {b}\n```"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x <- '}' # don't {a}", "x <- '}' # don't {a}"),
        (r'cat("a\n", "\\\\", "\"}", "\\"}")', r'cat("a\n", "\\", "\"}", "\"}")'),
        ("if (a) { b } # 5\\%", "if (a) { b } # 5%"),
        ("\\dontshow{stop(\\{) # a}\na\n\\testonly{b}", "a"),
        ('\\dontrun{\na("\\n")\n}\n\\donttest{b}\n\n\n\nc', 'a("\\n")\n\nb\n\nc'.replace("\n\nb", "\nb")),
        ("a\\dots \\link{b} \\unknown", "a... b \\unknown"),
    ],
)
def test_examples_are_code_as_it_is_typed(code: str, expected: str) -> None:
    assert read_example(code) == expected


def test_methods_are_called_as_functions() -> None:
    usage = (
        r"\usage{\method{print}{boat}(x) \S4method{show}{Boat}(x)"
        "\n  \\method{mean}{default}(x)\n\\method{[}{boat}(x, i)}"
    )
    assert "## S3 method for class 'boat'\nprint(x) ## S4 method" in read(f"\\name{{a}}\n{usage}").content
    assert (
        "\n  ## Default S3 method:\n  mean(x)\n## S3 method for class 'boat'\n`[`(x, i)\n"
        in read(f"\\name{{a}}\n{usage}").content
    )


def test_a_quote_that_is_no_string_hides_no_code() -> None:
    document = read("\\name{a}\n\\title{A}\n\\details{\\code{it's}}\n\\note{b}\n")
    assert document.content.endswith("## Details\n\n`it's`\n\n## Note\n\nb\n")
    assert "`it's`, b" in read_details("\\code{it's}, b")


def test_what_is_not_closed_ends_with_the_file() -> None:
    assert read("\\name{a}\n\\title{A}\n\\details{b \\emph{c").content == "# A\n\n`a`\n\n## Details\n\nb *c*\n"


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(UnsupportedFormat, match="no R documentation"):
        read("=begin\n= Boats\n=end\n")


def test_a_page_that_says_nothing_has_no_text() -> None:
    assert read("\\name{a}\n").content == ""


def test_deep_nesting_is_refused() -> None:
    assert read_details("\\emph{" * (MAX_DEPTH - 2) + "a") == "*a*"
    with pytest.raises(ParseError, match="nested too deeply"):
        read("\\title{" + "\\emph{" * 100_000)


def test_arguments_follow_macros() -> None:
    pieces = read_rd("\\section{a}\n {b}\\item {c} {d}")
    arguments = [[get_words(each) for each in piece.arguments] for piece in pieces if isinstance(piece, Macro)]
    assert arguments == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    "part",
    [
        "\\", "{", "}", "%", "\\item", "\\item{a}{b}", "\\a", "\\a{}", "\\itemize{\\item a}", "\\section{a}", "\\section{a}{b}",
        "\\code{'}",
        "\\usage{\\method{a}{b}}", "\\examples{'\\\\'}", "#ifdef a\n", " \n", "\\if{html}{a}", "\\href{a}{b}", "\\alias{a}\n", "\\link[",
        "\\tabular{l}{a \\tab b \\cr}", "\\out{<div class=\"r\">}", "\\verb{`}", "\\eqn{a}  ", "\\section{a}  ", "'\"`", "\n\n", "a %b\n",
    ],
)  # fmt: skip
def test_it_takes_linear_time(part: str) -> None:
    assert_linear(
        lambda text: parse_rd(RawDocument("a.Rd", text.encode())), "\\title{a}\\details{\\code{}" + "}" + part * 10_000
    )
