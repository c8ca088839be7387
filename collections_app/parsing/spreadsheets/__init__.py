"""Spreadsheets: each of these reads a kind of file, as a Workbook of what people see.

xlsx/             Excel
ods.py            LibreOffice, OpenDocument
delimited.py      tables as text: CSV, TSV
sheets.py         what a Workbook is
merged_cells.py   cells that cover rows below them
blocks.py         a Sheet → titles, texts and tables
to_markdown.py    these → Markdown, in sections that are found
"""
