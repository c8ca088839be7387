"""The page behind an invitation's link: a new person chooses a password, one with an account joins with it. The link works once.

It looks the same whether or not the address has an account, so that inviters do not learn that.
"""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from collections_app.access import invitations, single_sign_on
from collections_app.activity import audit
from collections_app.exceptions import InvalidParameter
from collections_app.limits.sign_ins import count_try
from collections_app.models import Invitation, User
from collections_app.postgres.row_security import as_owner


@sensitive_post_parameters()
@never_cache
def show_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """All invalid tokens get the same answer."""
    wait_seconds = count_try(request) if request.method == "POST" else 0
    with as_owner():  # the visitor belongs to no tenant yet
        invitation = invitations.find_open(token)
    if wait_seconds:
        response = show(request, problem=f"Too many tries. Try again in {wait_seconds} s.")
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
    elif invitation is None:
        response = show(request, problem=invitations.GONE)
        response.status_code = HTTPStatus.NOT_FOUND
    else:
        response = answer(request, invitation)
    return response


def answer(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    try:
        if isinstance(request.user, User):
            return join(request, invitation, request.user)
        return make_account(request, invitation)
    except InvalidParameter as error:
        return show(request, problem=error.message)


def join(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    if request.method != "POST":
        return show(request, invitation=invitation)
    with as_owner():
        invitations.accept(invitation, user)
    audit.record(request, "accept an invitation", invitation)
    return redirect("admin:index")


def make_account(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    someone = User(username=invitation.email, email=invitation.email)
    form: SetPasswordForm[User] = SetPasswordForm(someone, request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return show(request, invitation=invitation, form=form)
    try:
        with as_owner():
            user = invitations.accept_with_new_account(invitation, form.cleaned_data["new_password1"])
    except invitations.AccountExists as error:
        form.add_error(None, error.message)
        return show(request, invitation=invitation, form=form)
    login(request, user)
    audit.record(request, "accept an invitation", invitation)
    return redirect("admin:index")


def show(request: HttpRequest, **context: object) -> HttpResponse:
    name = settings.DOCSMCP.oidc_name if single_sign_on.is_enabled() else ""
    return render(request, "joining/invitation.html", {"single_sign_on": name, **context})
