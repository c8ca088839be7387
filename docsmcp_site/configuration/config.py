"""Every setting of the server, as one model: `Config`. loading.py finds the values.

Adding a setting: a field here, a row in docs/settings.md, a line in .env.example (tests compare them).
"""

from __future__ import annotations

from decimal import Decimal
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from docsmcp_site.configuration.setting_kinds import (
    AbsolutePaths,
    Amount,
    Boolean,
    Choice,
    FetchTargets,
    FilePath,
    Host,
    Hosts,
    HttpUrl,
    Kind,
    Networks,
    Origins,
    PostgresUrl,
    Prefix,
    RedisUrl,
    Secret,
    StoreUrl,
    Text,
    Texts,
    WholeNumber,
)

PROJECT_ROOT = Path(__file__).resolve().parents[2]

_MAX_COUNT = 1_000_000
_DAY_SECONDS = 86_400

Bool = Annotated[bool, Boolean()]
Count = Annotated[int, WholeNumber(1, _MAX_COUNT)]
Seconds = Annotated[int, WholeNumber(1, _DAY_SECONDS, "seconds")]
CacheSeconds = Annotated[int, WholeNumber(0, _DAY_SECONDS, "seconds")]
Processes = Annotated[int, WholeNumber(1, 64)]
OptionalText = Annotated[str, Text()]
OptionalUrl = Annotated[str, HttpUrl()]
ApiKey = Annotated[str, Secret(1)]


# How requests to a model's server are authorized is set alike for each; `server` is the prefix of its settings.
def _make_api_key(server: str) -> Any:
    return Field("", repr=False, description=f"The API key for {server}_BASE_URL.")


def _make_token_url(server: str) -> Any:
    where = f"Where to get access tokens for {server}_BASE_URL (OAuth client credentials)."
    return Field("", description=f"{where} Empty: {server}_API_KEY is sent.")


def _make_client_id(server: str) -> Any:
    return Field("", description=f"The client id for {server}_TOKEN_URL.")


def _make_client_secret(server: str) -> Any:
    return Field("", repr=False, description=f"The client secret for {server}_TOKEN_URL.")


def _make_token_scope() -> Any:
    return Field("", description="The scope requested for the token.")


class Config(BaseModel):
    """The settings by their lower-case names; read elsewhere as `django.conf.settings.DOCSMCP`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Places
    docsmcp_config: Annotated[Path | None, FilePath()] = Field(
        None, description="A TOML or YAML file with settings. Cannot be set in that file."
    )
    data_dir: Annotated[Path, FilePath()] = Field(
        description="Directory for the server's own data: the embedded database, the secret key, `first-run.json`."
    )
    database_url: Annotated[str, PostgresUrl()] = Field(
        "",
        repr=False,
        description="The PostgreSQL server (15 or later). Empty: an embedded PostgreSQL 18 in DATA_DIR is started.",
    )
    database_row_security: Annotated[str, Choice(("auto", "on", "off"))] = Field(
        "auto",
        description="Whether the database itself separates tenants too: auto does so if its role `docsmcp_web` exists, on "
        "requires it.",
    )
    database_direct_url: Annotated[str, PostgresUrl()] = Field(
        "",
        repr=False,
        description="The database itself, if DATABASE_URL is a pooler such as PgBouncer; then only the web server uses the "
        "pooler. Empty: DATABASE_URL is no pooler.",
    )
    database_replica_url: Annotated[str, PostgresUrl()] = Field(
        "",
        repr=False,
        description="A streaming replica of the database, or several hosts of them, for searching and reading. Empty: none.",
    )
    database_replica_max_lag: Seconds = Field(
        5, description="A replica that lags further behind is not used until it has caught up."
    )
    database_pool_size: Annotated[int, WholeNumber(0, 64)] = Field(
        0, description="Connections shared by the threads of a web server process. 0: each thread keeps its own."
    )
    redis_url: Annotated[str, RedisUrl()] = Field(
        "", repr=False, description="Redis for counters and caches. Empty: they are kept in PostgreSQL."
    )
    upload_store: Annotated[str, StoreUrl()] = Field(
        "",
        description="Where uploaded files are stored: an object store, or a directory shared by all machines. Empty: in the "
        "database.",
    )

    # The web server
    mcp_server_host: Annotated[str, Host()] = Field(
        "127.0.0.1", description="The address that the server listens on; 0.0.0.0 or :: for all."
    )
    mcp_server_port: Annotated[int, WholeNumber(1, 65535)] = Field(
        8001, description="The TCP port that the server listens on."
    )
    allowed_hosts: Annotated[tuple[str, ...], Hosts()] = Field(
        (),
        description="Host names that requests may use. Empty: this machine's loopback names and MCP_SERVER_HOST; any name if "
        "that is 0.0.0.0 or ::.",
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], Networks()] = Field(
        (),
        description="Reverse proxies whose X-Forwarded-For is trusted. Empty: none; a request comes from its peer.",
    )
    https_only: Bool = Field(
        False,
        description="Whether people must use https: http pages redirect to it, and browsers are told to stay (HSTS). `/mcp` and "
        "`/api/` never redirect.",
    )
    web_workers: Processes = Field(2, description="Web server processes.")
    web_threads: Processes = Field(
        8, description="Threads of each web server process, that is, requests handled at once."
    )
    queue_workers: Processes = Field(2, description="Background jobs, such as ingestion, that run at once.")
    secret_key: Annotated[str, Secret(32)] = Field(
        "",
        repr=False,
        description="Signs sessions and queued jobs; use 50 characters or more. Empty: generated once and kept in DATA_DIR. "
        "Hosts that share a database need the same key.",
    )

    # The Model Context Protocol
    mcp_enabled: Bool = Field(
        True, description="Whether `/mcp` answers. If not, it is a 404 and everything else stays up."
    )
    mcp_auth_required: Bool = Field(
        False, description="Whether callers without an API key are refused. If not, they see public collections."
    )
    mcp_api_key: Annotated[str, Secret(16)] = Field(
        "",
        repr=False,
        description="A first API key for the default tenant, with the scopes read and ask. `docsmcp up`, or a queue that starts, "
        "creates it.",
    )
    mcp_allowed_origins: Annotated[tuple[str, ...], Origins()] = Field(
        (), description="Websites whose pages may call `/mcp` from a browser. Empty: only the server's own."
    )
    oauth_enabled: Bool = Field(
        False,
        description="Whether people can connect apps by OAuth, at `/oauth/mcp`: for apps that cannot be given an API key, such as ChatGPT "
        "and claude.ai.",
    )
    oauth_redirect_hosts: Annotated[tuple[str, ...], Hosts()] = Field(
        (),
        description="Websites that people may be sent back to when they have connected an app, such as chatgpt.com and claude.ai. Empty: "
        "any. Apps on a person's own machine are always allowed.",
    )
    mcp_rate_limit_requests: Count = Field(
        120,
        description="Requests that a key, a member or an anonymous address may make in one window; keys and tenants can have "
        "limits of their own.",
    )
    mcp_rate_limit_window: Seconds = Field(60, description="The length of the rate limit's window.")
    mcp_default_mode: Annotated[str, Choice(("auto", "keyword", "semantic", "hybrid"))] = Field(
        "auto",
        description="How `search_docs` searches if the caller does not say; auto is hybrid for collections with embeddings, else "
        "keyword.",
    )
    mcp_max_search_results: Annotated[int, WholeNumber(1, 50)] = Field(
        10, description="Results of a search if the caller gives no limit."
    )
    mcp_snippet_length: Annotated[int, WholeNumber(50, 2000, "characters")] = Field(
        200, description="The length of the snippet around a match."
    )

    # Documents and data that is kept
    max_file_bytes: Annotated[int, WholeNumber(1, 2**30, "bytes")] = Field(
        10 * 2**20, description="The largest file that is ingested; a source may have a lower limit."
    )
    max_upload_bytes: Annotated[int, WholeNumber(1, 2**32, "bytes")] = Field(
        100 * 2**20, description="The largest upload, counting all its files and archives."
    )
    max_tenant_documents: Annotated[int, WholeNumber(0, 1_000_000_000)] = Field(
        0, description="Documents that a tenant may have, unless the tenant has its own limit. 0: no limit."
    )
    max_tenant_bytes: Annotated[int, WholeNumber(0, 2**50, "bytes")] = Field(
        0,
        description="Total size of a tenant's document files, unless the tenant has its own limit. 0: no limit.",
    )
    removed_retention_days: Annotated[int, WholeNumber(0, 3650, "days")] = Field(
        7, description="How long a removed document can be restored."
    )
    allowed_roots: Annotated[tuple[Path, ...], AbsolutePaths()] = Field(
        (), description="Server directories from which clients may name files. Empty: none."
    )
    fetch_timeout: Seconds = Field(30, description="How long fetching one page may take.")
    fetch_allowed_hosts: Annotated[tuple[str, ...], FetchTargets()] = Field(
        (),
        description="Hosts, host:port and networks (10.0.0.0/8) that may be fetched from although their addresses are private or "
        "this machine's own. Empty: none.",
    )
    max_concurrent_fetches: Annotated[int, WholeNumber(1, 100)] = Field(5, description="Pages fetched at once.")
    cache_ttl_search: CacheSeconds = Field(300, description="How long search results are cached; 0 disables it.")
    search_repeat_window: CacheSeconds = Field(
        180,
        description="A key that repeats the same `search_docs` call within this time (and CACHE_TTL_SEARCH) is told that nothing "
        "changed and what to read; 0 disables it.",
    )
    cache_ttl_answer: CacheSeconds = Field(120, description="How long answers are cached; 0 disables it.")
    search_event_retention_days: Annotated[int, WholeNumber(1, 3650, "days")] = Field(
        30, description="How long search records are kept."
    )
    usage_retention_days: Annotated[int, WholeNumber(1, 3650, "days")] = Field(
        400, description="How long daily request counts are kept."
    )
    feedback_retention_days: Annotated[int, WholeNumber(1, 3650, "days")] = Field(
        180, description="How long agents' feedback is kept."
    )

    # Embeddings, for semantic and hybrid search
    embeddings_kind: Annotated[str, Choice(("static", "onnx", "openai", "none"))] = Field(
        "static",
        description="Where embeddings come from: a static model (from the package wordllama, or in EMBEDDINGS_DIRECTORY), a "
        "sentence transformer in EMBEDDINGS_DIRECTORY run by onnxruntime, a server with OpenAI's embeddings API, or "
        "nowhere.",
    )
    embeddings_directory: Annotated[Path | None, FilePath()] = Field(
        None,
        description="Directory of the model: `model.safetensors` (static) or `model.onnx` (onnx), and `tokenizer.json`.",
    )
    embeddings_base_url: Annotated[str, HttpUrl()] = Field(
        "", description="Base URL of the embeddings API, such as http://127.0.0.1:11434/v1."
    )
    embeddings_model: Annotated[str, Text()] = Field("", description="The model requested from the embeddings API.")
    embeddings_api_key: ApiKey = _make_api_key("EMBEDDINGS")
    embeddings_token_url: OptionalUrl = _make_token_url("EMBEDDINGS")
    embeddings_client_id: OptionalText = _make_client_id("EMBEDDINGS")
    embeddings_client_secret: ApiKey = _make_client_secret("EMBEDDINGS")
    embeddings_token_scope: OptionalText = _make_token_scope()
    embeddings_query_prefix: Annotated[str, Prefix()] = Field(
        "",
        description="What the model wants before a question, such as `query: `. Empty: what a directory for onnx says, else nothing.",
    )
    embeddings_document_prefix: Annotated[str, Prefix()] = Field(
        "",
        description="What the model wants before a section, such as `passage: `; another one is another model. Empty: what a directory "
        "for onnx says, else nothing.",
    )
    embeddings_dimension: Annotated[int, WholeNumber(0, 2000)] = Field(
        0, description="The vector length requested from the embeddings API; 0 for the model's own."
    )

    # Reranking: a model rates the first sections of a search again
    rerank_kind: Annotated[str, Choice(("none", "onnx", "cohere", "tei"))] = Field(
        "none",
        description="What rereads the first sections with the question and reorders them: nothing, a cross-encoder in "
        "RERANK_DIRECTORY run by onnxruntime, a server with Cohere's rerank API (vLLM, Jina and others have it), or "
        "one with the API of text-embeddings-inference.",
    )
    rerank_directory: Annotated[Path | None, FilePath()] = Field(
        None, description="Directory of the model: `model.onnx` and `tokenizer.json`."
    )
    rerank_base_url: Annotated[str, HttpUrl()] = Field(
        "", description="Base URL of the rerank API, such as http://127.0.0.1:8080/v1; `/rerank` is appended."
    )
    rerank_model: Annotated[str, Text()] = Field(
        "", description="The model requested from the rerank API. Empty: its default."
    )
    rerank_api_key: ApiKey = _make_api_key("RERANK")
    rerank_token_url: OptionalUrl = _make_token_url("RERANK")
    rerank_client_id: OptionalText = _make_client_id("RERANK")
    rerank_client_secret: ApiKey = _make_client_secret("RERANK")
    rerank_token_scope: OptionalText = _make_token_scope()
    rerank_sections: Annotated[int, WholeNumber(2, 100)] = Field(
        20, description="How many sections of a search are reranked."
    )
    rerank_weight: Annotated[int, WholeNumber(1, 100, "percent")] = Field(
        50, description="How much of a section's score comes from the reranker; the rest comes from the search."
    )

    # The language model of ask_docs
    llm_base_url: Annotated[str, HttpUrl()] = Field(
        "",
        description="Base URL of a language model with OpenAI's chat API, such as http://127.0.0.1:11434/v1. Empty: `ask_docs` "
        "gives passages.",
    )
    llm_model: Annotated[str, Text()] = Field("", description="The model requested. Empty: none.")
    llm_allowed_models: Annotated[tuple[str, ...], Texts()] = Field(
        (), description="Other models that callers of `ask_docs` may choose."
    )
    llm_api_key: ApiKey = _make_api_key("LLM")
    llm_token_url: OptionalUrl = _make_token_url("LLM")
    llm_client_id: OptionalText = _make_client_id("LLM")
    llm_client_secret: ApiKey = _make_client_secret("LLM")
    llm_token_scope: OptionalText = _make_token_scope()
    llm_price_in: Annotated[Decimal, Amount()] = Field(
        Decimal(0), description="Price of a million input tokens, in your currency."
    )
    llm_price_out: Annotated[Decimal, Amount()] = Field(Decimal(0), description="Price of a million output tokens.")
    llm_monthly_cost: Annotated[Decimal | None, Amount()] = Field(
        None,
        description="What a tenant's answers may cost per calendar month, unless the tenant has its own limit. Empty: no limit.",
    )

    # Single sign-on
    oidc_issuer: OptionalUrl = Field(
        "",
        description="The OpenID Connect provider at which people can sign in, exactly as it calls itself, such as "
        "https://login.example.com/realms/staff. Empty: by password only.",
    )
    oidc_client_id: OptionalText = Field("", description="This server's client id at the provider.")
    oidc_client_secret: ApiKey = Field("", repr=False, description="The secret that belongs to OIDC_CLIENT_ID.")
    oidc_name: OptionalText = Field(
        "single sign-on", description="What the provider is called on the button *Sign in with …*."
    )
    oidc_tenant: OptionalText = Field(
        "",
        description="The slug of the tenant that people without an account join when they sign in at the provider. Empty: they need an "
        "invitation.",
    )
    oidc_domains: Annotated[tuple[str, ...], Hosts()] = Field(
        (),
        description="What must follow the @ in the addresses of those who join OIDC_TENANT; the provider must say that the address is "
        "verified. Empty: everybody whom the provider lets in joins.",
    )
    oidc_role: Annotated[str, Choice(("viewer", "editor"))] = Field(
        "viewer", description="The role with which they join OIDC_TENANT."
    )

    # Monitoring
    metrics_token: Annotated[str, Secret(16)] = Field(
        "",
        repr=False,
        description="The bearer token for `/metrics` and the details of `/readyz` and `/health`. Empty: only this machine may "
        "read them.",
    )
    otel_exporter_otlp_endpoint: Annotated[str, HttpUrl()] = Field(
        "", description="Where traces are sent (OTLP over HTTP), such as http://127.0.0.1:4318. Empty: none are made."
    )

    # Logs
    log_level: Annotated[str, Choice(("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))] = Field(
        "INFO", description="The lowest level that is logged."
    )
    log_format: Annotated[str, Choice(("console", "json"))] = Field(
        "console", description="Logs for people, or as one JSON object per line; on stderr."
    )


SETTING_NAMES = tuple(field.upper() for field in Config.model_fields)


def get_kind(name: str) -> Kind:
    """The kind of value that the setting `name` takes."""
    return next(kind for kind in Config.model_fields[name.lower()].metadata if isinstance(kind, Kind))
