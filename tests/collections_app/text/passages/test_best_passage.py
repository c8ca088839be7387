from __future__ import annotations

import pytest

from collections_app.text.passages.best_passage import blank_contents, find_beginning, find_telling, prefer_prose
from collections_app.text.passages.question_words import fold_in_place, make_question_words

LIST = (
    "# Tasks\n\nA worker takes a task.\n\nThe worker acknowledges it even then. This is intentional as...\n\n"
    "1. Tasks that crash would crash again.\n2. A task that takes too much memory is killed.\n\nThe end.\n"
)


def begin(text: str, question: str, most_before: int = 1_000) -> str:
    """What stands from where one begins on."""
    found = prefer_prose(text, make_question_words(question).find(fold_in_place(text)))
    return text[find_beginning(text, find_telling(found), most_before) :]


def test_a_word_that_is_rare_in_the_text_tells_more_than_two_that_are_everywhere() -> None:
    common = "The worker has a queue, and the queue a worker.\n\n" * 20
    text = f"{common}{'Filler of no use. ' * 40}\n\nA sentinel watches.\n\n{'Filler of no use. ' * 40}"
    assert begin(text, "worker queue sentinel").startswith("A sentinel")


def test_several_words_tell_more_than_one_that_is_repeated() -> None:
    far = "Filler of no use. " * 40
    text = f"A chord, a chord, a chord.\n\n{far}\n\nA group is no chord.\n\nA group. {far}"
    assert begin(text, "group or chord").startswith("A group is no chord.")


def test_it_begins_behind_what_has_only_the_commonest_word() -> None:
    text = "The default is 1.\n\n" * 50 + "The anchor has a depth, by default 40.\n\n" + "The default is 2.\n\n" * 50
    assert begin(text, "default anchor depth").startswith("The anchor has")


def test_nothing_is_passed_over_that_has_all_of_the_words() -> None:
    rows = "".join(f"| sail {number} | canvas |\n" for number in range(100))
    text = f"{rows}| jib A | of silk |\n| jib B | of silk |\n| jib C | of silk |\n{rows}"
    assert begin(text, "jib").startswith("| jib A |")
    assert begin(text, "jibs of silk").startswith("| jib A |")
    assert begin(text, "jib C silk sails").startswith("| jib A |")


def test_words_in_code_count_where_the_prose_has_none() -> None:
    code = "```python\nchain(group(), chord())\nretry()\n```\n\n"
    text = f"{code}{'Filler of no use. ' * 40}\n\nA chord is a group in a chain.\n"
    assert begin(text, "chain group chord").startswith("A chord is")
    assert begin(text, "retry").startswith("```python")


class TestLists:
    def test_an_item_is_begun_with_what_leads_in_to_its_list(self) -> None:
        assert begin(LIST, "killed memory").startswith("The worker acknowledges it even then.")

    def test_a_list_without_one_is_begun_with_its_first_item(self) -> None:
        for lead in ("# Kinds", "| a |\n|---|\n| b |", "```\ncode\n```"):
            text = f"Words.\n\n{lead}\n\n- `group`\n\n  > Many.\n\n- `chord`\n\n  > One that waits.\n"
            assert begin(text, "waits").startswith("- `group`")

    def test_of_a_long_list_it_is_the_item(self) -> None:
        items = "".join(f"- `sail{n}`\n\n  There are {n}.\n\n" for n in range(100))
        assert begin(f"So:\n\n{items}- `jib`\n\n  It waits.\n", "waits").startswith("- `jib`")

    def test_not_where_that_is_too_far_for_the_answer(self) -> None:
        assert begin(LIST, "killed memory", 100).startswith("1. Tasks")
        assert begin(LIST, "killed memory", 40).startswith("2. A task")


@pytest.mark.parametrize("mark", ["- ", "    * ", "1. ", "> - "])
def test_a_table_of_contents_is_blank(mark: str) -> None:
    text = f"# Queues\n\n{mark}[Delayed jobs](#delayed-jobs)\n{mark}[Others](other.md#jobs)\n"
    blank = blank_contents(text)
    assert len(blank) == len(text)
    assert "Delayed" not in blank
    assert "Others" in blank
