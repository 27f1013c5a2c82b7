"""Real processes to break: a Redis of our own, and Celery workers that use the test's database."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from celery import current_app
from django.core.cache import cache
from django.db import connection
from kombu import pools

from demo.broker import find_server, free_port, server_command

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 90.0
LEASE_S = 4


def wait_until(condition, what, patience_s=PATIENCE_S):
    """Wait until something holds; gives what the condition gave."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if result := condition():
            return result
        time.sleep(0.05)
    pytest.fail(f"not within {patience_s:.0f} s: {what}")


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


class Redis:
    """A redis-server that keeps nothing."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self):
        command = server_command(find_server(), self.port, self.folder)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self.answers, "Redis answers")

    def answers(self):
        try:
            with redis.Redis.from_url(self.url) as client:
                return client.ping()
        except redis.ConnectionError:
            return False

    def queued(self):
        """How many messages wait for a play worker."""
        return sum(self.lengths().values())

    def lengths(self):
        """The same, by priority: kombu keeps a list for each."""
        with redis.Redis.from_url(self.url) as client:
            return {key.decode(): client.llen(key) for key in client.keys("play*")}

    def kill(self):
        self.process.kill()
        self.process.wait()


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


class Worker:
    """A Celery worker for both queues, with two pool processes."""

    def __init__(self, broker, data_dir, log):
        self.log = log
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "league.settings.test",
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "platform"))),
            "DATABASE_URL": database_url(),
            "REDIS_URL": broker.url,
            "DATA_DIR": str(data_dir),
            "LEASE_S": str(LEASE_S),
        }
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "league",
            "worker",
            "-Q",
            "play,default",
            "-l",
            "INFO",
        ]
        command += ["--concurrency=2", "--without-mingle", "--without-gossip"]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def ready(self):
        assert self.process.poll() is None, self.log.read_text()
        return " ready." in self.log.read_text()

    def pool(self):
        """The ids of its pool's processes."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in children.split()]

    def kill(self):
        """All of it at once, as when the machine dies."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Politely; gives its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def database_url():
    """This test's database, for another process."""
    of = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    user, password, host = (quote(str(of[key]), safe="") for key in ("USER", "PASSWORD", "HOST"))
    port = f":{of['PORT']}" if of["PORT"] else ""
    return f"postgres://{user}:{password}@{host}{port}/{of['NAME']}"


@pytest.fixture
def start_worker(broker, settings, tmp_path, transactional_db):
    """`start_worker()`: a worker that is ready. What is left of them is killed at the end."""
    workers = []

    def start():
        worker = Worker(broker, settings.DATA_DIR, tmp_path / f"worker-{len(workers)}.log")
        workers.append(worker)
        wait_until(worker.ready, "the worker is ready")
        return worker

    yield start
    for worker in workers:
        if worker.process.poll() is None:
            worker.kill()
