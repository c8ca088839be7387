"""Sections in the order of their scores: by words (candidates → matching → scoring, all by fulltext.py), by meaning (semantic.py), joined
by fusion.py."""
