"""One message in, at most one answer out, over whatever transport."""
