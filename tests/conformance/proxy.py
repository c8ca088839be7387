"""A loopback proxy that adds an API key to what passes: the conformance suite cannot send one. Changes nothing else."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlsplit

from tests.http_server import QuietHandler, serving

PIECE_BYTES = 65_536
DEADLINE_SECONDS = 240
# What is between two machines and not between the ends (RFC 9110, section 7.6.1).
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}


@contextmanager
def adding_key(url: str, key: str) -> Iterator[str]:
    """The URL at which `url` is reached with the key."""

    class Handler(KeyAdder):
        upstream = urlsplit(url).netloc
        authorization = f"Bearer {key}"

    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}{urlsplit(url).path}"


class KeyAdder(QuietHandler):
    """Host and Origin pass as they are: the suite tries bad ones."""

    upstream: str
    authorization: str

    def forward(self) -> None:
        body = self.read_body()
        with closing(http.client.HTTPConnection(self.upstream, timeout=DEADLINE_SECONDS)) as connection:
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in HOP_BY_HOP:
                    connection.putheader(name, value)
            connection.putheader("Authorization", self.authorization)
            connection.endheaders(body)
            response = connection.getresponse()
            with suppress(ConnectionError):  # the suite hangs up when it has seen enough
                self.pass_on(response)

    def pass_on(self, response: http.client.HTTPResponse) -> None:
        """Piece by piece as they come; the end of the connection is the end of the body."""
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP | {"date", "server"}:
                self.send_header(name, value)
        self.end_headers()
        while piece := response.read1(PIECE_BYTES):
            self.wfile.write(piece)
            self.wfile.flush()

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = forward  # noqa: N815  (the base class's spelling)
