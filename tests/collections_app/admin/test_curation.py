"""Synonyms and pins on their collection's page: what cannot work is refused there too, and two windows do not undo each other."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.curating import add_pin, add_synonym
from collections_app.models import Collection, Pin, Synonym
from tests.factories import make_collection, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def docs() -> Collection:
    collection = make_collection("manual")
    put(collection, {"fees.md": "# Fees\n\nForty.\n\n## Guests\n\nFive.\n", "rules.md": "# Rules\n\nQuiet.\n"})
    return collection


def test_each_field_of_a_row_has_a_name_for_screen_readers(admin: Client, docs: Collection) -> None:
    add_synonym(docs, "dues", "fees")
    page = admin.get(find_address(docs)).content.decode()
    rows = re.findall(r'<(?:input|select)[^>]+name="(?:synonyms|pins)-(?:0|__prefix__)-[^>]+>', page)
    shown = [row for row in rows if 'type="hidden"' not in row]
    assert [row for row in shown if "aria-label=" not in row] == []
    assert any('aria-label="Term"' in row for row in shown)


def test_a_section_id_is_typed_into_a_line(admin: Client, docs: Collection) -> None:
    page = admin.get(find_address(docs)).content.decode()
    assert re.search(r'<input[^>]+name="pins-__prefix__-section_id"', page)
    assert '<textarea name="pins-' not in page


def find_address(docs: Collection) -> str:
    return reverse("admin:collections_app_collection_change", args=[docs.pk])


def open_window(admin: Client, docs: Collection) -> dict[str, str]:
    """What a browser would send of the page if nobody touched it."""
    page = admin.get(find_address(docs)).context
    formsets = [inline.formset for inline in page["inline_admin_formsets"]]
    sent: dict[str, Any] = {}
    for form in [
        page["adminform"].form,
        *(each for formset in formsets for each in (formset.management_form, *formset)),
    ]:
        for field in form:
            sent[field.html_name] = field.value()
            if field.field.show_hidden_initial:
                sent[field.html_initial_name] = field.initial
    return {name: str(value) for name, value in sent.items() if value is not None and value is not False}


def save(admin: Client, docs: Collection, window: dict[str, str], **changed: str) -> Any:
    return admin.post(find_address(docs), window | changed)


def new_pin(question: str, path: str, section_id: str = "") -> dict[str, str]:
    row = {"question": question, "path": path, "section_id": section_id, "position": "0"}
    return {"pins-TOTAL_FORMS": "1", **{f"pins-0-{name}": value for name, value in row.items()}}


class TestRowsAreChecked:
    def test_a_pin_to_a_page_that_is_not_there_is_refused(self, admin: Client, docs: Collection) -> None:
        page = save(admin, docs, open_window(admin, docs), **new_pin("what it costs", "fee.md"))
        assert "manual has no page &#x27;fee.md&#x27;. The closest: fees.md." in page.content.decode()
        assert not Pin.objects.exists()

    def test_a_form_has_no_more_rows_than_were_sent(self, admin: Client, docs: Collection) -> None:
        more = {"pins-TOTAL_FORMS": "9223372036854775808"}
        page = save(admin, docs, open_window(admin, docs), **(new_pin("what it costs", "fee.md") | more))
        assert page.content.decode().count('name="pins-') < 50

    def test_a_pin_to_a_page_that_nothing_resembles_is_told_so(self, admin: Client, docs: Collection) -> None:
        page = save(admin, docs, open_window(admin, docs), **new_pin("what it costs", "xyzzy-quux-12345"))
        said = "manual has no page &#x27;xyzzy-quux-12345&#x27;. Nothing there is called nearly so: copy the path from"
        assert said in page.content.decode()

    def test_a_page_of_another_collection_is_told(self, admin: Client, docs: Collection) -> None:
        other = make_collection("club", tenant=docs.tenant)
        put(other, {"boats.md": "# Boats\n"})
        put(make_collection("club"), {"boats.md": "# Boats of another tenant\n"})
        page = save(admin, docs, open_window(admin, docs), **new_pin("boats", "./boats"))
        assert "It is in club: choose that collection." in page.content.decode()

    def test_a_pin_is_kept_by_the_pages_own_path(self, admin: Client, docs: Collection) -> None:
        saved = save(admin, docs, open_window(admin, docs), **new_pin("what it  costs", "./fees", "fees/guests"))
        assert saved.status_code == 302
        assert list(Pin.objects.values_list("question", "path", "section_id")) == [
            ("what it costs", "fees.md", "fees/guests")
        ]

    def test_a_synonym_of_the_word_itself_is_refused(self, admin: Client, docs: Collection) -> None:
        row = {"synonyms-TOTAL_FORMS": "1", "synonyms-0-term": "Fees", "synonyms-0-synonym": "fees"}
        page = save(admin, docs, open_window(admin, docs), **row)
        assert "has to be another word" in page.content.decode()
        assert not Synonym.objects.exists()

    def test_a_pin_whose_page_has_left_since_hinders_no_other_change(self, admin: Client, docs: Collection) -> None:
        add_pin(docs, "quiet", "rules.md")
        Pin.objects.update(path="gone.md")
        assert save(admin, docs, open_window(admin, docs), name="Renamed").status_code == 302
        assert Collection.objects.get().name == "Renamed"


class TestTwoWindows:
    def test_what_one_did_not_touch_the_other_keeps(self, admin: Client, docs: Collection) -> None:
        add_pin(docs, "costs", "rules.md")
        one, two = open_window(admin, docs), open_window(admin, docs)
        assert save(admin, docs, two, description="Of the club", **{"pins-0-path": "fees.md"}).status_code == 302
        assert save(admin, docs, one, name="Club", **{"pins-0-question": "the price"}).status_code == 302
        assert list(Pin.objects.values_list("question", "path")) == [("the price", "fees.md")]
        assert list(Collection.objects.values_list("name", "description")) == [("Club", "Of the club")]

    def test_what_both_changed_is_told_before_it_is_overwritten(self, admin: Client, docs: Collection) -> None:
        add_pin(docs, "costs", "rules.md")
        Collection.objects.update(description="Of the\nclub")
        window = open_window(admin, docs)
        mine = {"name": "Mine", "description": "Of the\r\nhouse", "pins-0-path": "fees.md"}
        save(admin, docs, window, name="Theirs", **{"pins-0-path": "rules.md"})
        page = save(admin, docs, window, **mine)
        form = page.context["adminform"].form
        assert list(form.errors) == ["name"]
        assert "by somebody else: now it is “Theirs”. Save again" in form.errors["name"][0]
        assert Collection.objects.get().name == "Theirs"
        shown = page.content.decode()
        assert 'name="initial-name" value="Theirs"' in shown
        assert save(admin, docs, window, **mine, **{"initial-name": "Theirs"}).status_code == 302
        assert Collection.objects.get().name == "Mine"

    def test_the_same_change_from_both_is_no_matter(self, admin: Client, docs: Collection) -> None:
        window = open_window(admin, docs)
        assert save(admin, docs, window, name="Club").status_code == 302
        assert save(admin, docs, window, name="Club").status_code == 302

    def test_a_row_that_is_gone_is_told_and_the_rest_is_kept(self, admin: Client, docs: Collection) -> None:
        for question in ("first", "second"):
            add_pin(docs, question, "rules.md")
        window = open_window(admin, docs)
        Pin.objects.get(question="first").delete()
        page = save(admin, docs, window, name="Club", **{"pins-1-path": "fees.md"})
        assert "1 of these rows was deleted meanwhile" in page.content.decode()
        form, (_, pins) = page.context["adminform"].form, page.context["inline_admin_formsets"]
        assert form["name"].value() == "Club"
        assert [row["path"].value() for row in pins.formset] == ["fees.md"]

        again = {"pins-INITIAL_FORMS": "1", "pins-TOTAL_FORMS": "1"}
        row = {name.replace("pins-1-", "pins-0-"): value for name, value in window.items() if "pins-1-" in name}
        saved = save(admin, docs, window | again | row, name="Club", **{"pins-0-path": "fees.md"})
        assert saved.status_code == 302
        assert list(Pin.objects.values_list("question", "path")) == [("second", "fees.md")]

    def test_the_same_row_from_both_is_refused_in_words(self, admin: Client, docs: Collection) -> None:
        window = open_window(admin, docs)
        add_pin(docs, "costs", "fees.md")
        add_synonym(docs, "price", "fees")
        page = save(admin, docs, window, **new_pin("costs", "fees.md"))
        assert "Two rows say the same" in page.content.decode()
        assert Pin.objects.count() == 1
