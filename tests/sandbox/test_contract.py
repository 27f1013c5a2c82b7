"""Every backend shows every behaviour that a bot's confinement is made of."""

import pytest

from arena.errors import PlatformFailure
from sandbox.contract import BEHAVIOURS, conduct, examine
from sandbox.package import Package


@pytest.fixture(scope="session")
def examined(backend):
    """What the behaviours that watch no clock showed, side by side: most of each is a sandbox's start."""
    names = [name for name, shows in BEHAVIOURS.items() if shows.__module__ != conduct.__name__]
    return {result.name: result.problem for result in examine(backend, names, at_once=4)}


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_backend_keeps_the_contract(backend, examined, name):
    if name in examined:
        assert not examined[name]
    else:
        BEHAVIOURS[name](backend)


def test_examine_reports_each_behaviour_and_what_is_wrong_with_it(monkeypatch):
    class Nothing:
        name = "nothing"

        def available(self):
            return "it is nothing"

        def launch(self, package: Package, limits, log, label=""):
            raise PlatformFailure("sandbox_start", "there is nothing")

    results = list(examine(Nothing()))
    assert [result.name for result in results] == list(BEHAVIOURS)
    assert {result.problem for result in results} == {"sandbox_start: there is nothing"}
