"""One message in, at most one answer out, over any transport."""
