"""The site as a WSGI application: `PYTHONPATH=.:platform gunicorn league.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

application = get_wsgi_application()
