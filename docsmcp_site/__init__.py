"""The composition root: settings, URLs, commands and processes. It wires the two apps together; neither imports it."""
