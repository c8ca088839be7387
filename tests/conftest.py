"""What holds for every test. The settings, and the database that they need, are in settings.py."""

from hypothesis import settings

# How long an example takes says nothing on a machine that others use too.
settings.register_profile("docsmcp", deadline=None)
settings.load_profile("docsmcp")
