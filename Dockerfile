# The site and its workers: one image, started in different ways (docker-compose.yml).
# BASE is any Debian with Python 3.11 or newer; where no registry answers, an image imported from debootstrap will do.
ARG BASE=python:3.12-slim-bookworm
FROM ${BASE}

# Debian's own Python keeps venv in a package of its own; the official Python images have it.
RUN python3 -c 'import ensurepip, venv' 2>/dev/null \
    || { apt-get update && apt-get install --yes --no-install-recommends python3-venv && rm -rf /var/lib/apt/lists/*; }
RUN python3 -m venv /opt/venv \
    && groupadd --gid 10001 league && useradd --uid 10001 --gid league --home-dir /data --no-log-init league \
    && install --directory --owner=league --group=league /data

WORKDIR /srv/polignac
# The pinned packages first: they change less often than the code.
COPY requirements-runtime.txt constraints.txt ./
RUN /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --requirement requirements-runtime.txt

COPY manage.py ./
COPY arena arena
COPY sandbox sandbox
COPY client client
COPY platform platform
# The guide's pages are made of them.
COPY README.md ./
COPY docs docs

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/srv/polignac:/srv/polignac/platform \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=league.settings.production \
    DATA_DIR=/data \
    GUNICORN_CMD_ARGS="--config=python:league.server"

USER league
EXPOSE 8000
CMD ["gunicorn", "league.asgi"]
