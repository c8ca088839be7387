"""The text that Word generates for table-of-contents fields (ECMA-376 part 1, section 17.16): it is not part of the document's text."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from collections_app.parsing.office.docx.names import WORD

_CONTENTS = re.compile(r"\s*(?:TOC|TOA)\b", re.IGNORECASE)  # tables of contents, figures, authorities


def drop_contents_fields(part: Element) -> None:
    """Remove the text of such fields. A field without an end is left alone."""
    for parent in list(part.iter()):
        for field in parent.findall(f"{WORD}fldSimple"):
            if _CONTENTS.match(field.get(f"{WORD}instr", "")):
                parent.remove(field)
    open_fields = _OpenFields()
    for run in part.iter(f"{WORD}r"):
        for child in run:
            open_fields.meet(run, child)
        open_fields.drop_finished()


class _OpenFields:
    """Keeps track of the open fields among the runs. `_written` has the children of runs inside tables of contents."""

    def __init__(self) -> None:
        self._instructions: list[str] = []
        self._are_contents: list[bool] = []
        self._contents_count = 0
        self._written: list[tuple[Element, Element]] = []

    def meet(self, run: Element, child: Element) -> None:
        if child.tag == f"{WORD}fldChar":
            self._turn(child.get(f"{WORD}fldCharType"))
        elif child.tag == f"{WORD}instrText" and self._instructions:
            self._instructions[-1] += child.text or ""
        elif self._contents_count:
            self._written.append((run, child))

    def _turn(self, kind: str | None) -> None:
        if kind == "begin":
            self._instructions.append("")
            self._are_contents.append(False)
        elif kind == "separate" and self._instructions and not self._are_contents[-1]:
            self._are_contents[-1] = _CONTENTS.match(self._instructions[-1]) is not None
            self._contents_count += self._are_contents[-1]
        elif kind == "end" and self._instructions:
            self._instructions.pop()
            self._contents_count -= self._are_contents.pop()

    def drop_finished(self) -> None:
        if not self._contents_count:
            for run, child in self._written:
                run.remove(child)
            self._written.clear()
