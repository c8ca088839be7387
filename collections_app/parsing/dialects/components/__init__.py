"""Component tags, in MDX and in Markdown: writer.py replaces them with what readers see, tables by rows.py, code by code.py and markup by
markup_values.py. PURE.
"""
