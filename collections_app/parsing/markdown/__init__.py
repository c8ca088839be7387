"""Markdown: its parser, and what every text that becomes Markdown is written with."""
