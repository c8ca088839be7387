"""Words that mean the same, or nearly: forms of a word, compounds, pairs, a thesaurus."""
