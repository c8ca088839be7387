"""A collection as one zip file: exporting.py writes it, importing.py makes a collection of it, layout.py says what is in it."""
