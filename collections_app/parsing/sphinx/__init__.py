"""What reStructuredText and MyST share, as Sphinx defines it. docutils is not needed for it, which takes long to load."""
