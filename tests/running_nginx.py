"""nginx with the configuration that is shipped, but for its paths, its port and its servers. Needs TEST_NGINX (`make test-services`)."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from docsmcp_site.configuration.config import PROJECT_ROOT
from tests.free_ports import find_free_port
from tests.running_web_server import wait_for_answer

NGINX = os.environ.get("TEST_NGINX", "")
SHIPPED = PROJECT_ROOT / "deploy/nginx"
# What Debian's package keeps in /var/lib, where only root may write.
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
STOP_SECONDS = 60


@contextmanager
def running_nginx(*servers: int, proxies: str = "") -> Iterator[int]:
    """Before the web servers on these ports, believing these `proxies`; its port."""
    port = find_free_port()
    with TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o711)
        main = write_configuration(directory, port)
        (directory / "upstream.conf").write_text("".join(write_server(server) for server in servers))
        (directory / "proxies.conf").write_text(proxies)
        with (directory / "log").open("wb") as log:
            process = subprocess.Popen([NGINX, "-e", "stderr", "-c", str(main), "-g", "daemon off;"], stderr=log)
        try:
            wait_for_answer(process, port)
            yield port
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


def write_configuration(directory: Path, port: int) -> Path:
    """All of deploy/nginx in this directory, listening on loopback, in one process on any machine; the file to start nginx with."""
    for path in SHIPPED.glob("*.conf"):
        text = path.read_text().replace("/etc/docsmcp", str(directory)).replace("/run", str(directory))
        (directory / path.name).write_text(text.replace("listen 8080", f"listen 127.0.0.1:{port}"))
    main = directory / "nginx.conf"
    temporary = "".join(f"    {name}_temp_path {directory / name};\n" for name in TEMPORARY)
    text = main.read_text().replace("worker_processes auto", "worker_processes 1")
    main.write_text(text.replace("http {\n", "http {\n" + temporary))
    return main


def write_server(port: int) -> str:
    return (SHIPPED / "upstream.conf").read_text().replace("8001", str(port))


def check_configuration(directory: Path, upstream: str) -> str:
    """What `nginx -t` says of the shipped files with this one for its servers; empty where it is content."""
    main = write_configuration(directory, find_free_port())
    (directory / "upstream.conf").write_text(upstream)
    done = subprocess.run(
        [NGINX, "-e", "stderr", "-q", "-t", "-c", str(main)], capture_output=True, text=True, check=False
    )
    return done.stderr


def get_version() -> tuple[int, ...]:
    """Such as (1, 28, 0)."""
    said = subprocess.run([NGINX, "-v"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"nginx/([\d.]+)", said)
    assert found
    return tuple(map(int, found[1].split(".")))
