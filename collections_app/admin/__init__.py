"""The admin, for superusers: tenants and their collections to edit, what ingest and agents did to look at, and what can be done about it.

Each page translates, calls, and tells what became of it.
"""

from django.contrib import admin

from collections_app.admin import jobs, library, tenants

__all__ = ["jobs", "library", "tenants"]

admin.site.site_header = "docsmcp"
admin.site.site_title = "docsmcp"
