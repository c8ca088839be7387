"""Tables of data stay tables; tables that only lay out a page do not."""

from __future__ import annotations

import pytest

from collections_app.parsing.documents import RawDocument
from collections_app.parsing.html import parse_html


def convert(table: str) -> str:
    return parse_html(RawDocument("x.html", f"<main><table>{table}</table></main>".encode())).content


def test_a_table_is_a_gfm_table() -> None:
    assert (
        convert("<tr><th>Tea<th>Heat<tr><td>green<td><b>70</b>")
        == "| Tea | Heat |\n| --- | --- |\n| green | **70** |\n"
    )


def test_cells_without_a_row_are_a_row_as_in_browsers() -> None:
    table = "| Tea | Heat |\n| --- | --- |\n| green | 70 |\n"
    assert convert("<thead><th>Tea<th>Heat</thead><tbody><tr><td>green<td>70</tbody>") == table
    assert convert("<th>Tea<th>Heat<tr><td>green<td>70") == table
    assert convert("<th>Tea</th><!-- c --><th>Heat</th><tr><td>green<td>70") == table
    assert convert("<td>green</td><td>70</td>") == "green\n\n70\n"


def test_elements_that_say_by_their_roles_that_they_are_a_table_are_one() -> None:
    def row(role: str, *cells: str) -> str:
        return f'<div role="row">{"".join(f"<div role={role}><p>{cell}</p></div>" for cell in cells)}</div>'

    head, body = row("columnheader", "Tea", "Heat"), row("cell", "green", "70") + row("cell", "black", "95")
    groups = f'<div role="rowgroup">{head}</div><div role="rowgroup">{body}</div>'
    text = parse_html(RawDocument("x.html", f'<main><div role="table">{groups}</div><p>After</p></main>'.encode()))
    assert text.content == "| Tea | Heat |\n| --- | --- |\n| green | 70 |\n| black | 95 |\n\nAfter\n"


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    table = (
        "<tr><th colspan=2>Tea<th colspan=2>Heat<th><tr><td colspan=2>green<td colspan=2>70<td><tr><td colspan=2>black"
    )
    assert convert(table) == "| Tea | Heat |\n| --- | --- |\n| green | 70 |\n| black |  |\n"


def test_a_table_without_headings_has_an_empty_row_of_them() -> None:
    assert convert("<tr><td>a<td>b<tr><td>c<td>d") == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"


def test_signs_that_end_a_cell_are_escaped_even_in_code() -> None:
    assert "| a \\| b | `c \\| d` |" in convert("<tr><th>x<th>y<tr><td>a | b<td><code>c | d</code>")


def test_blocks_in_a_cell_are_lines_of_it() -> None:
    table = "<tr><th>x<th>y<tr><td><p>a</p><p>b</p><td><ul><li>c<li>d</ul><pre>e f</pre>"
    assert "| a<br>b | - c<br>- d<br>`e f` |" in convert(table)


def test_merged_cells_repeat_downwards_and_leave_blanks_to_the_right() -> None:
    table = "<tr><th>x<th>y<th>z<tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d<tr><td>e"
    assert convert(table).split("\n")[2:] == ["| a | b |  |", "| a | c | d |", "| e |  |  |", ""]


def test_several_rows_of_headings_become_one() -> None:
    table = "<tr><th rowspan=2>x<th colspan=2>y<tr><th>u<th>v<tr><td>a<td>b<td>c"
    assert convert(table).split("\n")[0] == "| x | y u | v |"


@pytest.mark.parametrize("span", ["999999999999", "-1", "x", "0", "٣"])
def test_a_span_that_makes_no_sense_is_bounded(span: str) -> None:
    assert len(convert(f"<tr><th>a<th>b<tr><td colspan='{span}'>c<td>d")) < 2000


def test_one_column_is_a_list() -> None:
    table = "<thead><tr><th><p>Function</p><p>Use</p></th></tr></thead><tr><td><p>pour()</p><p>Pours.</p></td></tr><tr><td>a || b</td></tr>"
    assert convert(table) == "**Function / Use**\n\n- pour()\n\n  Pours.\n- a || b\n"


def test_a_heading_of_one_column_is_bold_once() -> None:
    table = "<tr><th><b>Brew</b> <code>a**b</code> <strong>now</strong></th></tr><tr><td>c</td></tr><tr><td>d</td></tr>"
    assert convert(table) == "**Brew `a**b` now**\n\n- c\n- d\n"


def test_a_caption_stands_before_the_table() -> None:
    assert convert("<caption>Table 1</caption><tr><th>a<th>b<tr><td>c<td>d").startswith("Table 1\n\n| a | b |")


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td>a</td></tr>",
        "<tr><td>a</td><td><pre>x\ny</pre></td></tr>",
        "<tr><th>a</th><td><pre>x\ny</pre></td></tr>",
        "<tr><td><h2>a</h2></td></tr>",
        "<tr><td>a</td><td><table><tr><td>b</td></tr></table></td></tr>",
        "<tr><th>a</th></tr><tr><td><table><tr><td>b</td></tr></table></td></tr>",
    ],
)
def test_a_layout_is_what_is_in_it(table: str) -> None:
    content = convert(table)
    assert "|" not in content
    assert "a\n" in content


@pytest.mark.parametrize(
    "table",
    [
        '<tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>x\ny</pre></td></tr>',
        '<tr><td class="lntd"><pre>1\n2</pre></td><td class="lntd"><pre>x\ny</pre></td></tr>',
        "<tr><td>9<br>10<br>11</td><td><pre>x\ny\n\n</pre></td></tr>",
        '<tr><td><span class="lnt">1\n2</span></td><td><pre>x\ny</pre></td></tr>',
        "<tr><td></td><td><pre>x\ny</pre></td></tr>",
    ],
)
def test_line_numbers_beside_code_are_dropped(table: str) -> None:
    assert convert(table) == "```\nx\ny\n```\n"


def test_lines_that_say_where_code_is_from_have_blanks_beside_them_for_numbers() -> None:
    table = "<tr><td><pre>\n\n\n7\n8</pre></td><td><pre># a file\n\nx\ny</pre></td></tr>"
    assert convert(table) == "```\n# a file\n\nx\ny\n```\n"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("200", "x\ny"),
        ("1", "x"),
        ("200", "x"),
        ("1 2", "x\ny\nz"),
        ("20 10", "x\ny"),
        ("1" * 5000, "x\ny"),
        ("²", "x\ny"),
    ],
)
def test_numbers_that_count_no_lines_stay_beside_code(number: str, code: str) -> None:
    assert convert(f"<tr><td>{number}</td><td><pre>{code}</pre></td></tr><tr><td>a<td><pre>c\nd</pre>").startswith(
        f"{number}\n\n```\n{code}\n```\n"
    )


def test_rows_with_code_blocks_are_items_whose_cells_are_labelled() -> None:
    table = "<tr><th>Status<th>Body<tr><td>200<td>As JSON:<pre>{\n}</pre><tr><td><b>404</b><td><pre>-</pre><tr><td>500"
    assert convert(table) == (
        "- **Status:** 200\n\n  **Body:** As JSON:\n\n  ```\n  {\n  }\n  ```\n\n"
        "- **Status:** **404**\n\n  **Body:**\n\n  ```\n  -\n  ```\n\n"
        "- **Status:** 500\n"
    )


def test_merged_cells_belong_to_each_of_their_rows_of_code() -> None:
    table = "<tr><th>Call<th>Code<tr><td rowspan=2>pour<td><pre>a\nb</pre><tr><td><pre>c</pre>"
    assert convert(table).count("- **Call:** pour\n\n  **Code:**\n") == 2


def test_line_numbers_below_a_heading_are_dropped() -> None:
    table = '<tr><th>#<th>pour.py<tr><td><pre class="lineno">1\n2</pre><td><pre>x\ny</pre>'
    assert convert(table) == "- **pour.py:**\n\n  ```\n  x\n  y\n  ```\n"


def test_a_grid_of_members_is_a_table() -> None:
    headings = '<div class="table-header col-first">Type</div><div class="table-header col-last">Method</div>'
    cells = "".join(
        f'<div class="col-first even-row"><code>{type}</code></div><div class="col-last"><code>{name}</code>{told}</div>'
        for type, name, told in (("void", "pour()", "<p>Tilts.</p>"), ("Cup", "fill(int)", ""))
    )
    page = f'<main><div class="summary-table two-column-summary">{headings}{cells}</div><p>After</p></main>'
    assert parse_html(RawDocument("x.html", page.encode())).content == (
        "| Type | Method |\n| --- | --- |\n| `void` | `pour()`<br>Tilts. |\n| `Cup` | `fill(int)` |\n\nAfter\n"
    )


def test_a_grid_of_members_without_headings_is_its_text() -> None:
    page = '<main><div class="summary-table"><div>a</div><div>b</div></div></main>'
    assert parse_html(RawDocument("x.html", page.encode())).content == "a\n\nb\n"


def test_a_table_of_members_with_headings_in_it_is_a_list_below_each() -> None:
    rows = (
        '<tr class="heading"><td colspan="2"><h2>Functions</h2></td></tr>'
        '<tr><td class="memItemLeft">void&#160;</td><td class="memItemRight"><b>pour</b> (Cup *cup)</td></tr>'
        '<tr><td class="mdescLeft">&#160;</td><td class="mdescRight">Tilts. <a href="#details">More...</a></td></tr>'
        '<tr><td class="memSeparator" colspan="2">&#160;</td></tr>'
        '<tr><td class="memTemplParams" colspan="2">template&lt;class T&gt;</td></tr>'
        '<tr><td class="memTemplItemLeft">T</td><td class="memTemplItemRight">fill ()</td></tr>'
        '<tr><td colspan="2">Of Cup</td></tr>'
        '<tr><td class="memItemLeft">int</td><td class="memItemRight">size</td></tr>'
    )
    page = f'<main><table class="memberdecls">{rows}</table><p>After</p></main>'
    assert parse_html(RawDocument("x.html", page.encode())).content == (
        "## Functions\n\n- void **pour** (Cup *cup)\n\n  Tilts.\n- template\\<class T> T fill ()\n\nOf Cup\n\n- int size\n\nAfter\n"
    )


def test_a_row_of_what_is_called_parameters_is_a_table() -> None:
    page = '<main><table class="params"><tr><td>cup</td><td>to be filled</td></tr></table></main>'
    assert (
        parse_html(RawDocument("x.html", page.encode())).content == "|  |  |\n| --- | --- |\n| cup | to be filled |\n"
    )


def test_a_list_around_the_parts_of_a_page_is_none() -> None:
    page = '<main><ul class="blockList"><li class="blockList"><pre>class Pot</pre><p>Holds tea.</p></li></ul></main>'
    assert parse_html(RawDocument("x.html", page.encode())).content == "```\nclass Pot\n```\n\nHolds tea.\n"


def test_lines_of_a_cell_begin_no_line_of_the_page_and_are_not_escaped() -> None:
    rows = "<tr><th>Part<th>Leaks<tr><td><b>Lid</b><td>It leaks<br>- at the spout<br>1. at the lid<br># twice<tr><td>+ a<td>b"
    assert "| **Lid** | It leaks<br>- at the spout<br>1. at the lid<br># twice |" in convert(f"<table>{rows}</table>")


def test_lines_of_a_cell_that_is_an_item_are_escaped() -> None:
    rows = "<tr><th>Part<th>Leaks<tr><td><pre>a\nb</pre><td>It leaks<br>- at the spout"
    assert "\\- at the spout" in convert(f"<table>{rows}</table>")
