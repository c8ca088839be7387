"""A collection as one zip file: exporting.py writes it, importing.py creates a collection from it, layout.py defines its content."""
