"""Which lines of a PDF are headings: choosing.py asks the outline, then tags.py, sizes.py, bold.py and romans.py. PURE."""
