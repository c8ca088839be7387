"""`python -m tests.services.nginx -- COMMAND…`: run a command with TEST_NGINX, the path of Debian's nginx, which root installs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.services.postgresql import install

VARIABLE = "TEST_NGINX"


def main(command: list[str]) -> int:
    if shutil.which("nginx") is None:
        install("nginx-light")
    program = shutil.which("nginx") or sys.exit("nginx is missing: install it")
    return subprocess.run(command, env=os.environ | {VARIABLE: program}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))
