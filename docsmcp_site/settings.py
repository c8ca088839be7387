"""Django's settings, made from the validated Config. Reads no environment; refuses nothing that Config accepts.

Project code reads `settings.DOCSMCP`; everything here is for Django and its apps.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from docsmcp_site.admin.theme import UNFOLD as UNFOLD
from docsmcp_site.configuration.caches import make_broker, make_caches
from docsmcp_site.configuration.exposure import ANY_ADDRESS
from docsmcp_site.configuration.loading import load_process_config
from docsmcp_site.configuration.secret_key import get_kept_secret_key
from docsmcp_site.database.databases import make_databases
from docsmcp_site.middleware.content_security import PAGES_POLICY
from docsmcp_site.pages.static_files import PREFIX, is_kept_for_good, name_release

DOCSMCP = load_process_config()

SECRET_KEY = DOCSMCP.secret_key or get_kept_secret_key(DOCSMCP.data_dir)
DEBUG = False
if DOCSMCP.allowed_hosts:
    ALLOWED_HOSTS = list(DOCSMCP.allowed_hosts)
elif DOCSMCP.mcp_server_host in ANY_ADDRESS:  # the names that lead here are not known
    ALLOWED_HOSTS = ["*"]
else:
    _own = DOCSMCP.mcp_server_host
    ALLOWED_HOSTS = [".localhost", "127.0.0.1", "[::1]", f"[{_own}]" if ":" in _own else _own]

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",  # its templates replace Django's, so it comes first
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "collections_app.apps.DocsAdminConfig",
    "docsmcp_site",  # its commands replace Django's
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "django_ratelimit",
    "collections_app",
    "mcp_app",
]
MIDDLEWARE = [
    "docsmcp_site.middleware.bodies.answer_head_without_body",
    "docsmcp_site.middleware.https.understand_https",
    "docsmcp_site.middleware.request_ids.identify_requests",
    "docsmcp_site.middleware.probes.answer_probes",
    "django.middleware.security.SecurityMiddleware",
    "docsmcp_site.middleware.content_security.ContentSecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "docsmcp_site.middleware.readiness.wait_for_tables",
    "docsmcp_site.middleware.tenant_wall.keep_tenants_apart",
    "docsmcp_site.middleware.pages_only.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "docsmcp_site.middleware.pages_only.CsrfViewMiddleware",
    "docsmcp_site.middleware.pages_only.AuthenticationMiddleware",
    "docsmcp_site.middleware.pages_only.MessageMiddleware",
    "docsmcp_site.middleware.pages_only.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "docsmcp_site.urls"
WSGI_APPLICATION = "docsmcp_site.wsgi.application"
APPEND_SLASH = False
# Templates are beside the packages in a checkout; setup.py puts them into the wheel.
_ROOT = Path(__file__).resolve().parent
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_ROOT / "templates", _ROOT.parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = make_databases(DOCSMCP)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = make_caches(DOCSMCP)
RATELIMIT_USE_CACHE = "counters"
# "Not officially supported": django-ratelimit only knows the backends of other packages. Both of ours count exactly, which
# tests/end_to_end/test_rate_limits.py shows.
SILENCED_SYSTEM_CHECKS = ["django_ratelimit.W001"]

# https.py finds out whether a request came over https.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = DOCSMCP.https_only
SECURE_HSTS_SECONDS = 31_536_000 if DOCSMCP.https_only else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False  # other names of the domain are not ours
# A redirect would lose a program's message, and its key has already been sent unencrypted.
SECURE_REDIRECT_EXEMPT = [r"^(oauth/)?mcp(/|$)", r"^api/", r"^oauth/(token|register|revoke)$"]
# The middleware that W002 and W003 miss is in pages_only.py: Django's, under another name.
SILENCED_SYSTEM_CHECKS += ["security.W002", "security.W003", "security.W005", "security.W021"]
# At home it answers on http; apps.py warns if others can reach it. Cookies set over https are Secure anyway (https.py).
if not DOCSMCP.https_only:
    SILENCED_SYSTEM_CHECKS += [f"security.{each}" for each in ("W004", "W008", "W010", "W012", "W016")]

AUTH_USER_MODEL = "collections_app.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {"DIRECTIVES": PAGES_POLICY}
CSRF_FAILURE_VIEW = "docsmcp_site.pages.errors.answer_csrf_failure"

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
FORMAT_MODULE_PATH = "docsmcp_site.formats"

# The admin's files are served from where they are installed, so no step can be forgotten before the first start.
STATIC_URL = f"/{PREFIX}{name_release()}/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_IMMUTABLE_FILE_TEST = is_kept_for_good

LOGGING_CONFIG = "docsmcp_site.observability.logs.configure_logging"
LOGGING = {"level": DOCSMCP.log_level, "format": DOCSMCP.log_format}

# IngestJob records what a task did; the queue keeps failures only. A crawl may take hours: a task that takes longer than `timeout` is
# put back and continues where it was. A task whose worker vanished is handed out again after `retry` seconds, which must be longer than
# `timeout`. Jobs do not wait so long: the sweeper makes a new task within two minutes.
Q_CLUSTER = {
    "name": "docsmcp",
    "label": "Queue",
    **make_broker(DOCSMCP),
    "workers": DOCSMCP.queue_workers + 1,  # one for which no long job may be taken: jobs/slots.py
    "queue_limit": DOCSMCP.queue_workers,
    "poll": 0.2,
    "timeout": 86_400,
    "retry": 86_460,
    "max_attempts": 3,
    "ack_failures": False,
    "save_limit": -1,
    "catch_up": False,
    "log_level": DOCSMCP.log_level,
}

# A form may contain a folder's files, each with its path.
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    # Each view names who may call it; one that forgets to answers nobody.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "collections_app.api.errors.answer_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "docsmcp",
    "DESCRIPTION": "Collections, documents, search, uploads, sources and jobs of a docsmcp server.",
    "VERSION": version("docsmcp"),
    "SCHEMA_PATH_PREFIX": "/api",
    "SERVE_INCLUDE_SCHEMA": False,
    "PREPROCESSING_HOOKS": ["collections_app.api.schema.keep_api"],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "collections_app.api.schema.add_errors"],
    "PATH_CONVERTER_OVERRIDES": {"collection": str},
}
