"""Markdown, as readers of a section see it: code, boxes, headings, links."""
