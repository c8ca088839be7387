from __future__ import annotations

import pytest

from collections_app.answering.passages import (
    CONTEXT_TOKENS,
    MAX_PASSAGES,
    PASSAGE_TOKENS,
    PASSAGES_OF_A_PAGE,
    choose_passages,
    choose_window,
    make_telling_words,
)
from collections_app.answering.results import Passage
from collections_app.documents import get_document, get_sections
from collections_app.models import Collection
from collections_app.text.passages.question_words import make_question_words
from collections_app.text.tokens import estimate_tokens
from tests.factories import find, make_collection, put

pytestmark = pytest.mark.django_db
FILLER = "\n\n".join(f"Filler paragraph number {n} says nothing of interest to anybody here." for n in range(400))


@pytest.fixture
def collection() -> Collection:
    return make_collection("manual")


def choose(collection: Collection, question: str) -> tuple[Passage, ...]:
    words = make_telling_words(question, [collection.language])
    return choose_passages(words, find(collection, question, limit=16).hits)


def read(collection: Collection, passage: Passage) -> str:
    document = get_document([collection], passage.hit.path)
    return get_sections(document, [passage.hit.section_id])[0].text


def test_each_is_a_piece_of_its_section_as_it_is_read(collection: Collection) -> None:
    put(collection, {f"{n}.md": f"# Page {n}\n\n{FILLER}\n\nThe llama sleeps.\n\n## Sub\n\nllama\n" for n in range(3)})
    passages = choose(collection, "where does the llama sleep")
    assert len(passages) > 2
    for passage in passages:
        assert passage.text in read(collection, passage)


def test_filler_lines_are_in_none(collection: Collection) -> None:
    put(collection, {"oars.md": "# Oars\n\nOars of ash.\n\n\n\n\n\n\nOars of oak.\n"})
    assert [passage.text for passage in choose(collection, "oars")] == ["# Oars\n\nOars of ash.\n\nOars of oak.\n"]


def test_of_a_long_section_it_is_the_part_that_answers(collection: Collection) -> None:
    put(collection, {"a.md": f"# A\n\n{FILLER}\n\nThe llama sleeps in the barn.\n\n{FILLER}\n"})
    [passage] = choose(collection, "where does the llama sleep")
    assert "The llama sleeps in the barn." in passage.text
    assert estimate_tokens(passage.text) <= PASSAGE_TOKENS


def test_a_short_section_is_read_on_into_its_subsections_once(collection: Collection) -> None:
    put(collection, {"a.md": "# Llamas\n\n## Food\n\nLlamas eat grass.\n\n## Sleep\n\nLlamas sleep at night.\n"})
    passages = choose(collection, "llamas")
    texts = "".join(passage.text for passage in passages)
    assert texts.count("Llamas eat grass.") == texts.count("Llamas sleep at night.") == 1


def test_they_keep_to_the_budget_and_come_from_several_pages(collection: Collection) -> None:
    body = "The llama is fine. " * 30
    long = "\n\n".join(f"## Part {n}\n\n{body}" for n in range(9))
    put(collection, {f"{n}.md": f"# Llama {n}\n\n{long}" for n in range(5)})
    passages = choose(collection, "llama")
    assert [passage.number for passage in passages] == list(range(1, len(passages) + 1))
    assert len(passages) <= MAX_PASSAGES
    assert sum(estimate_tokens(passage.text) for passage in passages) <= CONTEXT_TOKENS
    pages = [passage.hit.document_id for passage in passages]
    assert len(set(pages)) > 1
    assert max(map(pages.count, pages)) <= PASSAGES_OF_A_PAGE


def test_a_section_that_is_gone_by_now_is_left_out(collection: Collection) -> None:
    put(collection, {"a.md": "# Llama\n\nsleeps\n"})
    hits = find(collection, "llama").hits
    put(collection, {"a.md": "# Alpaca\n\nsleeps\n"})
    assert choose_passages(make_question_words("llama"), hits) == ()


@pytest.mark.parametrize("text", ["word " * 5000, "x" * 20_000, "語" * 5000, "a\n\n" * 5000])
def test_a_window_fits_whatever_the_text(text: str) -> None:
    window = choose_window(text, make_question_words("word"), 100)
    assert window in text
    assert 0 < estimate_tokens(window) <= 100


class TestWindow:
    WORDS = make_question_words("where does the llama sleep")

    def test_a_heading_is_not_what_answers(self) -> None:
        text = f"# Where the llama sleeps\n\n{FILLER}\n\nThe llama has a barn.\n"
        assert choose_window(text, self.WORDS, 50).rstrip().endswith("The llama has a barn.")

    def test_what_leads_in_to_a_list_has_half_of_the_room(self) -> None:
        lead = "Of animals, and when each of these goes home for a rest:"
        text = f"{FILLER}\n\n{lead}\n\n- A dog.\n- A llama, which sleeps.\n\n{FILLER}"
        words = make_question_words("where does the llama sleep", {"where", "does", "the"})
        assert choose_window(text, words, 60).startswith(f"{lead}\n\n- A dog.")
        assert choose_window(text, words, 15).startswith("- A dog.\n- A llama, which sleeps.")

    def test_of_a_long_paragraph_it_is_the_lines_that_answer(self) -> None:
        lines = [f"- Item {n} says nothing of interest to anybody here.\n" for n in range(90)]
        text = "".join([*lines[:60], "- The llama sleeps in the barn.\n", *lines[60:]])
        window = choose_window(text, self.WORDS, 60)
        assert window.startswith("- The llama sleeps in the barn.\n- Item 60 ")
        assert estimate_tokens(window) <= 60

    @pytest.mark.parametrize("entry", ["- `max_llamas`: a number, 3.\n", "| `max_llamas` | 3 |\n"])
    @pytest.mark.parametrize("between", ["", "\n"])
    def test_of_entries_it_is_the_one_whose_name_is_asked_for(self, entry: str, between: str) -> None:
        others = [f"- `barn_{n}`: where the default is a value for the client.{between}\n" for n in range(60)]
        told = "The default value of the client is `max_llamas` there.\n\n"
        text = "".join([told, *others, "\n", entry, "\n", *others])
        words = make_question_words("default value of max_llamas for the client", {"of", "for", "the"})
        assert choose_window(text, words, 60).startswith(entry)
        table = "| Name | Default |\n|---|---|\n" + "| `barn` | default value for the client |\n" * 60
        assert entry in choose_window(f"{table}{entry}{table}", words, 60)

    def test_an_entry_called_by_any_word_of_a_sentence_comes_after_what_has_more_of_the_words(self) -> None:
        rows = "".join(f"- `barn{n}`: of the barn.\n" for n in range(60))
        told = "Somebody feeds each sleeping llama at night.\n"
        words = make_question_words("how to feed a sleeping llama at night", {"how", "to", "a", "at"})
        assert told in choose_window(f"- `feed`: hay.\n{rows}{told}{rows}", words, 60)

    def test_of_a_long_line_it_is_the_sentences_that_answer(self) -> None:
        sentences = [f"Sentence {n} says nothing of interest to anybody here. " for n in range(90)]
        window = choose_window("".join([*sentences[:60], "The llama sleeps. ", *sentences[60:]]), self.WORDS, 60)
        assert window.startswith("The llama sleeps. Sentence 60 ")

    def test_what_a_sentence_tells_of_comes_with_it_and_code_keeps_its_blank_lines(self) -> None:
        code = "```sh\nfeed llama\n\nstroke llama\n```\n"
        text = f"{FILLER}\n\nThe llama sleeps so:\n\n{code}\nThat is all.\n\n{FILLER}"
        assert choose_window(text, self.WORDS, 30).startswith(f"The llama sleeps so:\n\n{code}")
        long = f"{FILLER}\n\nThe llama sleeps so:\n\n```sh\n" + "step\n\n" * 300 + "```\n"
        window = choose_window(long, self.WORDS, 100)
        assert window.startswith("The llama sleeps so:\n\n```sh\nstep\n\nstep\n")
        assert 90 < estimate_tokens(window) <= 100
