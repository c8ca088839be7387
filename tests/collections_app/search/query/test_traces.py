"""Of a pasted stack trace, what it says besides its frames is looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.search import check_query
from collections_app.search.query.traces import HEAD, leave_out_frames
from tests.factories import find, find_paths, make_collection, put
from tests.growth import assert_linear

FRAMES = """  File "/srv/app/serve.py", line 1511, in serve_request
    return self.turn(request, axle=Axle: new)
  File "/srv/app/gears/turn.py", line 104, in turn_gearbox
    raise GearError(
"""
TRACE = f"{HEAD}\n{FRAMES}gears.errors.GearError: The axle is loose because no bolt was set."

JAVA = """Exception in thread "main" example.GearException: loose axle
    at example.Gear.turn(Gear.java:12)
    at example.Main.<init>(Main.java:3) ~[gears.jar:1.2]
Caused by: java.io.IOException: no bolt
    at java.base/sun.nio.Bolt.set0(Native Method)
    ... 12 more"""
JAVASCRIPT = """TypeError: no bolt
    at turn (/srv/gear.js:12:5)
    at Object.<anonymous> (/srv/a.js:1:1)
    at async Promise.all (index 0)
    at new Gear (b.js:3:4)
    at node:internal/loader:1105:14"""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (TRACE, "gears.errors.GearError: The axle is loose because no bolt was set."),
        (f"why this? {TRACE}", "why this? gears.errors.GearError: The axle is loose because no bolt was set."),
        (f"{HEAD}\n{FRAMES}KeyboardInterrupt", "KeyboardInterrupt"),
        (
            f"{HEAD}\n{FRAMES}KeyError: 'bolt'\n\nDuring handling of the above exception, another exception occurred:\n\n{TRACE}",
            "KeyError: 'bolt' gears.errors.GearError: The axle is loose because no bolt was set.",
        ),
        (JAVA, 'Exception in thread "main" example.GearException: loose axle Caused by: java.io.IOException: no bolt'),
        (JAVASCRIPT, "TypeError: no bolt"),
        (
            "System.GearException: no bolt at Example.Gear.Turn(Int32 times) in /srv/Gear.cs:line 12",
            "System.GearException: no bolt",
        ),
    ],
)
def test_frames_are_left_out(text: str, left: str) -> None:
    assert check_query(text) == left


@pytest.mark.parametrize(
    "text",
    [
        f"log a {HEAD} without frames",
        f'{HEAD} File "a.py", line 1',
        "look at turn (in gear.js) at line 12",
        "what listens at localhost:8080 and more",
        "at example.Gear.turn(Gear.java:12)",
    ],
)
def test_what_is_no_frame_or_stands_alone_stays(text: str) -> None:
    assert leave_out_frames(text) == text


@given(st.text(alphabet='atFile "x.(:1)<>/[]~', max_size=300))
def test_any_text_is_left_with_words(text: str) -> None:
    assert bool(leave_out_frames(text).strip()) == bool(text.strip())


@pytest.mark.parametrize("text", ["at a", "at a(", HEAD, 'File "a", line 1, in x ', "A.", "at /", "... 1 ", "at a (b:"])
def test_a_long_text_takes_time_as_it_grows(text: str) -> None:
    assert_linear(leave_out_frames, f'{HEAD} File "a", line 1, in x {text * (400_000 // len(text))}')


@pytest.mark.django_db
def test_a_trace_finds_the_page_about_its_error_and_not_one_with_words_of_its_frames() -> None:
    collection = make_collection("manual")
    put(
        collection,
        {
            "bolts.md": "# Bolts\n\nAn axle without a bolt is loose: set one.\n",
            "serve.md": "# Serving\n\n`serve.py` has `serve_request(self, request)`, `turn.py` has `turn_gearbox`; return, raise.\n",
            **{f"{n}.md": f"# Other {n}\n\nThe gearbox may turn {n} times.\n" for n in range(20)},
        },
    )
    assert find_paths(collection, TRACE)[0] == "bolts.md"
    assert not any("turn" in report.word for report in find(collection, TRACE).words)
