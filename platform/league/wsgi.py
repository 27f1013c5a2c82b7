"""The site as a WSGI application; league.server says how it is served."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

application = get_wsgi_application()
