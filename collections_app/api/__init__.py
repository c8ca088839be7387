"""The REST API under /api/: requests and answers for functions that tools and commands use too. It decides nothing itself."""
