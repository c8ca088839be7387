"""`python -m tests.services.chromium -- COMMAND…`: run a command with TEST_CHROMIUM, the path of Debian's Chromium, which root installs.

That it cannot be had is a failure. No other browser is ever downloaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.services.postgresql import install


def main(command: list[str]) -> int:
    if shutil.which("chromium") is None:
        install("chromium")
    found = shutil.which("chromium")
    if found is None:
        sys.exit("chromium was installed, and is not found")
    return subprocess.run(command, env=os.environ | {"TEST_CHROMIUM": found}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))
