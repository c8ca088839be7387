"""The admin: what a tenant's members may see and do there, by role; superusers may do everything.

Each page translates, calls, and reports the result. Pages that need to know what agents are given are in mcp_app.
"""

from collections_app.admin import (
    activity,
    adding,
    connected_apps,
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
    "connected_apps",
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
