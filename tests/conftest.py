"""For every test: where the code is found, and what a machine may lack.

`platform/` holds the Django project; it goes to the end of the path, and pytest's `pythonpath` would put it
in front. So pytest-django is not told of the settings: it finds Django configured here, and takes over.
"""

import os
import sys
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.extend(str(place) for place in (ROOT, ROOT / "platform") if str(place) not in sys.path)

# The same examples in every run, and no stopwatch: a test that fails does so on the next machine, too.
# `pytest --hypothesis-profile=explore` looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("steady")

import django  # noqa: E402
from django.db import connection  # noqa: E402

from scripts.needs import NEEDS, REQUIRE_ALL  # noqa: E402

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings.test"
django.setup()
# The workers of pytest-xdist inherit the environment, and would look for the settings before they come here.
del os.environ["DJANGO_SETTINGS_MODULE"]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what this machine lacks, and say what that is."""
    for need in NEEDS:
        if item.get_closest_marker(need.name) and (reason := need.missing()):
            pytest.skip(f"{need.name}: {reason}")
    if item.get_closest_marker("postgres") and connection.vendor != "postgresql":
        pytest.skip("postgres: the database here is SQLite; `make test` has a PostgreSQL of its own")


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Under POLIGNAC_REQUIRE_ALL a skip is a failure, whatever its reason."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped under POLIGNAC_REQUIRE_ALL: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    refuse_skip(report)
    return report
