"""The REST API under /api/: requests and answers of the functions that tools and commands use too. It decides nothing itself."""
