"""Filters for the admin's templates: texts for people that Python has and templates show."""

from __future__ import annotations

from django.template import Library

from collections_app.admin.words import mark_code

register = Library()
register.filter(mark_code)
