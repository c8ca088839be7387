"""Component tags, in MDX and in Markdown: writer.py replaces those that tags.py finds with what readers see, by descriptions.py,
conditions.py and slots.py; tables by rows.py, code by code.py and markup by markup_values.py. PURE.
"""
