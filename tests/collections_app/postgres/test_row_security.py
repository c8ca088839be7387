"""What a statement sees behind the wall, and that nothing of one request is left for the next."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import NotSupportedError, OperationalError, ProgrammingError, connection, transaction

from collections_app.activity import audit
from collections_app.documents import find_close_paths
from collections_app.exceptions import InvalidParameter
from collections_app.models import AuditEvent, Collection, Document, SectionVector, Source, Tenant, User
from collections_app.postgres.database_roles import get_statements, is_owner, make_role
from collections_app.postgres.row_security import (
    as_owner,
    holds_for_us,
    is_available,
    iter_walled,
    show_everything,
    show_tenants,
    walled,
)
from collections_app.postgres.trigrams import write_trigrams
from docsmcp_site.doctor.database import check_row_security
from tests.factories import find_paths, make_collection, put
from tests.web_login import LOGIN, signed_in_as_web_login

TEXT = "# Page\n\nAn orchid blooms.\n"


@pytest.fixture(autouse=True)
def collections(transactional_db: None) -> tuple[Collection, Collection]:
    """Of two tenants; in no transaction, as requests are."""
    if not is_available() and not make_role(connection):
        pytest.skip("this database's user may not make the role")
    ours, theirs = make_collection("ours"), make_collection("theirs")
    for collection in (ours, theirs):
        put(collection, {f"{collection.slug}.md": TEXT})
    return ours, theirs


def list_paths() -> list[str]:
    return sorted(Document.objects.values_list("path", flat=True))


def test_nobody_is_shown_anything_that_is_not_public(collections: tuple[Collection, Collection]) -> None:
    with walled():
        assert list_paths() == []
        assert not Tenant.objects.exists()
        assert not SectionVector.objects.exists()
    Collection.objects.filter(pk=collections[1].pk).update(is_public=True)
    with walled():
        assert list_paths() == ["theirs.md"]
        assert [tenant.pk for tenant in Tenant.objects.all()] == [collections[1].tenant_id]


def test_a_tenant_is_shown_its_own(collections: tuple[Collection, Collection]) -> None:
    ours, theirs = collections
    with walled():
        show_tenants({ours.tenant_id})
        assert list_paths() == ["ours.md"]
        show_tenants({ours.tenant_id, theirs.tenant_id})
        assert list_paths() == ["ours.md", "theirs.md"]
        show_everything()
        assert list_paths() == ["ours.md", "theirs.md"]
    assert list_paths() == ["ours.md", "theirs.md"]


def test_a_search_finds_ones_own_alone(
    collections: tuple[Collection, Collection], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = collections
    with walled():
        show_tenants({ours.tenant_id})
        assert find_paths(ours, "orchid") == ["ours.md"]
        with as_owner():
            known = Collection.objects.select_related("tenant").get(pk=theirs.pk)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM collections_app_searchedvector WHERE collection_id = %s", [known.pk])
            assert cursor.fetchone() == (0,)
            cursor.execute("SELECT path FROM collections_app_searcheddocument")
            assert cursor.fetchall() == [("ours.md",)]
        monkeypatch.setattr("collections_app.documents.closest.MANY_DOCUMENTS", 0)
        assert find_close_paths([ours, known], "ourss.md") == ["ours.md"]
        assert find_close_paths([known], "theirs.md") == []


def test_what_is_searched_in_a_public_collection_is_shown(collections: tuple[Collection, Collection]) -> None:
    Collection.objects.filter(pk=collections[1].pk).update(is_public=True)
    with walled(), connection.cursor() as cursor:
        cursor.execute("SELECT path FROM collections_app_searcheddocument")
        assert cursor.fetchall() == [("theirs.md",)]


def test_nobody_writes_through_what_is_searched(collections: tuple[Collection, Collection]) -> None:
    with walled(), connection.cursor() as cursor:
        show_tenants({collections[0].tenant_id})
        for view in ("searchedvector", "searcheddocument"):
            for statement in ("DELETE FROM", "UPDATE", "INSERT INTO"):
                rest = {"UPDATE": "SET id = 1", "INSERT INTO": "DEFAULT VALUES"}.get(statement, "")
                with pytest.raises((ProgrammingError, NotSupportedError, OperationalError)), transaction.atomic():
                    cursor.execute(f"{statement} collections_app_{view} {rest}")


def test_what_is_not_for_readers_is_not_shown_with_a_public_collection(
    collections: tuple[Collection, Collection],
) -> None:
    _, theirs = collections
    Collection.objects.filter(pk=theirs.pk).update(is_public=True)
    Source.objects.create(tenant=theirs.tenant, collection=theirs, kind="git", encrypted_token="x")
    with walled():
        assert not Source.objects.exists()


def test_nothing_is_written_for_another_tenant(collections: tuple[Collection, Collection]) -> None:
    ours, theirs = collections
    Collection.objects.filter(pk=theirs.pk).update(is_public=True)
    with walled():
        show_tenants({ours.tenant_id})
        assert Collection.objects.filter(pk=theirs.pk).update(name="taken") == 0
        with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
            Source.objects.create(tenant=theirs.tenant, collection=theirs, kind="git")
        Source.objects.create(tenant=ours.tenant, collection=ours, kind="git")


def test_the_role_has_rows_and_nothing_else() -> None:
    with walled(), connection.cursor() as cursor:
        for statement in (
            "CREATE TABLE x (y int)",
            "TRUNCATE collections_app_document",
            "DROP POLICY own_rows ON collections_app_document",
            "DELETE FROM django_migrations",
        ):
            with pytest.raises(ProgrammingError):
                cursor.execute(statement)


def test_nothing_stays_on_the_connection(collections: tuple[Collection, Collection]) -> None:
    with walled():
        show_tenants({collections[0].tenant_id})
        assert list_paths() == ["ours.md"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user, current_setting('docsmcp.tenants')")
            assert cursor.fetchone() == ("docsmcp_web", str(collections[0].tenant_id))
        assert connection.connection.execute("SELECT current_setting('docsmcp.tenants', true)").fetchone()[0] == ""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user = session_user")
        assert cursor.fetchone() == (True,)


def test_it_holds_in_transactions_after_savepoints_and_failures(collections: tuple[Collection, Collection]) -> None:
    with walled():
        show_tenants({collections[0].tenant_id})
        with transaction.atomic():
            with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT * FROM no_such_table")
            assert list_paths() == ["ours.md"]
            with as_owner():
                assert list_paths() == ["ours.md", "theirs.md"]
            assert list_paths() == ["ours.md"]


def test_rows_that_come_piece_by_piece_and_many_statements_at_once(collections: tuple[Collection, Collection]) -> None:
    with walled():
        show_tenants({collections[0].tenant_id})
        assert [document.path for document in Document.objects.iterator(1)] == ["ours.md"]
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE collections_app_document SET title = %s WHERE path = %s", [("x", "ours.md"), ("x", "theirs.md")]
            )
    assert Document.objects.get(path="theirs.md").title != "x"
    assert Document.objects.get(path="ours.md").title == "x"


def test_an_answer_that_is_made_while_it_is_sent_stays_behind_it(collections: tuple[Collection, Collection]) -> None:
    def make() -> Iterator[bytes]:
        for path in list_paths():
            yield path.encode()
        yield str(len(list_paths())).encode()

    with walled():
        show_tenants({collections[0].tenant_id})
        parts = iter_walled(make())
    assert next(parts) == b"ours.md"
    assert list_paths() == ["ours.md", "theirs.md"]
    assert list(parts) == [b"1"]


def test_every_table_of_a_tenant_has_a_policy() -> None:
    tables = {
        model._meta.db_table
        for model in apps.get_app_config("collections_app").get_models()
        if model is Tenant or any(field.name == "tenant" for field in model._meta.fields)
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_policies WHERE policyname = 'own_rows'")
        guarded = {row[0] for row in cursor.fetchall()}
        cursor.execute("SELECT relname FROM pg_class WHERE relrowsecurity")
        enabled = {row[0] for row in cursor.fetchall()}
    assert guarded == tables
    assert enabled == tables


def explain(table: str, condition: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN SELECT id FROM {table} WHERE {condition}")  # noqa: S608
        return "\n".join(row[0] for row in cursor.fetchall())


@pytest.mark.parametrize(
    ("view", "table", "condition", "index"),
    [
        ("searchedvector", "sectionvector", "vector @@ 'orchid'::tsquery", "section_vector_by_collection"),
        ("searcheddocument", "document", f"{write_trigrams('path')} @> '{{rch,chi}}'", "document_by_part_of_path"),
    ],
)
def test_the_index_answers_behind_the_wall(
    collections: tuple[Collection, Collection], view: str, table: str, condition: str, index: str
) -> None:
    with walled(), transaction.atomic(), connection.cursor() as cursor:
        show_tenants({collections[0].tenant_id})
        cursor.execute("SELECT set_config('enable_seqscan', 'off', true)")
        cursor.execute("SELECT set_config('enable_indexscan', 'off', true)")
        assert index in explain(f"collections_app_{view}", condition)
        # Why there is a view: behind a policy no index is asked for what is not known to keep secrets.
        assert index not in explain(f"collections_app_{table}", condition)


# What changes more than rows, or reads more than the database's.
BEYOND_ROWS = (
    "CREATE TABLE x (y int)",
    "CREATE FUNCTION x() RETURNS int LANGUAGE sql RETURN 1",
    "ALTER TABLE collections_app_document DISABLE ROW LEVEL SECURITY",
    "DROP POLICY own_rows ON collections_app_document",
    "ALTER ROLE docsmcp_web BYPASSRLS",
    "CREATE ROLE x",
    "TRUNCATE collections_app_document",
    "DELETE FROM django_migrations",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT rolpassword FROM pg_authid",
)


@pytest.mark.parametrize("statement", BEYOND_ROWS)
def test_the_web_servers_own_login_has_rows_and_nothing_else(statement: str) -> None:
    with signed_in_as_web_login(), connection.cursor() as cursor, pytest.raises(ProgrammingError):
        cursor.execute(statement)


def test_the_login_cannot_become_the_owner() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_user)")
        (owner,) = cursor.fetchone()
        with signed_in_as_web_login(), pytest.raises(ProgrammingError, match="permission denied"):
            cursor.execute(f"SET ROLE {owner}")
        assert is_owner(connection)
        assert not is_owner(connection, LOGIN)


def test_the_wall_and_its_doors_hold_for_the_login_as_for_the_owner(
    collections: tuple[Collection, Collection], settings: Any
) -> None:
    ours, theirs = collections
    settings.DOCSMCP = settings.DOCSMCP.model_copy(update={"database_row_security": "on"})
    with signed_in_as_web_login():
        assert is_available()
        assert not holds_for_us()
        assert check_row_security().what.endswith("its user owns no table")
        with walled():
            assert list_paths() == []
            show_tenants({ours.tenant_id})
            assert find_paths(ours, "orchid") == ["ours.md"]
            assert Collection.objects.filter(pk=theirs.pk).update(name="taken") == 0
            with as_owner():
                assert list_paths() == ["ours.md", "theirs.md"]
                put(theirs, {"more.md": f"{TEXT}\n\nAnd another one."})
            with transaction.atomic():
                assert list_paths() == ["ours.md"]
                with as_owner():
                    assert list_paths() == ["more.md", "ours.md", "theirs.md"]
        assert sorted(find_paths(theirs, "orchid")) == ["more.md", "theirs.md"]


def test_what_was_noted_is_changed_by_no_request(collections: tuple[Collection, Collection]) -> None:
    user = User.objects.create_user("ann")
    event = audit.record("ann", "look", collections[0])
    AuditEvent.objects.filter(pk=event.pk).update(actor=user)
    with signed_in_as_web_login():
        for change in (lambda: AuditEvent.objects.update(details="x"), lambda: AuditEvent.objects.all().delete()):
            with pytest.raises(ProgrammingError, match="permission denied"):
                change()
        user.delete()  # whom it names can go all the same
    assert AuditEvent.objects.get(pk=event.pk).actor_id is None


def test_to_make_the_role_again_changes_nothing() -> None:
    assert make_role(connection)
    assert is_available()


def test_the_statements_are_for_this_user_and_schema() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_user)")
        (user,) = cursor.fetchone()
    assert f"GRANT docsmcp_web TO {user};" in "\n".join(get_statements(connection))


def test_an_owner_who_has_the_role_may_give_it_rights_in_another_database() -> None:
    """After a restore, where only an administrator made the role for the first one."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE docsmcp_test_owner; GRANT CREATE, USAGE ON SCHEMA public TO docsmcp_test_owner")
        try:
            cursor.execute("SET SESSION AUTHORIZATION docsmcp_test_owner")
            with pytest.raises(ProgrammingError, match=r"permission denied|admin option"):
                cursor.execute(get_statements(connection)[1])
            cursor.execute("RESET SESSION AUTHORIZATION; GRANT docsmcp_web TO docsmcp_test_owner")
            cursor.execute("SET SESSION AUTHORIZATION docsmcp_test_owner")
            cursor.execute(get_statements(connection)[1])
        finally:
            cursor.execute(
                "RESET SESSION AUTHORIZATION; DROP OWNED BY docsmcp_test_owner; DROP ROLE docsmcp_test_owner"
            )


def test_the_command_prints_them_for_an_administrator(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("roles")
    printed = capsys.readouterr().out
    assert all(f"{statement};" in printed for statement in get_statements(connection))


def test_the_command_makes_the_login_too_as_often_as_one_likes(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("roles", "--login", "O'Hara the 2nd")
    assert 'GRANT docsmcp_web TO "O\'Hara the 2nd"' in capsys.readouterr().out
    for _ in range(2):
        call_command("roles", "--login", "O'Hara the 2nd", "--apply")
    assert "password" in capsys.readouterr().out
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolcanlogin, rolsuper, rolcreaterole FROM pg_roles WHERE rolname = 'O''Hara the 2nd'")
        assert cursor.fetchone() == (True, False, False)
        cursor.execute("""DROP OWNED BY "O'Hara the 2nd"; DROP ROLE "O'Hara the 2nd" """)


def test_the_owner_is_not_made_the_web_servers_login() -> None:
    with pytest.raises(InvalidParameter, match="a name of its own"):
        call_command("roles", "--login", connection.settings_dict["USER"] or connection.get_connection_params()["user"])


def test_the_login_is_not_asked_for_the_owners_statements() -> None:
    with signed_in_as_web_login(), pytest.raises(InvalidParameter, match="owner's"):
        call_command("roles")


def test_the_command_says_when_this_user_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> list[str]:
        return ["SELECT 1", "GRANT no_such_role TO no_such_user"]

    monkeypatch.setattr("collections_app.postgres.database_roles.make_statements", refuse)
    with pytest.raises(InvalidParameter, match="administrator"):
        call_command("roles", "--apply")


def test_without_the_role_it_is_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collections_app.postgres.row_security.ROLE", "docsmcp_no_such_role")
    assert not is_available()
    assert list_paths() == ["ours.md", "theirs.md"]


@pytest.fixture
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("undone")
def test_a_superuser_gives_the_role_to_the_owner_of_the_tables() -> None:
    owner = "docsmcp_test_tables_owner"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser')")
        if cursor.fetchone() != ("on",):
            pytest.skip("the tables are nobody else's")
        cursor.execute(f"CREATE ROLE {owner}; GRANT CREATE, USAGE ON SCHEMA public TO {owner}")
        cursor.execute(f"ALTER TABLE collections_app_document OWNER TO {owner}")
        assert make_role(connection)
        cursor.execute(f"SET SESSION AUTHORIZATION {owner}")
        cursor.execute("CREATE TABLE of_a_later_version (y int)")
        cursor.execute("SET LOCAL ROLE docsmcp_web")
        cursor.execute("SELECT FROM of_a_later_version")
        cursor.execute("RESET SESSION AUTHORIZATION")


@pytest.mark.usefixtures("undone")
def test_a_migration_lets_the_role_read_what_its_owner_gave_it_nothing_of() -> None:
    migration = import_module("collections_app.migrations.0020_searched_document")
    with connection.cursor() as cursor:
        cursor.execute("REVOKE ALL ON collections_app_searcheddocument FROM docsmcp_web")
        assert not is_available()
        cursor.execute(migration.LET_READ)
    assert is_available()
