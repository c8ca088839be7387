"""The client against a real server on loopback: redirects, retries, limits, certificates, and the guard at every hop."""

from __future__ import annotations

import gzip
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event

import pytest
import trustme

from collections_app.clients import circuits, http
from collections_app.clients.circuits import FAILURES_TO_OPEN
from collections_app.clients.http import FetchedPage, HttpClient, check_status
from collections_app.exceptions import FetchError, FileTooLarge
from tests.collections_app.clients.loopback import HOST, Answer, Asked, LoopbackSite, page, redirect, serve_site, text


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site() as site:
        yield site


@pytest.fixture
def client() -> Iterator[HttpClient]:
    with HttpClient([HOST]) as client:
        yield client


def answer_in_turn(*answers: Answer) -> object:
    """A route that gives one answer after the other, the last for ever."""
    left = list(answers)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


def request(client: HttpClient, url: str) -> tuple[FetchedPage, list[float]]:
    delays: list[float] = []
    return client.request(url, wait=delays.append), delays


def test_it_gives_the_page_with_its_headers(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = page("hello", ETag='"1"')
    fetched = client.fetch(site.url("/a"))
    assert (fetched.final_url, fetched.status, fetched.media_type) == (site.url("/a"), 200, "text/html")
    assert b"hello" in fetched.content
    assert fetched.headers["etag"] == '"1"'


def test_it_says_who_it_is(site: LoopbackSite, client: HttpClient) -> None:
    client.request(site.url("/a"))
    assert site.get_headers("/a")["user-agent"].startswith("docsmcp/")


def test_it_sends_the_headers_it_is_given(site: LoopbackSite, client: HttpClient) -> None:
    client.request(site.url("/a"), headers={"If-None-Match": '"1"'})
    assert site.get_headers("/a")["if-none-match"] == '"1"'


def test_it_trusts_no_proxy_of_the_environment(site: LoopbackSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    site.routes["/a"] = page("direct")
    with HttpClient([HOST]) as client:
        assert b"direct" in client.fetch(site.url("/a")).content


# Closing it while others use it


def test_closing_it_ends_a_connection_that_is_just_being_made(site: LoopbackSite) -> None:
    site.routes["/a"] = page("late")
    resolving, is_closed = Event(), Event()

    def resolve(host: str, port: int) -> list[str]:
        resolving.set()
        assert is_closed.wait(10)
        return [HOST]

    client = HttpClient(["docs.internal"], resolve=resolve)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(client.request, f"http://docs.internal:{site.port}/a", wait=lambda seconds: None)
        assert resolving.wait(10)
        client.close()
        is_closed.set()
        with pytest.raises(FetchError):
            asked.result(10)
    assert not site.asked


def test_closing_it_ends_an_answer_that_is_waited_for(site: LoopbackSite) -> None:
    is_asked, may_answer = Event(), Event()

    def answer(asked: Asked) -> Answer:
        is_asked.set()
        assert may_answer.wait(10)
        return page("late")

    site.routes["/a"] = answer
    client = HttpClient([HOST])
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(client.request, site.url("/a"), wait=lambda seconds: None)
        assert is_asked.wait(10)
        client.close()
        try:
            with pytest.raises(FetchError):
                asked.result(30)
        finally:
            may_answer.set()


# Redirects and the guard


def test_it_follows_redirects(site: LoopbackSite, client: HttpClient) -> None:
    site.routes |= {"/a": redirect("b?x=1#top"), "/b?x=1": redirect(site.url("/c"), 307), "/c": page("here")}
    assert client.fetch(site.url("/a")).final_url == site.url("/c")


def test_it_gives_a_redirect_back_where_it_is_not_to_be_followed(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = redirect("/b")
    fetched = client.request(site.url("/a"), follow_redirects=False)
    assert (fetched.status, fetched.redirect_url) == (301, site.url("/b"))


def test_it_does_not_go_in_circles(site: LoopbackSite, client: HttpClient) -> None:
    site.routes |= {"/a": redirect("/b"), "/b": redirect("/a")}
    with pytest.raises(FetchError, match="redirected more than 10 times"):
        client.fetch(site.url("/a"))


def test_it_refuses_loopback(site: LoopbackSite) -> None:
    with HttpClient() as client, pytest.raises(FetchError, match="private address"):
        client.fetch(site.url("/a"))
    assert site.asked == []


@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/latest/meta-data/", "http://[::ffff:169.254.169.254]/", "http://10.0.0.1/"]
)
def test_it_refuses_a_redirect_to_a_private_address(site: LoopbackSite, client: HttpClient, target: str) -> None:
    site.routes["/a"] = redirect(target)
    with pytest.raises(FetchError, match="private address"):
        client.fetch(site.url("/a"))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "http://user:secret@127.0.0.1/", "gopher://127.0.0.1/"])
def test_it_refuses_a_redirect_to_what_is_no_plain_web_url(site: LoopbackSite, client: HttpClient, target: str) -> None:
    site.routes["/a"] = redirect(target)
    with pytest.raises(FetchError):
        client.fetch(site.url("/a"))


def test_it_connects_to_the_address_that_was_checked(site: LoopbackSite) -> None:
    """The name is looked up once, so that a second answer (DNS rebinding) cannot lead elsewhere."""
    answers = iter([["127.0.0.1"]])
    site.routes["/a"] = page("checked")
    with HttpClient(["127.0.0.0/8"], resolve=lambda host, port: next(answers)) as client:
        assert b"checked" in client.fetch(f"http://docs.example:{site.port}/a").content
    assert site.get_headers("/a")["host"] == f"docs.example:{site.port}"


def test_it_tries_the_next_address_when_one_does_not_answer(site: LoopbackSite) -> None:
    site.routes["/a"] = page("second")
    with HttpClient(["127.0.0.0/8", "::1"], resolve=lambda host, port: ["::1", "127.0.0.1"]) as client:
        assert b"second" in client.fetch(f"http://docs.example:{site.port}/a").content


# Retries


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599])
def test_it_tries_again_after_a_failure_of_the_server(site: LoopbackSite, client: HttpClient, status: int) -> None:
    site.routes["/a"] = answer_in_turn(page(status=status), page(status=status), page("at last"))  # type: ignore[assignment]
    fetched, delays = request(client, site.url("/a"))
    assert b"at last" in fetched.content
    assert [int(delay) for delay in delays] == [1, 2]


def test_it_gives_the_last_answer_when_all_attempts_fail(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = page(status=503)
    fetched, delays = request(client, site.url("/a"))
    assert (fetched.status, len(delays), site.count("/a")) == (503, 5, 6)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 410, 418, 451])
def test_it_does_not_repeat_what_the_server_refuses(site: LoopbackSite, client: HttpClient, status: int) -> None:
    site.routes["/a"] = page(status=status)
    assert request(client, site.url("/a"))[0].status == status
    assert site.count("/a") == 1


def test_it_honours_retry_after_up_to_a_minute(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = answer_in_turn(  # type: ignore[assignment]
        page(status=429, Retry_After="20"), page(status=503, Retry_After="86400"), page()
    )
    assert request(client, site.url("/a"))[1] == [20, 60]


def test_it_tries_again_when_nobody_listens(client: HttpClient) -> None:
    with serve_site() as gone:
        pass
    delays: list[float] = []
    with pytest.raises(FetchError, match="cannot be reached"):
        client.request(gone.url("/a"), wait=delays.append)
    assert len(delays) == 5


def test_it_tries_again_when_the_connection_breaks_off(site: LoopbackSite, client: HttpClient) -> None:
    broken = Answer(b"half", headers={"Content-Length": "100", "Connection": "close"})
    site.routes["/a"] = answer_in_turn(broken, page("whole"))  # type: ignore[assignment]
    fetched, delays = request(client, site.url("/a"))
    assert b"whole" in fetched.content
    assert len(delays) == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "no such page"), (403, "login"), (429, "fewer requests"), (503, "own error"), (418, "418")],
)
def test_it_says_what_the_status_means(site: LoopbackSite, client: HttpClient, status: int, words: str) -> None:
    site.routes["/a"] = page(status=status)
    with pytest.raises(FetchError, match=words) as refusal:
        check_status(request(client, site.url("/a"))[0])
    assert refusal.value.details == {"status": status}


# Limits


def test_it_refuses_ten_gigabytes_before_the_body(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = Answer(b"x", headers={"Content-Length": str(10 * 2**30)})
    with pytest.raises(FileTooLarge):
        client.fetch(site.url("/a"))


def test_it_cuts_off_a_body_that_never_ends(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = lambda asked: Answer(site.iter_forever(bytes(65_536)))
    with pytest.raises(FileTooLarge):
        client.fetch(site.url("/a"), max_bytes=2**20)


def test_it_ends_a_body_that_comes_too_slowly_although_bytes_keep_coming(site: LoopbackSite) -> None:
    pause = Event()

    def trickle() -> Iterator[bytes]:
        for part in site.iter_forever(b"x"):
            pause.wait(0.05)
            yield part

    site.routes["/a"] = lambda asked: Answer(trickle())
    with (
        HttpClient([HOST], timeout_seconds=1) as client,
        pytest.raises(FetchError, match="did not end within 1 seconds"),
    ):
        client.request(site.url("/a"), wait=_fail_to_wait)


def test_it_tries_again_when_no_answer_comes(site: LoopbackSite) -> None:
    def answer_too_late(asked: Asked) -> Answer:
        site.closing.wait(30)
        return page()

    site.routes["/a"] = answer_too_late
    delays: list[float] = []
    with HttpClient([HOST], timeout_seconds=0.1) as client, pytest.raises(FetchError, match="did not answer"):
        client.request(site.url("/a"), wait=delays.append)
    assert len(delays) == 5


@contextmanager
def full_listener() -> Iterator[int]:
    """A port on which no connection comes about: the queue of those that nobody accepts is full."""
    with ExitStack() as opened:
        listener = opened.enter_context(socket.socket())
        listener.bind((HOST, 0))
        listener.listen(0)
        for _ in range(3):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def test_a_connection_has_a_shorter_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "CONNECT_SECONDS", 0.1)
    delays: list[float] = []
    with (
        full_listener() as port,
        HttpClient([HOST], timeout_seconds=60) as client,
        pytest.raises(FetchError, match=r"no connection came about within 0\.1 seconds"),
    ):
        client.request(f"http://{HOST}:{port}/", wait=delays.append)
    assert len(delays) == 5


def test_an_impatient_client_asks_a_host_no_more_that_did_not_answer(site: LoopbackSite) -> None:
    def answer_too_late(asked: Asked) -> Answer:
        site.closing.wait(30)
        return page()

    site.routes |= {"/a": answer_too_late, "/b": page()}
    with HttpClient([HOST, "localhost"], timeout_seconds=1, is_patient=False) as client:
        with pytest.raises(FetchError, match="did not answer within"):
            client.request(site.url("/a"), wait=_fail_to_wait)
        with pytest.raises(FetchError, match="another page of it"):
            client.request(site.url("/b"), wait=_fail_to_wait)
        assert client.request(f"http://localhost:{site.port}/b", wait=_fail_to_wait).is_success
    assert [asked.target for asked in site.asked] == ["/a", "/b"]


def test_an_impatient_client_tries_again_what_failed_at_once(site: LoopbackSite) -> None:
    site.routes["/a"] = page(status=503)
    with HttpClient([HOST], is_patient=False) as client:
        assert len(request(client, site.url("/a"))[1]) == 5


def test_it_unpacks_bodies_and_counts_what_comes_out(site: LoopbackSite, client: HttpClient) -> None:
    packed = {"Content-Encoding": "gzip"}
    site.routes["/small"] = Answer(gzip.compress(b"hello"), headers=packed)
    site.routes["/bomb"] = Answer(gzip.compress(bytes(50 * 2**20)), headers=packed)
    assert client.fetch(site.url("/small")).content == b"hello"
    with pytest.raises(FileTooLarge):
        client.fetch(site.url("/bomb"))


def test_it_leaves_bodies_that_are_not_wanted(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/a"] = text("x", "Image/PNG; a=b")
    fetched = client.request(site.url("/a"), wants_body=lambda media_type: media_type != "image/png")
    assert (fetched.status, fetched.content) == (200, b"")


# Certificates


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure_site(authority: trustme.CA) -> Iterator[LoopbackSite]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("docs.example").configure_cert(context)
    with serve_site(context) as site:
        site.routes["/a"] = page("secure")
        yield site


def make_secure_client(authority: trustme.CA | None) -> HttpClient:
    context = ssl.create_default_context()
    if authority:
        authority.configure_trust(context)
    return HttpClient(["127.0.0.1"], ssl_context=context, resolve=lambda host, port: ["127.0.0.1"])


def test_it_verifies_the_host_name_though_it_connects_to_an_address(
    authority: trustme.CA, secure_site: LoopbackSite
) -> None:
    with make_secure_client(authority) as client:
        fetched = client.fetch(f"https://docs.example:{secure_site.port}/a")
    assert b"secure" in fetched.content


@pytest.mark.parametrize(("host", "is_known"), [("docs.example", False), ("other.example", True)])
def test_it_refuses_certificates_of_strangers_and_for_other_hosts(
    authority: trustme.CA, secure_site: LoopbackSite, host: str, *, is_known: bool
) -> None:
    with (
        make_secure_client(authority if is_known else None) as client,
        pytest.raises(FetchError, match="certificate cannot be trusted"),
    ):
        client.request(f"https://{host}:{secure_site.port}/a", wait=_fail_to_wait)
    assert secure_site.asked == []


def _fail_to_wait(seconds: float) -> None:
    pytest.fail("this is not to be tried again")


def fail_often(site: LoopbackSite, client: HttpClient) -> int:
    """Until the site is left alone; how often it was asked."""
    site.routes["/down"] = page(status=503)
    for _ in range(FAILURES_TO_OPEN):
        request(client, site.url("/down"))
    return site.count("/down")


def test_it_leaves_a_site_alone_that_fails_again_and_again(site: LoopbackSite, client: HttpClient) -> None:
    asked = fail_often(site, client)
    with pytest.raises(FetchError, match=r"failed several times in a row.* Read it again in \d+ s"):
        request(client, site.url("/another"))
    assert (site.count("/down"), site.count("/another")) == (asked, 0)


def test_it_goes_on_asking_other_sites(site: LoopbackSite, client: HttpClient) -> None:
    fail_often(site, client)
    with serve_site() as other:
        other.routes["/a"] = page("hello")
        assert client.fetch(other.url("/a")).status == 200


def test_it_asks_a_site_again_after_a_while(
    site: LoopbackSite, client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_often(site, client)
    monkeypatch.setattr(circuits, "OPEN_SECONDS", 0)
    site.routes["/a"] = page("hello")
    assert client.fetch(site.url("/a")).status == 200


@pytest.mark.parametrize("status", [500, 502])
def test_broken_pages_are_no_failure_of_the_site(site: LoopbackSite, client: HttpClient, status: int) -> None:
    site.routes |= {"/broken": page(status=status), "/a": page("hello")}
    for _ in range(2 * FAILURES_TO_OPEN):
        assert request(client, site.url("/broken"))[0].status == status
    assert client.fetch(site.url("/a")).status == 200


def test_pages_that_are_not_there_are_no_failure_of_the_site(site: LoopbackSite, client: HttpClient) -> None:
    site.routes["/gone"] = page(status=404)
    assert [client.request(site.url("/gone")).status for _ in range(2 * FAILURES_TO_OPEN)] == [404] * 10
