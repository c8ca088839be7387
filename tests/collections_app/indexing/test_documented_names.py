"""A page of R's help is called by the names that it documents, not by its other keywords."""

from __future__ import annotations

from collections_app.indexing.vector_texts import make_vector_texts
from collections_app.parsing import RawDocument, parse

SOURCE = b"\\name{moor}\n\\alias{moor}\n\\alias{moor_boat}\n\\concept{harbour}\n\\title{Moor a boat}\n\\note{See \\code{harbour}.}\n"


def test_a_page_of_r_is_called_by_its_names() -> None:
    first, *others = make_vector_texts(parse(RawDocument("man/moor.Rd", SOURCE)), "man/moor.Rd")

    assert {"@moor-a-boat", "@moor", "@moor-boat"} <= set(first.marks)
    assert "@harbour" not in first.marks
    assert not any(mark.startswith("@") for text in others for mark in text.marks)
