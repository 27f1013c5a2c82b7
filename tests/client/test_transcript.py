"""The transcript in docs/client.md: typed again, it shows the same."""

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from sandbox.reference import reference_package
from tests.league import kit
from tests.support.transcript import fits, transcripts

PAGE = Path(__file__).parent.parent.parent / "docs" / "client.md"
ADDRESS = "https://league.example"
PASSWORD = "correct horse battery\n"
BOTS = {"heron": "dodger", "owl": "lowest", "crow": "random"}
STAGES = {
    "archive": "16 files, 59306 bytes.",
    "manifest": "main.py is a program in Python (Python 3.11 or newer, the standard library only).",
    "build": "Python needs no build.",
    "start": "The program runs.",
    "handshake": "It was ready after 38 of 10000 ms.",
    "rules": "It took 329 decisions by 6 sets of rules, with the options at these tables.",
    "table": "It played a match without a fault at each table of 3, 4, 5, 6.",
}


@pytest.fixture
def season(site, checker, tmp_path, monkeypatch):
    """Three bots in the folder, a worker for their checks and one for the tables, and settled cards."""
    from league.tournaments.models import Tournament

    monkeypatch.chdir(tmp_path)
    for name, player in BOTS.items():
        for path, content in reference_package(player).files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    checker(*(kit.stage(stage, message=message) for stage, message in STAGES.items()))
    chance = random.Random(6)
    seeded = SimpleNamespace(
        token_bytes=chance.randbytes, token_hex=lambda count: chance.randbytes(count).hex()
    )
    for module in ("models", "planning"):  # where seeds are drawn; tokens are drawn elsewhere
        monkeypatch.setattr(f"league.tournaments.{module}.secrets", seeded)

    def work(seconds):
        from league.pipeline.rate import rate_sheet
        from league.ratings.selectors import behind

        kit.play_all(Tournament.objects.get())
        for sheet in behind():
            rate_sheet(sheet.pk)

    monkeypatch.setattr("client.server.watching.sleep", work)
    return site


def test_the_transcript_shows_what_happens(season, polignac):
    (asked,) = transcripts(PAGE)
    assert len(asked) > 10
    for command, shown in asked:
        program, *arguments = command.replace(ADDRESS, season).split()
        assert program == "polignac"
        code, out, err = polignac(*arguments, typed=PASSWORD)
        assert code == 0, err
        assert fits(out.replace(season, ADDRESS), shown), f"{command}\n{out}"
