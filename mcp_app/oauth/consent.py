"""The page on which a person allows an app to ask for them: in which tenant, what, and in which collections. Others sign in first.

What the app got wrong is told the app, by sending the person back, only once it is known where to (RFC 6749, section 4.1.2.1), and that
nobody can use this server to send people to a website of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import AccessDeniedError
from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from collections_app.access.authentication import make_user_principal
from collections_app.access.connected_apps import has_too_many, list_scopes
from collections_app.access.principal import Scope
from collections_app.access.roles import tenants_of
from collections_app.activity import audit
from collections_app.limits.requests import count_request
from collections_app.models import Collection, Tenant, User
from mcp_app.oauth.addresses import get_issuer, get_narrowed
from mcp_app.oauth.client_documents import BadDocument, ensure_client, is_document_address
from mcp_app.oauth.clients import describe_place, is_anybodys
from mcp_app.oauth.server import Consent, ServerRequest, find_asked_resource, find_unwritable, get_server, is_secure
from mcp_app.oauth.switch import answer_no_oauth, is_enabled
from mcp_app.oauth.tokens import INSECURE

SCOPE_WORDS = {
    Scope.READ: "Search and read the documents",
    Scope.ASK: "Get answers from this server's language model, which may cost money, and send feedback",
    Scope.WRITE: "Add and replace documents",
}
UNKNOWN_APP = "This app is not known here any more. Remove the connection in the app, and add it again."
TOO_MANY = (
    "You have connected so many apps that one has to go first: in the admin, disconnect those that you no longer use."
)
NOWHERE = "There is nothing here that your account could connect this app to. Ask an owner of the tenant to invite you."


class Refused(Exception):
    """The person is told why, and not sent back: nobody knows yet whether the address to go back to is the app's."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


class ConsentForm(forms.Form):
    may = forms.MultipleChoiceField(
        label="It may", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose at least one."}
    )
    reach = forms.ChoiceField(label="In", widget=forms.RadioSelect)
    chosen = forms.ModelMultipleChoiceField(
        Collection.objects.none(), required=False, label="Collections", widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, person: User, tenant: Tenant, only: Collection | None, asked: str, data: Any = None) -> None:
        offered = list_scopes(person, tenant)
        initial = {"may": [scope for scope in offered if scope in asked.split()], "reach": "all"}
        super().__init__(data, initial=initial, label_suffix="")
        self.person, self.tenant, self.only = person, tenant, only
        fields: dict[str, Any] = self.fields
        fields["may"].choices = [(scope.value, SCOPE_WORDS[scope]) for scope in offered]
        own = Collection.objects.filter(tenant=tenant).order_by("name")
        if only or not own.exists():
            del fields["reach"], fields["chosen"]
            return
        fields["reach"].choices = [("all", f"All collections of {tenant.name}, later ones too"), ("chosen", "These:")]
        fields["chosen"].queryset = own
        fields["chosen"].label_from_instance = lambda collection: collection.name

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if given.get("reach") == "chosen" and not given.get("chosen"):
            self.add_error("chosen", "Choose at least one, or all.")
        if given.get("reach") == "all" and given.get("chosen"):
            self.add_error("chosen", "All collections are allowed above: choose these there, or untick them.")
        return given

    def make_consent(self, resource: str) -> Consent:
        chosen = [self.only] if self.only else None
        if self.cleaned_data.get("reach") == "chosen":
            chosen = list(self.cleaned_data["chosen"])
        scopes = [Scope(each) for each in self.cleaned_data["may"]]
        return Consent(self.person, self.tenant, scopes, chosen, resource)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_consent(request: HttpRequest) -> HttpResponseBase:
    if not is_enabled():
        return answer_no_oauth(request)
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    try:
        return ask(request, request.user)
    except Refused as error:
        return show(request, error.status, problem=str(error))


def ask(request: HttpRequest, person: User) -> HttpResponseBase:
    """Raises Refused."""
    principal = make_user_principal(person)
    usage = count_request(principal)
    if usage and usage.is_exceeded:
        raise Refused(usage.make_error().message, HTTPStatus.TOO_MANY_REQUESTS)
    try:
        grant = read_request(request)
    except OAuth2Error as error:
        return send_error(request, error)
    resource = find_asked_resource(grant.request)
    tenants, only = find_tenants(person, resource)
    tenant = choose_tenant(request, tenants)
    context = {
        "client": grant.client.row,
        "place": describe_place(grant.redirect_uri),
        "tenants": tenants,
        "tenant": tenant,
        "only": only,
    }
    if tenant is None:
        response = show(request, **context)
    elif has_too_many(person, tenant):
        raise Refused(TOO_MANY, HTTPStatus.CONFLICT)
    elif request.method == "POST" and "deny" in request.POST:
        return send_back(request, grant.redirect_uri, AccessDeniedError().get_body())
    else:
        form = ConsentForm(
            person, tenant, only, grant.request.scope, request.POST if request.method == "POST" else None
        )
        if form.is_valid():
            return connect(request, grant, form.make_consent(resource))
        response = show(request, form=form, **context)
    # Browsers apply it to where a form's answer redirects, too.
    response._csp_update = {"form-action": [f"{urlsplit(grant.redirect_uri).scheme}:"]}  # type: ignore[attr-defined]
    return response


def read_request(request: HttpRequest) -> Any:
    """Authlib's grant for what the app asks. Raises Refused, and OAuth2Error for what is wrong with it."""
    if not is_secure(request):
        raise Refused(f"{INSECURE}.")
    if name := find_unwritable(request.GET):
        raise Refused(f"The app sent a {name} with characters that it cannot have.")
    client_id = request.GET.get("client_id", "")
    if is_document_address(client_id):
        try:
            ensure_client(client_id)
        except BadDocument as error:
            raise Refused(str(error)) from None
    elif get_server().query_client(client_id) is None:
        raise Refused(UNKNOWN_APP)
    return get_server().get_consent_grant(ServerRequest(request, request.GET))


def send_error(request: HttpRequest, error: OAuth2Error) -> HttpResponseBase:
    """To the app, if it is known where to; else to the person. Also to the person where a link to this server would otherwise lead to
    any website, without a question (RFC 9700, section 4.11.2)."""
    if not error.redirect_uri or is_anybodys(error.redirect_uri):
        raise Refused(f"The app asked for something that cannot be: {error.get_error_description()}")
    return send_back(request, error.redirect_uri, error.get_body())


def send_back(request: HttpRequest, address: str, told: Iterable[tuple[str, str]]) -> HttpResponse:
    """With the app's state, and the issuer, by which an app that uses several servers knows who answers (RFC 9207). The address stays as
    it is."""
    state = request.GET.get("state")
    answer = {**dict(told), **({"state": state} if state else {}), "iss": get_issuer(request)}
    response = HttpResponse(status=HTTPStatus.FOUND)
    response["Location"] = f"{address}{'&' if '?' in address else '?'}{urlencode(answer)}"
    return response


def find_tenants(person: User, resource: str) -> tuple[list[Tenant], Collection | None]:
    """The person's tenants that the endpoint can serve; for one of a single collection its tenant, and the collection. Raises Refused."""
    tenants = tenants_of(person).order_by("name")
    narrowed = get_narrowed(resource)
    if narrowed is None:
        found, only = list(tenants), None
    else:
        slug, name = narrowed
        only = (
            Collection.objects.select_related("tenant").filter(tenant__in=tenants, tenant__slug=slug, slug=name).first()
        )
        found = [only.tenant] if only else []
    if not found:
        raise Refused(NOWHERE, HTTPStatus.NOT_FOUND)
    return found, only


def choose_tenant(request: HttpRequest, tenants: list[Tenant]) -> Tenant | None:
    """The only one, or the one that the person chose before; None if there is a choice to make."""
    if len(tenants) == 1:
        return tenants[0]
    return next((tenant for tenant in tenants if tenant.slug == request.GET.get("tenant")), None)


def connect(request: HttpRequest, grant: Any, consent: Consent) -> HttpResponseBase:
    response = send_back(request, grant.redirect_uri, [("code", grant.issue_code(consent))])
    collections = ", ".join(each.slug for each in consent.collections or ()) or "all collections"
    details = f"{grant.client.row.name}: {', '.join(consent.scopes)} in {collections}, by {describe_place(grant.redirect_uri)}"
    audit.record(request, "connect an app", details=details, tenant=consent.tenant)
    return response


def show(request: HttpRequest, status: int = HTTPStatus.OK, **context: object) -> HttpResponse:
    return render(request, "oauth/consent.html", context, status=status)
