"""Which tests are run again on other services: those that could be otherwise there."""

import pytest


def test_what_asks_no_database_is_the_same_with_any(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("any_database")


@pytest.mark.django_db
def test_what_is_allowed_to_ask_one_is_run_on_each(request: pytest.FixtureRequest) -> None:
    assert not request.node.get_closest_marker("any_database")


def test_so_is_what_asks_by_a_fixture(request: pytest.FixtureRequest, needs_pgvector: None) -> None:
    assert not request.node.get_closest_marker("any_database")
