"""What becomes of each kind of element: the handlers that the table of ../to_markdown.py gives to the converter. PURE.

flow.py, lists.py, tables.py, grids.py     blocks
inline.py, formulas.py                     what stands within a line
code.py, tabs.py, buttons.py               code and controls
entries.py, declarations.py, member_tables.py   reference pages
"""
