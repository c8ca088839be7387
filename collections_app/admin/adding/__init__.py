"""A wizard for adding documents: choose or create a collection, then add files, a folder, a site or a repository.

Each page translates a form, calls what commands and the API call, and shows the job. It decides nothing about documents.
"""

from collections_app.admin.adding import choosing, files, places, sources

__all__ = ["choosing", "files", "places", "sources"]
