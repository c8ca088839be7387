"""One message in, at most one answer out, whatever carries them."""
