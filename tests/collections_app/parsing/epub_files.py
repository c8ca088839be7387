"""Small EPUBs for tests, written by hand (EPUB 2.0.1 and 3.3)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def write_text(body: str, attributes: str = "") -> str:
    return (
        '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title/></head><body {attributes}>{body}</body></html>"
    )


def write_navigation(*entries: tuple[str, str], more: str = "") -> str:
    """The navigation of EPUB 3, from addresses and titles. A leading tab in a title means a deeper level; `more` follows after them."""
    items = ""
    for href, title in entries:
        link = f'<li><a href="{href}">{title.strip()}</a></li>'
        items += f"<ol>{link}</ol>" if title.startswith("\t") else link
    return write_text(f'<nav epub:type="toc"><h1>Contents</h1><ol>{items}</ol></nav>{more}')


def write_ncx(*entries: tuple[str, str]) -> str:
    points = "".join(
        f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{href}"/></navPoint>'
        for href, title in entries
    )
    return (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
        f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
    )


def make_book_files(
    texts: Mapping[str, str | bytes],
    *,
    navigation: str = "",
    ncx: str = "",
    metadata: str = "",
    guide: str = "",
) -> dict[str, str | bytes]:
    """The files by path. The texts are the spine, after the navigation if there is one."""
    names = [*(["nav.xhtml"] if navigation else []), *texts]
    items = "".join(
        f'<item id="i{number}" href="{name}" media-type="application/xhtml+xml" {_get_properties(name)}/>'
        for number, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(len(names)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{metadata}</metadata><manifest>{items}"
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
        f'<spine toc="ncx">{spine}</spine><guide>{guide}</guide></package>'
    )
    files: dict[str, str | bytes] = {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": package}
    files |= {"OEBPS/nav.xhtml": navigation} if navigation else {}
    files |= {"OEBPS/toc.ncx": ncx} if ncx else {}
    return files | {f"OEBPS/{name}": text for name, text in texts.items()}


def _get_properties(name: str) -> str:
    return 'properties="nav"' if name == "nav.xhtml" else ""


def pack(files: Mapping[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
