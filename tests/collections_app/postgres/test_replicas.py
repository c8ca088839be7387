"""Who answers a read. The replica is a second connection to the tests' own database, which has everything at once; the services' tests
have a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import DatabaseError, OperationalError, connection, connections
from structlog.testing import capture_logs

from collections_app.models import Collection
from collections_app.postgres import replicas
from collections_app.postgres.replicas import REPLICA, Replica, read_from_replica
from docsmcp_site.database import databases
from docsmcp_site.doctor.database import check_replica
from docsmcp_site.doctor.findings import State
from tests.factories import make_collection

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def replica(monkeypatch: pytest.MonkeyPatch) -> Iterator[Replica]:
    monkeypatch.setitem(connections.settings, REPLICA, connections.settings["default"])
    monkeypatch.setattr(replicas, "_replica", Replica())
    # Django's test case lets nobody connect but to what there was before it began.
    own = connections[REPLICA]

    def ensure_connection() -> None:
        if own.connection is None:
            own.connect()

    monkeypatch.setattr(own, "ensure_connection", ensure_connection)
    yield replicas._replica
    connections[REPLICA].close()
    del connections[REPLICA]


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def name_connection() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return connection.alias


def find_collection(collection: Collection) -> Collection:
    return Collection.objects.get(pk=collection.pk)


def test_a_replica_answers_and_afterwards_the_primary_is_the_one_again(collection: Collection) -> None:
    assert read_from_replica([collection], name_connection) == REPLICA
    assert name_connection() == "default"


def test_rows_that_a_replica_gave_belong_to_the_primary(collection: Collection) -> None:
    found = read_from_replica([collection], lambda: find_collection(collection))
    assert found._state.db == "default"


def test_a_collection_that_the_replica_has_in_an_older_version_is_read_at_the_primary(collection: Collection) -> None:
    collection.index_version += 1
    assert read_from_replica([collection], name_connection) == "default"


def test_a_version_that_is_missing_gives_the_replica_no_rest(collection: Collection) -> None:
    newer = Collection(pk=collection.pk, index_version=collection.index_version + 1)
    read_from_replica([newer], name_connection)
    assert read_from_replica([collection], name_connection) == REPLICA


def make_failing(error: Exception) -> Callable[[], str]:
    def read() -> str:
        if connection.alias == REPLICA:
            raise error
        return name_connection()

    return read


@pytest.mark.parametrize("error", [OperationalError("gone"), DatabaseError("canceled due to conflict with recovery")])
def test_what_fails_at_the_replica_is_answered_by_the_primary(collection: Collection, error: Exception) -> None:
    assert read_from_replica([collection], make_failing(error)) == "default"


SLEEP = "SELECT pg_sleep(60)"


def sleep_at_replica() -> str:
    if connection.alias == REPLICA:
        with connection.cursor() as cursor:
            cursor.execute(SLEEP)
    return name_connection()


@pytest.mark.parametrize("what", ["READ_SECONDS", "LOOK_SECONDS"])
def test_a_replica_that_says_nothing_is_not_waited_for(
    collection: Collection, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(replicas, what, 0.1)
    if what == "LOOK_SECONDS":
        monkeypatch.setattr(replicas, "STATE", replicas.STATE.replace("SELECT CASE", f"SELECT ({SLEEP})::text, CASE"))
    assert read_from_replica([collection], sleep_at_replica) == "default"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"
        )


def test_a_replica_that_failed_is_left_alone_for_a_while_and_then_asked_again(
    collection: Collection, replica: Replica
) -> None:
    with capture_logs() as logs:
        for _ in range(3):
            read_from_replica([collection], make_failing(OperationalError("gone")))
        assert read_from_replica([collection], name_connection) == "default"
        replica.rests_until = 0
        assert read_from_replica([collection], name_connection) == REPLICA
    assert [entry["event"] for entry in logs] == ["replica_left", "replica_back"]


@pytest.mark.parametrize("state", ["6", "NULL"])
def test_a_replica_that_is_behind_or_cannot_know_it_is_left_alone(
    collection: Collection, replica: Replica, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(replicas, "STATE", replicas.STATE.replace("THEN 0", f"THEN {state}", 1))
    assert read_from_replica([collection], name_connection) == "default"
    assert replica.is_left


def test_the_mistakes_of_a_reader_are_not_taken_for_the_replicas(collection: Collection) -> None:
    def fail() -> None:
        raise KeyError(connection.alias)

    with pytest.raises(KeyError, match=REPLICA):
        read_from_replica([collection], fail)
    assert name_connection() == "default"


def test_a_read_within_a_read_stays_where_it_is(collection: Collection) -> None:
    assert read_from_replica([collection], lambda: read_from_replica([collection], name_connection)) == REPLICA


def test_the_wiring_calls_the_connections_by_the_same_names() -> None:
    from collections_app.postgres.advisory_locks import DIRECT

    assert (databases.REPLICA, databases.DIRECT) == (REPLICA, DIRECT)


def test_the_doctor_says_how_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_replica().state == State.OK
    monkeypatch.setattr(replicas, "STATE", replicas.STATE.replace("THEN 0", "THEN NULL", 1))
    assert check_replica().state == State.WARN
