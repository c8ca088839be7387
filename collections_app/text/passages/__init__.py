"""Which place in a text is about a question: its words, the best passage for them, the entry that it asks for."""
