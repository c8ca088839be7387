"""Formats of dates by language, where Django looks for them (FORMAT_MODULE_PATH in settings.py)."""
