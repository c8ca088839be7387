"""What carries messages: HTTP, and stdin and stdout."""
