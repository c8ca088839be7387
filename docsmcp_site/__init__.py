"""The composition root: settings, URLs, commands and processes. Wires the two apps together, and neither imports it."""
