"""While a tournament is not over, every address is read by everybody: no seed, no hand and no salt is in any
answer, and of sources and logs each sees their own."""

import io
import json
import zipfile

import pytest

from league.bots import store
from league.bots.models import Version
from league.live.subjects import KINDS, Subject, look, seen_by
from league.matches.models import Match
from league.pipeline.start import start_tournament
from league.tournaments.models import Board, Table
from sandbox.package import Package
from tests.league import addresses, kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ann):
    """A tournament under way: all but one of its tables are played. Sources and logs say whose they are."""
    cup = kit.open_tournament(ann, boards=2)
    for version in kit.entered(cup, 3):
        with_a_line_of_its_own(version)
        version.checks.create(
            position=0, stage="start", outcome="passed", duration_ms=1, log=f"stage log of {version.label}"
        )
    cup = start_tournament(cup, ann)
    tables = list(Table.objects.filter(tournament=cup).order_by("pk").values_list("pk", flat=True))
    for table in tables[:-1]:
        kit.play(table)
    kit.recompute(cup)
    kit.recompute(cup.pool)
    return cup


def with_a_line_of_its_own(version):
    """Its source says whose it is: those of the reference players have lines in common."""
    source = f"# source of {version.label}\n".encode()
    version.archive = store.put(Package({"main.py": source}, "python", "main.py").to_zip())
    version.save()


def seeds(cup):
    return {cup.seed, *Board.objects.filter(group__tournament=cup).values_list("seed", flat=True)}


def hands(cup):
    """Every hand of what was played, as JSON writes it, with and without spaces."""
    found = set()
    for match in Match.objects.filter(tournament=cup):
        for deal in json.loads(bytes(match.record))["deals"]:
            for hand in deal["hands"]:
                found |= {json.dumps(hand), json.dumps(hand, separators=(",", ":"))}
    assert len(found) > 5
    return found


def programs(version):
    """What tells a version's program: a line of its source, its digest, its archive's name in the store."""
    return {f"# source of {version.label}", version.digest, version.archive}


def everything(client, cup):
    """All that a client can read: each address with the headers and the body of its answer."""
    every = {
        address: None
        for version in Version.objects.filter(entries__tournament=cup)
        for _, address in addresses.addresses(addresses.about(cup, version))
    }
    for address in every:
        yield from followed(client, address)


def followed(client, address):
    while address:
        answer = addresses.read(client, address)
        text = f"{answer.headers} {answer.body.decode('utf-8', 'replace')}"
        if answer.body.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
                text += "".join(archive.read(name).decode() for name in archive.namelist())
        yield address, text
        is_list = answer.status_code == 200 and answer.headers.get("Content-Type") == "application/json"
        page = json.loads(answer.body) if is_list else None
        address = page.get("next") if isinstance(page, dict) else None


def test_of_a_tournament_under_way_nobody_reads_a_seed_or_a_hand_and_of_sources_and_logs_each_their_own(
    cup, ann, staff
):
    versions = list(Version.objects.filter(entries__tournament=cup).select_related("bot__owner"))
    secrets = seeds(cup) | hands(cup)
    for who in (None, kit.user("stranger"), kit.author(1), ann, staff):
        read = dict(everything(kit.client(who), cup))
        assert len(read) > 60, "addresses"
        for address, text in read.items():
            assert '"hands"' not in text, (who, address)
            assert not [secret for secret in secrets if secret in text], (who, address)
        text = "".join(read.values())
        for version in versions:
            own = who is not None and (who.is_staff or version.bot.owner_id == who.pk)
            secret = {f"log of {version.label}", f"stage log of {version.label}", *programs(version)}
            found = {one for one in secret if one in text}
            assert found == (secret if own else set()), (who, version)


def test_no_live_event_of_a_tournament_under_way_has_a_secret_in_it(cup, ann, staff):
    versions = list(Version.objects.filter(entries__tournament=cup).select_related("bot__owner"))
    for who in (None, kit.user("stranger"), kit.author(1), ann, staff):
        told = ""
        for kind in KINDS:
            for row in seen_by(who, kind):
                told += look(Subject(kind, row.pk)).event.wire.decode()
        assert "match" in KINDS
        assert not [secret for secret in seeds(cup) | hands(cup) if secret in told]
        for version in versions:
            own = who is not None and (who.is_staff or version.bot.owner_id == who.pk)
            assert (f"stage log of {version.label}" in told) == own
            assert (version.digest in told) == own


def test_when_it_is_over_they_are_public(cup, anybody):
    kit.play_all(cup)
    text = "".join(text for _, text in everything(anybody, cup))
    assert all(seed in text for seed in seeds(cup))
    assert any(hand in text for hand in hands(cup))
