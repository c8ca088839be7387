"""Archives for tests, good ones and others."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import BinaryIO

Files = Mapping[str, str | bytes]


def make_zip(files: Files, compression: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return packed


def make_tar(files: Files, mode: str = "w") -> BinaryIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            add_to_tar(archive, name, content.encode() if isinstance(content, str) else content)
    return packed


def add_to_tar(archive: tarfile.TarFile, name: str, content: bytes = b"", **fields: object) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    archive.addfile(info, io.BytesIO(content))
