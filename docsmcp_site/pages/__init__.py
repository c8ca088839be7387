"""The few pages that belong to no app: the root, connecting an agent, errors, and static files."""
