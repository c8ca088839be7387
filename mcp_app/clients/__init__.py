"""Texts that people paste into their clients and projects."""
