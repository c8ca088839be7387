"""Names with a sigil (`@Moored`, `$sail`, `--hoist`) are words of their own beside their names."""

from __future__ import annotations

import pytest

from collections_app.search.terms.names import weigh_names
from collections_app.search.terms.term import Term
from collections_app.text.analysis import make_index_text, make_query_text
from collections_app.text.analysis.lexemes import decode_term, split_term
from collections_app.text.analysis.sigils import encode_sigils, list_asked_sigils
from tests.factories import find, find_paths, make_collection, put


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`@Moored`, (@Cast) and **@tide**; @app.get", ["@moored", "@cast", "@tide", "@app"]),
        ("mail@example.org @types/node @on-deck git@host:a", []),
        ("$sail, ${MAST}, $env:KEEL and $row->oar", ["$sail", "$mast", "$env", "$row"]),
        ("%TEMP% but 5% of it, $5 and $", ["%temp%"]),
        ("[--hoist] -Recurse; --no-anchor -it a--hoist a-lower", ["--hoist", "-recurse"]),
        ("&:hover and ::before; std::vector key:value 10:30 ::-webkit", [":hover", "::before"]),
        ("#define, #[derive(A)], #![allow(b)] and {#each rows}", ["#define", "#derive", "#allow", "#each"]),
        ("C# page#part # Title ## Part #12 /#anchor", []),
        ("*.log, **/*.rs and .npmrc", ["*.log", "*.rs", ".npmrc"]),
        ("~/.hoistrc, ./.sail/mast and a//.oar", [".hoistrc", ".sail", ".oar"]),
        ("node.js ./run.sh ../up ...rest f().then a[0].b", []),
        ("<Ladder rungs={12}></Ladder> Map<String> <https://example.org> a < b", ["<ladder"]),
        ("`vec!`, println!(a) and html!{b}; ![image](a.png) Stop! (now) a!=b", ["vec!", "println!", "html!"]),
        ("@on_deck $_ @a", []),
    ],
)
def test_a_name_and_its_sigil_are_a_word(text: str, names: list[str]) -> None:
    written = [decode_term(each.lower()) for each in encode_sigils(text)]
    assert sorted(written) == sorted(names)


def test_the_same_name_is_a_word_once_however_it_is_written() -> None:
    assert encode_sigils("$mast ${mast} </Ladder> <Ladder> @tide @tide") == ["zsx24nmast", "zsx3cnLadder", "zsx40ntide"]
    assert make_index_text("@tide").split() == make_query_text("@tide").split() == ["@tide", "zsx40ntide"]


def test_a_question_may_call_out_a_name() -> None:
    assert list_asked_sigils("what does vec! do with @Moored") == ["@Moored", "vec!"]


def test_the_part_of_a_name_with_a_sigil_is_the_name() -> None:
    assert [split_term(term) for term in ("zsx40ntide", "zsx21nvec", "zst", "zsx40")] == [["tide"], ["vec"], [], []]


PLAIN = {f"{n}.md": f"# Force {n}\n\nA force, and the force of it. Each force is a force.\n" for n in range(12)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["@force", "$force", "${force}", "--force", "-Force", "::force", "#force", "*.force", "<Force>", "force!"]
)
def test_who_asks_for_a_name_with_its_sigil_gets_the_section_that_has_it(name: str) -> None:
    collection = make_collection()
    put(collection, {**PLAIN, "own.md": f"# Winch\n\nOf all that a winch has, ends with `{name}` in it.\n"})
    assert find_paths(collection, name)[0] == "own.md"
    assert find_paths(collection, f"when to use {name}")[0] == "own.md"
    assert find_paths(collection, "force")[0] != "own.md"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["@all", "{#each}", ":not", "$this"])
def test_a_stop_word_with_a_sigil_is_found(name: str) -> None:
    collection = make_collection()
    put(collection, {**PLAIN, "own.md": f"# Winch\n\n```\n{name}\n```\n"})
    assert find_paths(collection, name)[0] == "own.md"


@pytest.mark.django_db
@pytest.mark.parametrize("name", [".hoistrc", "~/.hoistrc", "$HOME/.hoistrc"])
def test_a_hidden_file_is_found_in_any_folder(name: str) -> None:
    collection = make_collection()
    put(collection, {**PLAIN, "own.md": "# Winch\n\nIt reads `~/.hoistrc`.\n"})
    assert find_paths(collection, name)[0] == "own.md"


@pytest.mark.django_db
def test_a_name_that_documents_write_without_the_sigil_is_found_and_not_missing() -> None:
    collection = make_collection()
    put(collection, {"own.md": "# Winch\n\nIt is moored.\n", "other.md": "# Mast\n\nNothing.\n"})
    found = find(collection, "@moored")
    assert [hit.path for hit in found.hits] == ["own.md"]
    assert found.words == ()


@pytest.mark.parametrize(("words", "idf"), [(["winch"], 4.0), (["harbour", "lantern", "winch"], 3.0)])
def test_a_sigil_counts_in_full_where_little_else_is_asked(words: list[str], idf: float) -> None:
    terms = [Term("zsx40ntide", 1, 4.0, 1.0), Term("tide", 5, 1.0, 0.5), *(Term(word, 9, 1.0, 1.0) for word in words)]
    assert {term.lexeme: term.idf for term in weigh_names(terms)}["zsx40ntide"] == idf


@pytest.mark.django_db
def test_a_snippet_shows_the_name_as_it_is_asked_for() -> None:
    collection = make_collection()
    padding = "Words of no weight go on and on. " * 30
    put(collection, {"own.md": f"# Winch\n\nAbout a moored one.\n\n{padding}\n\nUse `@Moored` here.\n\n{padding}\n"})
    assert "@Moored" in find(collection, "@Moored").hits[0].snippet


@pytest.mark.django_db
def test_both_of_two_stop_words_with_a_sigil_are_found_where_they_are_compared() -> None:
    collection = make_collection()
    crowd = {f"{n}.md": f"# `@Before` {n}\n\nOf `@Before`, and of `@Before` again.\n" for n in range(8)}
    padding = "Words of no weight go on and on. " * 30
    put(collection, {**PLAIN, **crowd, "own.md": f"# Winch\n\n{padding} `@After` {padding}\n"})
    assert "own.md" in find_paths(collection, "difference between @Before and @After")[:4]
