"""Checks of the models: whether those that embed, rerank and answer work, and whether the settings given for them are used."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from collections_app.access import single_sign_on
from collections_app.answering.model import get_server
from collections_app.clients import oauth_tokens
from collections_app.clients.embeddings import NoEmbedder, get_embedder
from collections_app.clients.llm import get_client
from collections_app.clients.reranking import NoReranker, get_reranker
from collections_app.exceptions import UpstreamUnavailable
from collections_app.models import Tenant
from docsmcp_site.configuration.config import Config
from docsmcp_site.doctor.findings import State, Verdict, fail, ok, warn

UPSTREAM_SECONDS = 5
# The settings that each EMBEDDINGS_KIND and RERANK_KIND uses, without the prefix.
EMBEDDINGS_READ: Mapping[str, frozenset[str]] = {
    "static": frozenset({"directory"}),
    "onnx": frozenset({"directory", "query_prefix", "document_prefix"}),
    "openai": frozenset({"base_url", "model", "dimension", "query_prefix", "document_prefix"}),
    "none": frozenset(),
}
RERANK_READ: Mapping[str, frozenset[str]] = {
    "onnx": frozenset({"directory", "sections", "weight"}),
    "cohere": frozenset({"base_url", "model", "sections", "weight"}),
    "tei": frozenset({"base_url", "model", "sections", "weight"}),
    "none": frozenset(),
}
READ_WITH_MODEL = frozenset({"base_url", "model", "allowed_models", "price_in", "price_out", "monthly_cost"})
WITH_TOKEN = frozenset(oauth_tokens.SETTINGS)
WITH_KEY = frozenset({"api_key"})


def check_embedder() -> Verdict:
    """Whether the embedder makes a vector; a local model is loaded, a server is asked."""
    config = settings.DOCSMCP
    kind = config.embeddings_kind
    access = choose_access(config.embeddings_token_url) if kind == "openai" else frozenset()
    unread = list_unread(config, "embeddings_", EMBEDDINGS_READ[kind] | access | {"kind"})
    return tell_unread(try_embedder(kind), "EMBEDDINGS_KIND", kind, unread, "docs/embeddings.md")


def check_reranker() -> Verdict:
    """Whether the reranker tells a text that answers from one that does not; a local model is loaded, a server is asked."""
    config = settings.DOCSMCP
    kind = config.rerank_kind
    access = choose_access(config.rerank_token_url) if kind in ("cohere", "tei") else frozenset()
    unread = list_unread(config, "rerank_", RERANK_READ[kind] | access | {"kind"})
    return tell_unread(try_reranker(), "RERANK_KIND", kind, unread, "docs/reranking.md")


def check_sign_in() -> Verdict:
    """Whether the provider of single sign-on says where to send people."""
    config = settings.DOCSMCP
    if not single_sign_on.is_enabled():
        if unread := list_unread(config, "oidc_", frozenset()):
            return warn(f"by password; nothing reads {', '.join(unread)}", "set OIDC_ISSUER and OIDC_CLIENT_ID")
        return ok("by password")
    try:
        single_sign_on.make_new_provider().make_address("", state="", nonce="", verifier="")
    except UpstreamUnavailable as error:
        return fail(error.message, "check OIDC_ISSUER: docs/admin.md")
    if config.oidc_tenant and not Tenant.objects.filter(slug=config.oidc_tenant).exists():
        return warn(f"there is no tenant {config.oidc_tenant}", "set OIDC_TENANT to the slug of a tenant")
    return ok(f"by password, and at {config.oidc_issuer}")


def tell_unread(verdict: Verdict, setting: str, kind: str, unread: list[str], manual: str) -> Verdict:
    """The verdict; a good one becomes a warning if settings are given that this kind of model does not use."""
    if not unread or verdict.state != State.OK:
        return verdict
    return warn(
        f"{verdict.what}; as {setting} is {kind}, nothing reads {', '.join(unread)}",
        f"set {setting} to what reads them, or take them away: {manual}",
    )


def try_reranker() -> Verdict:
    question, texts = "How is the server started?", ["Start the server with `up`.", "Llamas eat grass."]
    try:
        reranker = get_reranker()
        scores = reranker.score(question, texts, seconds=UPSTREAM_SECONDS) if reranker else []
    except NoReranker as error:
        return warn(f"none, so nothing is reranked: {error.message}", "see RERANK_… in docs/settings.md")
    except UpstreamUnavailable as error:
        return fail(f"nothing is reranked meanwhile: {error.message}", "see to that server, or to RERANK_…")
    if reranker is None:
        return ok("none, as RERANK_KIND says")
    if len(scores) < len(texts):
        return warn(
            f"{reranker.name} does not read two short texts within {UPSTREAM_SECONDS} s, so next to nothing is reranked",
            "choose a smaller model, or a server that has a faster machine: docs/reranking.md",
        )
    if scores[0] <= scores[1]:
        what = f"{reranker.name} takes a text about llamas for a better answer about a server than one about servers"
        return warn(what, "choose a model that was trained to rerank: docs/reranking.md")
    return ok(reranker.name)


def try_embedder(kind: str) -> Verdict:
    if kind == "none":
        return ok("none, as EMBEDDINGS_KIND says: search is by keyword")
    try:
        embedder = get_embedder()
        dimension = embedder.embed(["docsmcp"], seconds=UPSTREAM_SECONDS).shape[1]
    except NoEmbedder as error:
        return warn(f"none, so search is by keyword: {error.message}", "see EMBEDDINGS_… in docs/settings.md")
    except UpstreamUnavailable as error:
        return fail(f"search is by keyword meanwhile: {error.message}", "see to that server, or to EMBEDDINGS_…")
    return ok(f"{embedder.name}, {dimension} dimensions")


def check_language_model() -> Verdict:
    """Whether the model's server answers. The model itself is not asked, because that costs money."""
    config = settings.DOCSMCP
    needed = {"base_url": config.llm_base_url, "model": config.llm_model}
    if missing := [f"LLM_{name.upper()}" for name, value in needed.items() if not value]:
        unread = list_unread(config, "llm_", frozenset())
        if not unread:
            return ok("none is set: `ask_docs` gives passages")
        what = f"none, so `ask_docs` gives passages: nothing reads {', '.join(unread)} without {' and '.join(missing)}"
        return warn(what, f"set {' and '.join(missing)}, or take the others away")
    try:
        get_client(get_server()).check(seconds=UPSTREAM_SECONDS)
    except UpstreamUnavailable as error:
        return fail(f"`ask_docs` gives passages meanwhile: {error.message}", "see to that server, or to LLM_…")
    unread = list_unread(config, "llm_", READ_WITH_MODEL | choose_access(config.llm_token_url))
    what = f"the server of {config.llm_model} answers"
    if unread:
        return warn(f"{what}; nothing reads {', '.join(unread)}", "take them away, or correct LLM_TOKEN_URL")
    return ok(what)


def choose_access(token_url: str) -> frozenset[str]:
    return WITH_TOKEN if token_url else WITH_KEY


def list_unread(config: Config, prefix: str, read: frozenset[str]) -> list[str]:
    """Names of settings with this prefix that are given but not used."""
    fields = {name: field for name, field in Config.model_fields.items() if name.startswith(prefix)}
    return [
        name.upper()
        for name, field in fields.items()
        if name.removeprefix(prefix) not in read and getattr(config, name) != field.default
    ]
