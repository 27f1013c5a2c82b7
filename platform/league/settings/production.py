"""Settings of a site that strangers reach: no secret has a default, and cookies travel over TLS only."""

from league.settings import env
from league.settings.base import *  # noqa: F403 - settings are a flat list

DEBUG = False
SECRET_KEY = env.secret("SECRET_KEY")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", None)
env.database("DATABASE_URL", None)
env.redis("REDIS_URL", None)

CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if host != "*"]
SECURE_SSL_REDIRECT = env.flag("SSL_REDIRECT", "1")
SECURE_REDIRECT_EXEMPT = [r"^api/v1/health/$"]
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
if env.flag("BEHIND_TLS_PROXY", "0"):
    # Only where a proxy of ours sets this header on every request, whatever the visitor sent.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
WHITENOISE_USE_FINDERS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.web.storage.HashedStorage"},
}
