"""Settings for a developer's machine and the demo: a key that is no secret, SQLite, this machine's Redis."""

from league.settings import env
from league.settings.base import *  # noqa: F403 - settings are a flat list

DEBUG = env.flag("DEBUG", "1")
SECRET_KEY = env.text("SECRET_KEY", "for-development-only-this-key-is-public-and-protects-nothing")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS", "127.0.0.0/8,::1")
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - in DATA_DIR
