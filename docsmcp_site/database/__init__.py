"""The database of the installation: how it is reached, run where nobody else runs it, prepared, kept and brought back."""
