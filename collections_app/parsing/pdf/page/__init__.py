"""One page of a PDF → lines of words with their positions, and the tables on it. Those that ask PDFium say so: callers hold its lock.

reader.py             reads a page; all others are below it
styles.py, tags.py, rulings.py, visibility.py   what PDFium knows: fonts, tags, lines drawn, what is seen
characters.py, directions.py, fixed_pitch.py    words as people type them, from right to left, in monospaced type
placed_words.py, placed_texts.py                words at their places
drawn_tables.py, ruled_tables.py → table_words.py   where tables are, and the words in their cells
"""
