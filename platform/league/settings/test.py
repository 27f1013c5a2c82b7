"""Settings of the test suite: its own folder, fast password hashes, no Redis for the cache, no flushing."""

import os
import tempfile
from pathlib import Path

_own = Path(tempfile.gettempdir()) / f"polignac-tests-{os.getuid()}"
os.environ.setdefault("DATA_DIR", str(_own))

from league.settings import env  # noqa: E402
from league.settings.base import *  # noqa: E402, F403

DEBUG = False
STRICT_PROBLEMS = True
SECRET_KEY = env.text("SECRET_KEY", "for-tests-only-this-key-is-public-and-protects-nothing")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
if "REDIS_URL" not in os.environ:
    CELERY_BROKER_URL = "memory://"  # nobody listens; tests/faults starts a Redis of its own
WHITENOISE_AUTOREFRESH = (
    True  # looked for when asked for: each of our clients would look for all, at its start
)
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - in DATA_DIR

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, one for each test process, as the worker processes of tests/faults must see what the test sees.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / f"test-{os.getpid()}.sqlite3")}  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"  # noqa: F405
elif "TEST_TEMPLATE" in os.environ:
    # One that has been migrated, made by scripts/test.py.
    DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ["TEST_TEMPLATE"]}  # noqa: F405
