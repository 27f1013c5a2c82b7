"""What the faults' tests break; it is made in tests/faults/machinery.py."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from celery import current_app
from django.core.cache import cache
from kombu import pools

from tests.faults.machinery import ROOT, Engine, Gate, Redis, Site, Worker, wait_until, worker_environment

__all__ = ["ROOT", "worker_environment"]


@pytest.fixture
def wait():
    """`wait(condition, what)`: until it holds, or fail."""
    return wait_until


@pytest.fixture(autouse=True)
def _own_data(settings, tmp_path):
    """Archives go into the test's own folder."""
    cache.clear()
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()


@pytest.fixture
def broker(tmp_path, monkeypatch):
    """A Redis, and this process sending its messages to it."""
    server = Redis(tmp_path)
    monkeypatch.setenv("CELERY_BROKER_URL", server.url)
    _forget_connections()
    yield server
    _forget_connections()
    server.kill()


def _forget_connections():
    """The next message is sent over a new connection, to where the environment says."""
    pools.reset()
    current_app._pool = None
    current_app.amqp._producer_pool = None


@pytest.fixture
def start_worker(broker, settings, tmp_path, transactional_db):
    """`start_worker(VARIABLE=value)`: a worker that is ready. What is left of them is killed at the end."""
    workers = []

    def start(**chosen):
        worker = Worker(broker, settings.DATA_DIR, tmp_path / f"worker-{len(workers)}.log", **chosen)
        workers.append(worker)
        wait_until(lambda: worker.says(" ready."), "the worker is ready")
        return worker

    yield start
    for worker in workers:
        worker.kill()


@pytest.fixture
def start_site(settings, tmp_path, transactional_db):
    """`start_site(VARIABLE=value)`: the site, which answers; its temporary files go to `tmp_path / "tmp"`."""
    (tmp_path / "tmp").mkdir()
    sites = []

    def start(**chosen):
        log = tmp_path / f"site-{len(sites)}.log"
        sites.append(site := Site(settings.DATA_DIR, log, TMPDIR=str(tmp_path / "tmp"), **chosen))
        # Every worker has loaded the site when each says so.
        wait_until(lambda: site.says("Booting worker") and len(site.workers()) >= 2, "the site has workers")
        return site

    yield start
    for site in sites:
        site.kill()


@pytest.fixture
def gate(db):
    """A way to the database that can be shut."""
    with tempfile.TemporaryDirectory(prefix="polignac-gate-") as folder:  # sockets have short names
        made = Gate(Path(folder))
        made.open()
        yield made
        made.shut()


@pytest.fixture
def seats():
    """A folder for what bots' files are laid in, as TMPDIR: any user can get to it."""
    with tempfile.TemporaryDirectory(prefix="polignac-seats-") as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


@pytest.fixture
def small_disk():
    """`small_disk(KiB)`: a folder on a disk of its own, of that size, that any user can get to."""
    folders = []

    def make(kib, **options):
        folder = Path(tempfile.mkdtemp(prefix="polignac-disk-"))
        folders.append(folder)
        told = ",".join(
            [f"size={kib}k", "mode=0755", *(f"{name}={value}" for name, value in options.items())]
        )
        subprocess.run(["mount", "-t", "tmpfs", "-o", told, "tmpfs", folder], check=True)
        return folder

    yield make
    for folder in folders:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


@pytest.fixture
def engine():
    """A Docker engine that may be broken."""
    # Sockets have short names, and a disk must take the image.
    folder = Path(tempfile.mkdtemp(prefix="polignac-engine-"))
    made = Engine(folder)
    yield made
    made.remove()
    shutil.rmtree(folder)
