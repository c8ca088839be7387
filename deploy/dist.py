"""`make dist [TAG=v1.2.3]`: everything that a release publishes but the image, in dist/, and its notes in build/.

The wheel; the lock files that it is installed with; a bill of materials (CycloneDX); the SHA-256 of each. Refuses a tag that is not the
version of pyproject.toml, and with a tag a version that CHANGELOG.md has no notes for. Exit code 2 then.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST, BUILD = ROOT / "dist", ROOT / "build"
# As requirements/ has them: what building needs, what running needs, and the same with the wheel's extras.
LOCKS = ("build", "runtime", "extras")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", default="", help="the release's tag: v and the version")
    tag = parser.parse_args().tag
    version = get_version()
    if tag:
        BUILD.mkdir(exist_ok=True)
        (BUILD / "release-notes.md").write_text(get_notes((ROOT / "CHANGELOG.md").read_text(), version, tag))
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    build_wheel()
    copy_locks(version, DIST)
    write_bill_of_materials(DIST / f"docsmcp-{version}.cdx.json")
    write_checksums()


def get_version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def get_notes(changelog: str, version: str, tag: str) -> str:
    """What CHANGELOG.md says under the version's heading."""
    if tag != f"v{version}":
        refuse(f"the tag is {tag}, and the version in pyproject.toml {version}: they must agree, as v{version}")
    _, _, rest = changelog.partition(f"\n## {version}")
    notes = rest.partition("\n")[2].partition("\n## ")[0].strip()
    if not notes:
        refuse(f"CHANGELOG.md has no notes under `## {version}`: write them first")
    return notes + "\n"


def refuse(reason: str) -> None:
    print(reason, file=sys.stderr)  # noqa: T201
    sys.exit(2)


def build_wheel() -> None:
    """From a copy: setuptools leaves files in the tree that it builds, and takes up what an earlier build left there."""
    source = BUILD / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in ("docsmcp_site", "collections_app", "mcp_app", "templates"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(DIST)]
    run("pip", "--disable-pip-version-check", "wheel", *options, str(source))
    shutil.rmtree(source)


def copy_locks(version: str, target: Path) -> None:
    for name in LOCKS:
        shutil.copy(ROOT / f"requirements/{name}.txt", target / f"docsmcp-{version}-{name}.txt")


def write_bill_of_materials(path: Path) -> None:
    lock = str(ROOT / "requirements/runtime.txt")
    run("cyclonedx_py", "requirements", "--output-reproducible", "--output-file", str(path), lock)


def write_checksums() -> None:
    files = sorted(path for path in DIST.iterdir() if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines))


def run(module: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


if __name__ == "__main__":
    main()
