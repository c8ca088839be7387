"""What the server does when parts of it, or what it stands on, are taken away: `make chaos`."""
