import pytest

from docsmcp_site.configuration.database_url import parse_database_url


def test_it_decodes_what_is_percent_encoded() -> None:
    parsed = parse_database_url("postgres://us%20er:p%40%2Fw@db.example:5433/docs%20mcp")
    assert (parsed["USER"], parsed["PASSWORD"], parsed["NAME"]) == ("us er", "p@/w", "docs mcp")
    assert (parsed["HOST"], parsed["PORT"]) == ("db.example", "5433")


def test_it_hands_options_to_the_driver() -> None:
    parsed = parse_database_url("postgresql://db/docs?sslmode=require&connect_timeout=5")
    assert parsed["OPTIONS"] == {"sslmode": "require", "connect_timeout": "5"}


def test_it_takes_a_socket_directory_and_several_hosts() -> None:
    assert parse_database_url("postgresql:///docs?host=/run/postgresql")["HOST"] == "/run/postgresql"
    assert parse_database_url("postgresql://a:1,b:2/docs")["PORT"] == "1,2"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "docs",
        "dbname=docs",
        "mysql://db/docs",
        "postgres://",
        "postgres://db",
        "postgres://db/",
        "postgres://db:0/docs",
        "postgres://db:65536/docs",
        "postgres://db:x/docs",
        "postgres://a:1,b:0/docs",
        "postgres://db/docs?no_such_option=1",
        "postgres://u:p%zz@db/docs",
        "postgres://u:p@w@db/docs",
        "postgres://u:1/w@db/docs",
        "postgres://[::1/docs",
    ],
)
def test_it_refuses(url: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        parse_database_url(url)
    assert url == "" or url not in str(caught.value)
