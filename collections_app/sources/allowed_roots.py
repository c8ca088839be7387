"""Which files of the server may be named by others than its operator: those below ALLOWED_ROOTS. Reads none."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from collections_app.exceptions import PermissionDenied


def resolve_allowed(path: str) -> tuple[Path, Path]:
    """The path with links resolved, and the allowed root above it. Raises PermissionDenied."""
    try:
        resolved = Path(path).resolve() if path.startswith("/") else None
    except (OSError, ValueError, RuntimeError):  # circular links, or names that are too long
        resolved = None
    roots = [root.resolve() for root in settings.DOCSMCP.allowed_roots]
    if resolved:
        for root in roots:
            if resolved.is_relative_to(root):
                return resolved, root
    raise PermissionDenied(
        "Files of the server can only be named below the directories that its operator allows (ALLOWED_ROOTS). "
        "Send the content instead."
    )


def is_allowed(path: str) -> bool:
    try:
        resolve_allowed(path)
    except PermissionDenied:
        return False
    return True
