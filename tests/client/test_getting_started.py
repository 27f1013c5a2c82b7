"""Getting started, in docs/api.md: from a token to a rating with curl, and with the command, typed again."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from sandbox.check import Stage
from sandbox.reference import reference_package
from tests.faults.machinery import wait_until
from tests.league import kit
from tests.support.transcript import fits, transcripts

PAGE = Path(__file__).parent.parent.parent / "docs" / "api.md"
ADDRESS = "https://league.example"
PASSWORD = "correct horse battery\n"


@pytest.fixture
def tuesday(site, checker, tmp_path, monkeypatch):
    """A site with an open tournament, one's own bot in the folder, and a worker for its check.

    Gives what happens when one has entered: the organiser starts it, it is played, ratings are published.
    """
    from league.pipeline.rate import rate_sheet
    from league.ratings.selectors import behind

    monkeypatch.chdir(tmp_path)
    package = reference_package("dodger")
    Path("heron.zip").write_bytes(package.to_zip())
    for path, content in package.files.items():
        file = tmp_path / "heron" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    checker(*(kit.stage(stage) for stage in Stage))
    cup = kit.open_tournament(kit.user("cora"), "Tuesday", boards=10)
    kit.entered(cup, 2)

    def is_played():
        kit.tournaments.start(cup, cup.organiser)
        kit.play_all(cup)
        for sheet in behind():
            rate_sheet(sheet.pk)

    return is_played


def typed(command, known):
    """What a shell prints, in which `known` are set; an assignment sets one more."""
    name = (re.match(r"([A-Z]+)=", command) or [None, None])[1]
    script = f'{command}; printf %s "${name}"' if name else command
    done = subprocess.run(
        ["bash", "-c", script], env=os.environ | known, capture_output=True, text=True, check=True
    )
    if name:
        known[name] = done.stdout
    return "" if name else done.stdout


def checked():
    """Wait until every upload has been."""
    from league.bots.models import Version

    wait_until(lambda: not Version.objects.filter(status__in=["received", "checking"]), "it is checked")


@pytest.mark.curl
def test_from_a_token_to_a_rating_with_curl(tuesday, site):
    known = {}
    before, after, _ = transcripts(PAGE)
    for command, shown in before + after:
        seen = typed(command.replace(ADDRESS, site), known).replace(site, ADDRESS)
        assert fits(seen, shown), f"{command}\n{seen}"
        if "/versions/" in command:
            checked()
        if "/entrants/" in command:
            tuesday()


def test_from_a_token_to_a_rating_with_the_command(tuesday, site, polignac):
    for command, shown in transcripts(PAGE)[2]:
        program, *arguments = command.replace(ADDRESS, site).split()
        assert program == "polignac"
        code, out, err = polignac(*arguments, typed=PASSWORD)
        assert code == 0, err
        assert fits(out.replace(site, ADDRESS), shown), f"{command}\n{out}"
        if "enter" in arguments:
            tuesday()
