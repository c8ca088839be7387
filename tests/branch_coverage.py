"""`python -m tests.branch_coverage PERCENT`: fail when fewer of the branches were taken, after `coverage run`."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main(required: float) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", str(report)], check=True)
        totals = json.loads(report.read_text())["totals"]
    percent = 100 * totals["covered_branches"] / totals["num_branches"]
    sys.stdout.write(f"branches taken: {percent:.1f}% (at least {required:g}% are required)\n")
    return 0 if percent >= required else 1


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
