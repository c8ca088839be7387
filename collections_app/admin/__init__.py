"""The admin: what a tenant's members see and may do there, by role; all of it for superusers.

Each page translates, calls, and tells what became of it. Pages that need to know what agents are given are mcp_app's.
"""

from collections_app.admin import (
    activity,
    adding,
    dashboard,
    data_pages,
    deleting,
    documents,
    feedback,
    jobs,
    library,
    people,
    tenants,
)

__all__ = [
    "activity",
    "adding",
    "dashboard",
    "data_pages",
    "deleting",
    "documents",
    "feedback",
    "jobs",
    "library",
    "people",
    "tenants",
]
