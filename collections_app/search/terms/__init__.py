"""What a question is looked up by: its lexemes, what else counts as each of them, and how rare they are (statistics.py)."""
