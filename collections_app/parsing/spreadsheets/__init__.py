"""Spreadsheets: each of these reads a kind of file, as a Workbook of what people see.

    xlsx/             Excel
    ods.py            LibreOffice, OpenDocument
    delimited.py      tables as text: CSV, TSV
    visible_rows.py   the rows that people see, and cells that cover several of them
    sheets.py         what a Workbook is
    blocks.py         a Sheet → titles, texts and tables
    to_markdown.py    these → Markdown, in sections that are found

Nothing is computed, and nothing fetched.
"""
