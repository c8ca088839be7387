"""Operators, names that end in signs or have underscores, and addresses are found and told apart."""

from __future__ import annotations

import pytest

from collections_app.models import SectionVector
from collections_app.search.terms.names import weigh_names
from collections_app.search.terms.term import Term
from collections_app.text.analysis import make_index_text, make_query_text
from collections_app.text.analysis.identifiers import encode_names, split_asked_identifier, split_identifier
from collections_app.text.analysis.lexemes import decode_term, split_name
from collections_app.text.analysis.signs import encode_signs
from collections_app.text.analysis.unspaced import pair_unspaced
from tests.factories import find, find_paths, make_collection, put


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("a @> b, or `->>`: x != y.", ["@>", "->>", "!="]),
        ("(C++) and C#, g++: C++17", ["c++", "c#", "g++"]),
        ("a && b && c || d", ["&&", "||"]),
        ("## Title\n\n| a | b |\n|---|:-:|\n\n--- *** ... === a -- b ~~~ +--+", []),
        ("run -it, `-X` [--all]", ["-it", "-X", "--all"]),
        ("well-fed a.-b --no-cache -hitch - list 1-a -", []),
        ("--no-cache **bold** a/b http://x/y #anchor page#part *args", []),
        ("`$_.Name`, ($_) and $_", ["$_"]),
        ("$_x my$_ $$_ a_", []),
        ("`!!` and `?.`, `...`; a ?? b and 1 .. 9", ["!!", "?.", "...", "??", ".."]),
        ("Really?! Yes... wait!! `and...` so ... on. Well ..", []),
        ("Errors: The ? Operator. And `&`, (`*`) or `|`", ["?", "&", "*", "|"]),
        ("| Operator | Use |\n- operator\n# Operators\n`a`/`b` ``!`` why? operator", []),
    ],
)
def test_signs_that_stand_by_themselves_are_words(text: str, signs: list[str]) -> None:
    assert [decode_term(each) for each in encode_signs(text)] == signs


@pytest.mark.parametrize(
    ("question", "signs"),
    [
        ("what does the !! operator do", ["!!"]),
        ("how ?. works", ["?."]),
        ("winch ??", ["??"]),
        ("... operator", ["..."]),
        ("use `...` in a call", ["..."]),
        ("it fails with Error: load ... config, why??", []),
        ("is there no other way ??", []),
        ("please help me !!", []),
        ("? operator", ["?"]),
        ("what does the & capture operator do", ["&"]),
        ("% alias and `$`", ["%", "$"]),
        ("?", ["?"]),
        ("a & b, is that so ?", []),
    ],
)
def test_a_pause_is_an_operator_where_a_question_goes_on_behind_it(question: str, signs: list[str]) -> None:
    assert [decode_term(each) for each in encode_signs(question, is_question=True)] == signs


@pytest.mark.django_db
@pytest.mark.parametrize("operator", ["@>", "->>", "@@", "!=", "<=>", "$_", "!!", "??", "?."])
def test_an_operator_is_found(operator: str) -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Page {n}\n\nThe operator `{each}` is here.\n" for n, each in enumerate("ab")})
    put(collection, {"own.md": f"# Operators\n\nSelect `a {operator} b` from it.\n"})
    assert find_paths(collection, operator) == ["own.md"]
    assert find_paths(collection, f"what does {operator} do")[0] == "own.md"


@pytest.mark.django_db
@pytest.mark.parametrize("operator", ["?", "&", "*", "!"])
def test_an_operator_of_one_sign_is_found_where_it_is_code_or_called_so(operator: str) -> None:
    collection = make_collection()
    put(collection, {"list.md": "# Operators\n\n* Is it an operator? Sales & support!\n"})
    put(collection, {"own.md": f"# Errors\n\n## A shortcut: the `{operator}` operator\n\nIt ends the function.\n"})
    assert find_paths(collection, operator) == ["own.md"]
    assert find_paths(collection, f"the {operator} operator")[0] == "own.md"


@pytest.mark.django_db
@pytest.mark.parametrize("option", ["-it", "-X", "--all", "-a"])
def test_an_option_is_found_though_its_word_is_in_every_text(option: str) -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Winch {n}\n\nRun a winch: it is for all, X and x, `winch -x`.\n" for n in range(5)})
    put(collection, {"own.md": f"# How to run a load\n\nRun it as `winch {option}` at all times, and x.\n"})
    assert find_paths(collection, f"winch {option} run")[0] == "own.md"
    assert find_paths(collection, f"winch run {option}")[0] == "own.md"


@pytest.mark.django_db
def test_an_option_that_no_document_has_is_not_told_as_missing() -> None:
    collection = make_collection()
    put(collection, {"a.md": "# Winch\n\nRun a winch.\n"})
    assert not find(collection, "run -as winch").words


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "path"), [("C++", "cpp.md"), ("c++", "cpp.md"), ("C#", "cs.md"), ("C", "c.md")])
def test_languages_of_one_letter_are_told_apart(name: str, path: str) -> None:
    collection = make_collection()
    pages = {"c.md": "C", "cs.md": "C#", "cpp.md": "C++"}
    put(collection, {path: f"# {name} client\n\nThe {name} client connects.\n" for path, name in pages.items()})
    hits = find(collection, f"{name} client").hits
    if name != "C":  # which the others' names begin with
        assert hits[0].path == path
        assert hits[0].score > hits[1].score
    assert {hit.path for hit in hits} == set(pages)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("set `OUT_DIR`, or max__ack_2.", ["out_dir", "max_ack_2"]),
        ("__meta_pod_name=x a.b_c/d_e", ["meta_pod_name", "b_c", "d_e"]),
        ("__init__ 1_000 x_ _ 0x5f3a _emphasis_", []),
    ],
)
def test_names_with_underscores_are_words(text: str, names: list[str]) -> None:
    assert [decode_term(each.lower()) for each in encode_names(text)] == names


def test_other_words_have_no_parts_of_names() -> None:
    assert [split_name(term) for term in ("0x5f3a", "x5f", "ax5f", "connect", "ax5fb")] == [[], [], [], [], ["a", "b"]]
    assert not any(split_name(pair) for pair in pair_unspaced("形式か形").split())


@pytest.mark.parametrize(
    ("lexeme", "idf"),
    [
        ("maxx5fconnections", (1.0, 0.0)),
        ("max.connections.org/other", (0.0, 0.0)),
        ("maxx5fother", (0.0, 0.0)),
        ("opx2dx6dx61x78", (3.0, 0.5)),
        ("7.2", (4.0, 1.0)),
        ("single", (4.0, 1.0)),
    ],
)
def test_a_name_counts_for_what_it_is_rarer_than_its_parts(lexeme: str, idf: tuple[float, float]) -> None:
    parts = [Term("connect", 5, 2.0, 1.5), Term("max", 9, 1.0, 0.5), Term("other", 9, 3.0, 0.5), Term("7", 2, 5.0, 2.0)]
    words = [Term(word, 9, 1.0, 1.0) for word in ("harbour", "lantern", "winch")]
    terms = [Term(lexeme, 1, 4.0, 1.0), *parts, *words]
    weighed = {term.lexeme: (term.idf, term.page_idf) for term in weigh_names(terms)}
    assert weighed.pop(lexeme) == idf
    assert weighed == {term.lexeme: (term.idf, term.page_idf) for term in (*parts, *words)}


@pytest.mark.parametrize(
    ("lexeme", "words", "idf"),
    [
        ("maxx5fconnections", [], 4.0),
        ("max.connections", ["harbour", "lantern"], 4.0),
        ("max.connections", ["harbour", "lantern", "winch"], 1.0),
        ("max-connections", [], 1.0),
        ("max.connections.org/other", [], 1.0),
    ],
)
def test_an_identifier_counts_in_full_where_little_else_is_asked(lexeme: str, words: list[str], idf: float) -> None:
    parts = [Term("connect", 5, 2.0, 1.5), Term("max", 9, 1.0, 0.5)]
    weighed = weigh_names([Term(lexeme, 1, 4.0, 1.0), *parts, *(Term(word, 9, 1.0, 1.0) for word in words)])
    assert {term.lexeme: term.idf for term in weighed}[lexeme] == idf


@pytest.mark.parametrize(("positions", "left"), [((4,), ["opx2dx68", "winch"]), ((2, 4), ["h", "opx2dx68", "winch"])])
def test_the_letter_of_an_option_is_no_word(positions: tuple[int, ...], left: list[str]) -> None:
    option, letter = Term("opx2dx68", 5, 2.0, 1.5, positions=(9,)), Term("h", 9, 1.0, 0.5, positions=positions)
    weighed = list(weigh_names([letter, option, Term("winch", 9, 3.0, 0.5, positions=(1,))]))
    assert sorted(term.lexeme for term in weighed) == left
    assert next(term for term in weighed if term.lexeme == "opx2dx68").idf == (1.0 if "h" in left else 2.0)


def make_numbers(version: Term, *, alone: bool = False) -> list[Term]:
    """A version of a question and its numbers, each behind it, the first by itself too where `alone`."""
    numbers = version.lexeme.removeprefix("v").split(".")
    return [version] + [
        Term(number, 9, 1.0, 1.0, (at, 20) if alone and at == 10 else (at,)) for at, number in enumerate(numbers, 10)
    ]


@pytest.mark.parametrize(
    ("terms", "left"),
    [
        (make_numbers(Term("1.7.8", 0, 9.0, 9.0, (1,))), ["1.7.8"]),
        (make_numbers(Term("1.7.8", 3, 9.0, 9.0, (1,))), ["1.7.8"]),
        (make_numbers(Term("v2.70", 0, 9.0, 9.0, (1,))), ["v2.70"]),
        (
            make_numbers(Term("winch2.4", 0, 9.0, 9.0, (1,)))[:1] + make_numbers(Term("2.4", 0, 9.0, 9.0))[1:],
            ["winch2.4"],
        ),
        (make_numbers(Term("15.4", 0, 9.0, 9.0, (1,))), ["15.4", "15"]),
        ([Term("1.7.8", 0, 9.0, 9.0, (1, 5)), Term("7", 9, 1.0, 1.0, (10, 20))], ["1.7.8"]),
        (make_numbers(Term("7.4", 3, 9.0, 9.0, (1,))), ["7.4", "7", "4"]),
        (make_numbers(Term("7.4", 0, 9.0, 9.0, (1,), elsewhere=3)), ["7.4", "7", "4"]),
        (make_numbers(Term("7.4", 0, 9.0, 9.0, (1,)), alone=True), ["7.4", "7"]),
    ],
)
def test_the_numbers_of_versions_tell_something_where_two_are_known_together(
    terms: list[Term], left: list[str]
) -> None:
    assert [term.lexeme for term in weigh_names(terms)] == left


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("what is new in release 1.7.3", "release-1.7.md"),
        ("what is new in release v1.7.3", "release-1.7.md"),
        ("upgrade the winch to 15.4", "winch15.md"),
        ("what does winch 15.0.2 need", "winch15.md"),
    ],
)
def test_a_version_that_nobody_has_is_found_by_its_series_or_its_first_number(question: str, path: str) -> None:
    collection = make_collection()
    put(collection, {f"release-1.{n}.md": f"# Release 1.{n}\n\nWhat is new in release 1.{n}.\n" for n in range(5, 9)})
    put(collection, {f"winch{n}.md": f"# Winch {n}\n\nUpgrade the winch {n}.\n" for n in range(13, 18)})
    assert find_paths(collection, question)[0] == path


def test_of_a_version_that_there_is_the_series_tells_nothing() -> None:
    def ask(sections: int) -> list[Term]:
        version, series = Term("1.7.8", sections, 9.0, 9.0, (1,)), Term("1.7", 5, 1.0, 1.0, (9,))
        return [term for term in weigh_names([version, series]) if term.lexeme == "1.7"]

    assert ask(2) == []
    [weak] = ask(0)
    assert 0 < weak.idf < 1


@pytest.mark.django_db
def test_a_version_is_no_number_of_others() -> None:
    collection = make_collection()
    put(collection, {"arrays.md": "# Arrays\n\n" + "1, 7, 8, 2, 0 and 9: from 7 8 to 0 9.\n" * 5})
    put(collection, {"upgrade.md": "# Upgrade\n\nHow to upgrade, and where data is.\n"})
    assert find_paths(collection, "no data from 1.7.8 when upgrading to 2.0.9")[0] == "upgrade.md"


def test_only_names_that_older_rows_lack_are_left_out() -> None:
    nowhere = [Term(lexeme, 0, 9.0, 9.0) for lexeme in ("maxx5fgone", "gone", "max.gone")]
    assert [term.lexeme for term in weigh_names(nowhere)] == ["gone", "max.gone"]


@pytest.mark.django_db
def test_a_name_of_a_stop_word_and_a_common_one_is_found() -> None:
    collection = make_collection()
    put(collection, {f"{n}.md": f"# Dir {n}\n\nThe dir {n}, and the dir above that dir.\n" for n in range(12)})
    put(collection, {"script.md": "# Script\n\nWhat it writes goes to what `OUT_DIR` names, a path.\n"})
    assert find_paths(collection, "OUT_DIR")[0] == "script.md"
    assert not find(collection, "OUT_DIR").words


@pytest.mark.django_db
def test_names_make_no_section_longer() -> None:
    collection = make_collection()
    put(collection, {"names.md": "# A\n\nset out_dir, max_size\n", "pairs.md": "# B\n\n形か形\n"})
    vectors = SectionVector.objects.filter(document__collection=collection).order_by("document__path")
    # The path, `set`, and twice `dir`, `max` and `size`; the path, thrice `b`, two pairs, and a character by itself.
    assert list(vectors.values_list("words", flat=True)) == [8, 7]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("example.com/os: linux", "example.com/os : linux"),
        ("(see example.com/os).", "(see example.com/os )."),
        ("`example.com/os:`", "`example.com/os :`"),
        ("example.com/os/ a/b:c 7: and/or", "example.com/os/ a/b:c 7: and/or"),
    ],
)
def test_what_stands_behind_an_address_is_set_apart(text: str, end: str) -> None:
    assert make_index_text(text).split("\n")[0] == end


@pytest.mark.django_db
def test_an_address_is_found_as_a_key_too() -> None:
    collection = make_collection()
    put(collection, {"labels.md": "# Labels\n\n```yaml\nexample.com/tier-name: front\n```\n"})
    found = find(collection, "example.com/tier-name")
    assert [hit.path for hit in found.hits] == ["labels.md"]
    assert not found.words


TAGS = (
    "# Elements\n\nPut `<style media='print'>` into the head, then a `<Ladder rungs={12}>` beside `Map<Halyard, Sheet>`.\n"
    "Only `<script>` comes after the winch.\n"
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "<style>",
        "style media",
        "<Ladder rungs>",
        "<Ladder rungs={12}>",
        "rungs",
        "Map<Halyard>",
        "halyard",
        "winch",
        "<style> winch",
        '"script comes after"',
        "</script>",
    ],
)
def test_tags_and_what_follows_them_are_words(question: str) -> None:
    collection = make_collection()
    put(collection, {"own.md": TAGS, "other.md": "# Other\n\nNothing of it.\n"})
    found = find(collection, question)
    assert [hit.path for hit in found.hits] == ["own.md"]
    assert found.words == ()


@pytest.mark.django_db
def test_operators_with_the_sign_of_a_tag_are_still_found() -> None:
    collection = make_collection()
    put(collection, {"own.md": "# Order\n\n`a <= b` and `<b>`.\n", "other.md": "# Order\n\n`a = b` and `<b>`.\n"})
    assert find_paths(collection, "<=") == ["own.md"]


@pytest.mark.django_db
def test_where_links_lead_is_no_word_and_what_they_say_is() -> None:
    collection = make_collection()
    put(
        collection,
        {"own.md": "# Masts\n\nSee [rigging](https://halyard.example.org/sheets) or https://boom.example.org.\n"},
    )
    assert find_paths(collection, "rigging") == ["own.md"]
    assert find_paths(collection, "boom.example.org") == ["own.md"]
    assert find_paths(collection, "halyard sheets") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("heading", "words"),
    [("OpenTelemetry", 1), ("The OpenTelemetry collector", 2), ("`-X`", 1), ("C++", 1), ("Masts", 1)],
)
def test_a_heading_has_as_many_words_as_who_writes_its_names_as_words_asks_with(heading: str, words: int) -> None:
    collection = make_collection()
    put(collection, {"own.md": f"# Page\n\n## {heading}\n\nText.\n"})
    assert (
        SectionVector.objects.filter(section__heading=heading.replace("`", ""))
        .values_list("heading_words", flat=True)
        .get()
        == words
    )


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["HTTPSession", "http session", "session", "LRUCache", "lru cache", "cache"])
def test_names_with_an_abbreviation_are_found_whole_and_by_part(question: str) -> None:
    collection = make_collection()
    put(
        collection,
        {"own.md": "# Classes\n\nSee `HTTPSession` and `boat.util.LRUCache.hits`.\n", "other.md": "# A\n\nb\n"},
    )
    found = find(collection, question)
    assert [hit.path for hit in found.hits] == ["own.md"]
    assert found.words == ()


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("HTTPSession", ("HTTP", "Session")),
        ("a.b.LRUCache", ("a", "b", "LRU", "Cache", "LRUCache")),
        ("URLs", ()),
        ("OSes", ()),
        ("IPv4", ()),
        ("HTTP", ()),
    ],
)
def test_where_a_name_has_its_parts(word: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(word) == parts


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("neo4j.conf", ("neo4j", "conf")),
        ("k8s.io/useEffect", ("k8s", "io", "use", "Effect", "useEffect")),
        ("log4j2.xml", ("log4j2", "xml")),
        ("asyncio.run", ("asyncio", "run")),
        ("a1b_c.d", split_identifier("a1b_c.d")),
        ("neo4j", ()),
        ("getBase64Url", split_identifier("getBase64Url")),
        ("readUInt8At", split_identifier("readUInt8At")),
    ],
)
def test_who_asks_for_a_name_with_a_number_means_no_number(word: str, parts: tuple[str, ...]) -> None:
    assert split_asked_identifier(word) == parts


def test_a_name_beside_whose_stop_words_one_word_is_left_is_found_by_all_of_it(db: None) -> None:
    docs = make_collection()
    events = {f"{n}.md": f"# Event {n}\n\n## Events of an event\n\nThe event, an event.\n" for n in range(9)}
    put(docs, {**events, "hook.md": "# Hooks\n\nUse `app.on_event` there.\n"})
    assert find_paths(docs, "on_event")[0] == "hook.md"


@pytest.mark.django_db
def test_signs_that_join_what_is_asked_for_are_not_searched_themselves() -> None:
    """Whether a sign by itself is a word depends on the database's locale, so what is asked is looked at too."""
    collection = make_collection()
    put(
        collection,
        {
            "routes.md": "# Routes\n\nA redirect of the routing.\n",
            "arrows.md": "# Arrows\n\nOne → two → three — all →.\n",
        },
    )
    assert find_paths(collection, "routing → redirect — routes") == ["routes.md"]
    assert make_query_text("routing → redirect — routes").split() == ["routing", "redirect", "routes"]
    assert make_query_text("what does → mean") == "what does → mean"
    assert make_query_text("→ key") == "→ key"
