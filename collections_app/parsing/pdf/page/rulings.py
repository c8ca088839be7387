"""The straight lines that a page draws, from its paths. Callers hold PDFium's lock."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from collections_app.parsing.pdf.page.drawn_tables import MIN_LENGTH, NOTHING_DRAWN, Drawing, Ruling, Rulings

MAX_FORM_DEPTH = 3  # of nested forms (ISO 32000-1, section 8.10)
_MAX_OBJECTS = 20_000  # of a page
_MAX_SEGMENTS = 20_000  # of the page's paths: with more, it is a drawing
_MAX_SLANTED = 3  # lines in a path: with more, it is a drawing
_THIN = 3.0  # points: a filled area as thin as this is a line
_STRAIGHT = 0.5  # points by which the ends of a straight line may differ

_Point = tuple[float, float]
_Matrix = tuple[float, float, float, float, float, float]

_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read_drawing(page: Any, turn: Callable[[float, float], _Point]) -> Drawing:
    """`turn` maps a point of the page to one along the reading direction and upwards. A page that draws too much gives nothing."""
    return _RulingReader(turn).read(page)


class _RulingReader:
    def __init__(self, turn: Callable[[float, float], _Point]) -> None:
        self._turn = turn
        self._lines, self._areas = Rulings([], []), Rulings([], [])
        self._objects_left, self._segments_left = _MAX_OBJECTS, _MAX_SEGMENTS
        self._fill, self._stroke, self._matrix = ctypes.c_int(), ctypes.c_int(), pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_float(), ctypes.c_float()  # PDFium writes into all of these
        self._bounds = tuple(ctypes.c_float() for _ in range(4))

    def read(self, page: Any) -> Drawing:
        count = pdfium.FPDFPage_CountObjects(page.raw)
        self._objects_left -= count
        for index in range(count if self._objects_left >= 0 else 0):
            self._read_object(pdfium.FPDFPage_GetObject(page.raw, index), _IDENTITY, MAX_FORM_DEPTH)
        is_whole = self._segments_left >= 0 and self._objects_left >= 0
        return Drawing(self._lines, self._areas) if is_whole else NOTHING_DRAWN

    def _read_object(self, page_object: Any, around: _Matrix, depth: int) -> None:
        """`around` maps points of the form around the object to points of the page."""
        kind = pdfium.FPDFPageObj_GetType(page_object)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            self._read_path(page_object, around)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth > 0:
            matrix = _multiply(self._get_matrix(page_object), around)
            count = pdfium.FPDFFormObj_CountObjects(page_object)
            self._objects_left -= count
            for index in range(count if self._objects_left >= 0 else 0):
                self._read_object(pdfium.FPDFFormObj_GetObject(page_object, index), matrix, depth - 1)

    def _read_path(self, path: Any, around: _Matrix) -> None:
        pdfium.FPDFPath_GetDrawMode(path, self._fill, self._stroke)
        if not (self._fill.value or self._stroke.value) or self._segments_left < 0:
            return
        pdfium.FPDFPageObj_GetBounds(path, *self._bounds)
        left, bottom, right, top = (each.value for each in self._bounds)
        if max(right - left, top - bottom) < MIN_LENGTH and around == _IDENTITY:
            return
        if min(right - left, top - bottom) <= _THIN:  # a third of the cost of reading its points
            self._note_thin(around, left, bottom, right, top)
            return
        matrix = _multiply(self._get_matrix(path), around)
        for points in self._iter_subpaths(path):
            self._note_subpath(matrix, points)

    def _note_subpath(self, matrix: _Matrix, points: Sequence[_Point]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if not self._stroke.value and min(max(xs) - min(xs), max(ys) - min(ys)) <= _THIN:
            self._note_thin(matrix, min(xs), min(ys), max(xs), max(ys))
            return
        sides = self._lines if self._stroke.value else self._areas
        for start, end in pairwise([self._turn(*_transform(matrix, *point)) for point in points]):
            self._note_side(sides, start, end)

    def _note_thin(self, matrix: _Matrix, left: float, bottom: float, right: float, top: float) -> None:
        """Add a thin area as a line along its middle."""
        x, y = (left + right) / 2, (bottom + top) / 2
        ends = ((left, y), (right, y)) if right - left >= top - bottom else ((x, bottom), (x, top))
        start, end = (self._turn(*_transform(matrix, *point)) for point in ends)
        self._note_side(self._lines, start, end)

    def _note_side(self, rulings: Rulings, start: _Point, end: _Point) -> None:
        (x, y), (to_x, to_y) = start, end
        if abs(y - to_y) <= _STRAIGHT:
            rulings.horizontal.append(Ruling((y + to_y) / 2, min(x, to_x), max(x, to_x)))
        elif abs(x - to_x) <= _STRAIGHT:
            rulings.vertical.append(Ruling((x + to_x) / 2, min(y, to_y), max(y, to_y)))

    def _iter_subpaths(self, path: Any) -> Iterator[list[_Point]]:
        """The points of each subpath up to a curve; a closed one ends with its first point. Slanting ones are left out."""
        points: list[_Point] = []
        slanted = 0
        for index in range(pdfium.FPDFPath_CountSegments(path)):
            self._segments_left -= 1
            segment = pdfium.FPDFPath_GetPathSegment(path, index)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_BEZIERTO or slanted > _MAX_SLANTED or self._segments_left < 0:
                return
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                if len(points) > 1:
                    yield points
                points = []
            pdfium.FPDFPathSegment_GetPoint(segment, self._x, self._y)
            points.append((self._x.value, self._y.value))
            slanted += len(points) > 1 and _slants(*points[-2:])
            if pdfium.FPDFPathSegment_GetClose(segment):
                points.append(points[0])
        if len(points) > 1:
            yield points

    def _get_matrix(self, page_object: Any) -> _Matrix:
        matrix = self._matrix
        if not pdfium.FPDFPageObj_GetMatrix(page_object, matrix):
            return _IDENTITY
        return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _slants(start: _Point, end: _Point) -> bool:
    return min(abs(start[0] - end[0]), abs(start[1] - end[1])) > _STRAIGHT


def _multiply(inner: _Matrix, outer: _Matrix) -> _Matrix:
    """The product of two transformations, the inner one first (ISO 32000-1, section 8.3.4)."""
    a, b, c, d, e, f = inner
    oa, ob, oc, od, _, _ = outer
    return (a * oa + b * oc, a * ob + b * od, c * oa + d * oc, c * ob + d * od, *_transform(outer, e, f))


def _transform(matrix: _Matrix, x: float, y: float) -> _Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
