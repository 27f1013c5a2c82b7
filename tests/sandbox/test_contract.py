"""Every backend shows every behaviour that a bot's confinement is made of."""

import pytest

from arena.errors import PlatformFailure
from sandbox.contract import BEHAVIOURS, examine
from sandbox.package import Package


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_backend_keeps_the_contract(backend, name):
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
