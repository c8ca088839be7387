"""Each kind of source has its entry in every table of them."""

from __future__ import annotations

from collections_app.admin.adding.place_forms import FORMS_BY_KIND
from collections_app.jobs.readings import READINGS
from collections_app.models import Source
from collections_app.source_intake import MAKERS

KINDS = set(Source.Kind)


def test_each_can_be_read_shown_and_looked_at_again() -> None:
    assert KINDS == READINGS.keys() == FORMS_BY_KIND.keys() == Source.DEFAULT_REFRESH_SECONDS.keys()


def test_each_but_uploads_can_be_made_from_its_place() -> None:
    assert KINDS - {Source.Kind.UPLOAD} == MAKERS.keys()
