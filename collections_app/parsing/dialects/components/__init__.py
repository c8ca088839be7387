"""Component tags, in MDX and in Markdown: writer.py replaces them with what readers see, tables by rows.py and code by code.py. PURE."""
