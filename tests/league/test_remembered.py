"""What takes long to find out is found out once, and anew by other code."""

import pytest
from django.core.cache import cache
from redis.exceptions import RedisError

from league.common import remembered as module
from league.common.remembered import remembered


@pytest.fixture(autouse=True)
def _empty():
    cache.clear()
    yield
    cache.clear()


def test_it_is_made_once_for_a_name_and_again_for_another():
    made = []

    def make():
        made.append(1)
        return len(made)

    assert [remembered(("a", 1), make), remembered(("a", 1), make), remembered(("a", "1"), make)] == [1, 1, 2]


def test_what_another_release_kept_is_not_taken(monkeypatch):
    assert remembered("verdict", lambda: "of the old code") == "of the old code"
    monkeypatch.setattr(module, "CODE", "another release")
    assert remembered("verdict", lambda: "of the new code") == "of the new code"


def test_without_a_cache_it_is_made_each_time(monkeypatch):
    def away(*_, **__):
        raise RedisError("away")

    monkeypatch.setattr(cache, "get", away)
    monkeypatch.setattr(cache, "set", away)
    assert [remembered("name", lambda: 1), remembered("name", lambda: 2)] == [1, 2]
