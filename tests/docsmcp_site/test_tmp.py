import pytest
from django.conf import settings
def test_db(db):
    from collections_app.models import Tenant
    assert Tenant.objects.count() >= 0
    print(settings.SETTINGS_MODULE, settings.DATABASES)
