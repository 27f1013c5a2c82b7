"""For every test: where the code is found, and what a machine may lack.

`platform/` holds the Django project; it goes to the end of the path, and pytest's `pythonpath` would put it
in front. So pytest-django is not told of the settings: it finds Django configured here, and takes over.
"""

import faulthandler
import os
import shutil
import sys
from pathlib import Path

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parent.parent
sys.path.extend(str(place) for place in (ROOT, ROOT / "platform") if str(place) not in sys.path)

# The same examples in every run, and no stopwatch: a test that fails does so on the next machine, too.
# `pytest --hypothesis-profile=explore` looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("steady")

import django  # noqa: E402
from django.core.servers.basehttp import WSGIRequestHandler  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.backends.sqlite3.creation import DatabaseCreation  # noqa: E402

from scripts.needs import NEEDS, REQUIRE_ALL  # noqa: E402

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings.test"
django.setup()
# The workers of pytest-xdist inherit the environment, and would look for the settings before they come here.
del os.environ["DJANGO_SETTINGS_MODULE"]

# Nothing here must survive a crash of the machine: no waiting for the disk.
os.fsync = lambda descriptor: None
# Live servers write an answer in parts: the next would wait 40 ms for a receipt of the one before.
WSGIRequestHandler.disable_nagle_algorithm = True

#: Seconds for the making of what a test needs, for itself, and for the end of it. pytest-timeout interrupts a
#: test before, but once, and only what can be interrupted. Whoever is not done then is ended, with its last
#: words: where each of its threads is.
HANGS_S = 480
#: The same for a process whose tests are done.
LINGERS_S = 120
#: What to begin with; from the outermost. The long ones first, so that no core is idle while the last is
#: waited for; and as what waits much stands beside what computes much, they leave each other room.
LONG = (
    "tests/bench/",
    "tests/faults/",
    "tests/e2e/",
    "tests/web/test_walks",
    "tests/api/",
    "tests/client/test_installed",
    "tests/architecture/test_standard_library",
    "tests/sandbox/test_hostile_tables",
    "tests/league/test_pipeline",
    "tests/arena/test_players",
    "tests/client/test_play",
    "tests/client/test_check",
    "tests/sandbox/",
)


#: Modules whose fixtures take longer than their tests: each on one process.
TOGETHER = {"tests/web/test_walks.py", "tests/web/test_table.py"}


class Together(LoadScopeScheduling):
    """Every test goes to whoever is free; but a module's whole to one, where that is cheaper."""

    def _split_scope(self, nodeid):
        module = nodeid.partition("::")[0]
        return module if module in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Together(config, log)


def copied_from(template):
    """Databases on SQLite begin as a copy of that one, which has been migrated (see scripts/test.py)."""
    make = DatabaseCreation._create_test_db

    def copy(self, *args, **options):
        name = make(self, *args, **options)
        shutil.copyfile(template, name)
        return name

    DatabaseCreation._create_test_db = copy


if connection.vendor == "sqlite" and (template := os.environ.get("TEST_TEMPLATE")):
    copied_from(template)


def pytest_configure(config):
    """Remember where the last words go: until then our own words are captured."""
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        config.last_words = os.dup(2)


def pytest_collection_modifyitems(items):
    """The longest first."""
    ranks = dict(zip(LONG, range(len(LONG)), strict=True))
    items.sort(
        key=lambda item: min(
            (rank for start, rank in ranks.items() if item.nodeid.startswith(start)), default=len(LONG)
        )
    )


def within(seconds, config):
    """From now on there is so much time; any other limit is forgotten."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.last_words)


def pytest_sessionfinish(session):
    """Threads and processes that nobody ended must not keep us."""
    within(LINGERS_S, session.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    """A test has its time."""
    within(HANGS_S, item.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    """So has what it leaves, whether or not it was interrupted before."""
    within(HANGS_S, item.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what this machine lacks, and say what that is."""
    within(HANGS_S, item.config)
    for need in NEEDS:
        if item.get_closest_marker(need.name) and (reason := need.missing()):
            pytest.skip(f"{OPTIONAL if need.optional else ''}{need.name}: {reason}")
    if item.get_closest_marker("postgres") and connection.vendor != "postgresql":
        pytest.skip("postgres: the database here is SQLite; `make test` has a PostgreSQL of its own")


#: How the reason of a skip begins that is none of a machine's faults.
OPTIONAL = "optional: "


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Under POLIGNAC_REQUIRE_ALL a skip is a failure, but for want of what nobody has to have."""
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        if str(reason).startswith(f"Skipped: {OPTIONAL}"):
            return
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
