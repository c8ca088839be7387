"""Spreadsheets: each reader turns one kind of file into a Workbook of what people see.

    xlsx/             Excel
    ods.py            LibreOffice, OpenDocument
    delimited.py      tables as text: CSV, TSV
    visible_rows.py   the visible rows, and cells that cover several rows
    sheets.py         the Workbook and its sheets
    blocks.py         a Sheet → titles, texts and tables
    to_markdown.py    these → Markdown, in sections that can be found

Nothing is computed, and nothing is fetched.
"""
