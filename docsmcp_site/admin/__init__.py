"""How the admin looks, and what its sidebar offers."""
