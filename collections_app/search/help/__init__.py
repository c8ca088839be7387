"""What an answer says beside its hits: words that no section has, how they may be meant, and what there is when nothing was found."""
