"""The site as an ASGI application, for servers that speak it."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

application = get_asgi_application()
