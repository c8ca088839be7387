"""The transports of messages: HTTP, and stdin and stdout."""
