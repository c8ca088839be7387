"""The terms of a question: its lexemes, what else counts as each of them, and how rare they are (statistics.py)."""
