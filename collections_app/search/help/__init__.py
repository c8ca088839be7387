"""What a search reports besides hits: words that no section has, close spellings for them, and suggestions if nothing was found."""
