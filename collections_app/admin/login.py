"""The sign-in form: for accounts that belong to a tenant, and superusers; the number of tries is limited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from collections_app.access.roles import has_role_somewhere
from collections_app.limits.sign_ins import count_try

if TYPE_CHECKING:  # the theme has no types
    from django.contrib.admin.forms import AdminAuthenticationForm as ThemedForm
else:
    from unfold.forms import AuthenticationForm as ThemedForm

TOO_MANY = "too_many_tries"


class LoginForm(ThemedForm):
    error_messages = {  # noqa: RUF012  (Django's own spelling)
        "invalid_login": "This user name and password do not belong together. Mind upper and lower case.",
        "inactive": "This account is switched off.",
    }

    def clean(self) -> Any:
        assert self.request is not None
        wait_seconds = count_try(self.request, self.data.get("username", ""))
        if wait_seconds:
            raise ValidationError(f"Too many tries to sign in. Try again in {wait_seconds} s.", code=TOO_MANY)
        return super().clean()

    def confirm_login_allowed(self, user: Any) -> None:
        if not user.is_active:
            raise ValidationError(self.error_messages["inactive"], code="inactive")
        if not has_role_somewhere(user):
            raise ValidationError("This account belongs to no tenant. Ask an owner of one to invite you.", code="alone")
