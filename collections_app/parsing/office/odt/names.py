"""Names of OpenDocument's XML (ISO/IEC 26300, OASIS OpenDocument 1.3)."""

from __future__ import annotations

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
DRAW = f"{{{_OASIS}drawing:1.0}}"
FO = f"{{{_OASIS}xsl-fo-compatible:1.0}}"
META = f"{{{_OASIS}meta:1.0}}"
OFFICE = f"{{{_OASIS}office:1.0}}"
STYLE = f"{{{_OASIS}style:1.0}}"
SVG = f"{{{_OASIS}svg-compatible:1.0}}"
TABLE = f"{{{_OASIS}table:1.0}}"
TEXT = f"{{{_OASIS}text:1.0}}"
XLINK = "{http://www.w3.org/1999/xlink}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
MATH = "{http://www.w3.org/1998/Math/MathML}"
