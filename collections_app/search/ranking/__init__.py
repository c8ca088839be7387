"""Ranks sections: by words (fulltext.py, which runs candidates → matching → scoring), by meaning (semantic.py), fused by fusion.py."""
