"""A client that a generator makes from the OpenAPI document plays a whole season, and its types are right."""

import importlib
import io
import json
import os
import pkgutil
import subprocess
import sys
import zipfile
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command

from arena.audit import audit
from arena.record import Record
from sandbox.languages import languages
from tests.faults.machinery import Redis, Site, Worker, wait_until

pytestmark = [pytest.mark.bubblewrap, pytest.mark.redis, pytest.mark.slow]

PASSWORD = "correct horse battery"
# What it doesn't know by itself, and no formatting of what nobody reads.
GENERATOR = """
post_hooks: []
content_type_overrides:
  application/zip: application/octet-stream
  application/x-ndjson: application/octet-stream
  text/csv: application/octet-stream
  text/event-stream: application/octet-stream
"""
# What the generator writes into every client, whatever the document says, is its own affair.
TYPES = """
[mypy]
check_untyped_defs = true
[mypy-league_client.client]
ignore_errors = true
"""


@pytest.fixture
def site(transactional_db, tmp_path):
    """The address of a site with a worker of its own."""
    data = tmp_path / "data"
    data.mkdir()
    with ExitStack() as at_the_end:
        broker = Redis(tmp_path)
        at_the_end.callback(broker.kill)
        worker = Worker(broker, data, tmp_path / "worker.log", RATE_EVERY_S="0")
        at_the_end.callback(worker.kill)
        site = Site(data, tmp_path / "site.log", REDIS_URL=broker.url)
        at_the_end.callback(site.kill)
        address = f"http://127.0.0.1:{site.port}"
        wait_until(lambda: worker.says(" ready."), "the worker is ready")
        wait_until(lambda: site.says("") and answers(address), "the site answers")
        yield address


def answers(site):
    """Whether it does."""
    try:
        return httpx.get(f"{site}/api/v1/health/").status_code == 200
    except httpx.ConnectError:
        return False


def generate(source, folder):
    """Make the client there, without a warning."""
    (folder / "generator.yaml").write_text(GENERATOR)
    run(
        Path(sys.executable).parent / "openapi-python-client",
        *("generate", "--fail-on-warning", "--meta=none", source),
        *(f"--config={folder}/generator.yaml", f"--output-path={folder}/league_client"),
    )


@pytest.fixture
def package(site, tmp_path, monkeypatch):
    """The client, made from the document as the site serves it."""
    generate(f"--url={site}/api/v1/schema/", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("league_client")
    for name in [name for name in sys.modules if name.partition(".")[0] == "league_client"]:
        del sys.modules[name]


def run(*command, **options):
    """Run a command to its good end."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr


class Person:
    """Somebody with an account, who does everything with the client's functions, by their operation ids."""

    def __init__(self, package, site, name):
        self.package, self.site = package, site
        self.functions = {
            module.name.rpartition(".")[2]: module.name
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        }
        self.models = importlib.import_module(f"{package.__name__}.models")
        with package.Client(base_url=site) as self.client:
            self.does("user_create", body=self.models.CredentialsRequest(name, PASSWORD))
            token = self.does("token_create", body=self.models.NewTokenRequest(name, PASSWORD)).token
        self.client = package.AuthenticatedClient(base_url=site, token=token)
        self.close = self.client.get_httpx_client().close

    def does(self, operation, *about, **more):
        """What the operation answers, parsed; it must be no problem."""
        function = importlib.import_module(self.functions[operation])
        answer = function.sync_detailed(*about, client=self.client, **more)
        assert answer.status_code < 400, (operation, answer.content)
        return answer.parsed

    def submits(self, name):
        """A bot, and its first version: the starter for Python."""
        types = importlib.import_module(f"{self.package.__name__}.types")
        starter = io.BytesIO()
        with zipfile.ZipFile(starter, "w") as archive:
            for path, content in languages()["python"].starter.items():
                archive.writestr(path, content)
        bot = self.does("bot_create", body=self.models.NewBotRequest(name))
        file = types.File(io.BytesIO(starter.getvalue()), "bot.zip", "application/zip")
        return self.does("bot_version_create", bot.id, body=self.models.UploadRequest(file))

    def waits(self, operation, row, status):
        """Until it has that status."""
        return wait_until(lambda: self.does(operation, row.id).status == status, f"{operation}: {status}")


@pytest.fixture
def people(package, site):
    """Three who have signed up and logged in."""
    with ExitStack() as at_the_end:
        yield [at_the_end.enter_context(closing(Person(package, site, n))) for n in ("anna", "bert", "cora")]


def test_it_plays_a_season(people):
    versions = [person.submits(f"{number}") for number, person in enumerate(people)]
    cora = people[-1]
    rules = cora.models.NewTournamentRequestRules.from_dict({"players": 3, "deals": 2})
    draft = cora.models.NewTournamentRequest(name="Season", rules=rules, boards=2)
    cup = cora.does("tournament_create", body=draft)
    cora.does("tournament_open", cup.id)
    for person, version in zip(people, versions, strict=True):
        person.waits("version_get", version, "active")
        person.does("tournament_enter", cup.id, body=cora.models.NewEntryRequest(version.id))
    cora.does("tournament_start", cup.id)
    cora.waits("tournament_get", cup, "finished")
    assert cora.does("tournament_progress", cup.id).matches == 6
    standings = wait_until(lambda: cora.does("tournament_standings", cup.id).results, "there are standings")
    assert {line.version_id for line in standings} == {version.id for version in versions}
    wait_until(lambda: cora.does("rating_list").results, "the ratings are published")
    assert {rating.owner for rating in cora.does("rating_list").results} == {"anna", "bert", "cora"}
    [match, *_] = cora.does("match_list", tournament=cup.id).results
    record = cora.does("match_record", match.id)
    audit(Record.from_bytes(json.dumps(record.to_dict()).encode()))


def test_its_types_are_right(tmp_path):
    call_command("spectacular", "--file", str(tmp_path / "schema.yaml"))
    generate(f"--path={tmp_path}/schema.yaml", tmp_path)
    (tmp_path / "mypy.ini").write_text(TYPES)
    command = (sys.executable, "-m", "mypy", f"--config-file={tmp_path}/mypy.ini", "--no-incremental")
    run(*command, "league_client", cwd=tmp_path, env=os.environ | {"MYPYPATH": str(tmp_path)})
