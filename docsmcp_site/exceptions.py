"""The error that keeps the server from starting, in one sentence for its operator."""


class StartError(Exception):
    """The message says what is wrong and how to mend it."""
