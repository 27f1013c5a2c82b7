"""Full disks, for real: the archives', the one that bots' files are laid on, the database's."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection

from league.bots import services as bots
from league.bots.models import Version
from league.common.lifecycle import StatusNote
from league.matches.models import Match
from league.pipeline import check, play, queue
from league.pipeline.backend import backend
from league.pipeline.patience import insist
from league.tournaments.models import Table
from tests.league import kit

pytestmark = [pytest.mark.root, pytest.mark.django_db(transaction=True)]
BOT = b"import polignac\n\n\nclass Mine(polignac.Bot):\n    pass\n\n\nMine().run()\n"


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    """Nobody listens here: what follows is called for by the tests."""
    monkeypatch.setattr(queue.current_app, "send_task", lambda *_, **__: None)


def fill(disk):
    """Take all the room there is; gives the file that does."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65536, 1024, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return filler


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_upload_that_finds_a_full_disk_is_told_so_and_leaves_nothing(small_disk, settings):
    settings.DATA_DIR = small_disk(64)
    filler = fill(settings.DATA_DIR)
    ann = kit.user("ann")
    client, address = kit.client(ann), f"/api/v1/bots/{bots.create_bot(ann, 'Dodger').pk}/versions/"

    def send():
        return client.post(address, {"file": SimpleUploadedFile("bot.py", BOT)}, format="multipart")

    answer = send()
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert not Version.objects.exists()
    assert files_in(settings.DATA_DIR) == [filler]
    filler.unlink()
    assert send().status_code == 201


@pytest.mark.bubblewrap
@pytest.mark.compilers
def test_a_build_that_finds_no_room_is_done_again_and_its_author_is_not_blamed(small_disk, settings):
    settings.DATA_DIR = small_disk(4096)
    version, _ = bots.add_version(bots.create_bot(kit.user("ann"), "Sea"), c_starter())
    filler = fill(settings.DATA_DIR)
    check.check_version(version.pk)
    version.refresh_from_db()
    assert (version.status, version.artefact) == ("received", "")
    assert version.failure.startswith("archive_store")
    assert "No space left" in version.failure
    filler.unlink()
    check.check_version(version.pk)
    version.refresh_from_db()
    assert (version.status, len(files_in(settings.DATA_DIR))) == ("active", 2)


def c_starter():
    from sandbox.languages import languages
    from sandbox.package import Package

    return Package(languages()["c"].starter, "c", "main.c")


@pytest.mark.bubblewrap
def test_a_table_whose_bots_find_no_room_is_void_and_played_later(small_disk, monkeypatch):
    backend()  # a worker has chosen it when it started
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk(1024)))
    filler = fill(Path(tempfile.gettempdir()))
    _, tables = kit.running(kit.user("ann"))
    play.play_next()
    [note] = StatusNote.objects.filter(kind="table", old="playing")
    assert (note.new, note.text.partition(":")[0]) == ("queued", "staging")
    Table.objects.update(not_before=None)
    play.play_next()
    assert not Table.objects.filter(attempt__gt=1).exists(), "none is claimed while there is no room"
    assert not Match.objects.exists()
    filler.unlink()
    assert files_in(Path(tempfile.gettempdir())) == [], "nothing is left of the attempt"
    Table.objects.update(not_before=None)
    for _ in tables:
        play.play_next()
    assert set(Table.objects.values_list("status", flat=True)) == {"done"}
    assert Match.objects.count() == len(tables)
    assert not Match.objects.filter(seats__faults__gt=0).exists()


def test_results_that_find_a_full_database_are_stored_later_and_whole(small_disk):
    _, tables = kit.running(kit.user("ann"), boards=3)
    claim, versions, played = kit.played(tables[0])
    failures = []
    with database_on(small_disk) as disk:
        filler = fill(disk)

        def store():
            if failures:
                filler.unlink(missing_ok=True)
            try:
                kit.store_table(claim, versions, played)
            except OperationalError as error:
                failures.append(str(error))
                raise

        insist(store)
        assert len(failures) == 1
        assert any(word in failures[0] for word in ("full", "I/O error", "No space")), failures
        assert [bytes(match.record) for match in Match.objects.order_by("id")] == [
            one.record.to_bytes() for one in played
        ]


@contextmanager
def database_on(small_disk):
    """The records of matches are kept on that disk, which is given."""
    with (_sqlite_on if connection.vendor == "sqlite" else _postgres_on)(small_disk) as disk:
        yield disk


@contextmanager
def _sqlite_on(small_disk):
    """The database's file is moved there, and not moved back."""
    connection.close()
    name = connection.settings_dict["NAME"]
    disk = small_disk(Path(name).stat().st_size // 1024 + 512)
    connection.settings_dict["NAME"] = shutil.copy(name, disk / "league.sqlite3")
    try:
        yield disk
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name


@contextmanager
def _postgres_on(small_disk):
    """The table's own files are moved there, and back."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        owner = Path(cursor.fetchone()[0]).stat().st_uid
        disk = small_disk(1024)
        (disk / "space").mkdir()
        os.chown(disk / "space", owner, -1)
        cursor.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'space'}'")
        cursor.execute("ALTER TABLE matches_match SET TABLESPACE small")
    try:
        yield disk
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE matches_match SET TABLESPACE pg_default")
            cursor.execute("DROP TABLESPACE small")
