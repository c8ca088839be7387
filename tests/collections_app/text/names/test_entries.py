"""What entries of lists and tables are called."""

from __future__ import annotations

import pytest

from collections_app.text.analysis.lexemes import decode_term, is_label
from collections_app.text.names.entries import (
    find_entry,
    list_asked_entries,
    list_entry_names,
    list_possible_entries,
    make_entry_pattern,
)
from collections_app.text.passages.question_words import make_question_words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("- **core.editor**: which one", ["core editor"]),
        ("* `max_rows` — how many", ["max rows"]),
        ("1. `maxRows` (number): how many", ["max rows"]),
        ("- [`max_rows`](#max-rows) - how many", ["max rows"]),
        ("- max_rows: how many", ["max rows"]),
        ("- [ ] `max_rows`: how many", ["max rows"]),
        ("> - `max_rows`: how many", ["max rows"]),
        ("| `max_rows` | 10 |", ["max rows"]),
        ("| max_rows | 10 |", ["max rows"]),
        ("`MAX_ROWS`\n    How many.", ["max rows"]),
        ("`MAX_ROWS`\n:   How many.", ["max rows"]),
        ("- `-r`, `--max-rows=<count>` How many.", ["option r", "option max rows"]),
        ("- **--max-rows** *COUNT*: how many", ["option max rows"]),
        ("- `--[no-]verify`: whether to", ["option verify", "option no verify"]),
        ("- `client.get(path)`: one", ["client get"]),
        ("- `max_rows` is explained above", []),
        ("- See max_rows: it says how many", []),
        ("`max_rows` and more", []),
        ("- `max_rows`\n- `min_rows`", []),
        ("   - `max_rows`\n   - `min_rows`", []),
        ("- Rows\n    - `max_rows`\n  - Columns", []),
        ("  - `max_rows`\n    - How many", ["max rows"]),
        ("  1. `max_rows`\n  How many.", ["max rows"]),
        ("- **Note:** how many", []),
        ("[`max.rows`](max.md) | [`min.rows`](min.md)", []),
        ("- [`max.rows`](max.md), [`min.rows`](min.md)", []),
        ("[`max.rows`](max.md), [`min.rows`](min.md): how many", ["max rows", "min rows"]),
        ("| [`max.rows`](max.md) | [int](int.md) |", ["max rows"]),
        ("- `timeout`: seconds", ["timeout"]),
        ("| `HTTP`, `https` | which one |", ["http", "https"]),
        ("| **timeout** | 10 |", []),
        ("| timeout | 10 |", []),
        ("- `id`: what", ["id"]),
        ("- `ipv4`, `x509` or `S3`: what", ["ipv4", "x509", "s3"]),
        ("- `x`: what", []),
        ("- `_id`, `2fa`: what", ["id"]),
        ("- `two words`: what", []),
        ("- `client.get(path)` is explained above", []),
        ("`client.get(path)` has been removed", []),
        ("[`client.get`]: https://example.com", []),
        ("- `port_8000`: a port, `port.80`: another", ["port 8000"]),
        ("```yaml\n- max_rows: 10\n```", []),
        ("- ~~~\n  - max_rows: 10\n  ~~~\n- min_rows: 1", ["min rows"]),
    ],
)
def test_names_of_entries(text: str, names: list[str]) -> None:
    found = list_entry_names(f"Before.\n\n{text}\n\nBehind.")
    assert all(map(is_label, found))
    assert [decode_term(each) for each in found] == names


@pytest.mark.parametrize("text", ["a=_/_" * 400, "or __" * 400, "__or " * 400, "`a.b`, " * 400, "a.b/" * 400])
def test_labels_of_labels_are_looked_through_once(text: str) -> None:
    """In more than one way each would take hours."""
    assert len(list_entry_names(f"- {text}")) <= 1
    assert not make_entry_pattern("a b").search(f"- {text}")


def test_numbers_with_zeros_are_names_of_their_own() -> None:
    assert list_asked_entries("tls1.0") != list_asked_entries("tls1000") != list_asked_entries("tls1.00")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("max_rows", ["max rows"]),
        ("MaxRows", ["max rows"]),
        ("what does maxRows do?", ["max rows"]),
        ("tool list --max-rows", ["option max rows"]),
        ("MAX_ROWS and max-rows", ["max rows"]),
        ("PowerShell jobs", ["jobs"]),
        ("timeout", []),
        ("Gateway timeout?", ["gateway", "timeout"]),
        ("how can the gateway timeout", []),
        ("the timeout of that", ["timeout"]),
        ("the ipv4 timeout", ["ipv4", "timeout"]),
        ("the id of it", ["id"]),
        ("what does the timeout option of a gateway do", ["timeout"]),
        ("which options does the filter of a gateway have", []),
        ("what is the default timeout of the public gateway", ["timeout"]),
        ("what is the default value of timeout in gateways", ["timeout"]),
        ("what happens to a request when `timeout` is over", ["timeout"]),
        ("what happens to a request when timeout is over", []),
        ("which settings has the timeout parameter of max_rows", ["max rows"]),
        ("max_rows " + "and more words " * 4, []),
    ],
)
def test_names_of_a_question(question: str, names: list[str]) -> None:
    assert [decode_term(each) for each in list_asked_entries(question)] == names


@pytest.mark.parametrize(
    "head", ["Option", "**Field**", "Name", "Field name", "Parameters (required)", "Propiedad", "参数"]
)
def test_single_words_are_names_in_a_table_of_names(head: str) -> None:
    rows = "| timeout | seconds |\n| **Port** | which |\n| [host](#h) | where |\n| two words | x |\n| `a` or `mode` | |"
    text = f"| {head} | Meaning |\n|:---|---|\n{rows}"
    other = "| Other | Table |\n|---|---|\n| outside | x |"
    names = list_entry_names(f"{other}\n\n{text}\n\n| after | x |\n- behind: x")
    assert [decode_term(each) for each in names] == ["timeout", "port", "host", "mode"]
    [name] = list_entry_names(f"> | {head} | Meaning |\n> | --- | --- |\n> | timeout | x |")
    assert find_entry(text, frozenset({name})) == text.index("| timeout")


@pytest.mark.parametrize("head", ["Platform", "Domain name", "Optional", "", "Proper"])
def test_single_words_are_no_names_in_other_tables(head: str) -> None:
    assert list_entry_names(f"| {head} | Meaning |\n|---|---|\n| timeout | x |\n| **Port** | x |") == []


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("how can I change the Timeout of the gateway?", ["change", "timeout", "gateway"]),
        ("what does the timeout option of a gateway do", ["timeout"]),
        ("how can I change max_rows of the gateway", ["max rows"]),
        ("how can the timeout, or one of several others, be changed in a gateway", []),
        ("timeout", []),
    ],
)
def test_any_word_of_a_question_may_be_a_name_unless_it_has_others(question: str, names: list[str]) -> None:
    assert [decode_term(each) for each in list_possible_entries(question)] == names


def test_an_entry_is_found_by_its_name_however_it_is_spelled_and_not_where_it_is_mentioned() -> None:
    text = "With `max_rows` and `min_rows`.\n\n- `min_rows`: the fewest.\n- `max_rows`: the most.\n"
    assert find_entry(text, make_question_words("maxRows").entries) == text.index("- `max_rows`")
    assert find_entry(text, make_question_words("mean_rows").entries) is None


@pytest.mark.parametrize(
    "text",
    [
        "- `maxRows` – how many",
        "| `PORT_8000` | 10 |",
        "- `--[no-]verify`: whether to",
        "- `optionValue`: what",
        "| ID | 1 |",
        "- `S3`: where",
        "- `tls1.0`: old",
        "| Name | |\n|---|---|\n| **Port** | 1 |",
    ],
)
def test_an_entry_is_found_by_each_of_its_names(text: str) -> None:
    text = f"Before.\n\n{text}\n"
    for name in list_entry_names(text):
        assert find_entry(text, frozenset({name})) == text.rindex("\n", 0, -1) + 1


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("- **Rate limit** - how many", "rate limit"),
        ("- [Rate limit](#rate): how many", "rate limit"),
        ("- `-r`, `--rate`: how many", "--rate"),
        ("| **Rate limit** | 10 |", "Rate limit"),
    ],
)
def test_an_entry_of_any_words_is_found_by_its_label(text: str, label: str) -> None:
    found = make_entry_pattern(label).search(f"Rate limit: see below.\n{text}\n")
    assert found
    assert found.start() == len("Rate limit: see below.\n")


@pytest.mark.parametrize(
    "text",
    [
        "- Rate limits apply",
        "- The rate limit: how many",
        "Rate limit: how many",
        "x\n\nRate limits\n  How many.",
        "x\n\nRate limit, how many:\n  - Ten.",
        "x\n\nRate limit, how many.\n\n    limit 10",
        "x\n\n  The\n  rate limit\n    How many.",
        "x\n\n   - rate limit\n   - rate limits",
        "x\n\n   1. rate limit\n   2. rate limits",
    ],
)
def test_no_entry_is_called_by_what_only_mentions_it(text: str) -> None:
    assert not make_entry_pattern("rate limit").search(text)
