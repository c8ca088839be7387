"""How dates are written; Django looks for them here, by language. FORMAT_MODULE_PATH in settings.py."""
