"""Real processes to break: a Redis of our own, Celery workers and a site that use the test's database."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from django.db import connection

from demo.broker import find_server, free_port, server_command
from demo.processes import descendants
from demo.services import GUNICORN, python_path
from sandbox.languages import languages

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


def database_url(**changes):
    """This test's database, for another process; `changes` are other settings for the way there."""
    of = {**connection.settings_dict, **changes}
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    user, password, host = (quote(str(of[key]), safe="") for key in ("USER", "PASSWORD", "HOST"))
    port = f":{of['PORT']}" if of["PORT"] else ""
    return f"postgres://{user}:{password}@{host}{port}/{of['NAME']}"


def environment(data_dir, **chosen):
    """What a process of ours is told."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "league.settings.test",
        "PYTHONPATH": python_path(),
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(data_dir),
        **chosen,
    }


def worker_environment(broker, data_dir, **chosen):
    """What a worker is told: short leases, and that Redis."""
    return environment(data_dir, **{"REDIS_URL": broker.url, "LEASE_S": str(LEASE_S), **chosen})


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


class Gate:
    """A way to the PostgreSQL server that can be shut: what goes through it is cut off."""

    def __init__(self, folder):
        self.path = folder / ".s.PGSQL.5432"
        self.url = database_url(HOST=str(folder), PORT="")
        self._ends, self._listener = set(), None

    def open(self):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self):
        self.path.unlink(missing_ok=True)
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener):
        with listener, suppress(OSError):
            while True:
                near, far = listener.accept()[0], self._server()
                self._ends |= {near, far}
                for here, there in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(here, there), daemon=True).start()

    def _pump(self, here, there):
        with here, suppress(OSError):
            while data := here.recv(65536):
                there.sendall(data)
            there.shutdown(socket.SHUT_WR)
        self._ends.discard(here)

    def _server(self):
        of = connection.settings_dict
        if of["HOST"].startswith("/"):
            far = socket.socket(socket.AF_UNIX)
            far.connect(f"{of['HOST']}/.s.PGSQL.{of['PORT'] or 5432}")
            return far
        return socket.create_connection((of["HOST"], int(of["PORT"] or 5432)))


class Daemon:
    """A process of ours that leads a session of its own."""

    def __init__(self, command, environment, log):
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def says(self, text):
        """Whether that is in its log; it must not have ended."""
        assert self.process.poll() is None, self.log.read_text()
        return text in self.log.read_text()

    def kill(self):
        """All of it at once, as when the machine dies; what outlived its first process, too."""
        while members := group(self.process.pid):
            for pid in members:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        self.process.wait()

    def stop(self):
        """Politely; gives its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


class Worker(Daemon):
    """A Celery worker for both queues, or those told, with two pool processes."""

    def __init__(self, broker, data_dir, log, queues="play,default", **chosen):
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "league",
            "worker",
            "-Q",
            queues,
            "-l",
            "INFO",
        ]
        command += ["--concurrency=2", "--without-mingle", "--without-gossip"]
        super().__init__(command, worker_environment(broker, data_dir, **chosen), log)

    def pool(self):
        """The ids of its pool's processes."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in children.split()]

    def below(self):
        """It and every process below it, each as (id, when it began)."""
        return {found for pid in (self.process.pid, *descendants(self.process.pid)) if (found := began(pid))}


class Site(Daemon):
    """The site, served as in production."""

    def __init__(self, data_dir, log, **chosen):
        self.port = free_port()
        command = [*GUNICORN, f"--bind=127.0.0.1:{self.port}"]
        super().__init__(command, environment(data_dir, **chosen), log)

    def workers(self):
        """The ids of the processes that answer."""
        return descendants(self.process.pid)


class Engine(Daemon):
    """A Docker engine of our own, with the image that Python bots run in."""

    def __init__(self, folder):
        self.folder = folder
        self.url = f"unix://{folder}/socket"
        self.start()
        image = languages()["python"].image
        copy = f"set -o pipefail; docker save {image} | docker --host={self.url} load"
        subprocess.run(["bash", "-c", copy], check=True, capture_output=True)

    def start(self):
        command = ["dockerd", "--iptables=false", "--bridge=none", f"--host={self.url}"]
        command += [f"--data-root={self.folder}/data", f"--exec-root={self.folder}/exec"]
        command += [f"--pidfile={self.folder}/pid"]
        super().__init__(command, os.environ, self.folder / "log")
        wait_until(lambda: self.says("API listen on"), "the engine answers")

    def docker(self, *arguments, check=True):
        """A command of the engine's; gives what it says. `check`: it must succeed."""
        command = ["docker", f"--host={self.url}", *arguments]
        return subprocess.run(command, check=check, capture_output=True, text=True).stdout

    def kill(self):
        """The engine dies; its containers go on, until the next start ends them."""
        helper = Path(f"{self.folder}/exec/containerd/containerd.pid")
        containerd = began(int(helper.read_text()))
        super().kill()
        wait_until(lambda: not alive({containerd}), "its helper has ended, too")
        helper.unlink()

    def remove(self):
        """End all of it and what it has."""
        containers = self.docker("ps", "--all", "--quiet").split()
        if containers:
            self.docker("rm", "--force", *containers)
        self.stop()
        mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
        for place in reversed(mounted):
            if place.startswith(f"{self.folder}/"):  # what the one that was killed had
                subprocess.run(["umount", "--lazy", place], check=True)


def group(leader):
    """The processes of a process group that run."""
    members = []
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with suppress(ProcessLookupError):
            if os.getpgid(pid) == leader and began(pid):
                members.append(pid)
    return members


def began(pid):
    """A process, told from a later one with the same number; None when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (pid, fields[19])


def alive(processes):
    """Those of them, as `began` tells them, that run."""
    return {process for process in processes if began(process[0]) == process}
