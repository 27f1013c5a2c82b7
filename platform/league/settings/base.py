"""What all three settings share. Variables of the environment are read here and there, always by `env`."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from league.settings import env

ROOT = Path(__file__).resolve().parents[3]

# -- the environment -----------------------------------------------------------------------------------
# SECRET_KEY, DEBUG and ALLOWED_HOSTS are read in dev.py and production.py, which differ in their defaults.

DATA_DIR = env.read("DATA_DIR", lambda value: (ROOT / value).resolve(), "var")
DATABASES: dict[str, Any] = {
    "default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'league.sqlite3'}")
}
REDIS_URL = env.redis("REDIS_URL", "redis://127.0.0.1:6379/0")
SANDBOX = env.choice("SANDBOX", "auto", ("auto", "docker", "bubblewrap"))
UPLOAD_MAX_KIB = env.whole("UPLOAD_MAX_KIB", "1024", 1, 16 * 1024)
REQUEST_S = env.whole("REQUEST_S", "20", 1, 600)
PLAY_LIMIT_S = env.whole("PLAY_LIMIT_S", "43200", 60, 604_800)
LEASE_S = env.whole("LEASE_S", "90", 3, 3600)
RESEND_AFTER_S = env.whole("RESEND_AFTER_S", "120", 1, 3600)
RATE_EVERY_S = env.whole("RATE_EVERY_S", "10", 0, 86_400)
MAX_ATTEMPTS = env.whole("MAX_ATTEMPTS", "3", 1, 20)
MAX_UPLOADS_A_DAY = env.whole("MAX_UPLOADS_A_DAY", "200", 1, 1_000_000)
MAX_KEPT_MIB = env.whole("MAX_KEPT_MIB", "512", 1, 1_000_000)
MAX_WAITING_CHECKS = env.whole("MAX_WAITING_CHECKS", "10", 1, 10_000)
MAX_OPEN_TOURNAMENTS = env.whole("MAX_OPEN_TOURNAMENTS", "50", 1, 1_000_000)
MAX_WAITING_TABLES = env.whole("MAX_WAITING_TABLES", "20000", 1, 1_000_000)
MAX_WEBHOOKS = env.whole("MAX_WEBHOOKS", "10", 0, 1000)
MAX_SITTINGS = env.whole("MAX_SITTINGS", "8", 0, 1000)
SITTING_IDLE_S = env.whole("SITTING_IDLE_S", "900", 10, 86_400)
SITTINGS_A_USER = 1
WEBHOOK_TIMEOUT_S = env.whole("WEBHOOK_TIMEOUT_S", "10", 1, 60)
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS", "")
TOKEN_DAYS = env.whole("TOKEN_DAYS", "30", 1, 365)
SIGN_UP_RATE = env.rate("SIGN_UP_RATE", "20/hour")
LOGIN_RATE = env.rate("LOGIN_RATE", "10/min")
ANONYMOUS_RATE = env.rate("ANONYMOUS_RATE", "300/min")
READ_RATE = env.rate("READ_RATE", "1200/min")
SUBMIT_RATE = env.rate("SUBMIT_RATE", "60/min")
ORGANISE_RATE = env.rate("ORGANISE_RATE", "240/min")
ADMIN_RATE = env.rate("ADMIN_RATE", "240/min")
TRUSTED_PROXIES = env.whole("TRUSTED_PROXIES", "0", 0, 10)
LIVE_POLL_S = env.whole("LIVE_POLL_S", "3", 1, 60)
LIVE_LISTENERS = env.whole("LIVE_LISTENERS", "2000", 1, 100_000)
LIVE_PER_CLIENT = env.whole("LIVE_PER_CLIENT", "50", 1, 100_000)

# -- Django ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "league.common",
    "league.accounts",
    "league.bots",
    "league.ratings",
    "league.tournaments",
    "league.matches",
    "league.webhooks",
    "league.sittings",
    "league.pipeline",
    "league.live",
    "league.api",
    "league.web",
]
MIDDLEWARE = [
    "league.api.middleware.request_ids",
    "league.api.headers.guarded",
    "league.api.caching.cached",
    "league.api.middleware.one_error_shape",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.web.errors.told_as_pages",
    "league.api.middleware.bounded_bodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.web.sessions.noted",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "league.urls"
ASGI_APPLICATION = "league.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "platform/league/templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.web.context.site",
            ]
        },
    }
]
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
APPEND_SLASH = False
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_USE_FINDERS = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_AGE = 12 * 3600  # operators log in each day
LOGIN_URL = "login"
CSRF_FAILURE_VIEW = "league.web.errors.csrf_failure"
# One uploaded file in memory; what is longer is refused before it is read (league.api.middleware).
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE = 17 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
DATA_UPLOAD_MAX_NUMBER_FILES = 1

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Writers wait for each other instead of failing, and readers never wait.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL",
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    # A machine that is gone answers nothing at all: without this a connection is waited for for minutes.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "league",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}

# -- logs: to standard error, where whoever runs the process collects them -------------------------------

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request": {"()": "league.common.request_id.Stamp"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {name} [{request_id}] {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request"]}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Whoever sends the name of another site is answered 400, in one line, not in a traceback.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}

# -- Celery: a message is a nudge, the row is the truth --------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = PLAY_LIMIT_S
CELERY_TASK_SOFT_TIME_LIMIT = PLAY_LIMIT_S - 30
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.2}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task: a message whose worker lives is never handed to a second one.
    "visibility_timeout": 2 * PLAY_LIMIT_S,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 3,
    # Two steps: everything else goes before the tables that wait (league.pipeline.queue).
    "priority_steps": [0, 5],
}
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "league.play_table": "play",
    "league.check_version": "play",
    "league.sit": "seats",  # of their own: tables never wait for people
}
CELERY_BEAT_SCHEDULE = {
    "reconcile": {"task": "league.reconcile", "schedule": 60.0, "options": {"expires": 60}}
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")

# -- the API ---------------------------------------------------------------------------------------------

#: Whether an error of an unregistered code (league.common.problems) is a crash: in tests.
STRICT_PROBLEMS = False
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["league.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "league.api.permissions.HasScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "league.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "league.api.schema.Schema",
    "DEFAULT_FILTER_BACKENDS": [
        "league.api.filters.Filters",
        "league.api.filters.Ordering",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.throttles.FairThrottle"],
    "DEFAULT_THROTTLE_RATES": {
        "sign_up": SIGN_UP_RATE,
        "login": LOGIN_RATE,
        "anonymous": ANONYMOUS_RATE,
        "read": READ_RATE,
        "submit": SUBMIT_RATE,
        "organise": ORGANISE_RATE,
        "admin": ADMIN_RATE,
    },
    "EXCEPTION_HANDLER": "league.api.errors.handle",
    "NUM_PROXIES": TRUSTED_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
MIGRATION_MODULES = {"knox": None}  # the table is ours
KNOX_TOKEN_MODEL = "accounts.Token"
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=TOKEN_DAYS),
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_LIMIT_PER_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Polignac league",
    "DESCRIPTION": "Bots in, matches played in sandboxes, ratings out.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "league.api.schema.finish",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VersionStatus": "league.bots.lifecycle.VersionStatus",
        "TournamentStatus": "league.tournaments.lifecycle.TournamentStatus",
        "EntrantStatus": "league.tournaments.lifecycle.EntrantStatus",
        "Reason": "league.tournaments.waiting.Reason",
        "TableStatus": "league.tournaments.lifecycle.TableStatus",
        "SittingStatus": "league.sittings.lifecycle.SittingStatus",
        "WebhookStatus": "league.webhooks.lifecycle.WebhookStatus",
        "DeliveryStatus": "league.webhooks.lifecycle.DeliveryStatus",
        "EventType": "league.api.serializers.webhooks.EVENTS",
    },
}
