"""Sections that only say which text is not here come behind those that tell something."""

from __future__ import annotations

import pytest

from collections_app.text.pages.absent_text import has_notes_alone
from tests.factories import find_paths, make_collection, put

DOCSTRINGS = "*Not in this text, from the code's docstrings:* `boat.sail`, `boat.oar`\n"
FILE = "*Not in this text, from another file:* `boat.py`\n"


@pytest.mark.parametrize("text", [f"# Boat\n\n{DOCSTRINGS}", f"{FILE}\n", f"## `boat`\n\n{FILE}\n{DOCSTRINGS}"])
def test_notes_alone_are_known(text: str) -> None:
    assert has_notes_alone(text)


@pytest.mark.parametrize(
    "text",
    ["", "# Boat\n", f"# Boat\n\n{FILE}\nOf fir.\n", f"# Boat\n\nIt says: {FILE}", "# *Not in this text, \n\nx\n"],
)
def test_what_tells_more_is_no_note(text: str) -> None:
    assert not has_notes_alone(text)


@pytest.mark.django_db
def test_what_tells_something_comes_before_a_note_and_the_note_is_found() -> None:
    stub = "``boat.worker.autoscale``\n=========================\n\n.. automodule:: boat.worker.autoscale\n"
    guide = "# Operating\n\nIt tells how crews are made.\n\n## Scale a worker\n\nAutoscale it: `--autoscale=10,3`.\n"
    put(collection := make_collection(), {"reference/boat.worker.autoscale.rst": stub, "guide.md": guide})
    assert find_paths(collection, "autoscale worker") == ["guide.md", "reference/boat.worker.autoscale.rst"]
    assert find_paths(collection, "boat.worker.autoscale")[0] == "reference/boat.worker.autoscale.rst"


@pytest.mark.django_db
def test_who_asks_for_the_whole_heading_finds_a_note() -> None:
    stub = "Worker Scaling\n==============\n\n.. automodule:: boat.scaling\n"
    pages = {f"{n}.md": f"# Crew {n}\n\n## Scaling\n\nOf each worker of it: scaling a worker.\n" for n in range(4)}
    put(collection := make_collection(), pages | {"stub.rst": stub})
    assert "stub.rst" in find_paths(collection, "Worker Scaling")[:3]
